"""The pages say what the code does: their examples run, and every word of the game stands in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from engine import GAMES, find
from pbem.scenario import CODES, run

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCENARIOS = (DOCS / "scenarios.md").read_text()
RULES = (DOCS / "arena.md").read_text()
ARENA = find("arena", 1)


def _written(key: str) -> list[Any]:
    """The JSON objects in a page's code that have this first key."""
    codes = re.findall(r"`([^`\n]+)`", RULES)
    return [json.loads(code) for code in codes if code.startswith(f'{{"{key}"')]


def test_the_first_example_runs_as_the_page_says() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", SCENARIOS, re.DOTALL)
    scenario = json.loads(example)
    assert run(scenario, GAMES).ok
    scenario["expect"]["result"]["how"] = "last_round"
    difference = run(scenario, GAMES).difference
    assert difference is not None
    (shown,) = re.findall(
        r"json: the last card ends the game: (\S+):\n  expected (\S+)\n  found    (\S+)\n", SCENARIOS
    )
    assert shown == (difference.path, difference.expected, difference.found)


@pytest.mark.parametrize("order", _written("do"), ids=json.dumps)
def test_an_order_on_the_page_is_one(order: dict[str, Any]) -> None:
    msgspec.convert(order, ARENA.action)


@pytest.mark.parametrize("power", _written("use"), ids=json.dumps)
def test_a_power_on_the_page_is_one(power: dict[str, Any]) -> None:
    play = {"do": "play", "card": f"{power['use']}-5", "power": power}
    msgspec.convert(play, ARENA.action)


@pytest.mark.parametrize("policy", [*_written("gorgon"), *_written("object")], ids=json.dumps)
def test_a_policy_on_the_page_is_one(policy: dict[str, Any]) -> None:
    msgspec.convert(policy, ARENA.policy)


def _tags(union: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in get_args(union)}


def test_every_order_and_power_is_on_the_page() -> None:
    assert {order["do"] for order in _written("do")} == _tags(ARENA.action)
    creatures = {power["use"] for power in _written("use")}
    assert len(creatures) == 12


def test_every_option_is_on_the_page() -> None:
    assert all(f"| `{field}` |" in RULES for field in ARENA.options.__struct_fields__)


def test_every_settled_question_is_on_the_page() -> None:
    settled = RULES[RULES.index("## Settled questions") :]
    assert [int(row) for row in re.findall(r"^\| (\d+) \|", settled, re.MULTILINE)] == list(range(1, 61))


def test_every_reading_of_the_stalemate_variant_is_on_the_page() -> None:
    assert [int(row) for row in re.findall(r"^\| v(\d+) \|", RULES, re.MULTILINE)] == list(range(1, 14))


def test_every_part_of_a_position_is_on_the_page() -> None:
    part = SCENARIOS[SCENARIOS.index("## Positions of arena") :]
    fields = get_type_hints(ARENA.state)
    assert [field for field in fields if f"`{field}`" not in part] == []


def test_every_code_of_a_scenario_is_on_the_page() -> None:
    assert [code.code for code in CODES if f"`{code.code}`" not in SCENARIOS] == []
