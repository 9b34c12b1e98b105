"""The group of edwards25519 in plain integers: slow, by the book (RFC 8032 section 5.1.4), to hold faster ways against."""

from __future__ import annotations

from typing import NamedTuple

from pbem.log.curve import D, P, decode

ORDER = 2**252 + 27742317777372353535851937790883648493


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""

    x: int
    y: int
    z: int
    t: int


IDENTITY = Point(0, 1, 1, 0)


def point_of(encoded: bytes) -> Point | None:
    """The point of an encoding, or None where it has none."""
    found = decode(encoded)
    return None if found is None else Point(found[0], found[1], 1, found[0] * found[1] % P)


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
    """A point added to itself `factor` times, factor ≥ 0."""
    total = IDENTITY
    for bit in bin(factor)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def has_prime_order(encoded: bytes) -> bool:
    """What `is_sound` says, from the definition."""
    point = point_of(encoded)
    if point is None:
        return False
    return encode(point) != encode(IDENTITY) and encode(times(ORDER, point)) == encode(IDENTITY)
