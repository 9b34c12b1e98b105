"""Guards of a move in advance: each holds and fails as its page says (docs/cybertron.md), told from the view alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.games.cybertron import CYBERTRON
from engine.games.cybertron.guards import Guard
from engine.kernel.prose import Say, words
from tests.games.cybertron.kit import THREE, phase, position, zones


def failing(**guard: Any) -> str:
    """The condition that does not hold for Megatron; empty if all hold."""
    state = position(
        THREE,
        seat="megatron",
        day=3,
        zones=zones(launch_pad=("optimus_prime", 2), hexima=("megatron", 4)),
        players={"megatron": {"leader": "hexima", "hand": ["card_kaon"]}},
        agenda=phase("attack", "megatron"),
    )
    found = CYBERTRON.unmet(CYBERTRON.view(state, "megatron"), msgspec.convert(guard, Guard))
    return "" if found is None else words(found)


@pytest.mark.parametrize(
    "guard",
    [
        {},
        {"held": ["hexima"]},
        {"held_by": {"launch_pad": "optimus_prime", "hexima": "megatron"}},
        {"at_least": {"hexima": 5, "launch_pad": 2}},
        {"at_most": {"hexima": 5, "launch_pad": 2}},
        {"leader": "hexima"},
        {"hand": ["card_kaon"]},
        {"day": 3},
        {"robots": 3},
    ],
)
def test_what_is_so_holds(guard: dict[str, Any]) -> None:
    assert failing(**guard) == ""


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        ({"held": ["hexima", "launch_pad"]}, "you hold Launch Pad"),
        ({"held_by": {"launch_pad": "barricade"}}, "Barricade holds Launch Pad"),
        ({"held_by": {"launch_pad": "nobody"}}, "nobody holds Launch Pad"),
        ({"at_least": {"launch_pad": 3}}, "at least 3 stand in Launch Pad"),
        ({"at_most": {"hexima": 4}}, "at most 4 stand in Hexima"),
        ({"leader": "launch_pad"}, "your leader stands in Launch Pad"),
        ({"hand": ["card_kaon", "card_iacon"]}, "is in your hand"),
        ({"day": 4}, "it is day 4"),
        ({"robots": 99}, "at least 99 robots come to you"),
        # a name that means nothing never holds
        ({"held": ["mo\non"]}, "you hold moon"),
        ({"at_most": {"moon": 9}}, "at most 9 stand in moon"),
        ({"hand": ["?1"]}, "1 is in your hand"),
    ],
)
def test_what_is_not_so_is_named(guard: dict[str, Any], said: str) -> None:
    assert failing(**guard).endswith(said)


def test_the_first_that_fails_is_told() -> None:
    assert failing(held=["hexima"], day=4, robots=99) == "it is day 4"


def test_no_guard_sees_more_than_the_view() -> None:
    """A hand that nobody shows: two positions that look alike to a seat hold and fail alike."""
    hands: tuple[list[str], list[str]] = ([], ["card_iacon", "card_kaon"])
    found: list[Say | None] = []
    for hand in hands:
        state = position(
            THREE,
            seat="megatron",
            zones=zones(hexima=("megatron", 4)),
            players={"barricade": {"hand": hand}},
            agenda=phase("attack", "megatron"),
        )
        guard = Guard(hand=("card_kaon",), at_most={"hexima": 1}, robots=1)
        found.append(CYBERTRON.unmet(CYBERTRON.view(state, "megatron"), guard))
    assert found[0] == found[1]
