"""A small signed game of a made-up ruleset, written by hand, and the means to falsify it.

A plan is a list of entries, each a record in symbols: `base` and `of` name other entries, `link` and
`reveal` are link numbers, draws are `(label, sides, count)` or `(label, items)`. `write` turns a plan into
lines: real links, real dice, real seals. A `spoil` function changes a finished record just before the host
seals it, so the falsified log is in order but for the one thing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from engine import roll, shuffle
from pbem.log import chain, draws
from pbem.log.canonical import canonical
from pbem.log.envelope import envelope_id
from pbem.log.ledger import Report, lines_of, verify
from pbem.log.record import line_digest, seal_record
from pbem.log.seal import PrivateKey, public_of, sign

Entry = dict[str, Any]
Spoil = Callable[[Entry], object]

GAME = "01synthetic"
SEATS = ("red", "blue")
KEYS = {name: PrivateKey(bytes([number]) * 32) for number, name in enumerate(("host", *SEATS), 1)}
SEEDS = {name: bytes([0x40 + number]) * 32 for number, name in enumerate(("host", *SEATS))}
K_HIDDEN = b"\x77" * 32
REVEALS: dict[int, dict[str, int]] = {1: {"red": 2, "blue": 2}, 2: {}, 3: {"blue": 3}, 4: {}}
ENVELOPED = ("join", "ready", "move", "standing", "resign")
CHANGED = ("start", "move", "timeout", "resign")


def link(who: str, k: int) -> bytes:
    return chain.chain_link(SEEDS[who], GAME, who, k)


def plan() -> list[Entry]:
    """The sound game: sealed first moves, an answer, a timeout, two resignations, everything opened."""
    head: list[Entry] = [
        {"id": "charter", "kind": "charter"},
        {"id": "board", "kind": "data", "name": "board", "value": {"zones": ["a", "b"], "big": 2**53 - 1}},
        {"id": "join red", "kind": "join", "seat": "red", "base": "charter"},
        {"id": "join blue", "kind": "join", "seat": "blue", "base": "charter"},
        {
            "id": "later",
            "kind": "deadline",
            "old": "P3D",
            "new": "P5D",
            "who": "host",
            "reason": "Zoë’s feast",
        },
        {"id": "ready red", "kind": "ready", "seat": "red", "base": "join blue", "reveal": 1, "rev": 1},
        {"id": "ready blue", "kind": "ready", "seat": "blue", "base": "charter", "reveal": 1, "rev": 1},
    ]
    play: list[Entry] = [
        {
            "id": "start",
            "kind": "start",
            "turn": 0,
            "link": 1,
            "next": ["red", "blue"],
            "order": ["blue", "red"],
        }
        | {"draws": [("order", ["red", "blue"]), ("first", 6, 1)]},
        {"id": "red 1", "kind": "move", "seat": "red", "turn": 1, "base": "start", "reveal": 2},
        {"id": "orders", "kind": "standing", "seat": "blue", "base": "start"},
        {"id": "blue 1", "kind": "move", "seat": "blue", "turn": 1, "base": "start", "reveal": 2}
        | {"draws": [("battle/1/1", 6, 3), ("deck/1", ["x", "y", "z"])]},
        {"id": "red 1b", "kind": "move", "seat": "red", "turn": 1, "base": "blue 1"}
        | {"draws": [("battle/1/2", 8, 2)], "link": 2, "next": ["red"]},
        {"id": "silence", "kind": "timeout", "seat": "red", "turn": 2}
        | {"draws": [("battle/2/1", 6, 2)], "link": 3, "next": ["blue"]},
        {"id": "blue 3", "kind": "move", "seat": "blue", "turn": 3, "base": "silence", "reveal": 3},
        {"id": "red leaves", "kind": "resign", "seat": "red", "turn": 3, "base": "silence"},
        {"id": "blue 3b", "kind": "move", "seat": "blue", "turn": 3, "base": "red leaves"}
        | {"draws": [("spoils/3", 6, 1)], "link": 4, "next": ["blue"]},
        {"id": "blue leaves", "kind": "resign", "seat": "blue", "turn": 4, "base": "blue 3b"}
        | {"link": 5, "next": []},
        {"id": "end", "kind": "end"},
    ]
    sealed = [entry["id"] for entry in head + play if entry["kind"] in ENVELOPED]
    tail: list[Entry] = [{"id": f"opened {name}", "kind": "opened", "of": name} for name in sealed]
    tail += [
        {"id": "drawn start", "kind": "drawn", "of": "start", "draws": [("hand", ["p", "q", "r"])]},
        {"id": "drawn blue 1", "kind": "drawn", "of": "blue 1", "draws": [("card/1", 20, 1)]},
        {"id": "names", "kind": "names", "names": {"red": "Ruth", "blue": "Björn"}},
    ]
    return head + play + tail


def write(entries: list[Entry], spoils: Mapping[str, Spoil] | None = None) -> list[bytes]:
    """The lines, without LF, of a plan."""
    book = _Book(spoils or {})
    for entry in entries:
        book.add(copy.deepcopy(entry))
    return book.lines


def file_of(lines: list[bytes]) -> bytes:
    """The bytes of the log."""
    return b"".join(line + b"\n" for line in lines)


def seal_again(lines: list[bytes], first: int, change: Spoil) -> list[bytes]:
    """The lines with record `first` changed and everything from there chained and sealed anew."""
    fresh, renamed = lines[:first], dict[str, str]()
    for number, line in enumerate(lines[first:], first):
        record = msgspec.json.decode(line)
        del record["sig"]
        for field in ("prev", "base"):
            if field in record:
                record[field] = renamed.get(record[field], record[field])
        if number == first:
            change(record)
        fresh.append(_sealed_by_force(record))
        renamed[line_digest(line)] = line_digest(fresh[-1])
    return fresh


def _sealed_by_force(record: Entry) -> bytes:
    """A line with a good seal, whatever is in it."""
    unsigned = canonical(record)
    return canonical({**record, "sig": sign(KEYS["host"], "record", unsigned)})


def judge(lines: list[bytes]) -> Report:
    return verify(lines_of(file_of(lines)))


def found(report: Report) -> tuple[str, int]:
    assert report.fault is not None, report.verdict
    return report.fault.refusal.code, report.fault.line


class _Book:
    def __init__(self, spoils: Mapping[str, Spoil]) -> None:
        self.spoils = spoils
        self.lines: list[bytes] = []
        self.digests: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.envelopes: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        name = entry.pop("id")
        number = len(self.lines)
        record: Entry = {
            **entry,
            "n": number,
            "at": f"2026-03-01T{12 + number // 60:02d}:{number % 60:02d}:00Z",
            "prev": line_digest(self.lines[-1]) if self.lines else "0" * 64,
        }
        self._resolve(name, record)
        if name in self.spoils:
            self.spoils[name](record)
            line = _sealed_by_force(record)
        else:
            line = seal_record(KEYS["host"], record)
        self.lines.append(line)
        self.digests.setdefault(name, line_digest(line))
        self.numbers.setdefault(name, number)

    def _resolve(self, name: str, record: Entry) -> None:
        kind = record["kind"]
        if kind == "charter":
            record.update(_charter())
        if kind in CHANGED:
            record.update(
                {"events": [{"event": name.replace(" ", "_")}], "public": "ab" * 32, "state": "cd" * 32}
            )
            record.setdefault("draws", [])
            if kind != "start":
                record["auto"] = []
        if kind in (*CHANGED, "drawn"):
            record["draws"] = [self._draw(record, draw) for draw in record["draws"]]
        if kind == "join":
            seat = record["seat"]
            record |= {"public_key": public_of(KEYS[seat]).hex(), "tip": link(seat, 0).hex()}
        if isinstance(record.get("reveal"), int):
            record["reveal"] = link(record["seat"], record["reveal"]).hex()
        if isinstance(record.get("link"), int):
            record["link"] = link("host", record["link"]).hex()
        if kind in ENVELOPED:
            record["base"] = self.digests.get(record["base"], "99" * 32)
            self._sign(name, record)
        if kind == "end":
            record |= {
                "result": {"winner": "none"},
                "k_hidden": K_HIDDEN.hex(),
                "host_seed": SEEDS["host"].hex(),
            }
        if kind == "opened":
            record["payload_and_sig"] = self.envelopes[record["of"]]
        if kind in ("opened", "drawn"):
            record["of"] = self.numbers.get(record["of"], 999)

    def _sign(self, name: str, record: Entry) -> None:
        payload = {"v": 1, "game": GAME, "note": name}
        payload |= {key: record[key] for key in ("kind", "seat", "base", "reveal", "rev") if key in record}
        sig = sign(KEYS[record["seat"]], record["kind"], canonical(payload))
        self.envelopes[name] = {"payload": payload, "sig": sig}
        record["envelope"] = envelope_id(payload, sig)

    def _draw(self, record: Entry, draw: tuple[Any, ...]) -> Entry:
        hidden = record["kind"] == "drawn"
        turn = (0 if record["of"] == "start" else 1) if hidden else record["turn"]
        dice = draws.source(self.acc(turn), K_HIDDEN, GAME, turn)
        below = dice(draw[0], hidden=hidden)
        if len(draw) == 2:
            return {"label": draw[0], "items": draw[1], "values": list(shuffle(below, draw[1]))}
        return {"label": draw[0], "sides": draw[1], "values": list(roll(below, draw[1], draw[2]))}

    def acc(self, turn: int) -> bytes:
        if turn == 0:
            seats = [(public_of(KEYS[s]), link(s, 0), link(s, 1)) for s in SEATS]
            charter = bytes.fromhex(self.digests["charter"])
            return draws.acc0(draws.setup_digest(charter, link("host", 1), seats))
        given = [link(seat, REVEALS[turn][seat]) if seat in REVEALS[turn] else b"" for seat in SEATS]
        return draws.acc_next(self.acc(turn - 1), turn, link("host", turn + 1), given)


def _charter() -> Entry:
    return {
        "game": GAME,
        "ruleset": {"id": "tally", "version": 1},
        "options": {"seats": 2},
        "seats": list(SEATS),
        "host_key": public_of(KEYS["host"]).hex(),
        "tip": link("host", 0).hex(),
        "hidden": draws.hidden_commit(GAME, K_HIDDEN).hex(),
        "schemas": {"move": "ef" * 32},
        "deadline": "P3D",
    }
