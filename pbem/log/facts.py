"""What a log has established so far: the `Ledger`, a snapshot that stays small however long the game is.

Decides nothing: it answers questions (who is still waited for, what the accumulator of the open turn will
be, whether a move is fresh). How it changes is order.py's business. Digests, keys, tips and links are hex
here, as in the file, so that a ledger can be stored as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine import refuse
from pbem.log.draws import acc0, acc_next, setup_digest

Phase = Literal["joining", "readying", "playing", "over", "ended"]
"""joining until the first ready, readying until start, over after an empty `next`, ended after `end`."""


class Member(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat, in charter order. `link` is its newest link (the tip at first), `links` how many it gave.

    `reveal` is its link of the open turn, `excused` that it gives none in it; `moved` the record number of
    its newest move, `standing` of its newest standing orders (0: none); `revs` the newest `rev` by kind.
    """

    seat: str
    public_key: str = ""
    tip: str = ""
    link: str = ""
    links: int = 0
    ready: bool = False
    resigned: bool = False
    reveal: str = ""
    excused: bool = False
    moved: int = 0
    standing: int = 0
    revs: dict[str, int] = {}


class Ledger(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts after record `n`, whose line has the digest `head`.

    `turn` is the open turn (0 before the start), `due` the seats that must decide when it opens, `acc` the
    accumulator of the newest closed turn, `changed` the record number of the newest change of the position
    that makes older moves stale, `opening` the record that opened the turn.
    """

    game: str
    charter: str
    host_key: str
    host_tip: str
    hidden: str
    roster: tuple[Member, ...]
    host_link: str
    n: int
    head: str
    at: str
    phase: Phase = "joining"
    data_open: bool = True
    turn: int = 0
    due: tuple[str, ...] = ()
    acc: str = ""
    changed: int = 0
    opening: int = 0
    envelopes: int = 0
    opened: int = 0
    last_of: int = -1
    drawn_of: int = -1
    named: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in charter order."""
        return tuple(member.seat for member in self.roster)


def member(ledger: Ledger, seat: str) -> Member:
    """The seat's facts. Raises Refused `log/unknown-seat`."""
    for entry in ledger.roster:
        if entry.seat == seat:
            return entry
    raise refuse("log/unknown-seat", seat=ascii_of(seat))


def with_member(ledger: Ledger, changed: Member) -> Ledger:
    """The ledger with one seat's facts replaced."""
    roster = tuple([changed if entry.seat == changed.seat else entry for entry in ledger.roster])
    return msgspec.structs.replace(ledger, roster=roster)


def note_rev(ledger: Ledger, seat: str, kind: str, rev: int) -> Ledger:
    """The ledger that remembers the newest `rev` of an accepted envelope, which the record keeps sealed."""
    entry = member(ledger, seat)
    return with_member(ledger, msgspec.structs.replace(entry, revs={**entry.revs, kind: rev}))


def owes_reveal(ledger: Ledger, seat: str) -> bool:
    """True if the seat's next move of the open turn must give its next link."""
    entry = member(ledger, seat)
    return ledger.phase == "playing" and seat in ledger.due and not entry.reveal and not entry.excused


def waiting(ledger: Ledger) -> tuple[str, ...]:
    """The due seats that have neither given their link nor been excused, in charter order."""
    return tuple(entry.seat for entry in ledger.roster if owes_reveal(ledger, entry.seat))


def is_fresh(ledger: Ledger, seat: str, base: int) -> bool:
    """True if no record after record `base` changed the position, as section 4 has it for a move.

    Sealed moves of other seats of `next` don't count, a seat's own do.
    """
    return base >= ledger.changed and base >= member(ledger, seat).moved


def is_finished(ledger: Ledger) -> bool:
    """True after the end, when every envelope has been opened."""
    return ledger.phase == "ended" and ledger.opened == ledger.envelopes


def setup_acc(ledger: Ledger, host_link_1: bytes) -> bytes:
    """A_0 once all seats are ready."""
    seats = [
        (bytes.fromhex(entry.public_key), bytes.fromhex(entry.tip), bytes.fromhex(entry.link))
        for entry in ledger.roster
    ]
    return acc0(setup_digest(bytes.fromhex(ledger.charter), host_link_1, seats))


def turn_acc(ledger: Ledger, host_link: bytes, coming: Mapping[str, bytes] | None = None) -> bytes:
    """A_t of the open turn t with the host's link t+1; `coming` holds reveals not yet recorded, by seat."""
    extra = coming or {}
    reveals = [extra.get(entry.seat) or bytes.fromhex(entry.reveal) for entry in ledger.roster]
    return acc_next(bytes.fromhex(ledger.acc), ledger.turn, host_link, reveals)


def ascii_of(text: str) -> str:
    """A stranger's words, short and harmless enough to be quoted in a fault."""
    return text[:80].encode("ascii", "backslashreplace").decode("ascii")
