"""A game as plain text, in the manner of PGN: for reading, for grep, and back again for analysis.

    [Format "pbem game record 1"]
    [Game "iv2dxjwswu"]
    ...
    0.3 red :ready setup={}
    1.6 red bet creature="azure"
    1.6 red play card="amber-10" row=1
    5.14 green :timeout

Tags first, each `[Name value]`; then a line an order: `turn.record seat verb field=value ...`. Values are JSON without
spaces outside of strings; names of seats and verbs are bare words, or JSON strings where they are no
words. A verb with a colon is no order: it says what else the record was, or how the move was sent
(`:note`, `:lapse`). Text proves nothing: it is what somebody wrote down of an archive. Knows no rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, cast, get_args

import msgspec

from engine import Refused, refuse
from pbem.audit.tables import MoveKind, MoveRow, envelopes_of
from pbem.log import record
from pbem.log.canonical import ENVELOPE, canonical, walk
from pbem.log.record import Changed, Charter, End, Enveloped, Names, Record, kind_of, line_digest

Json = dict[str, Any]
FORMAT = "pbem game record 1"
NEEDED = ("Format", "Game", "Ruleset", "Seats")
LONGEST = 16 * 1024 * 1024
Outcome = Literal["go_on", "stop"]
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_VERB = re.compile(r":[a-z]+|[A-Za-z0-9_-]+")
_TAG = re.compile(r"\[([A-Z][A-Za-z]*) ")
_PLACE = re.compile(r"(\d{1,15})\.(\d{1,15}) ")
_NAME = re.compile(r"([a-z][a-z0-9_]*)=")
_FIRST: dict[str, MoveKind] = {
    ":ready": "ready",
    ":standing": "standing",
    ":none": "move",
    ":sealed": "move",
    ":timeout": "timeout",
    ":resign": "resign",
}

_FIRST_KINDS = ("ready", "standing", "move", "resign")
"""Kinds whose envelope may still be sealed."""


class Entry(msgspec.Struct, frozen=True):
    """A record of a seat: its orders if it is a move, setup choices or a policy as `choice`."""

    turn: int
    n: int
    seat: str
    kind: MoveKind
    orders: tuple[Json, ...] = ()
    choice: Json = {}
    sealed: bool = False
    on_lapse: Outcome = "go_on"
    note: str = ""


class GameText(msgspec.Struct, frozen=True):
    """Tags by name in their order, the values being JSON; and what the seats did, in order."""

    tags: Json
    entries: tuple[Entry, ...]


def from_log(lines: Sequence[bytes], records: Sequence[Record]) -> GameText:
    """The text of a log that is in order, given as its lines with LF and as records."""
    opened = envelopes_of(records)
    entries: list[Entry] = []
    turn = 0
    for one in records:
        if isinstance(one, Changed):
            turn = one.turn
        if isinstance(one, Enveloped | record.Timeout) and kind_of(one) in get_args(MoveKind):
            entries.append(_entry(turn, one, opened.get(one.n)))
    return GameText(_tags(lines, records), tuple(entries))


def write(text: GameText) -> bytes:
    """The text: UTF-8, LF."""
    parts = [f"[{name} {_json(value)}]\n" for name, value in text.tags.items()]
    parts.append("\n")
    for entry in text.entries:
        head = f"{entry.turn}.{entry.n} {_word(entry.seat)} "
        parts += [head + line + "\n" for line in _lines(entry)]
    return "".join(parts).encode("utf-8")


def read(data: bytes) -> GameText:
    """The game in a text. Refused `file/too-long`, `file/encoding`, `text/…`."""
    if len(data) > LONGEST:
        raise refuse("file/too-long", size=len(data), limit=LONGEST)
    try:
        rows = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise refuse("file/encoding") from None
    tags: Json = {}
    entries: list[Entry] = []
    for number, row in enumerate(rows, 1):
        line = row.rstrip("\r")
        if line.startswith("["):
            _read_tag(line, number, tags, at_head=not entries)
        elif line.strip():
            _read_line(line, number, entries)
    for name in NEEDED:
        if name not in tags:
            raise refuse("text/missing", tag=name)
    return GameText(tags, tuple(entries))


def is_text(data: bytes) -> bool:
    """Whether bytes begin like such a text."""
    return data.startswith(b"[Format ")


def rows(text: GameText) -> Iterator[MoveRow]:
    """The table of moves of a text, which knows no times and no revs."""
    game = str(text.tags["Game"])
    for one in text.entries:
        row = MoveRow(game, one.n, "", one.turn, one.seat, one.kind, 0, one.sealed, 0, "", one.choice)
        if not one.orders:
            yield row
        for number, order in enumerate(one.orders, 1):
            yield msgspec.structs.replace(row, order=number, do=str(order["do"]), args=_without(order))


def _tags(lines: Sequence[bytes], records: Sequence[Record]) -> Json:
    charter = records[0]
    if not isinstance(charter, Charter):
        raise ValueError("a log without a charter")
    history = [one for one in records if not isinstance(one, Names)]
    end = next((one for one in records if isinstance(one, End)), None)
    names = next((one.names for one in records if isinstance(one, Names)), None)
    return {
        "Format": FORMAT,
        "Game": charter.game,
        "Ruleset": " ".join((charter.ruleset.id, str(charter.ruleset.version))),
        "Seats": list(charter.seats),
        "Options": charter.options,
        **({"Names": names} if names is not None else {}),
        "Begun": charter.at,
        **({"Ended": end.at, "Result": end.result} if end is not None else {}),
        "Host": charter.host_key,
        "Charter": line_digest(lines[0].rstrip(b"\n")),
        "Head": line_digest(lines[len(history) - 1].rstrip(b"\n")),
    }


def _entry(turn: int, one: Enveloped | record.Timeout, payload: Json | None) -> Entry:
    kind = cast(MoveKind, kind_of(one))
    said = payload or {}
    entry = Entry(turn, one.n, one.seat, kind, sealed=payload is None and not isinstance(one, record.Timeout))
    match kind:
        case "ready":
            return msgspec.structs.replace(entry, choice=said.get("setup", {}))
        case "standing":
            return msgspec.structs.replace(entry, choice=said.get("policy", {}))
        case "move":
            return msgspec.structs.replace(
                entry,
                orders=tuple(said.get("orders", ())),
                on_lapse=said.get("on_lapse", "go_on"),
                note=said.get("note", ""),
            )
        case _:
            return entry


def _lines(entry: Entry) -> Iterator[str]:
    if entry.sealed:
        yield f":sealed kind={_json(entry.kind)}"
        return
    match entry.kind:
        case "ready" | "standing":
            yield f":{entry.kind} choice={_json(entry.choice)}"
        case "timeout" | "resign":
            yield f":{entry.kind}"
        case "move":
            for order in entry.orders:
                fields = [f" {name}={_json(value)}" for name, value in sorted(_without(order).items())]
                yield _word(str(order.get("do", ""))) + "".join(fields)
            if not entry.orders:
                yield ":none"
            if entry.on_lapse != "go_on":
                yield f":lapse then={_json(entry.on_lapse)}"
            if entry.note:
                yield f":note text={_json(entry.note)}"


def _read_tag(line: str, number: int, tags: Json, *, at_head: bool) -> None:
    match = _TAG.match(line)
    if match is None or not at_head or not line.endswith("]") or match[1] in tags:
        raise refuse("text/tag", line=number)
    value, end = _value(line, match.end(), "text/tag", number)
    is_first = not tags
    if end != len(line) - 1 or (is_first and (match[1], value) != ("Format", FORMAT)):
        raise refuse("text/tag", line=number)
    tags[match[1]] = value


def _read_line(line: str, number: int, entries: list[Entry]) -> None:
    place = _PLACE.match(line)
    if place is None:
        raise refuse("text/line", line=number)
    turn, n = int(place[1]), int(place[2])
    seat, at = _read_word(line, place.end(), number)
    verb, at = _read_word(line, at, number, _VERB)
    fields = _read_fields(line, at, number)
    last = entries[-1] if entries else None
    if last is not None and last.n == n:
        if (last.turn, last.seat, last.kind, last.sealed) != (turn, seat, "move", False):
            raise refuse("text/order", line=number)
        entries[-1] = _more(last, verb, fields, number)
        return
    if last is not None and (n < last.n or turn < last.turn):
        raise refuse("text/order", line=number)
    entries.append(_begun(Entry(turn, n, seat, "move"), verb, fields, number))


def _begun(entry: Entry, verb: str, fields: Json, number: int) -> Entry:
    """A record's first line."""
    if not verb.startswith(":"):
        return msgspec.structs.replace(entry, orders=({"do": verb, **fields},))
    kind = _FIRST.get(verb)
    if kind is None:
        raise refuse("text/line", line=number)
    match verb:
        case ":ready" | ":standing" if fields.keys() == {"choice"} and isinstance(fields["choice"], dict):
            return msgspec.structs.replace(entry, kind=kind, choice=fields["choice"])
        case ":sealed" if fields.keys() == {"kind"} and fields["kind"] in _FIRST_KINDS:
            return msgspec.structs.replace(entry, kind=fields["kind"], sealed=True)
        case ":none" | ":timeout" | ":resign" if not fields:
            return msgspec.structs.replace(entry, kind=kind)
        case _:
            raise refuse("text/line", line=number)


