"""OpenTimestamps proofs (.ots): what was stamped, and in which blocks it is said to be.

A proof is a tree of operations from a digest to the roots of blocks. Decides where the operations lead.
Whether a block with such a root is in the chain, only a header of it can show, which the proof does not
have: without one, a proof is a claim. Format: opentimestamps-client, `Proof` version 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Literal

import msgspec

from engine import refuse

MAGIC = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94"
SHA1, RIPEMD160, SHA256, KECCAK256 = 0x02, 0x03, 0x08, 0x67
APPEND, PREPEND, REVERSE, HEXLIFY = 0xF0, 0xF1, 0xF2, 0xF3
ATTESTATION, FORK = 0x00, 0xFF
BITCOIN = bytes.fromhex("0588960d73d71901")
LITECOIN = bytes.fromhex("06869a0d73d71b45")
PENDING = bytes.fromhex("83dfe30d2ef90c8e")
SIZES = {SHA1: 20, RIPEMD160: 20, SHA256: 32, KECCAK256: 32}
OPERATIONS: dict[int, Callable[[bytes], bytes] | None] = {
    SHA1: lambda message: hashlib.sha1(message, usedforsecurity=False).digest(),
    SHA256: lambda message: hashlib.sha256(message).digest(),
    REVERSE: lambda message: message[::-1],
    HEXLIFY: lambda message: message.hex().encode("ascii"),
    RIPEMD160: None,
    KECCAK256: None,
}
"""Those that take nothing but the message. Python has no RIPEMD-160 everywhere and no Keccak: None."""
DEEPEST, LONGEST, MOST = 256, 4_096, 4_096
HEADER = 80
EASIEST = 0xFFFF << 208
"""No block of the chain was ever made with less work than this target asks for."""


class Attestation(msgspec.Struct, frozen=True):
    """Where a branch ends: a block of a chain at a height, a calendar that will know more, or something unknown.

    `root` is what the operations lead to; empty where an operation is not known here.
    """

    kind: Literal["bitcoin", "litecoin", "pending", "unknown"]
    root: bytes
    height: int = 0
    calendar: str = ""


class Proof(msgspec.Struct, frozen=True):
    """The digest that was stamped, by which hash, and where it leads."""

    algorithm: str
    digest: bytes
    attestations: tuple[Attestation, ...]


def read_proof(data: bytes) -> Proof:
    """What an .ots file claims. Refused `anchor/shape`."""
    reader = _Reader(data)
    if reader.take(len(MAGIC)) != MAGIC or reader.number() != 1:
        raise refuse("anchor/shape", where="head")
    operation = reader.byte()
    if operation not in SIZES:
        raise refuse("anchor/shape", where="hash")
    digest = reader.take(SIZES[operation])
    found: list[Attestation] = []
    _tree(reader, digest, DEEPEST, found)
    if reader.at != len(data):
        raise refuse("anchor/shape", where="end")
    names = {SHA1: "sha1", RIPEMD160: "ripemd160", SHA256: "sha256", KECCAK256: "keccak256"}
    return Proof(names[operation], digest, tuple(found))


def read_headers(text: str) -> dict[bytes, str]:
    """Instants by root, of block headers in hex, one a line. Refused `anchor/header` for what is no header with its work."""
    found: dict[bytes, str] = {}
    for number, line in enumerate(text.split(), 1):
        try:
            header = bytes.fromhex(line)
        except ValueError:
            raise refuse("anchor/header", line=number) from None
        if len(header) != HEADER or not _has_work(header):
            raise refuse("anchor/header", line=number)
        found[header[36:68]] = _instant(int.from_bytes(header[68:72], "little"))
    return found


class _Reader:
    """Bytes, one after another."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise refuse("anchor/shape", where="end")
        self.at += size
        return part

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise refuse("anchor/shape", where="number")

    def text(self) -> bytes:
        size = self.number()
        if size > LONGEST:
            raise refuse("anchor/shape", where="length")
        return self.take(size)


def _tree(reader: _Reader, message: bytes, depth: int, found: list[Attestation]) -> None:
    """A node: branches, each but the last marked as such; a branch is an attestation or an operation and a node."""
    if depth < 1 or len(found) > MOST:
        raise refuse("anchor/shape", where="depth")
    tag = reader.byte()
    while tag == FORK:
        _branch(reader, reader.byte(), message, depth, found)
        tag = reader.byte()
    _branch(reader, tag, message, depth, found)


def _branch(reader: _Reader, tag: int, message: bytes, depth: int, found: list[Attestation]) -> None:
    if tag == ATTESTATION:
        found.append(_attestation(reader, message))
        return
    _tree(reader, _apply(reader, tag, message), depth - 1, found)


def _apply(reader: _Reader, tag: int, message: bytes) -> bytes:
    """The message after an operation; empty from an operation on that cannot be done here."""
    if tag in (APPEND, PREPEND):
        more = reader.text()
        after = message + more if tag == APPEND else more + message
        return after if message else b""
    if tag not in OPERATIONS:
        raise refuse("anchor/shape", where="operation")
    operation = OPERATIONS[tag]
    return operation(message) if message and operation is not None else b""


def _attestation(reader: _Reader, message: bytes) -> Attestation:
    kind, inner = reader.take(8), _Reader(reader.text())
    if kind == BITCOIN:
        return Attestation("bitcoin", message, inner.number())
    if kind == LITECOIN:
        return Attestation("litecoin", message, inner.number())
    if kind == PENDING:
        address = inner.text().decode("utf-8", "replace")
        return Attestation("pending", message, calendar="".join(c for c in address if c.isprintable()))
    return Attestation("unknown", message)


def _has_work(header: bytes) -> bool:
    bits = int.from_bytes(header[72:76], "little")
    exponent, mantissa = bits >> 24, bits & 0x7FFFFF
    target = mantissa << 8 * (exponent - 3) if exponent >= 3 else mantissa >> 8 * (3 - exponent)
    work = hashlib.sha256(hashlib.sha256(header).digest()).digest()
    return int.from_bytes(work, "little") <= target <= EASIEST


def _instant(seconds: int) -> str:
    """Seconds since 1970 as `YYYY-MM-DDTHH:MM:SSZ`, by the calendar alone."""
    days, rest = divmod(seconds, 86_400)
    # the day count of the proleptic Gregorian calendar, counted from 1 March of year 0
    days += 719_468
    era, day = divmod(days, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    month, year = (month + 3, year + era * 400) if month < 10 else (month - 9, year + era * 400 + 1)
    hour, minute, second = rest // 3_600, rest // 60 % 60, rest % 60
    return f"{year:04d}-{month:02d}-{date:02d}T{hour:02d}:{minute:02d}:{second:02d}Z"
