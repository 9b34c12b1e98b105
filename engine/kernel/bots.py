"""Bots: they see a view and its menu, never a state, and know no rule.

`random_turn` takes any legal action from the menu, one after the other, as far as the view lets it
foresee; then it stops, and the turn stays open for the news. A seed comes in as `below`.
"""

from __future__ import annotations

from typing import Any

from engine.kernel.dice import Below
from engine.kernel.foresee import foresee
from engine.kernel.game import AnyGame
from engine.kernel.menu import Chooser, Menu, Order, fill


def random_order(menu: Menu, below: Below) -> Order | None:
    """One order, or None when the menu asks nothing. Every act has the same chance."""
    acts = [act for asked in menu.asked for act in asked.acts]
    if not acts:
        return None
    return fill(menu, acts[below(len(acts))], Chooser(below))


def random_turn(game: AnyGame, view: Any, seat: str, below: Below, most: int = 30) -> tuple[Order, ...]:
    """Orders for a turn: up to its end, or to where the view cannot tell what comes next."""
    orders: list[Order] = []
    now = view
    while now is not None and len(orders) < most:
        order = random_order(game.menu(now), below)
        if order is None:
            break
        seen = foresee(game, view, seat, [*orders, order])
        orders.append(order)
        if seen.closed:
            break
        now = seen.view
    return tuple(orders)
