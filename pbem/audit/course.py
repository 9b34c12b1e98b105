"""A game played again: the position after each record, from the opened envelopes and the rules (level 2).

Decides what comes of a record, never what a record says. All that the rules raise becomes a refusal here,
because a forged log may lead them anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from engine import Filed, Position, Refused, Table, file_standing, refuse
from pbem.log import payloads, record
from pbem.log.draws import LabelSource
from pbem.log.payloads import Payload
from pbem.turn import play
from pbem.turn.play import Played

T = TypeVar("T")
Json = dict[str, Any]


class Course(msgspec.Struct, frozen=True):
    """Where the game stands: setup choices and standing orders until the start, then the position."""

    table: Table
    setups: dict[str, Json] = {}
    filed: tuple[Filed, ...] = ()
    position: Position[Any] | None = None


def by_rules(work: Callable[[], T]) -> T:
    """What the rules say, or Refused `audit/not-allowed` or `audit/rules-broke`."""
    try:
        return work()
    except Refused as refused:
        raise refuse("audit/not-allowed", code=refused.refusal.code) from refused
    except Exception as error:  # whatever a forged log makes the rules raise is its own fault
        raise refuse("audit/rules-broke", reason=type(error).__name__) from error


def confirm(course: Course, payload: payloads.Ready) -> Course:
    """A seat's setup choices. Refused `audit/…` if the rules do not take them."""
    game, charter = course.table.game, course.table.charter

    def vetted() -> Course:
        refusal = game.vet_setup(charter, payload.seat, msgspec.convert(payload.setup, game.setup))
        if refusal is not None:
            raise Refused(refusal)
        return msgspec.structs.replace(course, setups={**course.setups, payload.seat: payload.setup})

    return by_rules(vetted)


def instruct(course: Course, payload: payloads.Standing) -> Course:
    """Standing orders, before the start or after it. Refused `audit/…` if the rules do not take them."""
    table, before = course.table, course.position or Position(state=None, due=(), filed=course.filed)
    after = by_rules(lambda: file_standing(table, before, payload.seat, payload.policy))
    if course.position is None:
        return msgspec.structs.replace(course, filed=after.filed)
    return msgspec.structs.replace(course, position=after)


def change(course: Course, entry: record.Changed, payload: Payload | None, dice: LabelSource) -> Played:
    """What comes of a start, a move, a silence or a resignation. `payload` is a move's. Refused `audit/…`."""
    return by_rules(lambda: _change(course, entry, payload, dice))


def _change(course: Course, entry: record.Changed, payload: Payload | None, dice: LabelSource) -> Played:
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
