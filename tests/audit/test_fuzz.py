"""Whatever a host may write and seal, the audit gives a verdict: never a traceback, never `sound` for a lie."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine import Refused, words
from pbem.audit import audit, sentences_of
from pbem.audit.level2 import Auditor
from tests.audit.make import Json, Plan, make
from tests.toy import GAME

PLAN = Plan(GAME, GAME.seats[:3], seed=2, options={"gems": 6, "reactions": "ask"}, named=True)
OTHERS: tuple[Any, ...] = (
    True,
    0,
    -1,
    1 << 52,
    "",
    "ash",
    "ab" * 32,
    [],
    [[]],
    {},
    {"do": "done"},
    {"event": "won"},
)
OUTSIDE = ("at", "reason", "deadline", "names")
"""What no check can know better: instants, reasons, deadlines, display names."""


def isa(kind: type, value: Any) -> bool:
    return isinstance(value, kind)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: list[Any] = list(value) if isa(dict, value) else list(range(len(value)))
    for key in keys:
        if key not in OUTSIDE:
            yield value, key
            if isa(dict, value[key]) or isa(list, value[key]):
                yield from places(value[key])


class Spoiler:
    """Changes one place of the record or payload that comes as number `target`."""

    def __init__(self, seed: int, target: int) -> None:
        self.chance = random.Random(seed)
        self.left = target
        self.done: tuple[Json, Json] | None = None

    def __call__(self, value: Json) -> None:
        self.left -= 1
        if self.left:
            return
        before = copy.deepcopy(value)
        inside, key = self.chance.choice(list(places(value)))
        inside[key] = copy.deepcopy(self.chance.choice(OTHERS))
        self.done = (before, value)


@pytest.mark.parametrize("hand", ["edit", "pen"])
@pytest.mark.parametrize("seed", range(70))
def test_a_lie_gets_a_verdict(auditor: Auditor, hand: str, seed: int) -> None:
    spoil = Spoiler(seed, 1 + seed % 90 if hand == "edit" else 1 + seed % 45)
    try:
        lines = make(replace(PLAN, edit=spoil) if hand == "edit" else replace(PLAN, pen=spoil))
    except (Refused, RuntimeError, AssertionError):
        # Level 1 would not have let it by, so neither does the writer.
        return
    report = audit(lines, auditor)
    assert all(words(sentence) for sentence in sentences_of(report))
    if spoil.done is None or repr(spoil.done[0]) == repr(spoil.done[1]):
        assert report.verdict == "sound"
    elif hand == "edit" or "token" not in spoil.done[0]:
        assert report.verdict == "fault", spoil.done
