"""Moves of several games in one transaction, and a fault at any statement of it: no game loses what another has met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bench.mails import HOST, NOW, Script, deliver, hand_in, in_turns, scripts
from pbem.audit.audit import audit
from pbem.service import games, inbox, worker
from pbem.service.database import Database, open_database
from pbem.service.store import insert_game
from pbem.service.worker import Handled, handle_next, handle_some
from tests.service.statements import hearing

GAMES, MOVES = 3, 10
POINTS = ("savepoint", "release_savepoint", "commit")


@pytest.fixture(scope="module")
def written() -> tuple[Script, ...]:
    return scripts(GAMES, MOVES)


@pytest.fixture
def store(url: str, written: tuple[Script, ...], monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The games at their first move, and all moves in the inbox."""
    monkeypatch.setattr(worker, "SECONDS", 600.0)
    with closing(open_database(url)) as database:
        _lay_out(database, written)
        yield database


def _lay_out(database: Database, written: tuple[Script, ...]) -> None:
    for script in written:
        with database.write() as tx:
            insert_game(tx, script.desk, script.lines, NOW)
        hand_in(database, script, script.opening)
    # one by one, so that the letters of each have gone out before the next, on either database
    while handle_next(database, HOST, lambda: NOW):
        deliver(database)
    for script, raw in in_turns(written):
        hand_in(database, script, (raw,))


def _rows(database: Database) -> dict[str, Sequence[Any]]:
    with database.read() as tx:
        return {
            "games": tx.execute(sa.text("SELECT id, snapshot, revision FROM games ORDER BY id")).all(),
            "records": tx.execute(sa.text("SELECT * FROM records ORDER BY game, n")).all(),
            "letters": tx.execute(sa.text("SELECT message_id, raw FROM outbox ORDER BY message_id")).all(),
            "mails": tx.execute(sa.text("SELECT id, state, outcome FROM inbox ORDER BY id")).all(),
        }


def _some(database: Database) -> list[Handled]:
    """A move of each game, written together; then their letters go out."""
    try:
        return handle_some(database, HOST, lambda: NOW, GAMES)
    finally:
        deliver(database)


def _faulty(database: Database, number: int, error: Exception) -> bool:
    """The next moves, with the statement of that number failing; False if there were not so many."""
    count = 0

    def fail(_: str) -> None:
        nonlocal count
        count += 1
        if count == number + 1:
            raise error

    try:
        with hearing(database, fail, *POINTS):
            handle_some(database, HOST, lambda: NOW, GAMES)
    except type(error) as raised:
        if raised is not error:
            raise
    return count > number


def _moves(database: Database) -> int:
    with database.read() as tx:
        return int(tx.execute(sa.text("SELECT count(*) FROM inbox WHERE outcome = 'taken'")).scalar_one())


def test_a_database_in_trouble_at_any_statement_leaves_nothing_done(store: Database) -> None:
    before, number = _rows(store), 0
    while _faulty(store, number, OperationalError("x", {}, Exception("gone"))):
        assert _rows(store) == before
        number += 1
    # a look at what waits, the beginning and the end, and what is written: games, records, letters, mails
    assert number >= 7
    assert _moves(store) == len(before["mails"]) - GAMES * MOVES + GAMES


def test_a_fault_of_ours_at_any_statement_costs_nobody_a_move(
    store: Database, written: tuple[Script, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was met on the way, in the end everything is as in a store that has met nothing."""
    monkeypatch.setattr(inbox, "MOST_ATTEMPTS", 1_000)
    number = 0
    while True:
        failed = _faulty(store, number, LookupError("broken"))
        deliver(store)
        number += 1
        if not failed:
            break
    assert number > 2 * GAMES
    while _some(store):
        pass
    with closing(open_database(f"sqlite:///{tmp_path / 'quiet'}")) as quiet:
        _lay_out(quiet, written)
        while _some(quiet):
            pass
        assert _rows(store) == _rows(quiet)
    for script in written:
        log = games.export(store, HOST, script.desk.game_id, names=False, now=NOW)
        assert audit(log).verdict in ("unfinished", "sound")


def test_a_game_whose_rows_cannot_be_written_takes_no_other_with_it(
    store: Database, written: tuple[Script, ...]
) -> None:
    """The number of its next record is taken: the database itself says no, and PostgreSQL ends the transaction."""
    bad = written[1].desk.game_id
    with store.write() as tx:
        last = tx.execute(
            sa.text("SELECT max(n) FROM records WHERE game = :game"), {"game": bad}
        ).scalar_one()
        tx.execute(
            sa.text("INSERT INTO records (game, n, line, digest) VALUES (:game, :n, :line, 'x')"),
            {"game": bad, "n": last + 1, "line": b"{}"},
        )
    while _some(store):
        pass
    with store.read() as tx:
        found = tx.execute(sa.text("SELECT game, state, attempts FROM inbox")).all()
    assert {row.state for row in found if row.game != bad} == {"done"}
    assert all(row.attempts == 0 for row in found if row.game != bad)
    # each of its moves is put aside after three tries, and is not lost
    assert {(row.state, row.attempts) for row in found if row.game == bad and row.attempts} == {("poison", 3)}
    for script in (written[0], written[2]):
        log = games.export(store, HOST, script.desk.game_id, names=False, now=NOW)
        assert audit(log).verdict in ("unfinished", "sound")
        assert log.count(b'"kind":"move"') >= MOVES
