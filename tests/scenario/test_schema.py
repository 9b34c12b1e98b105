"""The schema says the same as the types, and the committed file is what the types give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pbem.scenario import schema
from pbem.scenario.match import is_list, is_object
from tests.scenario.test_run import FAULTS, WHOLE, small

COMMITTED = Path(__file__).resolve().parents[2] / "schemas" / "scenario.schema.json"
VALIDATOR: Any = jsonschema.Draft202012Validator(schema())


def test_the_committed_schema_is_in_step() -> None:
    assert json.loads(COMMITTED.read_bytes()) == schema()


def test_it_is_a_schema_and_takes_a_scenario() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    VALIDATOR.validate(WHOLE)


@pytest.mark.parametrize(
    "wrong",
    [
        FAULTS["scenario/shape"],
        FAULTS["scenario/step"],
        small(steps=[{"seat": "red", "orders": [], "nonsense": 1}]),
        small(expect={"evnets": []}),
        small(expect={"closed": "yes"}),
        small(draws=[{"label": "x"}]),
        small(v=2),
        {"v": 1},
    ],
)
def test_it_takes_nothing_else(wrong: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(wrong)


def test_every_object_of_fixed_shape_is_closed() -> None:
    def closed(node: Any) -> bool:
        if is_list(node):
            return all(closed(item) for item in node)
        if not is_object(node):
            return True
        if "properties" in node and node.get("additionalProperties") is not False:
            return False
        return all(closed(item) for item in node.values())

    assert closed(schema())
