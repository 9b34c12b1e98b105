"""As much of DER as a time stamp needs: tags, lengths, and what is inside (X.690). Knows no structure.

Definite lengths and one-byte tags only, which is all that RFC 3161 tokens have.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine import refuse

INTEGER, OCTETS, OID, SEQUENCE, SET, TIME = 0x02, 0x04, 0x06, 0x30, 0x31, 0x18
CONTEXT = 0xA0
"""`[0]`, constructed; `[n]` is CONTEXT + n."""


class Node(msgspec.Struct, frozen=True):
    """One value: its tag, its content, and the whole of it with tag and length."""

    tag: int
    body: bytes
    raw: bytes


def one(data: bytes) -> Node:
    """The value that the bytes are, and nothing after it. Refused `anchor/shape`."""
    node, end = _at(data, 0)
    if end != len(data):
        raise refuse("anchor/shape", where="der")
    return node


def inside(node: Node) -> list[Node]:
    """The values in a constructed one. Refused `anchor/shape`."""
    if not node.tag & 0x20:
        raise refuse("anchor/shape", where="der")
    return list(_all(node.body))


def expect(node: Node, tag: int, where: str) -> Node:
    """The node, if it has that tag. Refused `anchor/shape`."""
    if node.tag != tag:
        raise refuse("anchor/shape", where=where)
    return node


def _all(data: bytes) -> Iterator[Node]:
    at = 0
    while at < len(data):
        node, at = _at(data, at)
        yield node


def _at(data: bytes, start: int) -> tuple[Node, int]:
    head = data[start : start + 2]
    if len(head) < 2 or head[0] & 0x1F == 0x1F:
        raise refuse("anchor/shape", where="der")
    at, size = start + 2, head[1]
    if size & 0x80:
        digits = size & 0x7F
        if not 1 <= digits <= 4:
            raise refuse("anchor/shape", where="der")
        size, at = int.from_bytes(data[at : at + digits], "big"), at + digits
    if at + size > len(data):
        raise refuse("anchor/shape", where="der")
    return Node(head[0], data[at : at + size], data[start : at + size]), at + size
