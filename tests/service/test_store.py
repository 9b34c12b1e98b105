"""The store, on SQLite and on PostgreSQL: tables, migrations, and that rows give back what was put in."""

from __future__ import annotations

import asyncio
import hashlib
import stat
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from engine import Refused
from pbem.audit.audit import audit
from pbem.cli.asked import game_secrets
from pbem.log.chain import marks_of
from pbem.log.seal import PrivateKey
from pbem.service import games, store
from pbem.service.addresses import Place
from pbem.service.config import Host
from pbem.service.database import HEAD, Database, migrate, open_database, revision
from pbem.service.inbox import Arrival, Waiting, done, failed, take_in
from pbem.service.locks import Queue
from pbem.service.tables import METADATA
from pbem.service.worker import handle_next
from pbem.turn.desk import Person, Post
from pbem.turn.opening import Plan
from pbem.turn.views import address
from tests.service.house import ARENA, NOW, Chance, House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import Mailbox, written
from tests.service.mailbox import Post as Received

HOST = Host(
    PrivateKey(hashlib.sha256(b"host").digest()), Post("games@pbem.example.org", "pbem.example.org"), (ARENA,)
)


def new_game(database: Database, game: str = "testgame", name: str = "") -> Plan:
    people = {seat: Person(f"{seat}@example.org", f"token{seat}", name) for seat in ("red", "blue")}
    plan = Plan(game, ARENA, {}, people)
    games.new_game(database, HOST, plan, game_secrets(HOST.key, Chance(game)), NOW)
    return plan


def test_migrations_make_the_tables(empty: Database) -> None:
    assert revision(empty) is None
    migrate(empty)
    assert revision(empty) == HEAD
    with empty.read() as tx:
        assert compare_metadata(MigrationContext.configure(tx), METADATA) == []
    migrate(empty)


def test_the_newest_migration_is_known_without_looking() -> None:
    import pbem.service.migrations as folder

    config = AlembicConfig()
    config.set_main_option("script_location", str(Path(folder.__file__).parent))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_a_database_of_a_newer_release_is_left_alone(url: str) -> None:
    with closing(open_database(url)) as database, database.write() as tx:
        tx.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Refused) as refused:
        open_database(url)
    assert refused.value.refusal.code == "host/newer-database"


@pytest.mark.parametrize("bad", ["sqlite:////nosuch/folder/x", "postgresql+psycopg://x@/y?host=/nosuch"])
def test_a_database_that_is_none_is_said(bad: str) -> None:
    with pytest.raises(Refused) as refused:
        open_database(bad)
    assert refused.value.refusal.code == "host/database"


def test_sqlite_is_set_to_outlive_a_loss_of_power(tmp_path: Path) -> None:
    path = tmp_path / "pbem.sqlite"
    with closing(open_database(f"sqlite:///{path}")) as database, database.read() as tx:
        found = [
            tx.execute(sa.text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert found == ["delete", 3, 1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_desk_comes_back_as_it_was(url: str) -> None:
    with closing(open_database(url)) as database:
        plan = new_game(database, name="Jörg 🂡")
        with database.read() as tx:
            desk = store.load_desk(tx, HOST, "testgame", NOW).desk
        assert (desk.people, desk.now) == (plan.people, "2026-01-01T12:00:00Z")
        secrets = game_secrets(HOST.key, Chance("testgame"))
        marks = marks_of(secrets.seed, "testgame", "host")
        assert desk.secrets == msgspec.structs.replace(secrets, marks=marks)
        assert desk.table.charter.seats == ("red", "blue")
        with pytest.raises(Refused) as refused:
            new_game(database)
        assert refused.value.refusal.code == "host/game-exists"
        with pytest.raises(Refused) as refused, database.read() as tx:
            store.load_desk(tx, HOST, "nosuch", NOW)
        assert refused.value.refusal.code == "host/no-such-game"


def oldest(tx: sa.Connection) -> Waiting | None:
    """The mail that a worker would handle next."""
    sheets = Queue(tx).sheets(1)
    return sheets[0].mail if sheets else None


def test_a_mail_is_handled_once_whoever_comes_first(url: str) -> None:
    with closing(open_database(url)) as database:
        new_game(database)
        with database.write() as tx:
            desk = store.load_desk(tx, HOST, "testgame", NOW).desk
            place = Place("testgame", "red", address(desk, "red"))
            take_in(tx, Arrival("red@example.org", (place,), b"Subject: \xff\x00\r\n\r\n", NOW))
        with database.read() as tx:
            mail = oldest(tx)
        assert mail is not None
        assert mail.raw == b"Subject: \xff\x00\r\n\r\n"
        with database.write() as tx:
            assert done(tx, mail.id, "taken")
            assert not done(tx, mail.id, "taken")
            assert oldest(tx) is None


def test_three_faults_make_poison(url: str) -> None:
    with closing(open_database(url)) as database:
        new_game(database)
        with database.write() as tx:
            for count in range(2):
                take_in(tx, Arrival("", (Place("testgame", "red", "x"),), b"%d" % count, NOW))
        for attempt in range(3):
            with database.write() as tx:
                mail = oldest(tx)
                assert mail is not None
                assert (mail.raw, mail.attempts) == (b"0", attempt)
                assert failed(tx, mail, "Traceback \ud800 \x00") == (attempt == 2)
        with database.read() as tx:
            mail = oldest(tx)
        assert mail is not None
        assert mail.raw == b"1"


def test_a_game_is_played_on_either_database(url: str, tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, database=url) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("either"), 12)
            log = games.export(house.service.database, house.service.host, game, names=False, now=0)
            assert audit(log).verdict == "unfinished"
            assert log.count(b"\n") > 15

    asyncio.run(said())


def test_several_workers_on_one_database_apply_each_mail_once_and_in_order(url: str, tmp_path: Path) -> None:
    """Whoever is overtaken starts again; joins of two games, four workers."""
    with closing(open_database(url)) as database:
        mails: list[tuple[str, bytes]] = []
        for game in ("one", "two"):
            new_game(database, game)
        house = _letters_of(database)
        for game in ("one", "two"):
            for seat in ("red", "blue"):
                player = Player(house, game, seat)
                mails.append((game, written(player.address, "x@example.org", player.join().text())))
        with database.write() as tx:
            for game, raw in mails:
                take_in(tx, Arrival("x@example.org", (Place(game, "red", "x"),), raw, NOW))
        threads = [threading.Thread(target=_work, args=(database,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for game in ("one", "two"):
            log = games.export(database, HOST, game, names=False, now=NOW)
            assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1, 1]
            assert b'"seat":"red"' in log.splitlines()[1]
            assert audit(log).verdict == "unfinished"
        assert games.status(database).inbox == {"new": 0, "done": 4, "poison": 0}


def _work(database: Database) -> None:
    while True:
        try:
            if handle_next(database, HOST, lambda: NOW) is None:
                return
        except store.Overtaken:
            continue


def _letters_of(database: Database) -> House:
    """A house whose mailbox holds what lies in the outbox."""
    with database.read() as tx:
        rows = tx.execute(sa.text("SELECT recipient, raw FROM outbox ORDER BY id")).all()
    mailbox = Mailbox([Received("games@pbem.example.org", row.recipient, bytes(row.raw)) for row in rows])
    return House(None, mailbox, None, None)  # type: ignore[arg-type]
