"""A picture as data: what a game draws of a view. Sentences instead of words, roles instead of colours.

The law. A picture shows nothing that the view and the news don't hold. Its canvas is `WIDTH` units wide, y grows
downwards, and no text is smaller than `SMALLEST`, so that it can be read when it is 360 pixels wide. What tells
owners apart is a mark and a colour, never a colour alone. Groups with a `row` are also the rows of a table, which
says the same to whoever does not see. Nothing here knows a file format, a font or the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from engine.kernel.prose import Say, say

WIDTH = 720
SMALLEST = 20
"""Ten pixels, if the whole picture is 360 pixels wide."""

Point: TypeAlias = tuple[float, float]
Sign: TypeAlias = Literal["disc", "square", "diamond", "hexagon", "house", "triangle", "star"]

Dash: TypeAlias = Literal["", "dashed", "dotted"]


class Shade(msgspec.Struct, frozen=True):
    """What a role looks like on light and on dark ground, as `#rrggbb`."""

    light: str
    dark: str


class _Shape(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="draw"):
    pass


class Rect(_Shape, frozen=True, tag="rect"):
    """A rectangle from its upper left corner; `fill`, `line` and `hatch` (slanted lines) are roles, or empty."""

    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    line: str = ""
    wide: float = 2
    round: float = 0
    hatch: str = ""
    dash: Dash = ""


class Mark(_Shape, frozen=True, tag="mark"):
    """A sign around a centre: the same area for each, about that of a disc with radius `r`."""

    x: float
    y: float
    r: float
    sign: Sign = "disc"
    fill: str = ""
    line: str = ""
    wide: float = 2
    dash: Dash = ""


class Stroke(_Shape, frozen=True, tag="stroke"):
    """Straight lines from point to point; with `arrow` a head at the last one, with `fill` an area."""

    points: tuple[Point, ...]
    line: str = ""
    fill: str = ""
    wide: float = 2
    arrow: bool = False
    dash: Dash = ""


class Text(_Shape, frozen=True, tag="text"):
    """Words in at most so many lines; `y` is the middle of the first. What is wider than `room` is made smaller."""

    x: float
    y: float
    text: Say
    room: float
    size: float = SMALLEST
    lines: int = 1
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "middle"
    fill: str = "ink"


class Group(_Shape, frozen=True, tag="group"):
    """Shapes that belong together, under a title. With `head` a table, whose rows are the groups with `row`.

    `of` is what they stand for, as options of menus call it (a zone, a card, a seat), so that who is asked for one
    can point at it; empty for what nobody is asked for.
    """

    title: Say
    parts: tuple[Part, ...]
    head: tuple[Say, ...] = ()
    row: tuple[Say, ...] = ()
    of: str = ""


Part: TypeAlias = Rect | Mark | Stroke | Text | Group


class Picture(msgspec.Struct, frozen=True):
    """A picture `WIDTH` wide and `height` high: its title, what it shows in words, its colours, its groups."""

    title: Say
    about: Say
    height: float
    palette: Mapping[str, Shade]
    groups: tuple[Group, ...]


V_contra = TypeVar("V_contra", contravariant=True)


class Draws(Protocol[V_contra]):
    """Draws a view; with `news`, the events that its seat has heard since its last letter, marks them as new."""

    def __call__(self, view: V_contra, news: tuple[Any, ...] = ..., /) -> Picture: ...


COMMON: Mapping[str, Shade] = {
    "ground": Shade("#ffffff", "#15181d"),
    "panel": Shade("#f4f1ea", "#23282f"),
    "card": Shade("#fffdf7", "#333a44"),
    "line": Shade("#b9b2a4", "#525b68"),
    "ink": Shade("#1c1a17", "#f3f1ec"),
    "faint": Shade("#5b564d", "#b9bec6"),
    "alert": Shade("#b3261e", "#ff8a80"),
    "new": Shade("#8f3fb0", "#d79bf0"),
}
"""Roles that every game may use: grounds, ink on them, and what asks for attention."""


def number(n: int) -> Say:
    """A number as a sentence."""
    return say("{n}", n=n)
