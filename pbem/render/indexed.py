"""PNG files made small: from four bytes a pixel to one, with a palette of at most 256 colours.

A drawing has few colours but many blends of them along its edges; blends beyond the palette take the nearest
colour in it. Reads what resvg writes (8 bits, RGBA, one image, not interlaced) and nothing else.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_COLOURS = 256
_RGBA = 4


def indexed(data: bytes, colours: int = MOST_COLOURS, kept: Iterable[str] = ()) -> bytes:
    """The same picture with a palette of so many colours; it must be opaque. ValueError for a file of another kind.

    `kept` are colours, as `#rrggbb`, that are in the palette however rare they are, if they are in the picture at all.
    """
    chunks = list(_chunks(data))
    wide, high, *kind = struct.unpack(">LLBBBBB", chunks[0][1])
    if kind != [8, 6, 0, 0, 0]:
        raise ValueError("not 8-bit RGBA")
    packed = b"".join(body for name, body in chunks if name == b"IDAT")
    rows = list(_rows(zlib.decompress(packed), wide))
    counted: Counter[int] = Counter()
    for row in rows:
        counted.update(row)
    first = {int.from_bytes(bytes.fromhex(f"{one[1:]}ff"), "little") for one in kept}
    found = sorted(counted, key=lambda colour: (colour not in first, -counted[colour], colour))
    chosen = found[:colours]
    place = {colour: number for number, colour in enumerate(chosen)}
    for colour in found[colours:]:
        place[colour] = place[_nearest(colour, chosen)]
    pixels = b"".join(b"\0" + bytes(map(place.__getitem__, row)) for row in rows)
    palette = b"".join(struct.pack("<L", colour)[:3] for colour in chosen)
    head = struct.pack(">LLBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, body) for name, body in parts)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not data.startswith(SIGNATURE):
        raise ValueError("not a PNG file")
    at = len(SIGNATURE)
    while at < len(data):
        size, name = struct.unpack_from(">L4s", data, at)
        yield name, data[at + 8 : at + 8 + size]
        at += 12 + size


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + name + body + struct.pack(">L", zlib.crc32(name + body))


def _nearest(colour: int, chosen: list[int]) -> int:
    """The colour of the palette that differs least."""
    red, green, blue = colour & 255, colour >> 8 & 255, colour >> 16 & 255
    return min(
        chosen,
        key=lambda one: (
            ((one & 255) - red) ** 2 + ((one >> 8 & 255) - green) ** 2 + ((one >> 16 & 255) - blue) ** 2
        ),
    )


Row = tuple[int, ...]
"""Pixels, each as one number: its four bytes, the red one lowest."""


def _rows(raw: bytes, wide: int) -> Iterator[Row]:
    """The rows of pixels as they were before PNG's filters (PNG specification, section 9).

    Pixels are undone whole and not byte by byte: a drawing repeats the same few cases, and they are kept.
    """
    form = struct.Struct(f"<{wide}L")
    above: Row = (0,) * wide
    for start in range(0, len(raw), wide * _RGBA + 1):
        above = _UNFILTER[raw[start]](form.unpack_from(raw, start + 1), above)
        yield above


def _plain(row: Row, above: Row) -> Row:
    return row


def _sub(row: Row, above: Row) -> Row:
    left, out = 0, list[int]()
    for pixel in row:
        left = _added(pixel, left) if pixel else left
        out.append(left)
    return tuple(out)


def _up(row: Row, above: Row) -> Row:
    return tuple(_added(pixel, up) if pixel else up for pixel, up in zip(row, above, strict=True))


def _average(row: Row, above: Row) -> Row:
    left, out = 0, list[int]()
    for pixel, up in zip(row, above, strict=True):
        left = _added(pixel, _between(left, up))
        out.append(left)
    return tuple(out)


def _paeth(row: Row, above: Row) -> Row:
    if not any(row):
        return above
    left = corner = 0
    out: list[int] = []
    for pixel, up in zip(row, above, strict=True):
        if pixel:
            left = _added(pixel, _guessed(left, up, corner))
        elif left == corner:
            left = up
        elif up != corner:
            left = _guessed(left, up, corner)
        corner = up
        out.append(left)
    return tuple(out)


_UNFILTER = (_plain, _sub, _up, _average, _paeth)
_CASES = 1 << 15
_SHIFTS = (0, 8, 16, 24)


@lru_cache(_CASES)
def _added(pixel: int, guess: int) -> int:
    return sum(((pixel >> by) + (guess >> by) & 255) << by for by in _SHIFTS)


@lru_cache(_CASES)
def _between(left: int, up: int) -> int:
    return sum((((left >> by & 255) + (up >> by & 255)) // 2) << by for by in _SHIFTS)


@lru_cache(_CASES)
def _guessed(left: int, up: int, corner: int) -> int:
    """What Paeth's filter expects: whichever of the three neighbours is nearest to left + up - corner."""
    return sum(_nearest_of(left >> by & 255, up >> by & 255, corner >> by & 255) << by for by in _SHIFTS)


def _nearest_of(left: int, up: int, corner: int) -> int:
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - corner - corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner
