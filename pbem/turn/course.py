"""A game on its course: the position after each record, made by the rules from the envelopes, never from a record.

Used alike by who puts a game back to an earlier record and by who audits it. Decides what comes of a record; the
ledger has decided that it may stand there. Raises Refused as the rules do, ValueError for what no log can have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine import Filed, Position, Refused, Table, file_standing
from pbem.log import payloads, record
from pbem.log.chain import HOST, chain_link
from pbem.log.draws import LabelSource
from pbem.log.ledger import Ledger, append
from pbem.log.payloads import Payload, shape_payload
from pbem.turn import play
from pbem.turn.desk import Kept, Secrets
from pbem.turn.play import Played

Json = dict[str, Any]
replace = msgspec.structs.replace


class Course(msgspec.Struct, frozen=True):
    """Where the game stands: setup choices and standing orders until the start, then the position.

    `past` are the positions of the open turn by record number, the one that opened it first.
    """

    table: Table
    setups: dict[str, Json] = {}
    filed: tuple[Filed, ...] = ()
    position: Position[Any] | None = None
    past: tuple[tuple[int, Position[Any]], ...] = ()


def confirm(course: Course, payload: payloads.Ready) -> Course:
    """A seat's setup choices."""
    game, charter = course.table.game, course.table.charter
    refusal = game.vet_setup(charter, payload.seat, msgspec.convert(payload.setup, game.setup))
    if refusal is not None:
        raise Refused(refusal)
    return replace(course, setups={**course.setups, payload.seat: payload.setup})


def instruct(course: Course, payload: payloads.Standing) -> Course:
    """Standing orders, before the start or after it."""
    before = course.position or Position(state=None, due=(), filed=course.filed)
    after = file_standing(course.table, before, payload.seat, payload.policy)
    if course.position is None:
        return replace(course, filed=after.filed)
    return replace(course, position=after)


def change(course: Course, entry: record.Changed, payload: Payload | None, dice: LabelSource) -> Played:
    """What comes of a start, a move, a silence or a resignation. `payload` is a move's."""
    table = course.table
    if isinstance(entry, record.Start):
        setups = {seat: course.setups[seat] for seat in table.charter.seats}
        return play.begin(table, setups, course.filed, dice)
    position = course.position
    if position is None:
        raise ValueError("a change before the start")
    if isinstance(entry, record.Timeout):
        if dice.k_hidden is None:
            raise ValueError("a silence without the hidden key")
        unspoken = play.Unspoken(entry.seat, entry.by, dice.game, entry.n, dice.k_hidden)
        return play.timeout(table, position, entry.seat, dice, play.silence_by(table, position, unspoken))
    if isinstance(entry, record.Resign):
        return play.resign(table, position, entry.seat, dice)
    if not isinstance(payload, payloads.Move | payloads.Advance):
        raise ValueError("a move without its envelope")
    return play.move(table, position, payload, dice)


def after(course: Course, entry: record.Changed, played: Played) -> Course:
    """The course after a change."""
    outcome = played.outcome
    past = () if outcome.closed else course.past
    return replace(course, position=outcome.position, past=(*past, (entry.n, outcome.position)))


def put_back(course: Course, entry: record.Undone) -> Course:
    """The course at an earlier record of the open turn; standing orders that were sent since stay sent."""
    position = earlier(course, entry.to)
    past = (*(one for one in course.past if one[0] < entry.to), (entry.to, position))
    return replace(course, position=position, past=past)


def earlier(course: Course, to: int) -> Position[Any]:
    """The position that an undo to record `to` gives."""
    now, then = course.position, dict(course.past).get(to)
    if now is None or then is None:
        raise ValueError("an undo to a record without a position")
    return replace(then, filed=now.filed, standing=now.standing)


def course_of(table: Table, secrets: Secrets, lines: Sequence[bytes], kept: Iterable[Kept]) -> Course:
    """The course of a game that is under way, from its own log and what was kept sealed of it."""
    sealed = {one.n: one.payload_and_sig for one in kept if one.payload_and_sig}
    course = Course(table)
    ledger: Ledger | None = None
    for line in lines:
        entry = record.read_record(line)
        before, ledger = ledger, append(ledger, entry, record.line_digest(line))
        payload = shape_payload(sealed[entry.n]["payload"]) if entry.n in sealed else None
        match payload:
            case payloads.Ready():
                course = confirm(course, payload)
            case payloads.Standing():
                course = instruct(course, payload)
            case _:
                pass
        if isinstance(entry, record.Undone):
            course = put_back(course, entry)
        elif isinstance(entry, record.Changed) and before is not None:
            course = after(course, entry, change(course, entry, payload, _dice(before, entry, secrets)))
    return course


def _dice(before: Ledger, entry: record.Changed, secrets: Secrets) -> LabelSource:
    host_link = chain_link(secrets.seed, before.game, HOST, before.turn + 1)
    if isinstance(entry, record.Start):
        return play.start_source(before, host_link, secrets.k_hidden)
    reveal = entry.reveal if isinstance(entry, record.Move) else None
    coming = {entry.seat: bytes.fromhex(reveal)} if reveal else {}
    return play.turn_source(before, host_link, coming, secrets.k_hidden)
