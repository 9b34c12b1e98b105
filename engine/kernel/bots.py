"""Bots: they see a view and its menu, never a state, and know no rule.

`random_turn` takes any legal action from the menu, one after the other, as far as the view lets it
foresee; then it stops, and the turn stays open for the news. It plays every game; a game may name bots of its
own that know more. A seed comes in as `below`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.kernel.dice import Below
from engine.kernel.foresee import foresee
from engine.kernel.game import AnyGame, Bot
from engine.kernel.menu import Chooser, Menu, Order, fill
from engine.kernel.refusal import Code, refuse

RANDOM = "random"

CODES = (
    Code(
        "game/unknown-bot",
        "One of the bots of this game: {known}.",
        "{name}.",
        "Name one of them, or leave it out for the best.",
    ),
)


def bots_of(game: AnyGame) -> Mapping[str, Bot]:
    """Every bot that plays a game, by name, the best one first: the default."""
    return {**game.bots, RANDOM: random_turn}


def find_bot(game: AnyGame, name: str = "") -> Bot:
    """The bot of that name, the best one for no name. Refused `game/unknown-bot`."""
    known = bots_of(game)
    found = known.get(name or next(iter(known)))
    if found is None:
        raise refuse("game/unknown-bot", name=name, known=", ".join(known))
    return found


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
