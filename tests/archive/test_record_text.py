"""A game as plain text: out of an archive, back again, for grep, and nothing else taken for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.audit.record_text import Entry, GameText, from_log, read, rows, write
from pbem.audit.tables import MoveRow
from pbem.audit.tables import rows as table_rows
from pbem.log.record import line_digest, read_record
from tests.archive.games import kind, lines, long, small, small_match
from tests.archive.run import json_lines, ok, pbem


def text_of(data: bytes) -> GameText:
    raw = lines(data)
    return from_log(raw, [read_record(line[:-1]) for line in raw])


@pytest.mark.parametrize("archive", [small, long])
def test_an_archive_there_and_back(archive: Any) -> None:
    text = text_of(archive())
    assert read(write(text)) == text
    assert write(read(write(text))) == write(text)


def test_a_running_game_there_and_back() -> None:
    text = text_of(b"".join(line for line in lines(small())[:12]))
    assert any(entry.sealed for entry in text.entries)
    assert read(write(text)) == text


def test_the_tags_name_the_game_and_its_ends() -> None:
    tags = text_of(small()).tags
    assert next(iter(tags)) == "Format"
    assert tags["Game"] == small_match().desk.game_id
    history = [line for line in lines(small()) if kind(line) != "names"]
    assert tags["Charter"] == line_digest(history[0][:-1])
    assert tags["Head"] == line_digest(history[-1][:-1])
    assert tags["Names"] == {"red": "Red", "green": "Green"}


def test_it_is_made_for_grep() -> None:
    text = write(text_of(small())).decode()
    silence = next(line for line in text.splitlines() if ":timeout" in line)
    turn, _, rest = silence.partition(".")
    assert turn.isdigit()
    assert rest.endswith(" :timeout")
    assert " :standing choice=" in text
    assert " :resign" in text
    assert text.isascii()


def test_its_moves_are_those_of_the_table() -> None:
    records = [read_record(line[:-1]) for line in lines(long())]
    wanted = [(r.n, r.turn, r.seat, r.order, r.do, r.args) for r in moves(table_rows("moves", records))]
    found = [(r.n, r.turn, r.seat, r.order, r.do, r.args) for r in rows(read(write(text_of(long()))))]
    assert found == wanted


def moves(found: Any) -> list[MoveRow]:
    return [row for row in found if isinstance(row, MoveRow)]


def test_the_command_imports_it(tmp_path: Path) -> None:
    archive, text = tmp_path / "g.pbem", tmp_path / "g.record"
    archive.write_bytes(long())
    ok("export", archive, "--format", "text", "-o", text)
    table = json_lines(ok("export", text, "--format", "jsonl"))
    own = json_lines(ok("export", archive, "--format", "jsonl"))
    assert [{**row, "at": "", "rev": 0} for row in own] == table
    assert ok("export", text, "--format", "text").encode() == text.read_bytes()
    assert ok("export", text, "--format", "csv").startswith("game,n,at,turn,seat,kind")


Json = dict[str, Any]
HEAD = '[Format "pbem game record 1"]\n[Game "g"]\n[Ruleset "r 1"]\n[Seats ["red","a b"]]\n\n'
BAD = {
    "text/line": (
        "red bet\n",
        "1 red bet\n",
        "1.x red bet\n",
        "1.2  red bet\n",
        "1.2 red\n",
        "1.2 red :unknown\n",
        "1.2 red :ready\n",
        "1.2 red :ready choice=[]\n",
        "1.2 red :timeout x=1\n",
        '1.2 red :sealed kind="join"\n',
        "1.2 red bet x\n",
        "1.2 red bet x=\n",
        "1.2 red bet x=1 \n",
        "1.2 red bet x=1  y=2\n",
        "1.2 red bet x=1 x=2\n",
        "1.2 red bet x=1.5\n",
        "1.2 red bet x=null\n",
        "1.2 red bet x=NaN\n",
        '1.2 red bet do="x"\n',
        '1.2 red bet x={"a":1,"a":2}\n',
        "1.2 red bet x=99999999999999999999\n",
        "1.2 red bet x=" + "[" * 5_000 + "\n",
        '1.2 "red bet\n',
        "1.2 3 bet\n".replace(" 3 ", " [3] "),
    ),
    "text/order": (
        "1.2 red bet\n1.1 red bet\n",
        "2.2 red bet\n1.3 red bet\n",
        "1.2 red bet\n1.2 blue bet\n",
        "1.2 red bet\n2.2 red bet\n",
        "1.2 red :timeout\n1.2 red bet\n",
        "1.2 red :none\n1.2 red bet\n",
        '1.2 red bet\n1.2 red :note text="x"\n1.2 red bet\n',
        "1.2 red bet\n1.2 red :none\n",
        '1.2 red bet\n1.2 red :lapse then="go_on"\n',
    ),
    "text/tag": (
        "1.2 red bet\n[Late 1]\n",
        '[Game "twice"]\n',
        "[lower 1]\n",
        "[Tag]\n",
        "[Tag 1\n",
        "[Tag 1] \n",
        "[Tag 1.5]\n",
        "[Tag x]\n",
    ),
}


@pytest.mark.parametrize(("code", "tail"), [(code, tail) for code, tails in BAD.items() for tail in tails])
def test_what_is_no_such_text_is_refused_with_its_line(code: str, tail: str) -> None:
    with pytest.raises(Refused) as refused:
        read((HEAD + tail).encode())
    assert refused.value.refusal.code == code
    assert refused.value.refusal.args["line"] == HEAD.count("\n") + tail.count("\n")


def test_heads_that_are_none_are_refused(tmp_path: Path) -> None:
    assert read(HEAD.encode()).entries == ()
    assert read(HEAD.replace("\n", "\r\n").encode()) == read(HEAD.encode())
    for bad, code in (
        (b"", "text/missing"),
        (b"[Game 1]\n", "text/tag"),
        (b'[Format "other"]\n', "text/tag"),
        (HEAD.replace('[Game "g"]\n', "").encode(), "text/missing"),
        (b"\xff\xfe", "file/encoding"),
        (b"x" * (16 * 1024 * 1024 + 1), "file/too-long"),
    ):
        with pytest.raises(Refused, match=code):
            read(bad)
    path = tmp_path / "x.record"
    path.write_bytes(b'[Format "pbem game record 1"]\n')
    assert "text/missing" in pbem("export", path, "--format", "jsonl").output


NAMES = st.text(min_size=1, max_size=8)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(lambda key: key != "do")
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
FIELDS: st.SearchStrategy[Json] = st.dictionaries(KEYS, VALUES, max_size=3)
ORDERS: st.SearchStrategy[Json] = st.builds(
    lambda do, fields: {"do": do, **fields},  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]
    NAMES.filter(lambda do: do[0] != ":"),
    FIELDS,
)


@st.composite
def games(draw: st.DrawFn) -> GameText:
    entries: list[Entry] = []
    turn = n = 0
    for _ in range(draw(st.integers(0, 5))):
        turn, n = turn + draw(st.integers(0, 2)), n + draw(st.integers(1, 3))
        kind = draw(st.sampled_from(("ready", "standing", "move", "timeout", "resign")))
        if kind != "timeout" and draw(st.booleans()):
            entries.append(Entry(turn, n, draw(NAMES), kind, sealed=True))  # type: ignore[arg-type]
        elif kind == "move":
            orders = tuple(draw(st.lists(ORDERS, max_size=3)))
            lapse = draw(st.sampled_from(("go_on", "stop")))
            entries.append(Entry(turn, n, draw(NAMES), "move", orders, on_lapse=lapse, note=draw(st.text())))  # type: ignore[arg-type]
        else:
            choice = draw(FIELDS) if kind in ("ready", "standing") else {}
            entries.append(Entry(turn, n, draw(NAMES), kind, choice=choice))  # type: ignore[arg-type]
    tags = {
        "Format": "pbem game record 1",
        "Game": draw(NAMES),
        "Ruleset": "r 1",
        "Seats": draw(st.lists(NAMES)),
    }
    return GameText({**tags, "Extra": draw(VALUES)}, tuple(entries))


@given(games())
def test_any_game_there_and_back(text: GameText) -> None:
    assert read(write(text)) == text


@given(st.text(alphabet=st.sampled_from('[]{}":=.,1 \n\rab:nullFormat'), max_size=40))
def test_any_text_is_read_or_refused(tail: str) -> None:
    text = read_or_code(HEAD + tail)
    if isinstance(text, str):
        assert text.startswith("text/")
    else:
        assert read(write(text)) == text


def read_or_code(text: str) -> GameText | str:
    try:
        return read(text.encode())
    except Refused as refused:
        return refused.refusal.code
