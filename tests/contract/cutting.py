"""How an order list is cut into moves changes no roll and no outcome.

Only lists whose every order was carried out are cut: an order that lapses inside a list would be refused
as the first of a move, which is a difference that the rules want.
"""

from __future__ import annotations

from typing import Any

from engine import Dice, Held, Outcome, play
from engine.kernel.replay import Moved
from tests.contract.playing import Play, Taken, chance, same, source, waiting


def check_cut(game: Play, one: Taken) -> None:
    """AssertionError if the step, a move played alone, comes out otherwise when it is cut in two."""
    step, before = one.step, one.before
    if not isinstance(step, Moved) or len(step.orders) < 2 or len(before.due) > 1 or before.sealed:
        return
    position = one.outcome.position
    lapsed = any(type(event).__name__ == "Lapsed" for event in one.outcome.events)
    if lapsed or before.rest or position.rest or step.seat not in waiting(game.table, before):
        return
    where = 1 + chance("cut", game.case.name, one.number)(len(step.orders) - 1)
    parts = (step.orders[:where], step.orders[where:])
    dice = Dice(source(game.case.name, before.state.turn))
    events: list[Any] = []
    outcome: Outcome | None = None
    now = before
    for part in parts:
        if step.seat not in waiting(game.table, now):
            return
        outcome = play(game.table, now, Held(step.seat, part, step.on_lapse), dice)
        events += outcome.events
        now = outcome.position
    name = (
        f"{game.case.name}, record {one.number}: {step.seat}'s orders cut after {where} of {len(step.orders)}"
    )
    assert outcome is not None
    assert same(now, position), f"{name} lead to another position"
    assert same(events, one.outcome.events), f"{name} bring other events"
    assert (tuple(dice.public), tuple(dice.hidden)) == (one.public, one.hidden), f"{name} draw otherwise"
    assert outcome.closed == one.outcome.closed, f"{name}: the turn closes only one way"
