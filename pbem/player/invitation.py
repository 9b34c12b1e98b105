"""Invitations and charters: what a player can check before he trusts a host with a game.

Decides that an invitation is signed by the key that its own charter names. Whether that key deserves trust
nobody can tell from a file: the first charter of a game that a player sees is the one he keeps to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from engine import AnyGame, Charter, Refused, find, refuse
from pbem.log.canonical import Limits, canonical, digest, read
from pbem.log.payloads import Hex, Name, place
from pbem.log.record import Charter as CharterRecord
from pbem.log.record import read_record, verify_record
from pbem.log.seal import check_public_key, read_sig, verify
from pbem.player.opening import as_object, is_address, open_file

INVITATION = Limits(192 * 1024, 24)
"""An invitation holds a whole log line as a string, in which every quote counts twice."""


class KnownGame(msgspec.Struct, frozen=True):
    """A charter that was checked: its line (without LF), its digest (hex), the record.

    `data`: the game's own boards and decks by name; None while the lines that would hold them are not known.
    """

    line: bytes
    digest: str
    charter: CharterRecord
    data: Mapping[str, Any] | None = None

    @property
    def host_key(self) -> bytes:
        """The host's raw public key."""
        return bytes.fromhex(self.charter.host_key)


class Offered(msgspec.Struct, frozen=True):
    """How a seat is offered: to a successor, or to its player for a new key.

    `base`: the newest line, hex; `used`: public keys, hex, that this game knows already.
    """

    how: Literal["taken", "reset"]
    base: Hex
    used: tuple[Hex, ...]


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that was checked. `address` is where the answer goes, `token` proves that it was for this reader.

    `offer` if the seat has been played before: it is taken over, or gets a new key.
    """

    known: KnownGame
    seat: str
    token: str
    address: str
    offer: Offered | None = None

    @property
    def game(self) -> str:
        """The game's id."""
        return self.known.charter.game


class _Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: int
    kind: str
    game: Name
    seat: Name
    token: Name
    address: str
    charter_line: str
    how: Literal["taken", "reset"]
    base: Hex
    used: tuple[Hex, ...]


class _Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: int
    kind: str
    game: Name
    seat: Name
    token: Name
    address: str
    charter_line: str


def read_charter(line: bytes) -> KnownGame:
    """The game that a charter line opens. Refused: `log/…`, `seal/…`, `file/…`."""
    record = read_record(line)
    if not isinstance(record, CharterRecord):
        raise refuse("log/charter-first", kind=record.__class__.__name__.lower())
    check_public_key(bytes.fromhex(record.host_key))
    verify_record(record, bytes.fromhex(record.host_key))
    return KnownGame(line, digest(line), record)


def read_invitation(data: bytes) -> Invitation:
    """The invitation in a file or a saved mail. Refused: `kit/…`, `seal/…`, `log/…`, `file/…`."""
    opened = open_file(data)
    if opened.reply is None and opened.texts:
        return _invitation(read(opened.texts[0], INVITATION))
    trouble = refuse("kit/not-an-invitation")
    for text in opened.texts:
        try:
            return _invitation(read(text, INVITATION))
        except Refused as refused:
            if trouble.refusal.code == "kit/not-an-invitation":
                trouble = refused
    raise trouble


def _invitation(value: object) -> Invitation:
    # 1. an envelope of this kind
    whole = as_object(value) or {}
    payload = as_object(whole.get("payload")) or {}
    kind = payload.get("kind")
    if whole.keys() != {"payload", "sig"} or kind not in ("invitation", "offer"):
        raise refuse("kit/not-an-invitation")
    if payload.get("v") != 1:
        raise refuse("file/version")
    try:
        offer = msgspec.convert(payload, _Offer) if kind == "offer" else None
        shaped = offer or msgspec.convert(payload, _Payload)
    except msgspec.ValidationError as misfit:
        raise refuse("file/shape", where=place(misfit)) from None
    # 2. a sound charter, signed by the key that it names, of this game, with this seat
    known = read_charter(shaped.charter_line.encode("utf-8"))
    if known.charter.game != shaped.game or shaped.seat not in known.charter.seats:
        raise refuse("kit/not-the-charter", game=shaped.game, seat=shaped.seat)
    # 3. the same key's signature on the invitation
    verify(known.host_key, str(kind), canonical(payload), read_sig(whole["sig"]))
    # 4. rules that this kit has, and an address that can be written to
    find_game(known.charter.ruleset.id, known.charter.ruleset.version)
    if not is_address(shaped.address):
        raise refuse("kit/address")
    offered = Offered(offer.how, offer.base, offer.used) if offer else None
    return Invitation(known, shaped.seat, shaped.token, shaped.address, offered)


def find_game(ruleset: str, version: str | int) -> AnyGame:
    """The game of a ruleset; our versions are numbers. Refused `game/unknown`."""
    return find(ruleset, version if isinstance(version, int) else -1)


def table_of(known: KnownGame) -> Charter:
    """The charter as the engine has it; ValidationError where its options are not this ruleset's."""
    record = known.charter
    game = find_game(record.ruleset.id, record.ruleset.version)
    return Charter(record.seats, msgspec.convert(record.options, game.options), known.data or {})
