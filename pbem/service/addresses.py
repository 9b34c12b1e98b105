"""Addresses of the service, in whatever case a mail program has made of them.

| address                         | mail to it                                                             |
| ------------------------------- | ---------------------------------------------------------------------- |
| `games+GAME.SEAT.TOKEN@domain`  | is for that game                                                       |
| `games@domain`                  | is for the game that it names itself (`routing`)                       |
| `b+LETTER.MAC@domain`           | is a letter that came back                                             |

Decides whether mail to an address is wanted. Token and MAC are made under keys of the host, so nobody learns
from a refusal whether a game, a seat or only a token is wrong, and nobody can make up a bounce.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable

import msgspec

from pbem.log.seal import PrivateKey
from pbem.service.config import Home
from pbem.turn.addresses import is_address
from pbem.turn.desk import Post
from pbem.turn.views import token

_ROUTE = re.compile(r"([a-z0-9-]{1,64})\.([a-z0-9_-]{1,64})\.([a-z2-7]{1,16})")
_RETURN = re.compile(r"([1-9][0-9]{0,17})\.([a-z2-7]{8})")
_SENDER = re.compile(r'(?:"(?:[ !#-;=?-\[\]-~]|\\[ -;=?-~])+"|[!#-;=?A-~]+)@[!#-;=?A-~]+')
_MOST_KEYS = 10_000
__all__ = ["Directory", "Place", "Returns", "is_address", "is_sender", "returns_of", "returns_under"]


def is_sender(text: str) -> bool:
    """True for what may stand as the envelope sender of a mail that comes in: ASCII, with an `@`.

    Nothing is ever sent there, and what forwarders, lists and providers write is no player's fault: words in quotes,
    more than 64 letters before the `@`, a domain with `_`.
    """
    return len(text) <= 254 and _SENDER.fullmatch(text) is not None


class Place(msgspec.Struct, frozen=True):
    """Where a mail belongs, and the address that said so.

    `letter` is the number of the letter that came back; without it and without a game, the mail must say itself
    where it belongs.
    """

    game: str
    seat: str
    address: str
    letter: int = 0


class Returns(msgspec.Struct, frozen=True):
    """Envelope senders of letters (VERP): one for each, so that a bounce says which letter it is about.

    Without `plus` they all have the one address.
    """

    address: str
    key: bytes
    plus: bool

    def __repr__(self) -> str:
        return f"Returns({self.address})"

    def of(self, letter: int) -> str:
        """The envelope sender of a letter."""
        if not self.plus:
            return self.address
        local, _, domain = self.address.partition("@")
        return f"{local}+{letter}.{token(self.key, 'bounce', str(letter))}@{domain}"

    def letter(self, address: str) -> int:
        """The letter whose envelope sender this is; 0 if it is none's."""
        local, _, domain = address.lower().rpartition("@")
        own, _, own_domain = self.address.partition("@")
        mine, plus, rest = local.partition("+")
        match = _RETURN.fullmatch(rest)
        if not self.plus or (mine, plus, domain) != (own, "+", own_domain) or match is None:
            return 0
        given = token(self.key, "bounce", match[1])
        return int(match[1]) if hmac.compare_digest(given, match[2]) else 0


def returns_under(key: PrivateKey, address: str, *, plus: bool) -> Returns:
    """Return addresses under a key that only the host's key gives."""
    return Returns(address, hmac.digest(key.raw, b"pbem/v1/bounces", hashlib.sha256), plus)


def returns_of(home: Home) -> Returns:
    """The return addresses of a home's letters."""
    config = home.config
    return returns_under(home.key, config.returns, plus=config.plus or bool(config.bounces))


class Directory:
    """Knows which addresses there are. Remembers the keys of games it has seen; they never change.

    `look_up` gives the mail key of a game, or None if there is none.
    """

    def __init__(
        self, post: Post, look_up: Callable[[str], bytes | None], returns: Returns | None = None
    ) -> None:
        self._returns = returns
        self._local, _, self._domain = post.address.partition("@")
        self._look_up = look_up
        self._keys: dict[str, bytes] = {}

    def find(self, address: str) -> Place | None:
        """The place of an address; None if there is no such address."""
        # 0. the service itself, or a letter that came back
        if address.lower() == f"{self._local}@{self._domain}":
            return Place("", "", address)
        if self._returns is not None and (letter := self._returns.letter(address)):
            return Place("", "", address, letter)
        # 1. one of ours, by its form
        parts = self._parts(address)
        if parts is None:
            return None
        game, seat, given = parts
        # 2. of a game that there is, with the token that its key makes for this seat
        key = self._key(game)
        if key is None or not hmac.compare_digest(token(key, game, seat), given):
            return None
        return Place(game, seat, address)

    def at_hand(self, address: str) -> str | None:
        """The game of an address that `find` need not look up; None for any other address."""
        parts = self._parts(address)
        return parts[0] if parts is not None and parts[0] in self._keys else None

    def _parts(self, address: str) -> tuple[str, str, str] | None:
        """Game, seat and token of an address of that form."""
        local, _, domain = address.lower().rpartition("@")
        service, plus, route = local.partition("+")
        match = _ROUTE.fullmatch(route)
        if domain != self._domain or service != self._local or not plus or match is None:
            return None
        return match[1], match[2], match[3]

    def knows(self, game: str) -> bool:
        """Whether there is such a game."""
        return self._key(game) is not None

    def _key(self, game: str) -> bytes | None:
        key = self._keys.get(game)
        if key is None:
            key = self._look_up(game)
            if key is not None and len(self._keys) < _MOST_KEYS:
                self._keys[game] = key
        return key
