"""PNG with a palette: the same pixels, a smaller file."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.render import to_png
from pbem.render.indexed import SIGNATURE, indexed
from tests.render.test_files import picture

Pixel = tuple[int, int, int]


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + name + body + struct.pack(">L", zlib.crc32(name + body))


def rgba(rows: list[list[Pixel]], filters: list[int], kind: int = 6) -> bytes:
    """A PNG file of opaque pixels, each row filtered as the specification says (section 9)."""
    above, raw = bytes(4 * len(rows[0])), b""
    for row, how in zip(rows, filters, strict=True):
        plain = b"".join(bytes((*pixel, 255)) for pixel in row)
        raw += bytes([how]) + bytes(
            (
                plain[at]
                - guess(how, plain[at - 4] if at > 3 else 0, above[at], above[at - 4] if at > 3 else 0)
            )
            & 255
            for at in range(len(plain))
        )
        above = plain
    head = struct.pack(">LLBBBBB", len(rows[0]), len(rows), 8, kind, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def guess(how: int, left: int, up: int, corner: int) -> int:
    kinds: tuple[Callable[[], int], ...] = (
        lambda: 0,
        lambda: left,
        lambda: up,
        lambda: (left + up) // 2,
        lambda: min((left, up, corner), key=lambda one: abs(left + up - corner - one)),
    )
    return kinds[how]()


def pixels(data: bytes) -> list[list[Pixel]]:
    """The pixels of a file with a palette."""
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(data):
        size, name = struct.unpack_from(">L4s", data, at)
        body = data[at + 8 : at + 8 + size]
        assert data[at + 8 + size : at + 12 + size] == struct.pack(">L", zlib.crc32(name + body))
        found[name] = body
        at += 12 + size
    wide, high, bits, kind = struct.unpack_from(">LLBB", found[b"IHDR"])
    assert (bits, kind) == (8, 3)
    colours = found[b"PLTE"]
    raw = zlib.decompress(found[b"IDAT"])
    assert len(raw) == high * (wide + 1)
    rows = [raw[start + 1 : start + 1 + wide] for start in range(0, len(raw), wide + 1)]
    return [[(colours[3 * n], colours[3 * n + 1], colours[3 * n + 2]) for n in row] for row in rows]


PIXELS = st.tuples(*[st.sampled_from([0, 1, 77, 128, 254, 255])] * 3)


@given(
    st.integers(1, 6).flatmap(
        lambda wide: st.lists(
            st.tuples(st.lists(PIXELS, min_size=wide, max_size=wide), st.integers(0, 4)),
            min_size=1,
            max_size=6,
        )
    )
)
def test_no_pixel_changes_where_the_palette_is_large_enough(lines: list[tuple[list[Pixel], int]]) -> None:
    rows, filters = [row for row, _ in lines], [how for _, how in lines]
    assert pixels(indexed(rgba(rows, filters))) == rows


def test_blends_beyond_the_palette_take_the_nearest_colour() -> None:
    many = [[(red, green, 0) for red in range(0, 256, 15)] for green in range(0, 256, 15)]
    common = [[(0, 0, 255)] * 18 for _ in range(3)]
    shown = pixels(indexed(rgba([*common, *many], [0] * (len(many) + 3))))
    assert shown[:3] == common
    assert len({pixel for row in shown for pixel in row}) <= 256
    used = {pixel for row in shown for pixel in row}
    for was, now in zip((p for row in many for p in row), (p for row in shown[3:] for p in row), strict=True):
        assert distance(was, now) == min(distance(was, one) for one in used)


def distance(one: Pixel, other: Pixel) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def test_pictures_have_a_palette() -> None:
    assert pixels(to_png(picture()))[0][0] == (255, 255, 255)
    assert pixels(to_png(picture(), dark=True))[0][0] == (0, 0, 0)


@pytest.mark.parametrize("data", [b"GIF89a", rgba([[(1, 2, 3)]], [0], kind=2)])
def test_other_files_are_not_read(data: bytes) -> None:
    with pytest.raises(ValueError, match="not"):
        indexed(data)
