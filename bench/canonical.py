"""Canonical bytes of every line of the games ÷ the same by the package rfc8785, which gives the same bytes.

Each is timed over several rounds, so that neither is charged for fetching the values from memory first.
"""

from __future__ import annotations

import rfc8785

from bench.games import values
from bench.measure import Figure, figure, ratio
from pbem.log.canonical import canonical

BOUND, REPEATS, ROUNDS = 1 / 20, 9, 10


def figures() -> list[Figure]:
    """One figure."""
    lines = values()[:200]
    for value in lines:
        if canonical(value) != rfc8785.dumps(value):
            raise AssertionError(value)

    def ours() -> None:
        for _ in range(ROUNDS):
            for value in lines:
                canonical(value)

    def theirs() -> None:
        for _ in range(ROUNDS):
            for value in lines:
                rfc8785.dumps(value)

    return [figure("canonical bytes ÷ rfc8785", ratio(ours, theirs, REPEATS), BOUND)]
