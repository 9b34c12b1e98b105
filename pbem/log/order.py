"""Which record may follow which, and what it establishes (protocol.md sections 5 and 6): level 1's law.

| phase    | may come                                        | it ends with                    |
| -------- | ----------------------------------------------- | ------------------------------- |
| joining  | data (at its head), join, key, standing, press, time, deadline | the first ready, or end |
| readying | ready, standing, press, time, deadline          | start, or end (cancelled)       |
| playing  | move, timeout, resign, undo, undone, and what comes beside | a record with an empty `next`, such as a ruling |
| over     | nothing                                         | end                             |
| ended    | opened, then drawn, then names at the very last |                                 |

The service appends through this, the auditor reads through this. It decides from the ledger and one record
alone; what needs the whole log (`base`, nothing twice, values of draws) is verify.py's business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from engine import refuse
from pbem.log import seal, undo
from pbem.log.chain import HOST, follows
from pbem.log.draws import check_draw_shape
from pbem.log.facts import (
    Ledger,
    Member,
    ascii_of,
    is_awaited,
    is_key_used,
    member,
    owes_reveal,
    playing_member,
    setup_acc,
    turn_acc,
    waiting,
    with_chains,
    with_member,
)
from pbem.log.record import (
    Charter,
    Data,
    Deadline,
    Drawn,
    End,
    Enveloped,
    Join,
    Key,
    Move,
    Names,
    Opened,
    Press,
    Ready,
    Record,
    Resign,
    Ruling,
    Standing,
    Start,
    Time,
    Timeout,
    Undo,
    Undone,
    kind_of,
)

replace = msgspec.structs.replace
Playing = Move | Timeout | Resign

MAY_COME: Mapping[str, tuple[type[Record], ...]] = {
    "joining": (Data, Join, Key, Ready, Standing, Press, Time, Deadline, End),
    "readying": (Ready, Standing, Press, Time, Deadline, Start, End),
    "playing": (Move, Timeout, Resign, Undo, Undone, Ruling, Key, Standing, Press, Time, Deadline),
    "over": (End,),
    "ended": (Opened, Drawn, Names),
}
NO_PREVIOUS = "0" * 64
_AT = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def append(ledger: Ledger | None, record: Record, line_digest: str) -> Ledger:
    """The ledger after one more record whose line has that digest; None stands for the empty log.

    The host's signature has been looked at by the caller. Raises Refused `log/…` (or `seal/weak-key`), with
    the ledger unchanged.
    """
    # 1. its place in the chain
    _check_place(ledger, record)
    if isinstance(record, Charter):
        return _charter(record, line_digest)
    if ledger is None:
        raise refuse("log/charter-first", kind=kind_of(record))
    # 2. its kind at this point of the game
    if not isinstance(record, MAY_COME[ledger.phase]) or (isinstance(record, Data) and not ledger.data_open):
        raise refuse("log/order", kind=kind_of(record), phase=ledger.phase)
    # 3. what the kind demands and establishes
    after = _establish(ledger, record)
    # 4. the new head
    return replace(
        after,
        n=record.n,
        head=line_digest,
        at=record.at,
        data_open=isinstance(record, Data),
        envelopes=after.envelopes + (isinstance(record, Enveloped) and not isinstance(record, Press)),
    )


def _check_place(ledger: Ledger | None, record: Record) -> None:
    number = 0 if ledger is None else ledger.n + 1
    if record.n != number:
        raise refuse("log/number", expected=number, found=record.n)
    if record.prev != (NO_PREVIOUS if ledger is None else ledger.head):
        raise refuse("log/previous")
    if isinstance(record, Charter) and ledger is not None:
        raise refuse("log/order", kind="charter", phase=ledger.phase)
    if ledger is not None and record.at == ledger.at:
        return
    if not is_time(record.at):
        raise refuse("log/time", found=ascii_of(record.at))
    if ledger is not None and record.at < ledger.at:
        raise refuse("log/time-falls", earlier=ledger.at, found=record.at)


def is_time(text: str) -> bool:
    """True for `YYYY-MM-DDTHH:MM:SSZ` of a day that exists."""
    match = _AT.fullmatch(text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def _charter(record: Charter, line_digest: str) -> Ledger:
    if not record.seats or len(set(record.seats)) != len(record.seats) or HOST in record.seats:
        raise refuse("log/seats")
    seal.check_public_key(bytes.fromhex(record.host_key))
    return Ledger(
        game=record.game,
        charter=line_digest,
        host_key=record.host_key,
        host_tip=record.tip,
        hidden=record.hidden,
        roster=tuple(Member(seat) for seat in record.seats),
        host_link=record.tip,
        n=0,
        head=line_digest,
        at=record.at,
    )


def _establish(ledger: Ledger, record: Record) -> Ledger:
    match record:
        case Charter():
            raise refuse("log/order", kind="charter", phase=ledger.phase)
        case Data():
            return ledger
        case Join():
            return _join(ledger, record)
        case Ready():
            return _ready(ledger, record)
        case Start():
            return _start(ledger, record)
        case Move() | Timeout() | Resign():
            return _change(ledger, record)
        case Ruling():
            return _ruling(ledger, record)
        case Undo() | Undone():
            return undo.establish(ledger, record)
        case Key() | Press() | Standing() | Time() | Deadline():
            return _beside_the_play(ledger, record)
        case End():
            return replace(ledger, phase="ended")
        case Opened() | Drawn() | Names():
            return _after_end(ledger, record)
        case _:
            assert_never(record)


def _beside_the_play(ledger: Ledger, record: Key | Press | Standing | Time | Deadline) -> Ledger:
    """What may come at any time, and leaves the position as it is."""
    match record:
        case Key():
            return _key(ledger, record)
        case Press() | Time():
            playing_member(ledger, record.seat)
        case Standing():
            return with_member(ledger, replace(playing_member(ledger, record.seat), standing=record.n))
        case Deadline():
            if record.who != HOST:
                member(ledger, record.who)
        case _:
            assert_never(record)
    return ledger


def _join(ledger: Ledger, record: Join) -> Ledger:
    entry = member(ledger, record.seat)
    # 1. one join a seat
    if entry.public_key:
        raise refuse("log/join-twice", seat=record.seat)
    # 2. it signs the charter
    if record.base != ledger.charter:
        raise refuse("log/join-base", seat=record.seat)
    # 3. a sound key, used for no other seat and not the host's
    seal.check_public_key(bytes.fromhex(record.public_key))
    if is_key_used(ledger, record.public_key):
        raise refuse("log/key-used", seat=record.seat)
    changed = replace(entry, public_key=record.public_key, tip=record.tip, link=record.tip)
    return with_member(ledger, changed)


def _key(ledger: Ledger, record: Key) -> Ledger:
    entry = playing_member(ledger, record.seat)
    # 1. a sound key that nobody in this game has or had
    seal.check_public_key(bytes.fromhex(record.public_key))
    if is_key_used(ledger, record.public_key):
        raise refuse("log/key-used", seat=record.seat)
    ended = (*ledger.ended_keys, entry.public_key)
    changed = replace(entry, public_key=record.public_key, keys=entry.keys + 1)
    # 2. before the first ready it takes the place of the join's; later its chain waits for the others' links
    if ledger.phase == "joining":
        changed = replace(changed, tip=record.tip, link=record.tip)
    else:
        lost = entry.linkless or record.how != "rotated"
        changed = replace(changed, new_tip=record.tip, since=ledger.turn, linkless=lost)
    return replace(with_member(ledger, changed), ended_keys=ended)


def _ruling(ledger: Ledger, record: Ruling) -> Ledger:
    if record.turn != ledger.turn:
        raise refuse("log/turn", expected=ledger.turn, found=record.turn)
    if record.next:
        raise refuse("log/ruling")
    _check_host_link(ledger, record.link)
    ruled = replace(ledger, changed=record.n, ruled=True)
    return _opened_turn(ruled, record, turn_acc(ledger, bytes.fromhex(record.link)))


def _ready(ledger: Ledger, record: Ready) -> Ledger:
    entry = member(ledger, record.seat)
    if not all(other.public_key for other in ledger.roster):
        raise refuse("log/ready-early", seat=record.seat)
    if entry.ready:
        raise refuse("log/ready-twice", seat=record.seat)
    entry = replace(
        _linked(ledger, entry, record.reveal), ready=True, revs={**entry.revs, "ready": record.rev}
    )
    return replace(with_member(ledger, entry), phase="readying")


def _start(ledger: Ledger, record: Start) -> Ledger:
    if not all(entry.ready for entry in ledger.roster):
        raise refuse("log/start-early")
    if sorted(record.order) != sorted(ledger.seats):
        raise refuse("log/turn-order")
    for draw in record.draws:
        check_draw_shape(draw)
    _check_next(ledger, record.next)
    _check_host_link(ledger, record.link)
    acc = setup_acc(ledger, bytes.fromhex(record.link))
    return _opened_turn(replace(ledger, changed=record.n), record, acc)


def _change(ledger: Ledger, record: Playing) -> Ledger:
    # 1. the open turn, a seat still in the game
    if record.turn != ledger.turn:
        raise refuse("log/turn", expected=ledger.turn, found=record.turn)
    entry = playing_member(ledger, record.seat)
    # 2. its link, or its excuse
    after = with_member(ledger, _spoken(ledger, entry, record))
    open_seats = waiting(after)
    for answer in record.auto:
        _check_auto(ledger, answer)
    # 3. no draw before all due seats are in or excused; of a resignation out of turn only at the close
    for draw in record.draws:
        check_draw_shape(draw)
    if record.draws and open_seats:
        raise refuse("log/draws-early", seat=open_seats[0])
    if record.draws and isinstance(record, Resign) and not _may_draw(ledger, record):
        raise refuse("log/draws-out-of-turn", seat=record.seat)
    # 4. what counts as a change: all but the sealed moves of seats that others are still waited for with
    if not (isinstance(record, Move) and open_seats):
        after = undo.without_wishes(replace(after, changed=record.n))
    # whoever resigns stays gone: no undo goes back behind that
    after = replace(after, course=(*(() if isinstance(record, Resign) else after.course), record.n))
    # 5. the close of the turn
    if (record.link is None) != (record.next is None):
        raise refuse("log/link-and-next")
    if record.link is None or record.next is None:
        return after
    if open_seats:
        raise refuse("log/closed-early", seat=open_seats[0])
    _check_next(ledger, record.next)
    _check_host_link(ledger, record.link)
    return _opened_turn(after, record, turn_acc(after, bytes.fromhex(record.link)))


def _spoken(ledger: Ledger, entry: Member, record: Playing) -> Member:
    owes, awaited = owes_reveal(ledger, entry.seat), is_awaited(ledger, entry)
    if awaited:
        entry = replace(entry, came=record.n, back=False)
    match record:
        case Move():
            if owes and record.reveal is None:
                raise refuse("log/reveal-missing", seat=entry.seat)
            if record.reveal is None:
                return replace(entry, moved=record.n)
            if not owes:
                raise refuse("log/reveal-extra", seat=entry.seat)
            linked = _linked(ledger, entry, record.reveal)
            return replace(linked, reveal=record.reveal, moved=record.n, linked=record.turn)
        case Timeout():
            return replace(entry, excused=entry.excused or awaited)
        case Resign():
            return replace(entry, excused=entry.excused or awaited, resigned=True)
        case _:
            assert_never(record)


def _may_draw(ledger: Ledger, record: Resign) -> bool:
    """In his own turn, at its close, or where his leaving answers what he was asked: an answer could have drawn as well."""
    answered = any(answer.get("seat") == record.seat for answer in record.auto)
    return record.link is not None or record.seat in ledger.due or answered


def _check_auto(ledger: Ledger, answer: Mapping[str, Any]) -> None:
    by, decision = answer.get("by"), answer.get("decision")
    if answer.get("seat") not in ledger.seats or by not in ("standing", "default") or decision is None:
        raise refuse("log/auto")


def _after_end(ledger: Ledger, record: Opened | Drawn | Names) -> Ledger:
    """Order as far as counting goes; that `of` names the right record is verify.py's business."""
    if ledger.named:
        raise refuse("log/after-names", kind=kind_of(record))
    match record:
        case Opened():
            if ledger.opened >= ledger.envelopes or ledger.drawn_of >= 0 or record.of <= ledger.last_of:
                raise refuse("log/opened-order", of=record.of)
            return replace(ledger, opened=ledger.opened + 1, last_of=record.of)
        case Drawn():
            if ledger.opened < ledger.envelopes or record.of <= ledger.drawn_of:
                raise refuse("log/drawn-order", of=record.of)
            for draw in record.draws:
                check_draw_shape(draw)
            return replace(ledger, drawn_of=record.of)
        case Names():
            if ledger.opened < ledger.envelopes:
                raise refuse("log/names-early")
            for seat in record.names:
                member(ledger, seat)
            return replace(ledger, named=True)
        case _:
            assert_never(record)


