"""A game as tables, for those who count: moves order by order, public events, draws. A row a line of JSON, or CSV.

Says what the lines say, in other words and without the proof: whoever doubts a table audits the archive. Of
a game that is not over, or of a public layer, there are moves without their orders, which are still sealed.
The rows' schemas are published (`schemas/table.*.schema.json`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, cast, get_args

import msgspec

from pbem.log import record
from pbem.log.canonical import canonical
from pbem.log.record import Changed, Charter, Drawn, Enveloped, Opened, Record, kind_of

Json = dict[str, Any]
Table = Literal["moves", "events", "draws"]
TABLES: tuple[Table, ...] = get_args(Table)
MoveKind = Literal["ready", "standing", "move", "timeout", "resign"]
ChangeKind = Literal["start", "move", "timeout", "resign"]
Number = Annotated[int, msgspec.Meta(ge=0)]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class MoveRow(msgspec.Struct, frozen=True):
    """One order of a move; a move without orders, or one still sealed, has one row, with `order` 0.

    `n` record, `kind` of it: `ready` and `standing` have their setup or policy as `args`. `do` the verb.
    """

    game: str
    n: Number
    at: str
    turn: Number
    seat: str
    kind: MoveKind
    rev: Number
    sealed: bool
    order: Number
    do: str
    args: Json


class EventRow(msgspec.Struct, frozen=True):
    """One public event of a record; `index` counts from 1 in its record."""

    game: str
    n: Number
    at: str
    turn: Number
    seat: str
    kind: ChangeKind
    index: Number
    event: str
    args: Json


class DrawRow(msgspec.Struct, frozen=True):
    """One draw: dice of `sides` sides, or (`sides` 0) the shuffle of `items`. Hidden ones are known after the end."""

    game: str
    n: Number
    turn: Number
    label: str
    hidden: bool
    sides: Number
    items: list[str]
    values: list[int | str]


Row = MoveRow | EventRow | DrawRow
ROWS: dict[Table, type[Row]] = {"moves": MoveRow, "events": EventRow, "draws": DrawRow}


def rows(table: Table, records: Sequence[Record]) -> Iterator[Row]:
    """The rows of a table, in the order of the records of a log that is in order."""
    match table:
        case "moves":
            return _moves(records)
        case "events":
            return _events(records)
        case "draws":
            return _draws(records)


def as_jsonl(found: Iterable[Row]) -> Iterator[bytes]:
    """Each row as a line of canonical JSON with LF."""
    for row in found:
        yield canonical(row) + b"\n"


def as_csv(table: Table, found: Iterable[Row]) -> Iterator[bytes]:
    """A head and each row as CSV (RFC 4180, UTF-8); lists and objects as JSON.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    fields = ROWS[table].__struct_fields__
    yield _csv_line(fields)
    for row in found:
        yield _csv_line([_cell(getattr(row, field)) for field in fields])


def schemas() -> dict[str, Json]:
    """The JSON Schema of each table's rows, by file name."""
    return {f"table.{table}.schema.json": _schema(table) for table in TABLES}


def envelopes_of(records: Sequence[Record]) -> dict[int, Json]:
    """The payloads that are opened, by the number of the record that they belong to."""
    return {entry.of: entry.payload_and_sig["payload"] for entry in records if isinstance(entry, Opened)}


def _schema(table: Table) -> Json:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": f"pbem table of {table}", **msgspec.json.schema(ROWS[table])}


def _moves(records: Sequence[Record]) -> Iterator[Row]:
    game, opened, turn = _game(records), envelopes_of(records), 0
    for entry in records:
        if isinstance(entry, Changed):
            turn = entry.turn
        kind = kind_of(entry)
        if not isinstance(entry, Enveloped | record.Timeout) or kind not in get_args(MoveKind):
            continue
        payload = opened.get(entry.n, {})
        sealed = isinstance(entry, Enveloped) and entry.n not in opened
        for number, do, args in _orders(kind, payload):
            own = cast(MoveKind, kind)
            yield MoveRow(
                game, entry.n, entry.at, turn, entry.seat, own, _rev(payload), sealed, number, do, args
            )


def _orders(kind: str, payload: Json) -> Iterator[tuple[int, str, Json]]:
    match kind:
        case "move" if payload.get("orders"):
            for number, order in enumerate(payload["orders"], 1):
                yield number, str(order.get("do", "")), {k: v for k, v in order.items() if k != "do"}
        case "ready":
            yield 0, "", payload.get("setup", {})
        case "standing":
            yield 0, "", payload.get("policy", {})
        case _:
            yield 0, "", {}


def _rev(payload: Json) -> int:
    rev = payload.get("rev", 0)
    return rev if isinstance(rev, int) else 0


def _events(records: Sequence[Record]) -> Iterator[Row]:
    game = _game(records)
    for entry in records:
        if not isinstance(entry, Changed):
            continue
        seat = "" if isinstance(entry, record.Start) else entry.seat
        for index, event in enumerate(entry.events, 1):
            args = {k: v for k, v in event.items() if k != "event"}
            kind, name = cast(ChangeKind, kind_of(entry)), str(event.get("event", ""))
            yield EventRow(game, entry.n, entry.at, entry.turn, seat, kind, index, name, args)


def _draws(records: Sequence[Record]) -> Iterator[Row]:
    game, turns = _game(records), {entry.n: entry.turn for entry in records if isinstance(entry, Changed)}
    for entry in records:
        hidden = isinstance(entry, Drawn)
        if not isinstance(entry, Changed | Drawn):
            continue
        n = entry.of if isinstance(entry, Drawn) else entry.n
        for draw in entry.draws:
            items, values = list(draw.items or ()), list(draw.values)
            yield DrawRow(game, n, turns.get(n, 0), draw.label, hidden, draw.sides or 0, items, values)


def _game(records: Sequence[Record]) -> str:
    first = records[0] if records else None
    return first.game if isinstance(first, Charter) else ""


def _cell(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return "'" + value if value.startswith(_FORMULA) else value
        case _:
            return canonical(value).decode("utf-8")


def _csv_line(cells: Iterable[str]) -> bytes:
    return (",".join(_quoted(cell) for cell in cells) + "\r\n").encode("utf-8")


def _quoted(cell: str) -> str:
    if any(char in cell for char in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
