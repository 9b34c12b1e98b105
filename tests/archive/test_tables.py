"""Tables of moves, events and draws: what the lines say, in rows that fit the published schemas."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.audit.tables import ROWS, TABLES, DrawRow, Table, as_csv, as_jsonl, rows, schemas
from pbem.log.record import Record, read_record
from tests.archive.games import kind, lines, long, small
from tests.archive.run import ok

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]


def records(data: bytes) -> list[Record]:
    return [read_record(line[:-1]) for line in lines(data)]


def plain(data: bytes) -> list[Json]:
    return [json.loads(line) for line in lines(data)]


def table(name: Table, data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in as_jsonl(rows(name, records(data)))]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("archive", [small, long])
def test_every_row_fits_the_published_schema(name: Table, archive: Any) -> None:
    schema = json.loads((ROOT / "schemas" / f"table.{name}.schema.json").read_bytes())
    validator: Any = Draft202012Validator(schema)
    found = table(name, archive())
    assert found
    for row in found:
        validator.validate(row)


@pytest.mark.parametrize("name", TABLES)
def test_a_schema_refuses_what_is_no_row(name: Table) -> None:
    validator: Any = Draft202012Validator(schemas()[f"table.{name}.schema.json"])
    row = table(name, long())[0]
    for field in row:
        assert not validator.is_valid({key: value for key, value in row.items() if key != field}), field
        assert not validator.is_valid({**row, field: None}), field


def test_every_order_has_its_row() -> None:
    wanted: list[tuple[int, str, Json]] = []
    for line in plain(long()):
        if line["kind"] == "opened" and line["payload_and_sig"]["payload"]["kind"] == "move":
            payload = line["payload_and_sig"]["payload"]
            wanted += [(line["of"], payload["seat"], order) for order in payload["orders"]]
    found = table("moves", long())
    made = [
        (row["n"], row["seat"], {"do": row["do"], **row["args"]})
        for row in found
        if row["kind"] == "move" and row["order"]
    ]
    assert made == wanted
    assert [row["n"] for row in found] == sorted(row["n"] for row in found)


def test_every_kind_of_act_has_a_row() -> None:
    found = {row["kind"]: row for row in table("moves", small())}
    assert found.keys() == {"ready", "standing", "move", "timeout", "resign"}
    assert found["standing"]["args"] == {"gorgon": "highest"}
    assert not any(row["sealed"] for row in found.values())


def test_what_is_sealed_is_said_to_be(tmp_path: Path) -> None:
    running = b"".join(
        line for line in lines(small()) if kind(line) not in ("end", "opened", "drawn", "names")
    )
    found = table("moves", running)
    assert all(row["sealed"] == (row["kind"] != "timeout") for row in found)
    assert all((row["order"], row["do"], row["args"]) == (0, "", {}) for row in found)


def test_every_event_and_every_draw_has_its_row() -> None:
    events = [event for line in plain(long()) for event in line.get("events", ())]
    assert [{"event": row["event"], **row["args"]} for row in table("events", long())] == events
    draws = [
        (line["kind"] == "drawn", draw["label"], draw["values"])
        for line in plain(long())
        for draw in line.get("draws", ())
    ]
    found = table("draws", long())
    assert [(row["hidden"], row["label"], row["values"]) for row in found] == draws
    assert {row["turn"] for row in found if row["label"].startswith("setup/")} == {0}


@pytest.mark.parametrize("name", TABLES)
def test_csv_says_the_same_as_json(name: Table) -> None:
    text = b"".join(as_csv(name, rows(name, records(long())))).decode()
    assert text.endswith("\r\n")
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    fields = ROWS[name].__struct_fields__
    for cells, row in zip(found, table(name, long()), strict=True):
        assert cells.keys() == set(fields)
        for field in fields:
            value = row[field]
            assert cells[field] == value if isinstance(value, str) else json.loads(cells[field]) == value


def test_nothing_in_csv_is_a_formula() -> None:
    row = DrawRow("=1+1", 1, 1, '-a,"b"\n', False, 6, ["@x"], [1])
    (_, line) = as_csv("draws", [row])
    (cells,) = csv.reader(io.StringIO(line.decode(), newline=""))
    assert cells == ["'=1+1", "1", "1", '\'-a,"b"\n', "false", "6", '["@x"]', "[1]"]


def test_the_command_writes_them(tmp_path: Path) -> None:
    archive, out = tmp_path / "g.pbem", tmp_path / "t.csv"
    archive.write_bytes(long())
    ok("export", archive, "--format", "csv", "--table", "draws", "-o", out)
    assert out.read_bytes() == b"".join(as_csv("draws", rows("draws", records(long()))))
    since = ok("export", archive, "--format", "jsonl", "--table", "events", "--since", "40").splitlines()
    assert since
    assert all(json.loads(line)["n"] >= 40 for line in since)


def test_the_schemas_lie_where_they_are_published() -> None:
    from pbem.cli.schemas import files

    made = files()
    for name in TABLES:
        file = f"table.{name}.schema.json"
        assert (ROOT / "schemas" / file).read_bytes() == made[file]
