"""The standard board and one of somebody's own; positions and plays for the tests of cybertron."""

from __future__ import annotations

import copy
from typing import Any

import msgspec

from engine import Charter, Dice, Source, find
from engine.games.cybertron.state import State
from tests.contract.playing import source
from tests.contract.worlds import worlds

Json = dict[str, Any]
CYBERTRON = find("cybertron", 1)
TWO = ("optimus_prime", "megatron")
THREE = ("optimus_prime", "megatron", "barricade")
FOUR = ("optimus_prime", "megatron", "bumblebee", "barricade")


def torus() -> Json:
    """Board and deck of the custom world, to be changed."""
    return copy.deepcopy(dict(worlds("cybertron")["torus"]))


def charter(seats: tuple[str, ...] = TWO, **options: Any) -> Charter:
    """What a game is played with, on the standard board."""
    return Charter(seats, msgspec.convert(options, CYBERTRON.options))


def position(table: Charter, **parts: Any) -> State:
    """A position from its parts, as a scenario gives them."""
    state: State = CYBERTRON.place(table, parts)
    return state


def dice(seed: str) -> Dice:
    """Dice of a stream for each label."""
    stream: Source = source(seed, 1)
    return Dice(stream)
