"""Where the zones of a picture lie: the board's own map, stretched to the picture, its labels moved apart.

It knows boxes and no rule. A box is moved no further than it must be, so zones stay beside each other as on the
board. Only sums and products, so the same board gives the same picture on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

_ROUNDS = 300
_ACROSS, _DOWN = 10.0, 12.0
"""The least distance of two boxes."""
_SLANT = 0.9
"""Boxes move sideways if that is so much shorter."""


class Box(msgspec.Struct, frozen=True):
    """A zone's sign and name: the middle of its upper edge on the board's map, its width and height."""

    name: str
    x: float
    y: float
    w: float
    h: float


class Area(msgspec.Struct, frozen=True):
    """A rectangle in the picture."""

    left: float
    top: float
    right: float
    bottom: float


@lru_cache(maxsize=16)
def placed(boxes: tuple[Box, ...], area: Area) -> Mapping[str, tuple[float, float]]:
    """The middle of the upper edge of each box in the picture."""
    spots = [_Spot(box, *_stretched(box, boxes, area)) for box in boxes]
    for _ in range(_ROUNDS):
        if not _pushed(spots):
            break
        for spot in spots:
            spot.keep_in(area)
    return {spot.box.name: (spot.x, spot.y) for spot in spots}


def _stretched(box: Box, boxes: tuple[Box, ...], area: Area) -> tuple[float, float]:
    left, right = min(one.x for one in boxes), max(one.x for one in boxes)
    top, bottom = min(one.y for one in boxes), max(one.y for one in boxes)
    wide = max(one.w for one in boxes)
    high = max(one.h for one in boxes)
    x = area.left + wide / 2 + (box.x - left) / max(right - left, 1) * (area.right - area.left - wide)
    y = area.top + (box.y - top) / max(bottom - top, 1) * (area.bottom - area.top - high)
    return x, y


class _Spot:
    """A box on the move."""

    def __init__(self, box: Box, x: float, y: float) -> None:
        self.box, self.x, self.y = box, x, y

    def keep_in(self, area: Area) -> None:
        half = self.box.w / 2
        self.x = min(max(self.x, area.left + half), area.right - half)
        self.y = min(max(self.y, area.top), area.bottom - self.box.h)


def _pushed(spots: list[_Spot]) -> bool:
    """Move boxes that are too close a part of the way from each other; whether there were any."""
    any_moved = False
    for place, one in enumerate(spots):
        for other in spots[place + 1 :]:
            across = (one.box.w + other.box.w) / 2 + _ACROSS - abs(one.x - other.x)
            if across <= 0:
                continue
            down = other.y + other.box.h / 2 - one.y - one.box.h / 2
            over = (one.box.h + other.box.h) / 2 + _DOWN - abs(down)
            if over <= 0:
                continue
            any_moved = True
            if across < over * _SLANT:
                step = across / 4 if one.x <= other.x else -across / 4
                one.x, other.x = one.x - step, other.x + step
            else:
                step = over / 4 if down >= 0 else -over / 4
                one.y, other.y = one.y - step, other.y + step
    return any_moved
