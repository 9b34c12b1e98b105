"""Figures against values from elsewhere, and against sums done the long way."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.lab.figures import evenness, spread, upper_tail, wilson


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        # R: prop.test(part, whole, correct = FALSE)$conf.int
        (15, 148, 0.0624, 0.1605),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 2, 0.0945, 0.9055),
        (500, 1000, 0.4691, 0.5309),
    ],
)
def test_wilson(part: int, whole: int, low: float, high: float) -> None:
    share = wilson(part, whole)
    assert share.rate == part / whole
    assert math.isclose(share.low, low, abs_tol=6e-5)
    assert math.isclose(share.high, high, abs_tol=6e-5)


@given(whole=st.integers(1, 10_000), part=st.integers(0, 10_000))
def test_an_interval_holds_its_rate(whole: int, part: int) -> None:
    share = wilson(min(part, whole), whole)
    assert 0 <= share.low <= share.rate + 1e-12
    assert share.rate - 1e-12 <= share.high <= 1


def test_no_games_say_nothing() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    with pytest.raises(ValueError, match="3/2"):
        wilson(3, 2)


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        # the usual table of critical values
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (1.145, 5, 0.95),
        (124.342, 100, 0.05),
        (0, 3, 1),
    ],
)
def test_chi_square(statistic: float, freedom: int, p: float) -> None:
    assert math.isclose(upper_tail(statistic, freedom), p, abs_tol=1e-4)


@pytest.mark.parametrize("statistic", [0.5, 2, 7, 30])
def test_two_degrees_of_freedom_are_an_exponential(statistic: float) -> None:
    assert math.isclose(upper_tail(statistic, 2), math.exp(-statistic / 2), rel_tol=1e-12)


def test_evenness() -> None:
    fair, loaded = evenness([98, 103, 99, 100, 102, 98]), evenness([40, 100, 100, 100, 100, 160])
    assert math.isclose(fair.statistic, 0.22)
    assert fair.p > 0.99
    assert loaded.p < 1e-9
    assert (evenness([]).p, evenness([7]).p, evenness([0, 0]).p) == (1, 1, 1)


@given(st.lists(st.integers(0, 200), min_size=1))
def test_spread(numbers: list[int]) -> None:
    found = spread({number: numbers.count(number) for number in numbers})
    assert (found.count, found.least, found.most) == (len(numbers), min(numbers), max(numbers))
    assert found.median == statistics.median(numbers)
    assert math.isclose(found.mean, statistics.fmean(numbers))
