"""Addresses of the service: `games+GAME.SEAT.TOKEN@domain`, in whatever case a mail program has made of it.

Decides whether mail to an address is wanted. The token is a MAC under the game's own key, so nobody learns
from a refusal whether a game, a seat or only a token is wrong.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable

import msgspec

from pbem.turn.desk import Post
from pbem.turn.views import token

_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9.-]{1,190}|\[[A-Za-z0-9.:]{1,60}\])"
)
_ROUTE = re.compile(r"([a-z0-9-]{1,64})\.([a-z0-9_-]{1,64})\.([a-z2-7]{1,16})")
_MOST_KEYS = 10_000


class Place(msgspec.Struct, frozen=True):
    """Where a mail belongs, and the address that said so."""

    game: str
    seat: str
    address: str


class Directory:
    """Knows which addresses there are. Remembers the keys of games it has seen; they never change.

    `look_up` gives the mail key of a game, or None if there is none.
    """

    def __init__(self, post: Post, look_up: Callable[[str], bytes | None]) -> None:
        self._local, _, self._domain = post.address.partition("@")
        self._look_up = look_up
        self._keys: dict[str, bytes] = {}

    def find(self, address: str) -> Place | None:
        """The place of an address; None if there is no such address."""
        # 1. one of ours, by its form
        local, _, domain = address.lower().rpartition("@")
        service, plus, route = local.partition("+")
        match = _ROUTE.fullmatch(route)
        if domain != self._domain or service != self._local or not plus or match is None:
            return None
        game, seat, given = match.groups()
        # 2. of a game that there is, with the token that its key makes for this seat
        key = self._key(game)
        if key is None or not hmac.compare_digest(token(key, game, seat), given):
            return None
        return Place(game, seat, address)

    def _key(self, game: str) -> bytes | None:
        key = self._keys.get(game)
        if key is None:
            key = self._look_up(game)
            if key is not None and len(self._keys) < _MOST_KEYS:
                self._keys[game] = key
        return key


def is_address(text: str) -> bool:
    """True for an address that can stand in a command, a row and a header: ASCII, one `@`, no quotes."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None
