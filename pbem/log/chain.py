"""One-way chains of links (protocol.md section 5, Chains).

Decides what link k of a chain is and whether a revealed link follows the last one. Knows no log: which link
is due is the ledger's business. All seeds, links, tips and digests here are raw bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pbem.log.seal import PrivateKey

HOST = "host"
LENGTH = 4096
_BLOCK = 64


def lp(data: bytes) -> bytes:
    """4-byte big-endian length and the bytes."""
    return len(data).to_bytes(4, "big") + data


def ctx(label: str, *parts: bytes | str | int) -> bytes:
    """`lp("pbem/v1/"+label) ‖ lp(part) ‖ …`; integers as 4 bytes big-endian, strings as UTF-8."""
    return lp(b"pbem/v1/" + label.encode("ascii")) + b"".join([lp(_bytes(part)) for part in parts])


def chain_link(seed: bytes, game: str, who: str, k: int, n: int = LENGTH) -> bytes:
    """Link k = v_k of the chain whose v_n is the seed; k = 0 is the tip. ValueError outside 0 … n.

    Links are worked out and kept in blocks of 64, so neighbours cost nothing in either direction.
    """
    if not 0 <= k <= n:
        raise ValueError(f"link {k} of a chain of {n}")
    return _block(seed, game, who, n, k // _BLOCK)[k % _BLOCK]


def marked_link(marks: Sequence[bytes], game: str, who: str, k: int, n: int = LENGTH) -> bytes:
    """Link k of the chain whose `marks_of` these are: for who goes from game to game, and wants one link of each."""
    if not 0 <= k <= n:
        raise ValueError(f"link {k} of a chain of {n}")
    index = k // _BLOCK
    return _below(_prefix(game, who), marks[index], min(n, index * _BLOCK + _BLOCK - 1) - k)


def marks_of(seed: bytes, game: str, who: str, n: int = LENGTH) -> tuple[bytes, ...]:
    """The highest link of each block of 64, lowest block first. As secret as the seed, which is the last of them."""
    return _checkpoints(seed, game, who, n)


def tip(seed: bytes, game: str, who: str, n: int = LENGTH) -> bytes:
    """v_0, which is published before any link."""
    return chain_link(seed, game, who, 0, n)


def seat_seed(private_raw: bytes | PrivateKey, game: str, seat: str, charter_digest: bytes) -> bytes:
    """A seat's 32-byte chain seed: HKDF-SHA256 of its private key, so that a player keeps one small file."""
    raw = private_raw.raw if isinstance(private_raw, PrivateKey) else private_raw
    info = ctx("seat-chain", game, seat, charter_digest)
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(raw)


def follows(game: str, who: str, revealed: bytes, previous: bytes) -> bool:
    """True if `revealed` is the link after `previous` (the tip, at first)."""
    return _step(_prefix(game, who), revealed) == previous


@lru_cache(maxsize=256)
def _prefix(game: str, who: str) -> bytes:
    return ctx("chain", game, who)


def _step(prefix: bytes, link: bytes) -> bytes:
    return hashlib.sha256(prefix + lp(link)).digest()


@lru_cache(maxsize=256)
def _below(prefix: bytes, value: bytes, steps: int) -> bytes:
    """The link so many steps before another."""
    for _ in range(steps):
        value = _step(prefix, value)
    return value


@lru_cache(maxsize=1024)
def _checkpoints(seed: bytes, game: str, who: str, n: int) -> tuple[bytes, ...]:
    """The highest link of each block of 64, lowest block first.

    It takes as long as half a turn, and a host comes back to the same chain at each: so many games are remembered.
    """
    head, value = _prefix(game, who) + len(seed).to_bytes(4, "big"), seed
    found = [seed]
    for k in range(n - 1, -1, -1):
        value = hashlib.sha256(head + value).digest()
        if k % _BLOCK == _BLOCK - 1:
            found.append(value)
    return tuple(reversed(found))


@lru_cache(maxsize=1024)
def _block(seed: bytes, game: str, who: str, n: int, index: int) -> tuple[bytes, ...]:
    prefix, value = _prefix(game, who), _checkpoints(seed, game, who, n)[index]
    top = min(n, index * _BLOCK + _BLOCK - 1)
    links = [value]
    for _ in range(top - index * _BLOCK):
        value = _step(prefix, value)
        links.append(value)
    return tuple(reversed(links))


def _bytes(part: bytes | str | int) -> bytes:
    if isinstance(part, int):
        return part.to_bytes(4, "big")
    return part.encode("utf-8") if isinstance(part, str) else part
