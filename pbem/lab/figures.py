"""Figures with what they are worth: intervals for shares, a test for even distributions, means and medians.

Pure arithmetic on counts; it knows no game. Confidence is 95 percent throughout.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

Z = 1.959963984540054
"""How many standard deviations 95 percent of a normal distribution lie within."""
_STEPS = 1_000


class Share(msgspec.Struct, frozen=True):
    """`part` of `whole`, as a rate from 0 to 1 with its interval (Wilson 1927); all 0 and 1 where whole is 0."""

    part: int
    whole: int
    rate: float
    low: float
    high: float


class Evenness(msgspec.Struct, frozen=True):
    """Pearson's chi-square of counts against equal ones: the statistic, degrees of freedom, and its p-value."""

    total: int
    statistic: float
    freedom: int
    p: float


class Spread(msgspec.Struct, frozen=True):
    """Least, median, mean and most of numbers; zeros where there are none."""

    count: int
    least: int
    median: float
    mean: float
    most: int


def wilson(part: int, whole: int) -> Share:
    """A share with its interval. ValueError unless 0 ≤ part ≤ whole."""
    if not 0 <= part <= whole:
        raise ValueError(f"{part}/{whole}")
    if whole == 0:
        return Share(0, 0, 0.0, 0.0, 1.0)
    rate, square = part / whole, Z * Z
    middle = (rate + square / (2 * whole)) / (1 + square / whole)
    reach = Z / (1 + square / whole) * math.sqrt(rate * (1 - rate) / whole + square / (4 * whole * whole))
    return Share(part, whole, rate, max(0.0, middle - reach), min(1.0, middle + reach))


def evenness(counts: Sequence[int]) -> Evenness:
    """Are these counts of equally likely outcomes? A small p says: hardly. Fewer than two outcomes are even."""
    total, kinds = sum(counts), len(counts)
    if total == 0 or kinds < 2:
        return Evenness(total, 0.0, max(0, kinds - 1), 1.0)
    expected = total / kinds
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return Evenness(total, statistic, kinds - 1, upper_tail(statistic, kinds - 1))


def upper_tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square variable with so many degrees of freedom is at least so large."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    head = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - head * _series(a, x) if x < a + 1 else head * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """The lower incomplete gamma function without its head, as a power series; for x below a + 1."""
    term = total = 1 / a
    for n in range(1, _STEPS):
        term *= x / (a + n)
        total += term
        if term < total * 1e-15:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """The upper one, as a continued fraction (Lentz); for x above a + 1."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    total = d
    for n in range(1, _STEPS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total


def spread(counts: Mapping[int, int]) -> Spread:
    """Of numbers given as how often each occurs."""
    total = sum(counts.values())
    if total == 0:
        return Spread(0, 0, 0.0, 0.0, 0)
    ordered = sorted(counts)
    mean = sum(number * count for number, count in counts.items()) / total
    return Spread(total, ordered[0], _median(counts, total), mean, ordered[-1])


def _median(counts: Mapping[int, int], total: int) -> float:
    def at(place: int) -> int:
        seen = 0
        for number in sorted(counts):
            seen += counts[number]
            if seen > place:
                return number
        raise ValueError("no such place")

    return (at((total - 1) // 2) + at(total // 2)) / 2
