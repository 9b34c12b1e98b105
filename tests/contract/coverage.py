"""Everything that a game declares occurs in some playthrough: actions, what is nested in them, events, decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import AnyGame
from engine.kernel import codec
from engine.kernel.replay import Moved
from tests.contract import shapes
from tests.contract.playing import Case, Play, played

MOST_PLAYS = 60


def never_seen(game: AnyGame, cases: Iterable[Case]) -> tuple[str, ...]:
    """Names of the declared Structs that none of the plays shows; stops as soon as all have been seen."""
    wanted: set[type[Any]] = {*shapes.structs(game.action), *shapes.structs(game.event)}
    for case in cases:
        if not wanted:
            break
        for part in _carried_out(played(case)):
            wanted.discard(type(part))
    return tuple(sorted(f"{one.__name__} ({one.__struct_config__.tag})" for one in wanted))


def _carried_out(play: Play) -> Iterable[Any]:
    """Every action that was ordered or answered for a seat, every event, with all that is inside them."""
    for one in play.taken:
        if isinstance(one.step, Moved):
            for number, order in enumerate(one.step.orders, 1):
                yield from shapes.parts(codec.action(play.table.game, order, number))
    for outcome in play.outcomes():
        for event in outcome.events:
            yield from shapes.parts(event)
        for auto in outcome.auto:
            if auto.answer is not None:
                yield from shapes.parts(codec.action(play.table.game, auto.answer, 1))


def all_cases(game: AnyGame) -> Iterable[Case]:
    """Cases of every number of seats in turn, up to `MOST_PLAYS` of them."""
    low, high = game.players
    numbers = range(low, high + 1)
    for index in range(MOST_PLAYS):
        yield Case(game, numbers[index % len(numbers)], index // len(numbers))
