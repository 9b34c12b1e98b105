"""How wide words are in the bundled font. Advances are summed, for the font has no kerning.

Reads three tables of a TrueType file (`cmap` format 4, `hhea`, `hmtx`) and knows no picture.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec

FAMILY = "DejaVu Sans Condensed"
FILES = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
CAPITALS = 0.729
"""Height of a capital letter, in parts of the size."""


class Face(msgspec.Struct, frozen=True):
    """One font: advance by character code, and the advance of the sign for a missing one, in `em` units."""

    em: int
    advances: Mapping[int, int]
    missing: int


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is, in the units of its size."""
    font = face(bold)
    return sum(font.advances.get(ord(letter), font.missing) for letter in text) * size / font.em


@cache
def face(bold: bool) -> Face:
    """The font's measures, read from its file."""
    data = resources.files("pbem.render").joinpath("fonts", FILES[bold]).read_bytes()
    tables = _tables(data)
    em = _numbers(data, tables["head"] + 18, 1)[0]
    known = _numbers(data, tables["hhea"] + 34, 1)[0]
    wide = _numbers(data, tables["hmtx"], known * 2)[::2]
    glyphs = _characters(data, _format_4(data, tables["cmap"]))
    return Face(em, {code: wide[min(glyph, known - 1)] for code, glyph in glyphs.items()}, wide[0])


def _tables(data: bytes) -> dict[str, int]:
    count = _numbers(data, 4, 1)[0]
    entries = (struct.unpack_from(">4sLLL", data, 12 + 16 * entry) for entry in range(count))
    return {tag.decode("ascii"): offset for tag, _, offset, _ in entries}


def _format_4(data: bytes, cmap: int) -> int:
    """Where the character table of format 4 begins."""
    count = _numbers(data, cmap + 2, 1)[0]
    entries = (struct.unpack_from(">HHL", data, cmap + 4 + 8 * entry) for entry in range(count))
    starts: list[int] = [cmap + offset for _, _, offset in entries]
    return next(start for start in starts if _numbers(data, start, 1)[0] == 4)


def _characters(data: bytes, at: int) -> dict[int, int]:
    """Character code → glyph, segment by segment."""
    segments = _numbers(data, at + 6, 1)[0] // 2
    ends = _numbers(data, at + 14, segments)
    starts = _numbers(data, at + 16 + 2 * segments, segments)
    deltas = _numbers(data, at + 16 + 4 * segments, segments)
    shifts_at = at + 16 + 6 * segments
    shifts = _numbers(data, shifts_at, segments)
    found: dict[int, int] = {}
    for segment, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if shifts[segment]:
                where = shifts_at + 2 * segment + shifts[segment] + 2 * (code - start)
                glyph = _numbers(data, where, 1)[0]
            if glyph:
                found[code] = (glyph + deltas[segment]) & 0xFFFF
    return found


def _numbers(data: bytes, at: int, count: int) -> tuple[int, ...]:
    return struct.unpack_from(f">{count}H", data, at)
