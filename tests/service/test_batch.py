"""Moves of several games written together: the same rows as one by one, and one that cannot be written stops no other."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bench.mails import HOST, NOW, Script, deliver, fill, hand_in, in_turns, scripts
from pbem.service import inbox, worker
from pbem.service import rows as rows_of
from pbem.service.database import Database, open_database
from pbem.service.prepared import Values
from pbem.service.store import Overtaken
from pbem.service.tables import inbox as table
from pbem.service.worker import handle_next, handle_some
from tests.service.statements import hearing

GAMES, MOVES = 3, 2


@pytest.fixture
def written() -> tuple[Script, ...]:
    """Games of two moves."""
    return scripts(GAMES, MOVES)


@contextmanager
def waiting(file: Path, written: tuple[Script, ...]) -> Generator[Database]:
    """The games at their first move, all letters sent, all moves in the inbox."""
    with closing(open_database(f"sqlite:///{file}")) as database:
        fill(database, written)
        deliver(database)
        for script, raw in in_turns(written):
            hand_in(database, script, (raw,))
        yield database


@pytest.fixture
def store(tmp_path: Path, written: tuple[Script, ...]) -> Iterator[Database]:
    with waiting(tmp_path / "db", written) as database:
        yield database


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SECONDS", 600.0)


def rows(database: Database) -> dict[str, Sequence[Any]]:
    """What is in the store, but for numbers that count rows."""
    with database.read() as tx:
        return {
            "games": tx.execute(sa.text("SELECT id, snapshot, revision FROM games ORDER BY id")).all(),
            "records": tx.execute(sa.text("SELECT * FROM records ORDER BY game, n")).all(),
            "letters": tx.execute(sa.text("SELECT message_id, state, raw FROM outbox ORDER BY id")).all(),
            "mails": tx.execute(sa.text("SELECT id, state, outcome FROM inbox ORDER BY id")).all(),
        }


def test_together_as_one_by_one(store: Database, tmp_path: Path, written: tuple[Script, ...]) -> None:
    with waiting(tmp_path / "other", written) as other:
        while handle_next(other, HOST, lambda: NOW):
            pass
        while handle_some(store, HOST, lambda: NOW):
            pass
        assert rows(store) == rows(other)


def test_moves_of_several_games_take_four_statements_to_write(store: Database) -> None:
    said: list[str] = []

    with hearing(store, lambda text: said.append(text.split(maxsplit=1)[0])):
        done = handle_some(store, HOST, lambda: NOW, GAMES)
    assert [one.what for one in done] == ["taken"] * GAMES
    assert said.count("UPDATE") == 2
    assert said.count("INSERT") == 2
    assert "SAVEPOINT" not in said


def test_of_several_that_cannot_be_written_together_each_is_tried_by_itself(
    store: Database, written: tuple[Script, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault while several are written counts against the mail that it is of, and against no other."""
    real, bad = inbox.all_done, written[1].desk.game_id

    def faulty(tx: sa.Connection, mails: Sequence[tuple[int, str]]) -> bool:
        found = [tx.execute(sa.select(table.c.game).where(table.c.id == id)).scalar() for id, _ in mails]
        if bad in found:
            raise LookupError("broken")
        return real(tx, mails)

    monkeypatch.setattr(inbox, "all_done", faulty)
    while handle_some(store, HOST, lambda: NOW):
        pass
    with store.read() as tx:
        found = tx.execute(sa.text("SELECT game, state, attempts FROM inbox WHERE outcome != 'x'")).all()
    moves = [row for row in found if row.game == bad and row.attempts]
    assert [(row.state, row.attempts) for row in moves] == [("poison", 3)]
    assert all(row.state == "done" and row.attempts == 0 for row in found if row.game != bad)


def test_a_game_that_has_changed_meanwhile_takes_all_of_them_back(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rows_of.plain_rows

    def stale(*given: Any) -> tuple[Values, Sequence[Values], Sequence[Values]] | None:
        found = real(*given)
        return found and ({**found[0], "read": found[0]["read"] - 1}, *found[1:])

    before = rows(store)
    monkeypatch.setattr(rows_of, "plain_rows", stale)
    with pytest.raises(Overtaken):
        handle_some(store, HOST, lambda: NOW)
    assert rows(store) == before
