"""PNG files made small: from four bytes a pixel to one, with a palette of at most 256 colours.

A drawing has few colours but many blends of them along its edges; blends beyond the palette take the nearest
colour in it. Reads what resvg writes (8 bits, RGBA, one image, not interlaced) and nothing else.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_COLOURS = 256
_RGBA = 4


def indexed(data: bytes) -> bytes:
    """The same picture with a palette. It must be opaque; ValueError for a file of another kind."""
    chunks = list(_chunks(data))
    wide, high, *kind = struct.unpack(">LLBBBBB", chunks[0][1])
    if kind != [8, 6, 0, 0, 0]:
        raise ValueError("not 8-bit RGBA")
    packed = b"".join(body for name, body in chunks if name == b"IDAT")
    rows = [struct.unpack(f"<{wide}L", row) for row in _rows(zlib.decompress(packed), wide)]
    counted: Counter[int] = Counter()
    for row in rows:
        counted.update(row)
    colours = sorted(counted, key=lambda colour: (-counted[colour], colour))
    chosen = colours[:MOST_COLOURS]
    place = {colour: number for number, colour in enumerate(chosen)}
    for colour in colours[MOST_COLOURS:]:
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


def _rows(raw: bytes, wide: int) -> Iterator[bytes]:
    """The rows of pixels as they were before PNG's filters (PNG specification, section 9)."""
    size = wide * _RGBA
    above = bytes(size)
    for start in range(0, len(raw), size + 1):
        filtered = raw[start + 1 : start + 1 + size]
        above = _UNFILTER[raw[start]](filtered, above)
        yield above


def _plain(row: bytes, above: bytes) -> bytes:
    return row


def _sub(row: bytes, above: bytes) -> bytes:
    out = bytearray(row)
    for at in range(_RGBA, len(out)):
        out[at] = out[at] + out[at - _RGBA] & 255
    return bytes(out)


def _up(row: bytes, above: bytes) -> bytes:
    return bytes([one + up & 255 for one, up in zip(row, above, strict=True)])


def _average(row: bytes, above: bytes) -> bytes:
    out = bytearray(row)
    for at, up in enumerate(above):
        left = out[at - _RGBA] if at >= _RGBA else 0
        out[at] = out[at] + (left + up) // 2 & 255
    return bytes(out)


def _paeth(row: bytes, above: bytes) -> bytes:
    if not any(row):
        return above
    out = bytearray(_RGBA) + bytearray(row)
    corner = bytes(_RGBA) + above
    for at, up in enumerate(above):
        left, over = out[at], corner[at]
        if up == over:
            guess = left
        elif left == over:
            guess = up
        else:
            by_left, by_up = abs(up - over), abs(left - over)
            by_over = abs(left + up - over - over)
            guess = left if by_left <= by_up and by_left <= by_over else up if by_up <= by_over else over
        out[at + _RGBA] = row[at] + guess & 255
    return bytes(out[_RGBA:])


_UNFILTER = (_plain, _sub, _up, _average, _paeth)
