"""Positions from few words, and orders played on them: what the rule tests are written in."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from engine import Charter, Decision, Dice, Refused, find, plain
from engine.games.arena.events import Event
from engine.games.arena.orders import Options
from engine.games.arena.state import State
from engine.kernel.dice import Source

ARENA = find("arena", 1)
FIRST_EIGHT = ("amazon", "colossus", "cyclops", "daimon", "ettin", "gorgon", "magus", "seraphim")
LAST_EIGHT = ("ettin", "gorgon", "magus", "seraphim", "titan", "troll", "unicorn", "wyrm")
THREE = ("red", "green", "blue")

Json = dict[str, Any]


def charter(
    creatures: tuple[str, ...] = LAST_EIGHT, seats: tuple[str, ...] = THREE, reactions: str = "standing"
) -> Charter:
    options = msgspec.convert({"creatures": list(creatures), "reactions": reactions}, Options)
    return Charter(seats, options)


def position(table: Charter | None = None, **given: Any) -> State:
    """A position; what is not given is as `place` documents it."""
    placed: State = ARENA.place(table or charter(), given)
    return placed


def in_order(label: str, *, hidden: bool) -> Callable[[int], int]:
    """A source whose shuffles change nothing: the first cards of a hand are drawn."""
    return lambda n: n - 1


def seeded(seed: object) -> Source:
    def source(label: str, *, hidden: bool) -> Callable[[int], int]:
        stream = random.Random(f"{seed}/{label}")
        return stream.randrange

    return source


def action(order: Json) -> Any:
    return msgspec.convert(order, ARENA.action)


def refusal(state: State, seat: str, order: Json) -> str:
    """The code with which an order is refused; empty if it is accepted."""
    refused = ARENA.check(state, seat, action(order))
    return refused.code if refused else ""


def do(state: State, seat: str, *orders: Json) -> tuple[State, list[Json]]:
    """Play orders that must be legal; the position after them, and what happened."""
    dice = Dice(in_order)
    happened: list[Event] = []
    for order in orders:
        typed = action(order)
        assert ARENA.check(state, seat, typed) is None, (order, ARENA.check(state, seat, typed))
        before = plain(state)
        after, events = ARENA.apply(state, seat, typed, dice)
        assert plain(state) == before
        assert ARENA.tally(after) == ARENA.tally(state)
        state = after
        happened += events
    return state, [plain(event) for event in happened]


def silent(state: State, seat: str) -> State:
    """Defaults and standing answers until the seat's turn is over."""
    turn = state.turn
    while state.turn == turn and (asked := ARENA.pending(state)):
        answer = ARENA.answer(state, asked[0])
        order = answer.action if answer else ARENA.default(state, asked[0])
        state, _ = do(state, asked[0].seat, plain(order))
    return state


def play(card: str, **fields: Any) -> Json:
    return {"do": "play", "card": card, **fields}


def use(power: str, **fields: Any) -> Json:
    return {"use": power, **fields}


END: Json = {"do": "end_turn"}
SHOW: Json = {"do": "show_hand"}


def rows(*cells: str | list[str] | tuple[list[str], str], revealed: tuple[str, ...] = ()) -> Json:
    """A column: each cell a list of cards, a seat whose token lies there, or both as (cards, seat)."""
    return {"rows": [_cell(cell) for cell in cells], "revealed": list(revealed)}


def _cell(cell: str | list[str] | tuple[list[str], str]) -> Json:
    if isinstance(cell, str):
        return {"token": cell}
    cards, token = (cell, "") if isinstance(cell, list) else cell
    return {"cards": cards, "token": token}


def hands(**cards: Any) -> Json:
    """Hands by seat, each a text of card names."""
    return {
        seat: {"hand": names.split()} if isinstance(names, str) else names for seat, names in cards.items()
    }


def tops(state: State, creature: str) -> list[str]:
    return [cell.cards[-1] if cell.cards else "" for cell in state.columns[creature].rows]


def named(events: list[Json], name: str) -> list[Json]:
    return [event for event in events if event["event"] == name]


def decision(state: State) -> Decision | None:
    asked = ARENA.pending(state)
    return asked[0] if asked else None


def code_of(call: Callable[[], object]) -> str:
    """The code with which something is refused; empty if it is not."""
    try:
        call()
    except Refused as refused:
        return refused.refusal.code
    return ""


def random_game(
    seed: int, table: Charter, each: Callable[[State, str, Any], None] | None = None
) -> tuple[State, list[Event]]:
    """A whole game of orders from the menu; `each` sees every position, its seat and the order to come."""
    from engine import random_order

    stream = random.Random(seed)
    dice = Dice(seeded(seed))
    setups: Mapping[str, Any] = {seat: ARENA.setup() for seat in table.seats}
    state, events = ARENA.new(table, setups, dice)
    happened = list(events)
    while ARENA.result(state) is None:
        asked = ARENA.pending(state)[0]
        answer = ARENA.answer(state, asked)
        if answer:
            order = answer.action
        else:
            filled = random_order(ARENA.menu(ARENA.view(state, asked.seat)), stream.randrange)
            assert filled is not None
            order = action(filled)
        if each:
            each(state, asked.seat, order)
        state, events = ARENA.apply(state, asked.seat, order, dice)
        happened += events
    return state, happened
