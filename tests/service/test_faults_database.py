"""A database that fails at any statement, or goes away: nothing is half done, and nothing is lost."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from pbem.audit.audit import audit
from pbem.service import app, games, inbox, worker
from pbem.service.addresses import Place
from pbem.service.database import Database, open_database
from pbem.service.inbox import Arrival
from pbem.service.worker import handle_some
from tests.service.fleet import answers
from tests.service.house import NOW, House, Player, begin, open_house, stream
from tests.service.mailbox import Mailbox, Post, send, written
from tests.service.postgres import open_server
from tests.service.statements import hearing
from tests.service.test_store import HOST, new_game


def everything(database: Database) -> dict[str, list[Any]]:
    tables = ("games", "people", "records", "inbox", "outbox")
    with database.read() as tx:
        return {name: list(tx.execute(sa.text(f"SELECT * FROM {name} ORDER BY 1, 2"))) for name in tables}


def joined(database: Database, *ids: str) -> None:
    """Games with two mails each in the inbox: both players join."""
    for game in ids:
        new_game(database, game)
    with database.read() as tx:
        letters = tx.execute(sa.text("SELECT recipient, raw FROM outbox ORDER BY id")).all()
    mailbox = Mailbox([Post("x@example.org", row.recipient, bytes(row.raw)) for row in letters])
    house = House(None, mailbox, None, None)  # type: ignore[arg-type]
    for game in ids:
        for seat in ("red", "blue"):
            player = Player(house, game, seat)
            raw = written(player.address, "x@example.org", player.join().text())
            with database.write() as tx:
                inbox.take_in(tx, Arrival("x@example.org", (Place(game, seat, "x"),), raw, NOW))


def test_a_database_that_fails_at_any_statement_leaves_nothing_done(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads, savepoints and the commit included; several mails in one transaction, however busy the machine is."""
    monkeypatch.setattr(worker, "SECONDS", 600.0)
    with closing(open_database(url)) as database:
        joined(database, "one", "two")
        before, tried = everything(database), 0
        locked = OperationalError("x", {}, Exception("locked"))
        points = ("savepoint", "release_savepoint", "commit")
        while _fails_at(database, tried, locked, points, 4):
            assert everything(database) == before
            tried += 1
        assert tried > 15
        _handle_all(database)
        _all_joined(database)


def test_a_fault_of_ours_at_any_statement_is_the_mail_s_own(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However busy the machine is: no transaction is cut short by the clock."""
    monkeypatch.setattr(worker, "SECONDS", 600.0)
    monkeypatch.setattr(inbox, "MOST_ATTEMPTS", 1_000)
    with closing(open_database(url)) as database:
        joined(database, "one", "two")
        before, tried = everything(database), 0
        while _fails_at(database, tried, OSError("broken"), (), 1):
            after = everything(database)
            assert {**after, "inbox": []} == {**before, "inbox": []}
            assert {row.state for row in after["inbox"]} == {"new"}
            tried += 1
        assert tried > 8
        assert sum(row.state == "done" for row in everything(database)["inbox"]) == 1
        _handle_all(database)
        _all_joined(database)


def _handle_all(database: Database) -> None:
    while handle_some(database, HOST, lambda: NOW):
        pass


def _all_joined(database: Database) -> None:
    for game in ("one", "two"):
        log = games.export(database, HOST, game, names=False, now=NOW)
        assert audit(log).verdict == "unfinished"
        assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1, 1]
    found = games.status(database)
    assert found.inbox == {"new": 0, "done": 4, "poison": 0}
    # an invitation each, and news for both when the second has joined
    assert found.outbox["new"] >= 6


def _fails_at(database: Database, number: int, error: Exception, points: tuple[str, ...], mails: int) -> bool:
    """Handles what waits, with the statement of that number failing; False if there were not so many."""
    count, failed = 0, False

    def fail(_: str) -> None:
        nonlocal count, failed
        count += 1
        if count == number + 1:
            failed = True
            raise error

    try:
        with hearing(database, fail, *points):
            handle_some(database, HOST, lambda: NOW, mails)
    except (OSError, OperationalError) as raised:
        if raised is not error:
            raise
    return failed


@pytest.mark.needs("postgres")
def test_a_database_that_is_gone_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PAUSE", 0.05)

    async def said() -> None:
        with open_server() as server:
            url = server.url.replace("DATABASE", "postgres")
            async with open_house(tmp_path, database=url) as house:
                players = await begin(house, await house.game())
                below = stream("gone")
                for _ in range(2):
                    asked = next(one for one in players.values() if one.view.menu.asked)
                    move = asked.move(below)
                    raw = written(asked.address, asked.invitation.address, move.text())
                    await asyncio.to_thread(server.stop)
                    with pytest.raises(
                        (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused)
                    ) as put_off:
                        await send(house.door, asked.address, [asked.invitation.address], raw)
                    assert "451" in str(put_off.value)
                    await asyncio.to_thread(server.start)
                    await asked.mail(move)
                    await house.service.wait_idle()
                    assert any(answers(post, move) for post in asked.posts)
                game = players["red"].game
                log = games.export(house.service.database, house.service.host, game, names=False, now=0)
                assert audit(log).verdict == "unfinished"

    asyncio.run(said())
