"""The outlines of signs, of the heads of arrows and of hatching: points, and nothing but arithmetic.

Coordinates stand in tables, so that no machine's sine changes a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from engine import Mark, Point, Rect, Stroke

SIGNS: dict[str, tuple[Point, ...]] = {
    "square": ((-0.93, -0.93), (0.93, -0.93), (0.93, 0.93), (-0.93, 0.93)),
    "diamond": ((0, -1.28), (1.28, 0), (0, 1.28), (-1.28, 0)),
    "hexagon": ((-0.58, -1), (0.58, -1), (1.15, 0), (0.58, 1), (-0.58, 1), (-1.15, 0)),
    "house": ((0, -1.2), (1.05, -0.3), (1.05, 0.95), (-1.05, 0.95), (-1.05, -0.3)),
    "triangle": ((0, -1.25), (1.25, 0.9), (-1.25, 0.9)),
    "star": (
        (0, -1.4),
        (0.38, -0.52),
        (1.33, -0.43),
        (0.61, 0.2),
        (0.82, 1.13),
        (0, 0.64),
        (-0.82, 1.13),
        (-0.61, 0.2),
        (-1.33, -0.43),
        (-0.38, -0.52),
    ),
}
"""Outlines around the origin for radius 1; a disc is none of them."""
HATCH = 12
"""Distance of slanted lines."""


def outline(mark: Mark) -> tuple[Point, ...]:
    """The corners of a sign; none for a disc."""
    return tuple((mark.x + mark.r * x, mark.y + mark.r * y) for x, y in SIGNS.get(mark.sign, ()))


def hatching(rect: Rect) -> Iterator[tuple[Point, Point]]:
    """Slanted lines from the lower left to the upper right, cut off at the edges of a rectangle."""
    reach, step = rect.w + rect.h, HATCH
    for start in range(step // 2, int(reach), step):
        low = (rect.x + max(0, start - rect.h), rect.y + min(start, rect.h))
        high = (rect.x + min(start, rect.w), rect.y + max(0, start - rect.w))
        yield low, high


def arrow(stroke: Stroke) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The line of an arrow, cut short, and the three corners of its head."""
    (x, y), (tip_x, tip_y) = stroke.points[-2:]
    long = sqrt((tip_x - x) * (tip_x - x) + (tip_y - y) * (tip_y - y)) or 1
    ahead_x, ahead_y = (tip_x - x) / long, (tip_y - y) / long
    size = min(stroke.wide * 3.4, long)
    back_x, back_y = tip_x - ahead_x * size, tip_y - ahead_y * size
    side_x, side_y = -ahead_y * size * 0.55, ahead_x * size * 0.55
    head = ((tip_x, tip_y), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y))
    return (*stroke.points[:-1], (back_x + ahead_x, back_y + ahead_y)), head
