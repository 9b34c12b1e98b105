"""Damaged archives, the same for the same seed: what a bad disk, a careless hand or a dishonest host leaves behind.

`mutants` gives as many as are asked for, one way of damage after another, so that any number of them has all
ways in it. Where it follows from the way of damage which line must be found at fault, the mutant says so
(`line`, from 1; 0: it depends). The generator knows bytes and JSON, no verifier.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from pbem.log.canonical import canonical, digest
from pbem.log.seal import PrivateKey, sign

Json = dict[str, Any]
STRANGER = PrivateKey(b"\x5a" * 32)
OTHERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    True,
    False,
    "",
    "x",
    "host",
    "ab" * 32,
    [],
    {},
    [0],
    {"a": 1},
    1 << 53,
    2**53 - 1,
)
FREE = {"at", "deadline", "reason", "old", "new", "names", "sig"}
"""Fields in which a host may write what he likes: nothing in the history contradicts him."""


@dataclass(frozen=True)
class Mutant:
    """One damaged archive. `line` is where it must be found, 0 if that depends; `sealed`: by the host's own key."""

    name: str
    data: bytes
    line: int = 0
    sealed: bool = False


Way = Callable[["Source", random.Random], Mutant]


class Source:
    """A sound archive and the key of its host."""

    def __init__(self, archive: bytes, host: PrivateKey) -> None:
        self.archive = archive
        self.host = host
        self.lines = archive.splitlines(keepends=True)

    def pick(self, chance: random.Random) -> int:
        """A line, counted from 0."""
        return chance.randrange(len(self.lines))

    def with_line(self, index: int, line: bytes) -> bytes:
        """The archive with one line (with its LF) replaced."""
        return b"".join([*self.lines[:index], line, *self.lines[index + 1 :]])


def mutants(source: Source, count: int, seed: str) -> Iterator[Mutant]:
    """So many mutants; number i is the same whatever the count."""
    for number in range(count):
        yield WAYS[number % len(WAYS)](source, random.Random(f"{seed}/{number}"))


def flip(source: Source, at: int, bit: int) -> Mutant:
    """One bit of the byte at an offset turned over."""
    data = bytearray(source.archive)
    data[at] ^= 1 << bit
    return Mutant(f"bit {bit} of byte {at} flipped", bytes(data), source.archive.count(b"\n", 0, at) + 1)


def truncated(source: Source, size: int) -> Mutant:
    """Cut off after so many bytes; at fault is the line that was cut, none if it ends with a line."""
    whole = size and source.archive[size - 1 : size] == b"\n"
    line = 0 if whole else source.archive.count(b"\n", 0, size) + 1
    return Mutant(f"cut after byte {size}", source.archive[:size], line)


def dropped(source: Source, index: int) -> Mutant:
    """A line left out; found where the next one stands now."""
    line = index + 1 if index + 1 < len(source.lines) else 0
    return Mutant(f"line {index + 1} dropped", source.with_line(index, b""), line)


def doubled(source: Source, index: int) -> Mutant:
    """A line twice."""
    return Mutant(f"line {index + 1} doubled", source.with_line(index, source.lines[index] * 2), index + 2)


def swapped(source: Source, first: int, second: int) -> Mutant:
    """Two lines in each other's place."""
    lines = list(source.lines)
    lines[first], lines[second] = lines[second], lines[first]
    return Mutant(f"lines {first + 1} and {second + 1} swapped", b"".join(lines), min(first, second) + 1)


def edited(source: Source, index: int, change: Callable[[Json], None]) -> Mutant:
    """A record changed and nothing signed."""
    record = msgspec.json.decode(source.lines[index])
    change(record)
    return Mutant(f"line {index + 1} edited", source.with_line(index, canonical(record) + b"\n"), index + 1)


def by_stranger(source: Source, index: int, change: Callable[[Json], None], posing: bool) -> Mutant:
    """A record changed and signed with a stranger's key, under his own name or the host's."""
    record = msgspec.json.decode(source.lines[index])
    key = record.pop("sig")["key"]
    change(record)
    sig = sign(STRANGER, "record", canonical(record))
    record["sig"] = {**sig, "key": key} if posing else sig
    name = f"line {index + 1} signed by a stranger"
    return Mutant(name, source.with_line(index, canonical(record) + b"\n"), index + 1)


def by_host(source: Source, index: int, change: Callable[[Json], None]) -> Mutant:
    """A record changed and signed by the host: the line itself is false, or the next one does not follow it."""
    line = resealed(source.host, msgspec.json.decode(source.lines[index]), change)
    return Mutant(f"line {index + 1} changed by the host", source.with_line(index, line), 0, True)


def rewritten(source: Source, index: int, change: Callable[[Json], None]) -> Mutant:
    """The host changes a record, and seals everything from there anew, so that the chain is whole."""
    lines, renamed = source.lines[:index], dict[str, str]()
    for number, old in enumerate(source.lines[index:], index):
        record = msgspec.json.decode(old)
        for field in ("prev", "base"):
            if field in record:
                record[field] = renamed.get(record[field], record[field])
        new = resealed(source.host, record, change if number == index else _nothing)
        lines.append(new)
        renamed[digest(old[:-1])] = digest(new[:-1])
    return Mutant(f"history rewritten from line {index + 1} on", b"".join(lines), 0, True)


