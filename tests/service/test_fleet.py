"""Many processes on one PostgreSQL: order within a game, nothing twice, and nothing lost by kill -9."""

from __future__ import annotations

import asyncio
import shutil
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import Refused
from pbem.service.addresses import Place
from pbem.service.app import Service, Setting
from pbem.service.config import Config, init_home, open_home
from pbem.service.database import Database, open_database
from pbem.service.inbox import Arrival, take_in
from pbem.service.locks import Queue, Recipients
from pbem.service.outbox import Waiting
from pbem.service.plain import Sheet
from tests.service.fleet import APART, DOUBLE, Insistent, check, new_games, open_fleet, play, serve, settled
from tests.service.house import NOW, Clock, House, stream
from tests.service.test_store import new_game


@pytest.mark.needs("postgres")
def test_a_process_a_role(shared: str, tmp_path: Path, seed: str) -> None:
    _played_by(tmp_path, seed, 2, 4, database=shared)


@pytest.mark.soak
@pytest.mark.needs("postgres")
def test_a_process_a_role_for_long(shared: str, tmp_path: Path, seed: str) -> None:
    _played_by(tmp_path, seed, 12, 60, database=shared)


def _played_by(path: Path, seed: str, games: int, moves: int, database: str) -> None:
    async def said() -> None:
        async with open_fleet(path, DOUBLE, seed, database=database) as fleet:
            ids = [f"fleetgame{number}" for number in range(games)]
            new_games(open_home(fleet.home), ids)
            sent = await asyncio.gather(*(play(fleet, game, moves) for game in ids))
            await settled(fleet.home)
            for process in fleet.running.values():
                await process.end(signal.SIGTERM)
            for role, event in (("smtp", "mail-in"), ("worker", "mail-taken"), ("sender", "letter-sent")):
                for number in (1, 2):
                    told = [one["event"] for one in fleet.running[f"{role}-{number}"].events]
                    assert event in told or games < 3, (role, number)
            check(fleet.home, fleet.mailbox, dict(zip(ids, sent, strict=True)), once=True)

    asyncio.run(said())


@pytest.mark.needs("postgres", "namespaces")
def test_two_machines_with_networks_of_their_own(shared: str, tmp_path: Path) -> None:
    """Each has its own home and its own loopback, where both use the same port; they share the database alone."""

    async def said() -> None:
        async with open_fleet(tmp_path, APART, database=shared) as fleet:
            other = tmp_path / "other"
            other.mkdir()
            for name in ("config.toml", "host.key"):
                shutil.copy(fleet.home / name, other / name)
            text = (other / "config.toml").read_text()
            port = fleet.running["smtp"].door.port
            (other / "config.toml").write_text(
                text.replace('listen = "127.0.0.1:0"', f'listen = "127.0.0.1:{port}"')
            )
            own = ("unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"')
            machine = await serve(other, "--role", "smtp", "--role", "worker", before=own)
            assert machine.door.port == port
            ids = ["machine1", "machine2", "machine3"]
            new_games(open_home(fleet.home), ids)
            sent = await asyncio.gather(*(play(fleet, game, 5) for game in ids))
            # the other machine plays on alone
            assert await fleet.running.pop("worker").end(15) == 0
            house = House(None, fleet.mailbox, fleet.door(), Clock())  # type: ignore[arg-type]
            players = [Insistent(house, ids[0], seat, door=fleet.door) for seat in ("red", "blue")]
            asked = next(one for one in players if one.view.menu.asked)
            await asked.insist(asked.move(stream("alone")))
            sent[0].extend(asked.sent)
            await settled(fleet.home)
            await machine.end(15)
            await fleet.start("worker")
            played = [event["event"] for event in machine.events]
            assert "mail-taken" in played
            check(fleet.home, fleet.mailbox, dict(zip(ids, sent, strict=True)), once=True)

    asyncio.run(said())


def test_a_sqlite_file_has_one_process_with_all_roles(tmp_path: Path) -> None:
    home = init_home(tmp_path / "home", Config(listen="127.0.0.1:0"), b"k" * 32)
    with pytest.raises(Refused) as refused:
        asyncio.run(Service(home, Setting(roles=("worker",))).start())
    assert refused.value.refusal.code == "host/roles"


def test_two_homes_do_not_share_a_sqlite_file(tmp_path: Path) -> None:
    """By whatever name it is called."""

    async def said() -> None:
        (tmp_path / "data").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "data")
        first, second = (
            Service(
                init_home(
                    tmp_path / name,
                    Config(listen="127.0.0.1:0", database=f"sqlite:///{tmp_path / folder / 'db'}"),
                    b"k" * 32,
                )
            )
            for name, folder in (("one", "data"), ("two", "link"))
        )
        await first.start()
        with pytest.raises(Refused) as refused:
            await second.start()
        assert refused.value.refusal.code == "disk/in-use"
        await first.stop()
        await second.start()
        await second.stop()

    asyncio.run(said())


def test_a_worker_takes_the_oldest_mail_of_a_game_that_nobody_has(url: str) -> None:
    with closing(open_database(url)) as database:
        for game in ("one", "two"):
            new_game(database, game)
        with database.write() as tx:
            for number, game in enumerate(("one", "one", "two", "one")):
                take_in(tx, Arrival("x@example.org", (Place(game, "red", "x"),), b"%d" % number, NOW))
        with database.write() as first:
            if database.is_sqlite:
                assert _raws(Queue(first).sheets(1)) == [b"0"]
                assert _raws(Queue(first).sheets(9)) == [b"0", b"2"]
                assert _raws(Queue(first).sheets(9, busy={"one"})) == [b"2"]
                return
            assert _raws(Queue(first, 1).sheets(9)) == [b"0"]
            with database.write() as second:
                assert _raws(Queue(second, 1).sheets(9)) == [b"2"]
                with database.write() as third:
                    assert Queue(third, 1).sheets(9) == []
                    # mail comes in all the same
                    take_in(third, Arrival("x@example.org", (Place("one", "red", "x"),), b"new", NOW))
            assert _raws(Queue(first, 1).sheets(9)) == [b"0"]


def _raws(sheets: Sequence[Sheet]) -> list[bytes]:
    return [sheet.mail.raw for sheet in sheets]


@pytest.mark.needs("postgres")
def test_one_sender_a_recipient(shared: str) -> None:
    with closing(open_database(shared)) as database:
        new_game(database, "one")
        letters = _letters(database)
        first, second = Recipients(database), Recipients(database)
        assert first.take(letters[0])
        assert not second.take(letters[0])
        assert second.take(letters[1])
        first.leave(letters[0])
        assert second.take(letters[0])
        # who is gone holds nothing, as soon as the server has seen that he is gone
        second.close()
        assert _takes_in_the_end(first, letters[0])
        assert first.take(letters[1])
        first.leave(letters[0])
        # what was sent meanwhile is not sent again
        with database.write() as tx:
            tx.execute(sa.text("UPDATE outbox SET state = 'sent'"))
        assert not first.take(letters[0])
        first.close()


def _takes_in_the_end(recipients: Recipients, letter: Waiting) -> bool:
    for _ in range(1_000):
        if recipients.take(letter):
            return True
        time.sleep(0.01)
    return False


def _letters(database: Database) -> list[Waiting]:
    from pbem.service.outbox import due

    with database.read() as tx:
        return due(tx, NOW, 10)
