"""Positions from few words, and orders played on them: what the rule tests are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.games.cybertron import CYBERTRON, agenda
from engine.games.cybertron.events import Events
from engine.games.cybertron.orders import Action, Options
from engine.games.cybertron.state import State, map_of
from engine.kernel.dice import Below, Dice
from engine.kernel.game import Charter, Decision
from engine.kernel.refusal import Refusal

PAIR = ("optimus_prime", "megatron")
THREE = ("optimus_prime", "megatron", "barricade")
FOUR = ("optimus_prime", "megatron", "bumblebee", "barricade")


class Rolls:
    """A source of dice that come out as said, by the last part of the label; `asked` keeps every label."""

    def __init__(self, **dice: Sequence[int]) -> None:
        self.left = {name.replace("_", "-"): list(values) for name, values in dice.items()}
        self.asked: list[str] = []

    def __call__(self, label: str, *, hidden: bool) -> Below:
        self.asked.append(label)
        values = self.left.get(label.rpartition("/")[2], [])

        def below(n: int) -> int:
            return values.pop(0) - 1 if values and not hidden else n - 1

        return below


def position(seats: Sequence[str] = PAIR, **parts: Any) -> State:
    """A position from its parts (place.py); every zone that is not named holds one robot of the last seat."""
    given = {"rest": seats[-1], **parts}
    return CYBERTRON.place(Charter(tuple(seats), Options()), given)


def zones(**held: tuple[str, int]) -> dict[str, Any]:
    """`zones(hexima=("megatron", 6))` as a position has it."""
    return {zone: {"seat": seat, "robots": robots} for zone, (seat, robots) in held.items()}


def phase(name: str, seat: str) -> list[dict[str, Any]]:
    """The agenda from a phase on."""
    names = ("morph", "attack", "back_up")
    return [{"task": one, "seat": seat} for one in names[names.index(name) :]]


def order(**fields: Any) -> Action:
    """An order from its JSON; `from_` is written `from`."""
    made: Action = msgspec.convert({name.rstrip("_"): value for name, value in fields.items()}, Action)
    return made


def refusal(state: State, seat: str, **fields: Any) -> Refusal | None:
    """What `check` says to an order."""
    return agenda.check(state, seat, order(**fields))


def code(state: State, seat: str, **fields: Any) -> str:
    """The code of the refusal; empty for an order that is accepted."""
    found = refusal(state, seat, **fields)
    return found.code if found else ""


def play(state: State, rolls: Rolls | None = None, **fields: Any) -> tuple[State, Events]:
    """An order of whoever is asked, and every answer that standing orders give."""
    dice = Dice(rolls or Rolls())
    seat = state.agenda[0].seat
    assert code(state, seat, **fields) == ""
    state, happened = agenda.apply(state, seat, order(**fields), dice)
    return settle(state, dice, happened)


def settle(state: State, dice: Dice, happened: Events = ()) -> tuple[State, Events]:
    """Answers of standing orders, as the kernel asks for them."""
    while state.agenda:
        task = state.agenda[0]
        answer = agenda.answer(state, Decision(task.seat, agenda.tag(type(task))))
        if answer is None:
            break
        state, more = agenda.apply(state, task.seat, answer.action, dice)
        happened = (*happened, *more)
    return state, happened


def robots(state: State, zone: str) -> int:
    """How many robots stand in a zone."""
    return state.robots[map_of(state).place[zone]]


def owner(state: State, zone: str) -> str:
    """Who holds a zone."""
    return state.owner[map_of(state).place[zone]]


def of(happened: Events, kind: type[Any]) -> list[Any]:
    """The events of one kind."""
    return [event for event in happened if isinstance(event, kind)]


Parts = Mapping[str, Any]