def resealed(host: PrivateKey, record: Json, change: Callable[[Json], None]) -> bytes:
    """A record changed and sealed by a key, with its LF."""
    record.pop("sig", None)
    change(record)
    record.pop("sig", None)
    return canonical({**record, "sig": sign(host, "record", canonical(record))}) + b"\n"


def spoilt(chance: random.Random, fields: frozenset[str] | set[str] = frozenset()) -> Callable[[Json], None]:
    """A change of one place of a record: a member dropped, added or replaced by another value; never in `fields`."""

    def change(record: Json) -> None:
        before = canonical(record)
        for _ in range(99):
            places = list(_places(record, fields))
            inside, key = places[chance.randrange(len(places))]
            match chance.randrange(5):
                case 0:
                    del inside[key]
                case 1 if _is(dict, inside):
                    inside["more"] = copy.deepcopy(inside[key])
                case 2 if isinstance(inside[key], int) and not isinstance(inside[key], bool):
                    inside[key] += chance.choice((-1, 1))
                case 3 if isinstance(inside[key], str) and inside[key]:
                    inside[key] = _other_text(inside[key], chance)
                case _:
                    inside[key] = copy.deepcopy(chance.choice(OTHERS))
            if canonical(record) != before:
                return

    return change


def respelt(source: Source, index: int, spelling: Callable[[bytes], bytes], name: str) -> Mutant:
    """The same value of a line in other bytes, or a byte too many."""
    return Mutant(
        f"line {index + 1} {name}", source.with_line(index, spelling(source.lines[index])), index + 1
    )


SPELLINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("with a space", lambda line: line.replace(b":", b": ", 1)),
    ("with CR LF", lambda line: line[:-1] + b"\r\n"),
    ("with a byte order mark", lambda line: b"\xef\xbb\xbf" + line),
    ("with an escape", lambda line: line.replace(b'"at"', b'"\\u0061t"', 1)),
    ("with a key twice", lambda line: line.replace(b"{", b'{"at":"",', 1)),
    ("with keys in another order", lambda line: b'{"kind":' + line[1:-2] + b"}\n"),
    ("with an empty line before it", lambda line: b"\n" + line),
    ("as no JSON", lambda line: line[1:]),
    (
        "nested too deep",
        lambda line: line.replace(b'"sig":', b'"sif":' + b"[" * 40 + b"]" * 40 + b',"sig":', 1),
    ),
    ("with a number that is none", lambda line: line.replace(b'"n":', b'"n":1e', 1)),
    ("with NUL", lambda line: b"\0" + line),
    ("in UTF-16", lambda line: line.decode().encode("utf-16")),
    ("much too long", lambda line: line[:-1] + b" " * 300_000 + b"\n"),
)


def _nothing(_record: Json) -> None:
    return


def _other_text(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("0189abfxZ~é") + text[at + 1 :]


def _places(value: Any, fields: frozenset[str] | set[str]) -> Iterator[tuple[Any, Any]]:
    """Every member of every object and list, by its container and key; what is in `fields` is passed over."""
    keys: list[Any] = list(value) if _is(dict, value) else list(range(len(value)))
    for key in keys:
        if key in fields:
            continue
        yield value, key
        if _is(dict, value[key]) or _is(list, value[key]):
            yield from _places(value[key], frozenset())


def _is(kind: type, value: Any) -> bool:
    return isinstance(value, kind)


def _flip(source: Source, chance: random.Random) -> Mutant:
    return flip(source, chance.randrange(len(source.archive)), chance.randrange(8))


def _truncated(source: Source, chance: random.Random) -> Mutant:
    if chance.random() < 0.3:
        return truncated(source, len(b"".join(source.lines[: 1 + chance.randrange(len(source.lines) - 1)])))
    return truncated(source, chance.randrange(len(source.archive)))


def _dropped(source: Source, chance: random.Random) -> Mutant:
    return dropped(source, source.pick(chance))


def _doubled(source: Source, chance: random.Random) -> Mutant:
    return doubled(source, source.pick(chance))


def _swapped(source: Source, chance: random.Random) -> Mutant:
    first, second = chance.sample(range(len(source.lines)), 2)
    return swapped(source, first, second)


def _edited(source: Source, chance: random.Random) -> Mutant:
    return edited(source, source.pick(chance), spoilt(chance))


def _by_stranger(source: Source, chance: random.Random) -> Mutant:
    change = spoilt(chance) if chance.random() < 0.7 else _nothing
    return by_stranger(source, source.pick(chance), change, chance.random() < 0.5)


def _by_host(source: Source, chance: random.Random) -> Mutant:
    return by_host(source, source.pick(chance), spoilt(chance, FREE))


def _rewritten(source: Source, chance: random.Random) -> Mutant:
    return rewritten(source, source.pick(chance), spoilt(chance, FREE | {"prev"}))


def _respelt(source: Source, chance: random.Random) -> Mutant:
    name, spelling = chance.choice(SPELLINGS)
    return respelt(source, source.pick(chance), spelling, name)


def _appended(source: Source, chance: random.Random) -> Mutant:
    more = chance.choice((b"\n", b"\0", b"{}\n", b"null\n", source.lines[0], b"[]", b" "))
    return Mutant("something appended", source.archive + more, len(source.lines) + 1)


WAYS: tuple[Way, ...] = (
    _flip,
    _truncated,
    _dropped,
    _doubled,
    _swapped,
    _edited,
    _by_stranger,
    _by_host,
    _rewritten,
    _respelt,
    _appended,
    _by_host,
    _rewritten,
    _rewritten,
)
