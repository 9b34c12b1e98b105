"""Labelled draws: every roll, choice and shuffle has a label, unique in the game, and its own stream.

The kernel knows no seed. A `Source` gives, for a label, a fresh function `below(n)`; the service and
the audit make theirs from protocol.md section 5, scenarios script theirs. A label is ASCII, counts,
and names nothing that a player chose.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

Below = Callable[[int], int]


class Source(Protocol):
    """Where randomness comes from: one fresh stream of numbers a label."""

    def __call__(self, label: str, *, hidden: bool) -> Below: ...


class Stream:
    """The words of protocol.md section 5: block i = HMAC-SHA256(key, i as 8 bytes), read as 32-bit words."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 32-bit word, big-endian."""
        if not self._words:
            block = hmac.digest(self._key, self._block.to_bytes(8, "big"), hashlib.sha256)
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 4], "big") for i in range(28, -4, -4)]
        return self._words.pop()

    def below(self, n: int) -> int:
        """A number in 0 … n−1, each equally likely; 1 ≤ n ≤ 2^32."""
        if not 1 <= n <= 1 << 32:
            raise ValueError(f"below({n}): n must be 1 … 2^32")
        limit = (1 << 32) - ((1 << 32) % n)
        while (word := self.word()) >= limit:
            continue
        return word % n


def roll(below: Below, sides: int, count: int) -> tuple[int, ...]:
    """`count` dice of `sides` sides, each 1 … sides."""
    return tuple(1 + below(sides) for _ in range(count))


def shuffle(below: Below, items: Sequence[str]) -> tuple[str, ...]:
    """The items in random order, index 0 on top; the order of `below` calls is protocol.md's."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


class Draw(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A draw as the log has it: dice of one size (`sides`), or a whole shuffle (`items` in input order)."""

    label: str
    values: tuple[int | str, ...]
    sides: int | None = None
    items: tuple[str, ...] | None = None


class Dice:
    """Makes draws from a source and keeps those made, public and hidden apart, in order."""

    __slots__ = ("_source", "hidden", "public")

    def __init__(self, source: Source) -> None:
        self._source = source
        self.public: list[Draw] = []
        self.hidden: list[Draw] = []

    def roll(self, label: str, sides: int, count: int, *, hidden: bool = False) -> tuple[int, ...]:
        """Dice of one size."""
        values = roll(self._source(label, hidden=hidden), sides, count)
        (self.hidden if hidden else self.public).append(Draw(label, values, sides=sides))
        return values

    def shuffle(self, label: str, items: Sequence[str], *, hidden: bool = False) -> tuple[str, ...]:
        """A whole shuffle; "choose k" is its first k."""
        values = shuffle(self._source(label, hidden=hidden), items)
        (self.hidden if hidden else self.public).append(Draw(label, values, items=tuple(items)))
        return values
