"""`pbem scenario run`: as expected, a difference, or no scenario; every file is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.table import code, pbem, said

Json = dict[str, Any]


def written(folder: Path, name: str, **changes: Any) -> Path:
    """A scenario in which a bet on a dead creature is refused, with other fields."""
    scenario: Json = {
        "v": 1,
        "name": "A bet on a dead creature",
        "ruleset": "arena",
        "seats": ["red", "blue"],
        "position": {"dead": ["magus"]},
        "steps": [
            {
                "seat": "red",
                "orders": [{"do": "bet", "creature": "magus"}],
                "expect": {"refusal": "moment/creature-dead"},
            }
        ],
    }
    path = folder / name
    path.write_text(json.dumps(scenario | changes))
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return written(tmp_path, "good.json")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The same question, of a living creature: the expectation fails."""
    return written(tmp_path, "other.json", position={"dead": ["ettin"]})


def test_as_expected(good: Path) -> None:
    result = pbem("scenario", "run", good)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{good}: ")


def test_the_first_difference_is_told(other: Path) -> None:
    result = pbem("scenario", "run", other)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{other}: ")
    assert "moment/creature-dead" in " ".join(result.stdout.split())


ODD: list[tuple[Json, str]] = [
    ({"ruleset": "chess"}, "scenario/unknown-ruleset"),
    ({"wind": 1}, "scenario/shape"),
    ({"steps": [{"expect": {}}]}, "scenario/step"),
]


@pytest.mark.parametrize(("changes", "expected"), ODD)
def test_what_is_no_scenario(changes: Json, expected: str, tmp_path: Path) -> None:
    result = pbem("scenario", "run", written(tmp_path, "odd.json", **changes))
    assert result.exit_code == 2
    assert code(result) == expected


def test_files_that_are_no_json(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text("{")
    assert code(pbem("scenario", "run", path)) == "file/not-json"
    assert code(pbem("scenario", "run", tmp_path / "nothing.json")) == "cli/file"


def test_every_file_is_run_and_the_worst_counts(good: Path, other: Path, tmp_path: Path) -> None:
    odd = written(tmp_path, "odd.json", ruleset="chess")
    result = pbem("scenario", "run", "--json", odd, other, good)
    assert result.exit_code == 2
    answers = said(result)
    assert [(answer["file"], answer["ok"]) for answer in answers] == [
        (str(odd), False),
        (str(other), False),
        (str(good), True),
    ]
    assert answers[0]["refused"]["code"] == "scenario/unknown-ruleset"
    assert all(answer["text"] for answer in answers[1:])
    assert pbem("scenario", "run", good, other).exit_code == 1
