"""A position for a scenario, from any of its parts. What is not given: purses full, the rest in the deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.kernel.game import Charter
from engine.kernel.refusal import refuse
from tests.toy.rules import tally
from tests.toy.state import BANK, PURSE, State, Task, all_gems


def place(charter: Charter, parts: Mapping[str, Any]) -> State:
    """A state of exactly these parts. Refused `position/shape`, `position/gems` or `position/coins`."""
    players = [{"seat": seat, "coins": PURSE} for seat in charter.seats]
    given = {"turn": 1, "players": players, "bank": BANK, "reactions": charter.options.reactions, **parts}
    if "agenda" not in parts and "over" not in parts:
        given["agenda"] = [msgspec.to_builtins(Task(seat, "bid")) for seat in charter.seats]
    try:
        state = msgspec.convert({"deck": [], **given}, State)
    except msgspec.ValidationError as misfit:
        raise refuse("position/shape", problem=str(misfit)) from None
    laid = [*state.spent, *(gem for one in state.players for gem in one.hand)]
    gems = all_gems(charter.options.gems)
    if "deck" not in parts:
        state = msgspec.structs.replace(state, deck=tuple(gem for gem in gems if gem not in laid))
    if sorted([*laid, *state.deck]) != sorted(gems):
        raise refuse("position/gems", count=len(gems))
    if tuple(one.seat for one in state.players) != charter.seats or tally(state)["coins"] < 0:
        raise refuse("position/shape", problem=", ".join(charter.seats))
    return state
