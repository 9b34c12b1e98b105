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

    Of a changed key: `new_tip` is the tip of a chain that does not count yet, `since` the turn that was open when it
    was published, `linkless` that the old chain is lost, so that till then the seat gives no link. `linked` is the
    newest turn in which the seat gave a link. `keys` counts the changes.

    Of undoing: `came` is the record of the open turn with which the seat came in, `back` that this has been undone: it
    is waited for again, and owes no link. `wish` is the record to which it wishes to go back (0: none).
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
    new_tip: str = ""
    since: int = 0
    linkless: bool = False
    linked: int = 0
    keys: int = 0
    came: int = 0
    back: bool = False
    wish: int = 0


class Ledger(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts after record `n`, whose line has the digest `head`.

    `turn` is the open turn (0 before the start), `due` the seats that must decide when it opens, `acc` the
    accumulator of the newest closed turn, `changed` the record number of the newest change of the position
    that makes older moves stale, `opening` the record that opened the turn, `course` the records of the open turn that
    the position came through, the newest last. `ended_keys` were seats' keys once,
    `ruled` that the host has ended the game.
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
    ended_keys: tuple[str, ...] = ()
    ruled: bool = False
    course: tuple[int, ...] = ()

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


def playing_member(ledger: Ledger, seat: str) -> Member:
    """The facts of a seat that has joined and not resigned. Raises Refused `log/not-joined`, `log/resigned`."""
    entry = member(ledger, seat)
    if not entry.public_key:
        raise refuse("log/not-joined", seat=seat)
    if entry.resigned:
        raise refuse("log/resigned", seat=seat)
    return entry


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
    return is_awaited(ledger, entry) and not (entry.linkless or entry.back)


def is_awaited(ledger: Ledger, entry: Member) -> bool:
    """True while a due seat has neither given its link nor been excused; without a chain, while it has not moved.

    A seat whose coming in was undone is awaited till it comes in again.
    """
    if ledger.phase != "playing" or entry.seat not in ledger.due:
        return False
    if entry.back:
        return True
    if entry.reveal or entry.excused:
        return False
    return not (entry.linkless and entry.moved > ledger.opening)


def waiting(ledger: Ledger) -> tuple[str, ...]:
    """The due seats that are still awaited, in charter order."""
    return tuple(entry.seat for entry in ledger.roster if is_awaited(ledger, entry))


def is_key_used(ledger: Ledger, public_key: str) -> bool:
    """True if the key (hex) is or was that of a seat, or is the host's."""
    now = (entry.public_key for entry in ledger.roster)
    return public_key in (ledger.host_key, *ledger.ended_keys, *now)


def with_chains(ledger: Ledger) -> Ledger:
    """The ledger at the opening of a turn: new tips count for whom every other seat has given a link since.

    A seat that has resigned or has no chain is not waited for.
    """
    roster = tuple([_with_chain(ledger, entry) if entry.new_tip else entry for entry in ledger.roster])
    return msgspec.structs.replace(ledger, roster=roster)


def _with_chain(ledger: Ledger, entry: Member) -> Member:
    others = (one for one in ledger.roster if one.seat != entry.seat)
    if any(not (one.resigned or one.linkless) and one.linked <= entry.since for one in others):
        return entry
    tip = entry.new_tip
    return msgspec.structs.replace(entry, tip=tip, link=tip, links=0, new_tip="", since=0, linkless=False)


def is_agreed(ledger: Ledger, to: int) -> bool:
    """True if every seat still in the game wishes to go back to record `to` of the open turn."""
    return to in ledger.course[:-1] and all(entry.wish == to for entry in ledger.roster if not entry.resigned)


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
