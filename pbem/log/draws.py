"""Accumulators, draw keys and commitments (protocol.md section 5, Setup to Stream).

Decides which bytes each hash and MAC is made of. Knows no log and no game. All digests, links, tips and
keys here are raw bytes; hex is for files.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from engine import Below, Draw, Stream, refuse, roll, shuffle
from pbem.log.chain import ctx, lp

MAX_SIDES = 1 << 32


def setup_digest(
    charter_digest: bytes, host_link_1: bytes, seats: Iterable[tuple[bytes, bytes, bytes]]
) -> bytes:
    """G of all (public key, tip, link 1), in whatever order they come: they are sorted by key."""
    parts: list[bytes] = []
    for _key, tip, reveal in sorted(seats):
        parts += (tip, reveal)
    return _hash(ctx("setup", charter_digest, host_link_1, *parts))


def acc0(setup: bytes) -> bytes:
    """A_0, from which seat order, shuffles and deals come."""
    return _hash(ctx("acc0", setup))


def acc_next(acc: bytes, turn: int, host_link: bytes, reveals: Sequence[bytes]) -> bytes:
    """A_t from A_{t−1}, t, host link t+1 and the reveals of turn t in charter order (empty for none)."""
    tail = [lp(index.to_bytes(4, "big")) + lp(reveal) for index, reveal in enumerate(reveals)]
    return _hash(ctx("acc", acc, turn, host_link) + b"".join(tail))


def hidden_commit(game: str, k_hidden: bytes) -> bytes:
    """The charter's commitment to the key of hidden draws."""
    return _hash(ctx("hidden-commit", game, k_hidden))


def public_key(acc: bytes, game: str, turn: int, label: str) -> bytes:
    """The stream key of a public draw of turn t, under A_t. (A seat's key is in seal.py.)"""
    return _mac(acc, _public_head(game, turn) + lp(label.encode("ascii")))


def hidden_key(k_hidden: bytes, game: str, label: str, acc: bytes) -> bytes:
    """The stream key of a hidden draw under A_t."""
    return _mac(k_hidden, ctx("hidden", game, label, acc))


def state_key(k_hidden: bytes, game: str, n: int) -> bytes:
    """The MAC key for the state after record n."""
    return _mac(k_hidden, ctx("state", game, n))


def bot_key(k_hidden: bytes, game: str, n: int) -> bytes:
    """The stream key of the chance of a bot that plays for a silent seat in record n."""
    return _mac(k_hidden, ctx("bot", game, n))


def state_mac(k_hidden: bytes, game: str, n: int, canonical_state: bytes) -> bytes:
    """What record n says of the hidden state; an unsalted hash would give away a hand in seconds."""
    return _mac(state_key(k_hidden, game, n), canonical_state)


class LabelSource(msgspec.Struct, frozen=True):
    """An engine `Source`: one fresh stream a label, under one turn's accumulator."""

    acc: bytes
    k_hidden: bytes | None
    game: str
    turn: int

    def __call__(self, label: str, *, hidden: bool) -> Below:
        if not hidden:
            return Stream(public_key(self.acc, self.game, self.turn, label)).below
        if self.k_hidden is None:
            raise ValueError("a hidden draw needs the hidden key")
        return Stream(hidden_key(self.k_hidden, self.game, label, self.acc)).below

    def __repr__(self) -> str:
        return f"LabelSource(game={self.game!r}, turn={self.turn})"


def source(acc: bytes, k_hidden: bytes | None, game: str, turn: int) -> LabelSource:
    """The dice of a turn for the engine; without the hidden key (an auditor in mid-game) public ones only."""
    return LabelSource(acc, k_hidden, game, turn)


def check_draw_shape(draw: Draw) -> None:
    """Refuses (`log/draw-shape`) a draw that is neither dice of one size nor a whole shuffle."""
    if not draw.label or not draw.label.isascii():
        raise refuse("log/draw-shape", label=draw.label.encode("ascii", "backslashreplace").decode("ascii"))
    if draw.sides is not None:
        # no values is no excuse: a number out of bounds has no place in a log
        one_size = draw.items is None and 1 <= draw.sides <= MAX_SIDES
        fits = one_size and all(isinstance(value, int) and 1 <= value <= draw.sides for value in draw.values)
    else:
        whole = draw.items is not None and len(draw.items) == len(draw.values)
        fits = whole and all(isinstance(value, str) for value in draw.values)
    if not fits:
        raise refuse("log/draw-shape", label=draw.label)


def check_draw(draw: Draw, dice: LabelSource, *, hidden: bool = False) -> None:
    """Draws again under the label and refuses (`log/draw-value`) if other values come. Shape was checked."""
    below = dice(draw.label, hidden=hidden)
    if draw.items is not None:
        drawn: tuple[int | str, ...] = shuffle(below, draw.items)
    else:
        drawn = roll(below, draw.sides or 1, len(draw.values))
    if drawn != draw.values:
        raise refuse("log/draw-value", label=draw.label)


@lru_cache(maxsize=64)
def _public_head(game: str, turn: int) -> bytes:
    return ctx("public", game, turn)


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, hashlib.sha256)
