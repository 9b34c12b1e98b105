"""Is this a public key under which only its owner can sign? (protocol.md section 3, "At registration")

Decides by arithmetic on edwards25519 in plain integers, because the usual libraries accept keys of small
or mixed order, under which one fixed signature can verify every message. Knows nothing of signatures.
Public data only: nothing here needs to take the same time for every input.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""

    x: int
    y: int
    z: int
    t: int


IDENTITY = Point(0, 1, 1, 0)


@lru_cache(maxsize=1024)
def is_sound(public: bytes) -> bool:
    """True if the 32 bytes are the one encoding of a point of prime order."""
    # 1. one encoding: 32 bytes, y below p, no sign on x = 0, on the curve
    point = decode(public)
    if point is None:
        return False
    # 2. not the identity, 3. killed by the prime order: so no part of small order is in it
    return not _is_identity(point) and _is_identity(times(ORDER, point))


def decode(encoded: bytes) -> Point | None:
    """The point of an encoding as RFC 8032 section 5.1.3 has it, or None where it has none."""
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    x = _root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    if x is None or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return Point(x, y, 1, x * y % P)


def encode(point: Point) -> bytes:
    """The 32 bytes of a point."""
    inverse = pow(point.z, -1, P)
    x, y = point.x * inverse % P, point.y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def add(one: Point, two: Point) -> Point:
    """The sum of two points; complete, so also for equal and opposite ones."""
    a = (one.y - one.x) * (two.y - two.x) % P
    b = (one.y + one.x) * (two.y + two.x) % P
    c = 2 * one.t * two.t * D % P
    d = 2 * one.z * two.z % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor: int, point: Point) -> Point:
    """A point added to itself `factor` times, factor ≥ 0: doubled once a bit, in place, because an audit waits for it."""
    x, y, z, t = IDENTITY
    for bit in bin(factor)[2:]:
        a, b, s = x * x % P, y * y % P, x + y
        g, h = a - b, a + b
        e, f = (h - s * s) % P, 2 * z * z % P + g
        x, y, z, t = e * f % P, g * h % P, f * g % P, e * h
        if bit == "1":
            x, y, z, t = add(Point(x, y, z, t), point)
    return Point(x, y, z, t % P)


def _is_identity(point: Point) -> bool:
    return point.x % P == 0 and (point.y - point.z) % P == 0


def _root(square: int) -> int | None:
    root = pow(square, (P + 3) // 8, P)
    if root * root % P == square:
        return root
    root = root * ROOT_OF_MINUS_ONE % P
    return root if root * root % P == square else None
