"""SVG element by element: as text, and made short for a file that stands alone.

Short is: classes instead of attributes, one path for lines that look alike, one rectangle for a ground and its edge, and
places to a tenth of a unit. What is seen is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from xml.sax.saxutils import quoteattr

import msgspec

from engine import Point

Attribute = str | float | tuple[Point, ...]
ROUND: dict[str, Attribute] = {"stroke-linejoin": "round"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Element(msgspec.Struct, frozen=True):
    """A shape: its tag, where it lies, how it looks, what it holds; None: it is one that holds nothing."""

    name: str
    place: Mapping[str, Attribute]
    look: Mapping[str, Attribute]
    inner: str | None = None

    def tag(self, decimals: int = 2) -> str:
        """The element as it is written."""
        start = opened(self.name, {**self.place, **self.look}, decimals)
        return f"{start}/>" if self.inner is None else f"{start}>{self.inner}</{self.name}>"


Written = str | Element


def compact(body: Iterable[Written]) -> tuple[list[str], list[str]]:
    """A style sheet, and the same elements in short, as lines."""
    sheet: dict[str, str] = {}
    lines: list[str] = []
    classed = (one if isinstance(one, str) else _classed(one, sheet) for one in _merged(body))
    for look, run in groupby(classed, lambda one: None if isinstance(one, str) else one.look["class"]):
        same = list(run)
        alike = [one for one in same if isinstance(one, Element)]
        if look is None or len(same) == 1:
            lines += [one if isinstance(one, str) else one.tag(1) for one in same]
        elif all(one.name == "polyline" for one in alike):
            # lines that cross look the same in one stroke and in many, for none of them is seen through
            ways = " ".join(f"M{str(_text(one.place['points'], 1)).replace(' ', 'L')}" for one in alike)
            lines.append(Element("path", {"d": ways}, {"class": look}).tag())
        else:
            lines.append(f"{opened('g', {'class': look})}>")
            lines += [Element(one.name, one.place, {}, one.inner).tag(1) for one in alike]
            lines.append("</g>")
    styles = [f".{name}{{{look}}}" for look, name in sheet.items()]
    return ["<style>", *styles, "</style>"], lines


def _merged(body: Iterable[Written]) -> Iterator[Written]:
    """A ground and its edge, one right after the other, in one."""
    held: Element | None = None
    for one in body:
        if held is not None:
            same = isinstance(one, Element) and one.place == held.place and one.look.get("fill") == "none"
            if same and isinstance(one, Element):
                yield Element(held.name, held.place, {**one.look, "fill": held.look["fill"]})
                held = None
                continue
            yield held
            held = None
        if isinstance(one, Element) and one.name == "rect" and "stroke" not in one.look:
            held = one
        else:
            yield one
    if held is not None:
        yield held


def _classed(one: Element, sheet: dict[str, str]) -> Element:
    """The element with a class instead of its look; `sheet` has the class of each look, and gets what is new."""
    units = {"font-size": "px"}
    look = ";".join(f"{key}:{_text(value, 2)}{units.get(key, '')}" for key, value in one.look.items())
    name = sheet.setdefault(look, f"{_LETTERS[len(sheet) % 26]}{len(sheet) // 26 or ''}")
    return Element(one.name, one.place, {"class": name}, one.inner)


def opened(name: str, attributes: Mapping[str, Attribute], decimals: int = 2) -> str:
    """A tag that is still open."""
    return f"<{name}{''.join(f' {key}={quoteattr(_text(value, decimals))}' for key, value in attributes.items())}"


def _text(value: Attribute, decimals: int) -> str:
    if isinstance(value, tuple):
        return " ".join(point(one, decimals) for one in value)
    return value if isinstance(value, str) else number(value, decimals)


def point(one: Point, decimals: int = 2) -> str:
    """A point as `x,y`."""
    return f"{number(one[0], decimals)},{number(one[1], decimals)}"


def number(value: float, decimals: int = 2) -> str:
    """A number with at most so many decimals, and never `-0`."""
    short = f"{value:.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{value:.0f}"
    return "0" if short in {"-0", ""} else short
