"""How an order list is cut into moves changes no roll and no outcome.

From a position in which one seat alone is to move, orders are found one at a time, each from the menu
after the one before, and played as moves of their own; then all of them are played as one list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import Dice, Draw, Held, Outcome, Position, Refused, play, random_order, waiting
from tests.contract.playing import Play, chance, same, source

MOST_ORDERS = 8


def can_be_cut(game: Play, position: Position[Any]) -> bool:
    """Whether one seat alone is to move, and nothing else waits."""
    alone = len(waiting(game.table, position)) == 1 and not position.sealed and not position.rest
    return alone and game.table.game.result(position.state) is None


def check_cut(game: Play, position: Position[Any], name: str) -> None:
    """AssertionError if whole and cut differ."""
    (seat,), turn = waiting(game.table, position), int(position.state.turn)
    single = _one_by_one(game, position, seat, name)
    orders = tuple(one.order for one in single)
    whole_dice = Dice(source(name, turn))
    try:
        whole = play(game.table, position, Held(seat, orders), whole_dice)
    except Refused as refused:
        raise AssertionError(
            f"{name}: {seat}'s {orders} were accepted one by one; as a list, {refused}"
        ) from None
    last = single[-1].outcome
    events = [event for one in single for event in one.outcome.events]
    draws = [[draw for one in single for draw in drawn(one.dice)] for drawn in (_public, _hidden)]
    what = f"{name}: {seat}'s {len(orders)} orders, sent as one list or one by one,"
    assert same(events, whole.events), f"{what} bring other events: {events}\n{whole.events}"
    assert same(last.position, whole.position), f"{what} lead to other positions"
    assert draws == [whole_dice.public, whole_dice.hidden], f"{what} draw otherwise"
    assert last.closed == whole.closed, f"{what} close the turn only one way"


@dataclass(frozen=True)
class _Single:
    order: dict[str, Any]
    outcome: Outcome
    dice: Dice


def _public(dice: Dice) -> list[Draw]:
    return dice.public


def _hidden(dice: Dice) -> list[Draw]:
    return dice.hidden


def _one_by_one(game: Play, position: Position[Any], seat: str, name: str) -> list[_Single]:
    below = chance("cut", name)
    made: list[_Single] = []
    now = position
    while len(made) < MOST_ORDERS:
        order = random_order(game.table.game.menu(game.table.game.view(now.state, seat)), below)
        assert order is not None, f"{name}: {seat} is to move, but its menu asks nothing"
        dice = Dice(source(name, int(position.state.turn)))
        outcome = play(game.table, now, Held(seat, (order,)), dice)
        made.append(_Single(order, outcome, dice))
        now = outcome.position
        if outcome.closed or outcome.result is not None or seat not in waiting(game.table, now):
            break
    return made
