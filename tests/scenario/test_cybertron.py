"""Every scenario of cybertron holds, and they answer every question that docs/cybertron.md has settled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from engine import GAMES, find, words
from pbem.log.canonical import Limits, read
from pbem.scenario import DEEPEST, MOST_BYTES, run, schema

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "scenarios" / "cybertron"
FILES = sorted(FOLDER.glob("*.json"))
NAMES = [path.stem for path in FILES]
VALIDATOR: Any = jsonschema.Draft202012Validator(schema())
CYBERTRON = find("cybertron", 1)

ROWS = range(1, 21)
"""The table of settled readings."""
MORE = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    19,
    20,
    21,
    22,
    23,
    24,
    25,
    26,
    27,
    28,
    29,
    30,
)
"""What is settled beyond the table, sentence by sentence; 9, the AllSpark, is row 13 of the table."""
MICRO = (1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 15)
"""The worked examples, by their numbers."""
EXAMPLES = (
    "s01_reinforcement",
    "s03_launch_pad_first_roll",
    "s04_launch_pad_second_roll",
    "s05_tie_launch_pad_decides",
    "x_optimus_on_the_arena",
    "s06_spinner",
    "s07_closing_a_factory",
    "x_neighbours_of_uraya",
    "x_back_up_by_connected_zones",
)
"""The manual's own examples (FI p.8, p.10, p.14-16, p.18)."""
ELSEWHERE = {"order/no-lists"}
"""A choice that comes with `ready`, before there is a position: tests/games/cybertron has it."""


def cards() -> list[str]:
    deck = Path(__file__).resolve().parents[2] / "engine" / "games" / "cybertron" / "data" / "deck.json"
    value: dict[str, Any] = read(deck.read_bytes(), Limits(MOST_BYTES, DEEPEST))
    return [str(card["id"]) for card in value["cards"]]


def scenario(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = read(path.read_bytes(), Limits(MOST_BYTES, DEEPEST))
    return value


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_it_is_a_question_with_a_page_and_holds(path: Path) -> None:
    value = scenario(path)
    assert value["ruleset"] == "cybertron"
    assert all(value.get(field) for field in ("name", "page", "question", "answer"))
    VALIDATOR.validate(value)
    report = run(value, GAMES)
    assert report.ok, report.difference and words(report.difference.say)


def test_no_two_have_the_same_name() -> None:
    names = [scenario(path)["name"] for path in FILES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("row", ROWS)
def test_every_settled_reading_has_a_file(row: int) -> None:
    assert [name for name in NAMES if name.startswith(f"q{row:02}_")]


@pytest.mark.parametrize("row", MORE)
def test_every_further_reading_has_a_file(row: int) -> None:
    assert [name for name in NAMES if name.startswith(f"t{row:02}_")]


@pytest.mark.parametrize("number", MICRO)
def test_every_worked_example_has_a_file(number: int) -> None:
    assert [name for name in NAMES if name.startswith(f"s{number:02}_")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_of_the_manual_has_a_file(name: str) -> None:
    assert name in NAMES


@pytest.mark.parametrize("card", cards())
def test_both_halves_of_every_card_have_a_file_in_which_they_are_used(card: str) -> None:
    upgrade, morph = (scenario(FOLDER / f"{card}_{half}.json") for half in ("upgrade", "morph"))
    discards = [
        step["expect"]["position"].get("discards")
        for step in upgrade["steps"]
        if "position" in step["expect"]
    ]
    assert [card] in discards
    (order,) = morph["steps"][0]["orders"]
    assert order == {"do": "morph", "card": card, "zone": "praxus"}


@pytest.mark.parametrize("side", ["attack", "defence"])
@pytest.mark.parametrize("form", ["robot", "vehicle"])
@pytest.mark.parametrize("leader", CYBERTRON.seats)
def test_every_power_has_a_file_in_attack_and_defence(leader: str, form: str, side: str) -> None:
    value = scenario(FOLDER / f"leader_{leader}_{form}_{side}.json")
    player = value["position"]["players"][leader]
    attacks = value["steps"][0]["seat"] == leader
    assert (player.get("form", "robot"), attacks) == (form, side == "attack")
    assert any(draw["label"].endswith(f"{side}-d8") for draw in value["draws"])


def test_every_end_has_a_file() -> None:
    found = {how for path in FILES for how in re.findall(r'"result": \{\s*"how": "(\w+)"', path.read_text())}
    assert found == {"days", "launch_pad", "shared", "conquest", "resigned"}


def _tags(union: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in get_args(union)}


def test_every_order_is_written_in_some_file() -> None:
    written = {do for path in FILES for do in re.findall(r'"do": "(\w+)"', path.read_text())}
    assert _tags(CYBERTRON.action) <= written


def test_every_event_is_expected_in_some_file() -> None:
    expected = {name for path in FILES for name in re.findall(r'"event": "(\w+)"', path.read_text())}
    assert _tags(CYBERTRON.event) <= expected


def test_every_refusal_is_met_in_some_file() -> None:
    """But for what is wrong with a board or a deck, which are long: tests/games/cybertron has one for each."""
    met = {code for path in FILES for code in re.findall(r'"(\w+/[\w-]+)"', path.read_text())}
    codes = {code.code for code in CYBERTRON.codes}
    custom = {code for code in codes if code.startswith(("game/board-", "game/deck-"))}
    assert codes - custom - ELSEWHERE <= met
