"""A picture as SVG: one self-contained document without scripts, links or ids.

Colours are attributes, for mail programs drop styles; no ids, for several pictures may share a page. Only a file that
stands alone has its looks in a style sheet of its own, for that is much shorter. Words stay words. The bundled font is
named first, with others of about its widths after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never
from xml.sax.saxutils import escape

import msgspec

from engine import WIDTH, Group, Mark, Part, Picture, Rect, Stroke, Text, words
from pbem.render.elements import ROUND, Attribute, Element, compact, number, opened, point
from pbem.render.fitting import LEADING, fitted
from pbem.render.metrics import CAPITALS, FAMILY
from pbem.render.signs import arrow, hatching, outline

FONTS = f"'{FAMILY}', 'Arial Narrow', Arial, 'Liberation Sans', Helvetica, sans-serif"
_DASHES = {"dashed": (3.0, 2.0), "dotted": (0.1, 2.2)}


class _Pen(msgspec.Struct, frozen=True):
    """What drawing needs to know beside the shapes: a colour for each role, and the language."""

    colours: Mapping[str, str]
    lang: str


def to_svg(
    picture: Picture, lang: str = "en", *, dark: bool = False, wide: int | None = None, alone: bool = False
) -> bytes:
    """The picture as an SVG document in UTF-8; `wide`: its width in pixels, said in it; `alone`: for a file of its own."""
    shades = picture.palette.items()
    pen = _Pen({role: shade.dark if dark else shade.light for role, shade in shades}, lang)
    title, about = words(picture.title, lang), words(picture.about, lang)
    size: dict[str, Attribute] = {}
    if wide is not None:
        size = {"width": wide, "height": wide * picture.height / WIDTH}
    root: dict[str, Attribute] = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "viewBox": f"0 0 {WIDTH} {number(picture.height)}",
        "role": "img",
        "aria-label": title,
        "lang": lang,
        "font-family": FONTS,
    }
    ground = Rect(0, 0, WIDTH, picture.height, "ground")
    drawn = [*_rect(ground, pen), *(line for group in picture.groups for line in _part(group, pen))]
    sheet, body = (
        compact(drawn) if alone else ([], [one if isinstance(one, str) else one.tag() for one in drawn])
    )
    lines = [
        opened("svg", root) + ">",
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(about)}</desc>",
        *sheet,
        *body,
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _part(part: Part, pen: _Pen) -> Iterator[str | Element]:
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


def _rect(rect: Rect, pen: _Pen) -> Iterator[Element]:
    box: dict[str, Attribute] = {"x": rect.x, "y": rect.y, "width": rect.w, "height": rect.h}
    if rect.round:
        box["rx"] = rect.round
    if rect.fill or not rect.hatch:
        yield Element("rect", box, _paint(rect.fill, "", 0, "", pen))
    if rect.hatch:
        drawn = "".join(f"M{point(low)}L{point(high)}" for low, high in hatching(rect))
        yield Element("path", {"d": drawn}, _paint("", rect.hatch, 1.5, "", pen))
    if rect.line:
        yield Element("rect", box, _paint("", rect.line, rect.wide, rect.dash, pen))


def _mark(mark: Mark, pen: _Pen) -> Element:
    paint = _paint(mark.fill, mark.line, mark.wide, mark.dash, pen)
    if mark.sign == "disc":
        return Element("circle", {"cx": mark.x, "cy": mark.y, "r": mark.r}, paint)
    return Element("polygon", {"points": outline(mark)}, ROUND | paint)


def _stroke(stroke: Stroke, pen: _Pen) -> Iterator[Element]:
    points, head = arrow(stroke) if stroke.arrow else (stroke.points, ())
    kind = "polygon" if stroke.fill else "polyline"
    paint = _paint(stroke.fill, stroke.line, stroke.wide, stroke.dash, pen)
    yield Element(kind, {"points": points}, ROUND | paint)
    if head:
        yield Element("polygon", {"points": head}, {"fill": pen.colours[stroke.line]})


def _text(text: Text, pen: _Pen) -> Iterator[Element]:
    lines, size = fitted(text, words(text.text, pen.lang))
    look: dict[str, Attribute] = {"font-size": size, "fill": pen.colours[text.fill]}
    if text.bold:
        look["font-weight"] = "bold"
    if text.anchor != "start":
        look["text-anchor"] = text.anchor
    for place, line in enumerate(lines):
        y = text.y + size * CAPITALS / 2 + place * size * LEADING
        yield Element("text", {"x": text.x, "y": y}, look, escape(line))


def _paint(fill: str, line: str, wide: float, dash: str, pen: _Pen) -> dict[str, Attribute]:
    paint: dict[str, Attribute] = {"fill": pen.colours[fill] if fill else "none"}
    if line:
        paint |= {"stroke": pen.colours[line], "stroke-width": wide}
    if line and dash:
        on, off = (number(part * wide) for part in _DASHES[dash])
        paint |= {
            "stroke-dasharray": f"{on} {off}",
            "stroke-linecap": "round" if dash == "dotted" else "butt",
        }
    return paint
