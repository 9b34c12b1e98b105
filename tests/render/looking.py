"""A picture as somebody with keen eyes sees it: where words lie, on what ground, whether they can be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine import WIDTH, Group, Mark, Part, Picture, Rect, Shade, Stroke, Text, words
from engine.kernel.shapes import SMALLEST
from pbem.render.fitting import LEADING, fitted
from pbem.render.metrics import CAPITALS, face, width
from pbem.render.signs import outline

READABLE = 4.5
"""The least contrast of words with their ground (WCAG 2, level AA)."""
_OPEN = 1
"""Boxes of words may come so close that they touch."""

Leaf = Rect | Mark | Stroke | Text


@dataclass(frozen=True)
class Line:
    """One line of words with the box around its capitals, and how many shapes were painted before it."""

    words: str
    text: Text
    left: float
    top: float
    right: float
    bottom: float
    after: int

    def covers(self, other: Line) -> bool:
        """Whether two lines run into each other."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > _OPEN and down > _OPEN


def flat(parts: Iterable[Part]) -> Iterator[Leaf]:
    """Shapes in the order in which they are painted."""
    for part in parts:
        if isinstance(part, Group):
            yield from flat(part.parts)
        else:
            yield part


def groups(parts: Iterable[Part]) -> Iterator[Group]:
    """All groups, the outer before the inner."""
    for part in parts:
        if isinstance(part, Group):
            yield part
            yield from groups(part.parts)


def lines(picture: Picture, lang: str = "en") -> list[Line]:
    """Every line of words as it is drawn."""
    found: list[Line] = []
    for after, part in enumerate(flat(picture.groups)):
        if isinstance(part, Text):
            shown, size = fitted(part, words(part.text, lang))
            for place, line in enumerate(shown):
                long = width(line, size, part.bold)
                left = part.x - {"start": 0, "middle": long / 2, "end": long}[part.anchor]
                middle, half = part.y + place * size * LEADING, size * CAPITALS / 2
                found.append(Line(line, part, left, middle - half, left + long, middle + half, after))
    return found


def ground(shapes: Sequence[Leaf], x: float, y: float, before: int) -> str:
    """The role of what was painted last at a point, of the shapes before that number."""
    for part in reversed(shapes[:before]):
        if not isinstance(part, Text) and part.fill and _inside(part, x, y):
            return part.fill
    return "ground"


def _inside(shape: Rect | Mark | Stroke, x: float, y: float) -> bool:
    match shape:
        case Rect():
            return shape.x <= x <= shape.x + shape.w and shape.y <= y <= shape.y + shape.h
        case Mark(sign="disc"):
            return (shape.x - x) ** 2 + (shape.y - y) ** 2 <= shape.r**2
        case Mark():
            return _within(outline(shape), x, y)
        case Stroke():
            return _within(shape.points, x, y)


def _within(corners: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def contrast(one: str, other: str) -> float:
    """The contrast of two colours `#rrggbb`, 1 to 21 (WCAG 2)."""
    high, low = sorted((_light(one), _light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def faults(picture: Picture) -> list[str]:
    """What is wrong with a picture, in words; nothing, if everything in it can be read."""
    found = [*_tables(picture), *_paint(picture)]
    seen, shapes = lines(picture), tuple(flat(picture.groups))
    for line in seen:
        found += _line(picture, line, shapes)
    for place, line in enumerate(seen):
        found += (f"{line.words!r} on {other.words!r}" for other in seen[:place] if line.covers(other))
    return found


def _line(picture: Picture, line: Line, shapes: Sequence[Leaf]) -> Iterator[str]:
    text = line.text
    if missing := [letter for letter in line.words if ord(letter) not in face(text.bold).advances]:
        yield f"{line.words!r} has letters that the font has not: {missing}"
    if text.size < SMALLEST:
        yield f"{line.words!r} is too small: {text.size}"
    if fitted(text, words(text.text))[1] < text.size:
        yield f"{line.words!r} is wider than its room, {text.room}"
    if line.left < 0 or line.right > WIDTH or line.top < 0 or line.bottom > picture.height:
        yield f"{line.words!r} leaves the picture"
    middle = (line.top + line.bottom) / 2
    reach = 2 if line.right - line.left > 40 else 0
    for x in {line.left + reach, (line.left + line.right) / 2, line.right - reach} if reach else {text.x}:
        beneath = picture.palette[ground(shapes, x, middle, line.after)]
        ink = picture.palette[text.fill]
        for mode, ratio in _ratios(ink, beneath):
            if ratio < READABLE:
                yield f"{line.words!r} has a contrast of {ratio:.1f} in {mode}"


def _ratios(ink: Shade, beneath: Shade) -> tuple[tuple[str, float], ...]:
    return ("light", contrast(ink.light, beneath.light)), ("dark", contrast(ink.dark, beneath.dark))


def _paint(picture: Picture) -> Iterator[str]:
    for part in flat(picture.groups):
        line = "" if isinstance(part, Text) else part.line
        hatch = part.hatch if isinstance(part, Rect) else ""
        yield from (
            f"no colour for {role}"
            for role in (part.fill, line, hatch)
            if role and role not in picture.palette
        )


def _tables(picture: Picture) -> Iterator[str]:
    """Every table has rows, and every row as many cells as its table."""
    for table in groups(picture.groups):
        if table.head:
            rows = [row for row in _rows(table.parts) if row]
            if not rows:
                yield f"the table {words(table.title)!r} is empty"
            yield from (
                f"a row of {words(table.title)!r} has {len(row)} cells"
                for row in rows
                if len(row) != len(table.head)
            )


def _rows(parts: Iterable[Part]) -> Iterator[tuple[object, ...]]:
    for part in parts:
        if isinstance(part, Group) and not part.head:
            yield part.row
            yield from _rows(part.parts)
