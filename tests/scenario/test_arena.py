"""Every scenario of arena holds, and they answer every question that rules/arena has settled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from engine import GAMES, find, words
from pbem.log.canonical import Limits, read
from pbem.scenario import DEEPEST, MOST_BYTES, run, schema

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "scenarios" / "arena"
FILES = sorted(FOLDER.glob("*.json"))
NAMES = [path.stem for path in FILES]
VALIDATOR: Any = jsonschema.Draft202012Validator(schema())
ARENA = find("arena", 1)

ROWS = range(1, 61)
"""The settled questions of docs/arena.md."""
VARIANT = range(1, 14)
"""The readings of the stalemate variant."""
MICRO = (1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 15, 16)
"""The worked examples, by their numbers."""
CREATURES = (
    "amazon",
    "colossus",
    "cyclops",
    "daimon",
    "ettin",
    "gorgon",
    "magus",
    "seraphim",
    "titan",
    "troll",
    "unicorn",
    "wyrm",
)


def scenario(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = read(path.read_bytes(), Limits(MOST_BYTES, DEEPEST))
    return value


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_it_is_a_question_with_a_page_and_holds(path: Path) -> None:
    value = scenario(path)
    assert value["ruleset"] == "arena"
    assert all(value.get(field) for field in ("name", "page", "question", "answer"))
    VALIDATOR.validate(value)
    report = run(value, GAMES)
    assert report.ok, report.difference and words(report.difference.say)


def test_no_two_have_the_same_name() -> None:
    names = [scenario(path)["name"] for path in FILES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("row", ROWS)
def test_every_settled_question_has_a_file(row: int) -> None:
    assert [name for name in NAMES if name.startswith(f"q{row:02}_")]


@pytest.mark.parametrize("row", VARIANT)
def test_every_reading_of_the_stalemate_variant_has_a_file(row: int) -> None:
    assert [name for name in NAMES if name.startswith(f"v{row:02}_")]


@pytest.mark.parametrize("number", MICRO)
def test_every_worked_example_has_a_file(number: int) -> None:
    assert [name for name in NAMES if name.startswith(f"s{number:02}_")]


@pytest.mark.parametrize("creature", CREATURES)
def test_every_power_has_a_file_in_which_it_is_used(creature: str) -> None:
    steps = scenario(FOLDER / f"power_{creature}.json")["steps"]
    told = [event for step in steps for event in step.get("expect", {}).get("events", [])]
    assert [event for event in told if event["event"] == "power_used" and event["power"] == creature]


@pytest.mark.parametrize("referee", ["prefect", "magister"])
def test_both_referees_have_a_file(referee: str) -> None:
    assert f"referee_{referee}" in NAMES


def test_every_end_has_a_file() -> None:
    ends = {path: scenario(path) for path in FILES if path.stem.startswith("end_")}
    found = {how for path in ends for how in re.findall(r'"how": "(\w+)"', path.read_text())}
    assert found == {"last_round", "pile", "no_progress", "resigned"}


def _tags(union: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in get_args(union)}


def test_every_order_is_written_in_some_file() -> None:
    written = {do for path in FILES for do in re.findall(r'"do": "(\w+)"', path.read_text())}
    assert _tags(ARENA.action) <= written


def test_every_event_is_expected_in_some_file() -> None:
    expected = {name for path in FILES for name in re.findall(r'"event": "(\w+)"', path.read_text())}
    assert _tags(ARENA.event) <= expected


def test_every_refusal_is_met_in_some_file() -> None:
    met = {code for path in FILES for code in re.findall(r'"(\w+/[\w-]+)"', path.read_text())}
    assert {code.code for code in ARENA.codes} <= met