def _more(entry: Entry, verb: str, fields: Json, number: int) -> Entry:
    """A further line of a move."""
    match verb:
        case ":lapse" if fields == {"then": "stop"} and entry.on_lapse == "go_on" and not entry.note:
            return msgspec.structs.replace(entry, on_lapse="stop")
        case ":note" if fields.keys() == {"text"} and isinstance(fields["text"], str) and not entry.note:
            return msgspec.structs.replace(entry, note=fields["text"])
        case _ if verb.startswith(":") or entry.note or entry.on_lapse != "go_on" or not entry.orders:
            raise refuse("text/order", line=number)
        case _:
            return msgspec.structs.replace(entry, orders=(*entry.orders, {"do": verb, **fields}))


def _read_word(line: str, at: int, number: int, words: re.Pattern[str] = _BARE) -> tuple[str, int]:
    """A bare word or a JSON string, and where the next thing begins."""
    bare = words.match(line, at)
    word: Any
    word, end = (bare[0], bare.end()) if bare is not None else _value(line, at, "text/line", number)
    if not isinstance(word, str) or line[end : end + 1] not in (" ", ""):
        raise refuse("text/line", line=number)
    return word, end + (line[end : end + 1] == " ")


def _read_fields(line: str, at: int, number: int) -> Json:
    fields: Json = {}
    while at < len(line):
        name = _NAME.match(line, at)
        if name is None or name[1] in fields or name[1] == "do":
            raise refuse("text/line", line=number)
        fields[name[1]], at = _value(line, name.end(), "text/line", number)
        if at < len(line):
            if line[at] != " " or at + 1 == len(line):
                raise refuse("text/line", line=number)
            at += 1
    return fields


def _value(line: str, at: int, code: str, number: int) -> tuple[Any, int]:
    """A JSON value of the subset, and where it ends."""
    try:
        value, end = _DECODER.raw_decode(line, at)
        walk(value, ENVELOPE.depth)
    except (ValueError, RecursionError, Refused):
        raise refuse(code, line=number) from None
    return value, end


def _members(pairs: list[tuple[str, Any]]) -> Json:
    members: Json = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key twice")
    return members


def _no_number(_text: str) -> NoReturn:
    raise ValueError("no whole number")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_float=_no_number, parse_constant=_no_number)


def _without(order: Mapping[str, Any]) -> Json:
    return {name: value for name, value in order.items() if name != "do"}


def _word(text: str) -> str:
    return text if _BARE.fullmatch(text) else _json(text)


def _json(value: Any) -> str:
    return canonical(value).decode("utf-8")
