"""How things are timed here, and what a figure is.

Two pieces of work that are to be compared run in turns, so that whatever else the machine does falls on
both; the figure is the ratio of their medians. Work inside this process is timed in its own CPU seconds,
programs in seconds on the clock.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

import msgspec

Work = Callable[[], object]
Clock = Callable[[], float]


class Figure(msgspec.Struct, frozen=True):
    """One line of the results; `ok` says that the value is at most the bound, or with `least` at least."""

    name: str
    value: float
    bound: float
    ok: bool


def figure(name: str, value: float, bound: float, *, least: bool = False) -> Figure:
    """A figure with its verdict; the value rounded to what a repetition would give again."""
    return Figure(name, round(value, 4), round(bound, 4), value >= bound if least else value <= bound)


def ratio(work: Work, yardstick: Work, repeats: int, clock: Clock = time.process_time) -> float:
    """Median time of `work` ÷ median time of `yardstick`, run in turns after one round that does not count."""
    pairs = [(timed(work, clock), timed(yardstick, clock)) for _ in range(repeats + 1)][1:]
    return median(first for first, _ in pairs) / median(second for _, second in pairs)


def timed(work: Work, clock: Clock = time.process_time) -> float:
    """Seconds that the work takes, after a sweep of what lies around."""
    gc.collect()
    start = clock()
    work()
    return clock() - start
