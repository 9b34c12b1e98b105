"""A whole game again, from what was recorded: the setups, then every step in its order.

It decides nothing; it hands each step to `advance` with the dice of the turn in which it stands. What
comes out is what the log must say. It knows no log, no seed and no signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, assert_never

import msgspec

from engine.kernel.advance import (
    Filed,
    Held,
    OnLapse,
    Outcome,
    Position,
    Silence,
    Table,
    file_standing,
    play,
    resign,
    start,
    timeout,
)
from engine.kernel.dice import Dice, Source


class Started(msgspec.Struct, frozen=True, tag_field="step", tag="start"):
    """The start, once all are ready; standing orders that stand before it count from turn 1."""


class Moved(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="step", tag="move"):
    """A seat's orders."""

    seat: str
    orders: tuple[dict[str, Any], ...]
    on_lapse: OnLapse = "go_on"


class TimedOut(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="step", tag="timeout"):
    """A seat's time ran out; `orders` are those of a bot that played for it."""

    seat: str
    orders: tuple[dict[str, Any], ...] = ()
    skip: bool = False


class Resigned(msgspec.Struct, frozen=True, tag_field="step", tag="resign"):
    """A seat left."""

    seat: str


class Instructed(msgspec.Struct, frozen=True, tag_field="step", tag="standing"):
    """A seat sent standing orders."""

    seat: str
    policy: dict[str, Any]


Later = Moved | TimedOut | Resigned | Instructed
"""A step of a game that has started."""
Step = Started | Later
"""One record that the rules care about."""


def replay(
    table: Table, setups: Mapping[str, Any], steps: Iterable[Step], source_for_turn: Callable[[int], Source]
) -> Iterator[tuple[Outcome, Dice]]:
    """From the start on, each step's outcome and the dice it made. ValueError unless there is just one start.

    `source_for_turn(t)` gives the draws of turn t; the start's are turn 0's. Refused as `advance` has it.
    """
    early: dict[str, Filed] = {}
    position: Position[Any] | None = None
    for step in steps:
        if position is None and isinstance(step, Instructed):
            early[step.seat] = Filed(step.seat, step.policy)
            continue
        dice = Dice(source_for_turn(0 if position is None else position.state.turn))
        if isinstance(step, Started):
            if position is not None:
                raise ValueError("the game has started already")
            outcome = start(table, setups, tuple(early.values()), dice)
        elif position is None:
            raise ValueError("the game has not started")
        else:
            outcome = advance(table, position, step, dice)
        position = outcome.position
        yield outcome, dice


def advance(table: Table, position: Position[Any], step: Later, dice: Dice) -> Outcome:
    """One step after the start."""
    match step:
        case Moved():
            return play(table, position, Held(step.seat, step.orders, step.on_lapse), dice)
        case TimedOut():
            return timeout(table, position, step.seat, dice, Silence(step.orders, step.skip))
        case Resigned():
            return resign(table, position, step.seat, dice)
        case Instructed():
            filed = file_standing(table, position, step.seat, step.policy)
            return Outcome(filed, (), (), False, (), table.game.result(filed.state))
        case _:
            assert_never(step)
