"""Whatever a scenario file says, there is a verdict or a coded refusal, and no other exception."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, Refused
from pbem.scenario import run
from pbem.scenario.match import is_list, is_object
from tests.scenario.test_run import WHOLE
from tests.scenario.toy import TOY

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "scenarios" / "arena"
FILES = [json.loads(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
WORDS = (
    "",
    "red",
    "blue",
    "troll",
    "troll-3",
    "magus-1",
    "spectator-5",
    "prefect-1",
    "rest",
    "bet",
    "end",
    "public",
)
VALUES = st.recursive(
    st.integers(-2, 20) | st.booleans() | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS[1:]), inner, max_size=2)
    ),
    max_leaves=4,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if is_object(value):
        for key, item in value.items():
            found += _places(item, (*path, key))
    elif is_list(value):
        for index, item in enumerate(value):
            found += _places(item, (*path, index))
    return found


def _written(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """The value with one place written differently; None takes the place out."""
    if not path:
        return to
    copy = dict(value) if is_object(value) else list(value)
    if len(path) == 1 and to is None:
        del copy[path[0]]
    else:
        copy[path[0]] = _written(copy[path[0]], path[1:], to)
    return copy


@settings(max_examples=400)
@given(st.data())
def test_odd_files(data: st.DataObject) -> None:
    scenario = data.draw(st.sampled_from([WHOLE, *FILES]))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(_places(scenario)))
        scenario = _written(scenario, path, data.draw(st.none() | VALUES))
        if scenario is None:
            return
    assert _verdict(scenario) in {"as expected", "a difference", "scenario"}


def _verdict(scenario: Any) -> str:
    try:
        report = run(scenario, (*GAMES, TOY))
    except Refused as refused:
        return refused.refusal.area
    return "as expected" if report.ok else "a difference"
