"""Damaged and falsified logs: bytes flipped, lines moved, odd JSON, and records that the host sealed anew.

Everything comes from a seed. `blind` damages bytes and knows no key; `forged` changes a record's inside and has
the host seal it and all that follow, so that the order of records and the values in them are what is wrong.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from pbem.log.canonical import canonical, digest
from pbem.log.ledger import lines_of
from pbem.log.seal import PrivateKey, sign

Json = dict[str, Any]

ODD = (
    *(
        b"1.5",
        b"1e3",
        b"-0",
        b"00",
        b"null",
        b"NaN",
        b"true",
        b"12345678901234567",
        b"9007199254740992",
        b'"',
    ),
    *(b"\xff", b"\xef\xbb\xbf", b" ", b"\n", b"\r\n", b"[[[", b"]" * 3, b'"a":1,', b'{"A":1}', b"\\ud800"),
    *(
        b"{" * 40,
        b"[" * 70_000,
        b'"\\u0061"',
        b"\x00",
        b"\\n",
        b",",
        b":",
        b"-",
        b"\xed\xa0\x80",
        b'"kind":"move",',
    ),
)
VALUES: tuple[Any, ...] = (
    *(True, False, None, 0, 1, -1, 7, 2**53, 2**31, 2**63, 1.5, "", "ash", "host", "ab" * 32, "AB" * 32),
    *(
        "0" * 64,
        "é" * 64,
        "x" * 65,
        [],
        [[]],
        {},
        {"A": 1},
        {"do": "done"},
        [1],
        ["ash"],
        "2026-02-30T00:00:00Z",
    ),
    *("2026-03-01T12:00:01Z", "standing", "default", "data", "press", "key", "😀", [[[[0]]]]),
)


def blind(log: bytes, chance: random.Random) -> bytes:
    """One accident or clumsy fraud, without any key."""
    lines = list(lines_of(log))
    at = chance.randrange(len(lines))
    spot = chance.randrange(len(log))
    match chance.randrange(10):
        case 0 | 1:
            return log[:spot] + bytes([log[spot] ^ 1 << chance.randrange(8)]) + log[spot + 1 :]
        case 2:
            return log[:spot]
        case 3:
            del lines[at]
        case 4:
            lines.insert(at, lines[at])
        case 5:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 6:
            lines = lines[: at + 1]
        case 7:
            return log[:spot] + chance.choice(ODD) + log[spot:]
        case 8:
            return log[:spot] + chance.choice(ODD) + log[spot + chance.randrange(1, 12) :]
        case _:
            lines[at] = _value_replaced(lines[at], chance)
    return b"".join(lines)


def _value_replaced(line: bytes, chance: random.Random) -> bytes:
    """A member's value replaced by odd text, the line's form kept."""
    colons = [i for i, byte in enumerate(line) if byte == ord(":")]
    start = chance.choice(colons) + 1
    end = min(i for mark in b",}" if (i := line.find(bytes([mark]), start)) > 0)
    return line[:start] + chance.choice(ODD) + line[end:]


def forged(log: bytes, key: PrivateKey, chance: random.Random) -> bytes:
    """One place of one record changed, or a record moved; sealed anew, with digests that fit."""
    pages = [(digest(line[:-1]), msgspec.json.decode(line)) for line in lines_of(log)]
    at = chance.randrange(len(pages))
    record: Json = pages[at][1]
    match chance.randrange(6):
        case 0:
            del pages[at]
        case 1:
            pages.insert(at, copy.deepcopy(pages[at]))
        case 2:
            other = chance.randrange(len(pages))
            pages[at], pages[other] = pages[other], pages[at]
        case 3:
            record[chance.choice(("link", "next", "reveal", "draws", "turn", "seat"))] = chance.choice(VALUES)
        case _:
            inside, place = chance.choice(list(places(record)))
            if chance.randrange(3):
                inside[place] = copy.deepcopy(chance.choice(VALUES))
            else:
                del inside[place]
    return resealed(pages, key)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a record, as what holds it and its key or index."""
    keys: list[Any] = [*cast("Json", value)] if isinstance(value, dict) else [*range(len(value))]
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def resealed(pages: list[tuple[str, Json]], key: PrivateKey) -> bytes:
    """Records, each with the digest that it had, as a log whose numbers, digests, bases and seals fit."""
    lines: list[bytes] = []
    renamed: dict[str, str] = {}
    prev = "0" * 64
    for n, (was, record) in enumerate(pages):
        body = {name: value for name, value in record.items() if name != "sig"} | {"n": n, "prev": prev}
        if isinstance(base := body.get("base"), str):
            body["base"] = renamed.get(base, base)
        line = canonical({**body, "sig": sign(key, "record", canonical(body))})
        prev = renamed[was] = digest(line)
        lines.append(line + b"\n")
    return b"".join(lines)
