"""A database that an older release made is brought up to date, and its games go on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from pbem.audit.audit import audit
from pbem.service import games
from pbem.service.app import Service
from pbem.service.config import Home, open_home
from pbem.service.database import HEAD, Database, open_database, revision, upgrade
from tests.service.house import Clock, House, Player, home_in, play_on, stream
from tests.service.mailbox import Mailbox, Post, open_mailbox

DATA = Path(__file__).resolve().parents[1] / "data"
RELEASED = {"0001": "g4rncdafln"}
"""Each released revision, and the game in its fixture; `tests/data/store-REVISION.sql` makes the database."""


def old(file: Path, released: str) -> None:
    """The database as that release left it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((DATA / f"store-{released}.sql").read_text(encoding="utf-8"))


@pytest.mark.parametrize("released", RELEASED)
def test_a_game_of_an_older_release_goes_on(tmp_path: Path, released: str) -> None:
    game = RELEASED[released]

    async def said() -> None:
        mailbox = Mailbox()
        async with open_mailbox(mailbox) as relay:
            home = home_in(tmp_path, relay)
            old(tmp_path / "home" / "pbem.sqlite", released)
            with closing(Database(home.url)) as before:
                assert revision(before) == released
                with before.read() as tx:
                    lines = [row.line for row in tx.execute(sa.text("SELECT line FROM records ORDER BY n"))]
                    letters = tx.execute(sa.text("SELECT recipient, raw FROM outbox ORDER BY id")).all()
            mailbox.posts += [Post("games@pbem.example.org", row.recipient, row.raw) for row in letters]
            service = Service(home)
            door = await service.start()
            assert revision(service.database) == HEAD
            house = House(service, mailbox, door, Clock())
            players = {seat: Player(house, game, seat) for seat in ("red", "blue")}
            assert await play_on(players, stream("goes on"), 4) == 4
            log = games.export(service.database, service.host, game, names=False, now=0)
            assert log.splitlines()[: len(lines)] == lines
            assert log.count(b"\n") >= len(lines) + 4
            assert audit(log).verdict == "unfinished"
            await service.stop()

    asyncio.run(said())


@pytest.mark.parametrize("released", RELEASED)
def test_the_way_up_ends_where_a_new_database_begins(tmp_path: Path, url: str, released: str) -> None:
    """The same tables and columns, whether made at once or step by step."""
    with closing(Database(url)) as stepwise, closing(open_database(f"sqlite:///{tmp_path / 'new'}")) as new:
        with stepwise.write() as tx:
            upgrade(tx, released)
        with stepwise.write() as tx:
            upgrade(tx, "head")
        assert revision(stepwise) == HEAD
        assert _shape(stepwise) == _shape(new)


def _shape(database: Database) -> dict[str, list[str]]:
    with database.read() as tx:
        looked = sa.inspect(tx)
        return {
            table: sorted(column["name"] for column in looked.get_columns(table))
            for table in sorted(looked.get_table_names())
        }


def test_a_step_that_fails_leaves_the_old_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pbem.sqlite"
    old(file, "0001")
    before = _shape_of(file)

    def broken(*_: object) -> None:
        raise OSError("the power is gone")

    with closing(Database(f"sqlite:///{file}")) as database:
        event.listen(database.engine, "commit", broken)
        with pytest.raises(OSError, match="power"), database.write() as tx:
            upgrade(tx, "head")
        event.remove(database.engine, "commit", broken)
        assert revision(database) == "0001"
    assert _shape_of(file) == before
    with closing(open_database(f"sqlite:///{file}")) as database:
        assert revision(database) == HEAD


def _shape_of(file: Path) -> dict[str, list[str]]:
    with closing(Database(f"sqlite:///{file}")) as database:
        return _shape(database)


def test_a_home_of_an_older_release_is_a_home(tmp_path: Path) -> None:
    """Its settings are fewer; those that it does not name have their defaults."""
    (tmp_path / "config.toml").write_text(
        'address = "games@pbem.example.org"\nlisten = "127.0.0.1:8025"\nrelay = "127.0.0.1:25"\n'
        'database = ""\nmax_mail = 262144\nconnections = 50\ntimeout = 60\n'
    )
    (tmp_path / "host.key").write_text("11" * 32 + "\n")
    home: Home = open_home(tmp_path)
    assert home.config.plus
