"""A whole game again, from its steps."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Refused, Source, decode, encode, start
from engine.kernel.replay import Instructed, Moved, Resigned, Started, Step, TimedOut, replay
from tests.kernel.bench import DONE, bid, dice, fallen, sell, table
from tests.toy.state import Setup

STEPS: tuple[Step, ...] = (
    Instructed("birch", {"guard": "never"}),
    Instructed("birch", {"guard": "highest"}),
    Started(),
    Moved("ash", (bid(2), DONE)),
    TimedOut("birch"),
    Instructed("cedar", {"guard": "never"}),
    Moved("cedar", (bid(1),), "stop"),
    Resigned("cedar"),
)


def setups() -> dict[str, Any]:
    return {seat: Setup() for seat in ("ash", "birch", "cedar")}


def test_each_step_from_the_start_on_has_its_outcome() -> None:
    made = list(replay(table(), setups(), STEPS, lambda turn: fallen()))
    assert [outcome.closed for outcome, _ in made] == [True, False, False, False, True, False]
    assert [outcome.position.state.turn for outcome, _ in made] == [1, 1, 1, 1, 2, 2]
    assert made[0][0].position.standing == ("birch",)
    assert made[4][0].position.standing == ("birch", "cedar")
    assert made[5][0].position.due == ("ash", "birch")


def test_the_last_of_the_early_standing_orders_counts() -> None:
    (outcome, _) = next(replay(table(), setups(), STEPS, lambda turn: fallen()))
    assert [player.habit for player in outcome.position.state.players] == ["", "highest", ""]


def test_it_is_the_same_start() -> None:
    outcome, drawn = next(replay(table(), setups(), (Started(),), lambda turn: fallen()))
    assert encode(outcome) == encode(start(table(), setups(), (), dice()))
    assert [draw.label for draw in drawn.hidden] == ["deck/0"]
    assert drawn.public == []


def test_the_dice_are_those_of_the_turn_in_which_a_step_stands() -> None:
    asked: list[int] = []

    def of_turn(turn: int) -> Source:
        asked.append(turn)
        return fallen()

    list(replay(table(), setups(), STEPS, of_turn))
    assert asked == [0, 1, 1, 1, 1, 2]


def test_nothing_is_played_before_the_start() -> None:
    with pytest.raises(ValueError, match="not started"):
        list(replay(table(), setups(), (Moved("ash", (DONE,)),), lambda turn: fallen()))


def test_a_game_starts_once() -> None:
    with pytest.raises(ValueError, match="started already"):
        list(replay(table(), setups(), (Started(), Started()), lambda turn: fallen()))


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(Refused):
        list(replay(table(), setups(), (Started(), Moved("ash", (sell("gem-1"),))), lambda turn: fallen()))


def test_steps_survive_the_wire() -> None:
    for step in STEPS:
        assert decode(Step, encode(step)) == step
