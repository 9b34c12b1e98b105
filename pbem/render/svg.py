"""A picture as SVG: one self-contained document without style sheets, scripts, links or ids.

Colours are attributes, for mail programs drop styles; no ids, for several pictures may share a page. Words stay
words. The bundled font is named first, with others of about its widths after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never
from xml.sax.saxutils import escape, quoteattr

import msgspec

from engine import WIDTH, Group, Mark, Part, Picture, Point, Rect, Stroke, Text, words
from pbem.render.fitting import LEADING, fitted
from pbem.render.metrics import CAPITALS, FAMILY
from pbem.render.signs import arrow, hatching, outline

FONTS = f"'{FAMILY}', 'Arial Narrow', Arial, 'Liberation Sans', Helvetica, sans-serif"
_DASHES = {"dashed": (3.0, 2.0), "dotted": (0.1, 2.2)}

Attribute = str | float


class _Pen(msgspec.Struct, frozen=True):
    """What drawing needs to know beside the shapes: a colour for each role, and the language."""

    colours: Mapping[str, str]
    lang: str


def to_svg(picture: Picture, lang: str = "en", *, dark: bool = False, wide: int | None = None) -> bytes:
    """The picture as an SVG document in UTF-8; with `wide`, its width in pixels is said in it."""
    shades = picture.palette.items()
    pen = _Pen({role: shade.dark if dark else shade.light for role, shade in shades}, lang)
    title, about = words(picture.title, lang), words(picture.about, lang)
    size: dict[str, Attribute] = {}
    if wide is not None:
        size = {"width": wide, "height": wide * picture.height / WIDTH}
    root: dict[str, Attribute] = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "viewBox": f"0 0 {WIDTH} {_number(picture.height)}",
        "role": "img",
        "aria-label": title,
        "lang": lang,
        "font-family": FONTS,
    }
    ground = Rect(0, 0, WIDTH, picture.height, "ground")
    lines = [
        _open("svg", root) + ">",
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(about)}</desc>",
        *_rect(ground, pen),
        *(line for group in picture.groups for line in _part(group, pen)),
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _part(part: Part, pen: _Pen) -> Iterator[str]:
    match part:
        case Group():
            yield f"<g><title>{escape(words(part.title, pen.lang))}</title>"
            for one in part.parts:
                yield from _part(one, pen)
            yield "</g>"
        case Rect():
            yield from _rect(part, pen)
        case Mark():
            yield _mark(part, pen)
        case Stroke():
            yield from _stroke(part, pen)
        case Text():
            yield from _text(part, pen)
        case _:
            assert_never(part)


def _rect(rect: Rect, pen: _Pen) -> Iterator[str]:
    box: dict[str, Attribute] = {"x": rect.x, "y": rect.y, "width": rect.w, "height": rect.h}
    if rect.round:
        box["rx"] = rect.round
    if rect.fill or not rect.hatch:
        yield _tag("rect", {**box, **_paint(rect.fill, "", 0, "", pen)})
    if rect.hatch:
        drawn = "".join(f"M{_point(low)}L{_point(high)}" for low, high in hatching(rect))
        yield _tag("path", {"d": drawn, **_paint("", rect.hatch, 1.5, "", pen)})
    if rect.line:
        yield _tag("rect", {**box, **_paint("", rect.line, rect.wide, rect.dash, pen)})


def _mark(mark: Mark, pen: _Pen) -> str:
    paint = _paint(mark.fill, mark.line, mark.wide, mark.dash, pen)
    if mark.sign == "disc":
        return _tag("circle", {"cx": mark.x, "cy": mark.y, "r": mark.r, **paint})
    return _tag("polygon", {"points": _points(outline(mark)), "stroke-linejoin": "round", **paint})


def _stroke(stroke: Stroke, pen: _Pen) -> Iterator[str]:
    points, head = arrow(stroke) if stroke.arrow else (stroke.points, ())
    kind = "polygon" if stroke.fill else "polyline"
    paint = _paint(stroke.fill, stroke.line, stroke.wide, stroke.dash, pen)
    yield _tag(kind, {"points": _points(points), "stroke-linejoin": "round", **paint})
    if head:
        yield _tag("polygon", {"points": _points(head), "fill": pen.colours[stroke.line]})


def _text(text: Text, pen: _Pen) -> Iterator[str]:
    lines, size = fitted(text, words(text.text, pen.lang))
    look: dict[str, Attribute] = {"font-size": size, "fill": pen.colours[text.fill]}
    if text.bold:
        look["font-weight"] = "bold"
    if text.anchor != "start":
        look["text-anchor"] = text.anchor
    for place, line in enumerate(lines):
        y = text.y + size * CAPITALS / 2 + place * size * LEADING
        yield f"{_open('text', {'x': text.x, 'y': y, **look})}>{escape(line)}</text>"


def _paint(fill: str, line: str, wide: float, dash: str, pen: _Pen) -> dict[str, Attribute]:
    paint: dict[str, Attribute] = {"fill": pen.colours[fill] if fill else "none"}
    if line:
        paint |= {"stroke": pen.colours[line], "stroke-width": wide}
    if line and dash:
        on, off = (_number(part * wide) for part in _DASHES[dash])
        paint |= {
            "stroke-dasharray": f"{on} {off}",
            "stroke-linecap": "round" if dash == "dotted" else "butt",
        }
    return paint


def _tag(name: str, attributes: Mapping[str, Attribute]) -> str:
    return _open(name, attributes) + "/>"


def _open(name: str, attributes: Mapping[str, Attribute]) -> str:
    pairs = (
        f" {key}={quoteattr(value if isinstance(value, str) else _number(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{''.join(pairs)}"


def _points(points: Iterable[Point]) -> str:
    return " ".join(_point(point) for point in points)


def _point(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    """A number with at most two decimals, and never `-0`."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short in {"-0", ""} else short