def _linked(ledger: Ledger, entry: Member, reveal: str) -> Member:
    if not follows(ledger.game, entry.seat, bytes.fromhex(reveal), bytes.fromhex(entry.link)):
        raise refuse("log/wrong-link", who=entry.seat)
    return replace(entry, link=reveal, links=entry.links + 1)


def _check_host_link(ledger: Ledger, link: str) -> None:
    if not follows(ledger.game, HOST, bytes.fromhex(link), bytes.fromhex(ledger.host_link)):
        raise refuse("log/wrong-link", who=HOST)


def _check_next(ledger: Ledger, seats: tuple[str, ...]) -> None:
    if len(set(seats)) != len(seats) or not set(seats) <= set(ledger.seats):
        raise refuse("log/next-seats")


def _opened_turn(ledger: Ledger, record: Start | Playing | Ruling, acc: bytes) -> Ledger:
    """The next turn, or the end of play. A seat that resigned is excused from every later turn."""
    due = record.next or ()
    roster = tuple(
        [
            replace(entry, reveal="", excused=entry.resigned, came=0, back=False, wish=0)
            for entry in with_chains(ledger).roster
        ]
    )
    return replace(
        ledger,
        phase="playing" if due else "over",
        turn=ledger.turn + 1,
        due=due,
        acc=acc.hex(),
        host_link=record.link or ledger.host_link,
        opening=record.n,
        course=(record.n,),
        roster=roster,
    )
