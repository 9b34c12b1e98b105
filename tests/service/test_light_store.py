"""What a move costs the store: no more in a long game than in a short one; connections are kept, and commits shared."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bench.mails import HOST, NOW, Script, deliver, fill, hand_in, scripts
from pbem.log.canonical import LINE
from pbem.service.addresses import Place
from pbem.service.archive import USUAL, last_line
from pbem.service.database import Database, open_database
from pbem.service.inbox import Arrival
from pbem.service.intake import Intake
from pbem.service.tables import inbox, outbox
from pbem.service.worker import handle_next

MOVES, OLD = 6, 400


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "db"


@pytest.fixture
def store(file: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite:///{file}")) as database:
        yield database


def age(database: Database, table: sa.Table, **other: Callable[[int], Any]) -> None:
    """Many times the rows that there are, as an old game has them."""
    with database.write() as tx:
        for row in tx.execute(sa.select(table)).mappings().all():
            more = [
                {
                    **{name: value for name, value in row.items() if name != "id"},
                    **{k: f(n) for k, f in other.items()},
                }
                for n in range(OLD // 10)
            ]
            tx.execute(table.insert(), more)


def steps(database: Database, script: Script, raw: bytes) -> int:
    """How many steps SQLite takes for a move."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    hand_in(database, script, (raw,))
    with database.read() as tx:
        driver: Any = tx.connection.driver_connection
    driver.set_progress_handler(count, 1)
    handled = handle_next(database, HOST, lambda: NOW)
    driver.set_progress_handler(None, 1)
    assert handled is not None
    assert handled.what == "taken"
    deliver(database)
    return taken


def test_a_move_is_read_and_written_past_no_letter_and_no_mail_that_there_was(store: Database) -> None:
    """From a fault: whether a letter had not arrived was asked of all letters that the game had ever had."""
    (script,) = scripts(1, MOVES)
    fill(store, (script,))
    young = [steps(store, script, raw) for raw in script.moves[: MOVES // 2]]
    age(store, outbox, message_id=lambda n: f"{n}.{os.urandom(8).hex()}@old.example.org")
    age(store, inbox, sha256=lambda n: os.urandom(32).hex())
    with store.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(outbox)).scalar_one() > OLD
    old = [steps(store, script, raw) for raw in script.moves[MOVES // 2 :]]
    assert min(young) > 100
    assert max(old) <= max(young) + 20


def opened(file: Path) -> int:
    """How often this process has the file open."""
    wanted, found = file.stat(), 0
    for name in os.listdir("/dev/fd"):
        try:
            seen = os.fstat(int(name))
        except OSError:
            continue  # that of the listing itself
        found += (seen.st_dev, seen.st_ino) == (wanted.st_dev, wanted.st_ino)
    return found


def test_a_connection_is_kept_and_one_transaction_inside_of_another_has_its_own(
    store: Database, file: Path
) -> None:
    count = sa.select(sa.func.count()).select_from(inbox)
    (script,) = scripts(1, 1)
    fill(store, (script,))
    with store.read() as tx:
        kept, before = tx.connection.driver_connection, tx.execute(count).scalar_one()
    with store.write() as outer:
        assert outer.connection.driver_connection is kept
        outer.execute(inbox.delete())
        # what is not committed is nobody else's
        with store.read() as inner:
            assert inner.execute(count).scalar_one() == before
    with store.read() as tx:
        assert tx.execute(count).scalar_one() == 0
    for _ in range(20):
        with store.read(), store.read():
            pass
    assert 1 <= opened(file) <= 2
    store.close()
    assert opened(file) == 0
    with store.read() as tx:
        assert tx.execute(count).scalar_one() == 0


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, OperationalError])
def test_nothing_is_kept_of_a_transaction_that_an_exception_ended(
    store: Database, error: type[BaseException]
) -> None:
    (script,) = scripts(1, 1)
    fill(store, (script,))
    raised = error("x", None, Exception()) if error is OperationalError else error("x")

    def broken_off() -> None:
        with store.write() as tx:
            tx.execute(inbox.update().values(state="lost"))
            raise raised

    with pytest.raises(error):
        broken_off()
    with pytest.raises(error), store.read():
        raise raised
    with store.write() as tx:
        assert set(tx.execute(sa.select(inbox.c.state)).scalars()) == {"done"}


@pytest.mark.parametrize("size", [1, USUAL - 2, USUAL - 1, USUAL, USUAL + 1, 3 * USUAL, LINE.size])
@pytest.mark.parametrize("before", [b"", b"first\n", b"x" * USUAL + b"\n"])
def test_the_last_line_of_a_log_file(tmp_path: Path, before: bytes, size: int) -> None:
    path, line = tmp_path / "log", b"y" * size
    assert last_line(path) == b""
    path.write_bytes(before + line + b"\n")
    assert last_line(path) == line
    path.write_bytes(before + line)
    assert last_line(path) == b""


def test_a_crowd_that_was_answered_together_is_waited_for(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in one after the other, by those who were answered at the same moment, shares a commit as well."""
    commits: list[int] = []

    def insert(_: Intake, mails: Sequence[Arrival]) -> None:
        commits.append(len(mails))

    monkeypatch.setattr(Intake, "_insert", insert)

    async def run(work: Callable[[], Any]) -> Any:
        return work()

    def mails(count: int) -> Sequence[Arrival]:
        return [Arrival("a@example.org", (Place("game", "red", "x"),), b"%d" % n, NOW) for n in range(count)]

    async def handed_in() -> None:
        intake = Intake(store, run)
        alone, *crowd = mails(6)
        await intake.put(alone)
        await asyncio.gather(*(intake.put(mail) for mail in crowd[:3]))
        late: list[asyncio.Task[None]] = []
        for mail in crowd[3:]:
            late.append(asyncio.create_task(intake.put(mail)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await asyncio.gather(*late)
        await intake.put(alone)

    asyncio.run(handed_in())
    assert commits == [1, 3, 2, 1]


@pytest.mark.parametrize("where", ["outbox", "people"])
def test_a_database_that_is_damaged_is_no_fault_of_a_mail(tmp_path: Path, where: str) -> None:
    """From a fault: a damaged page made poison of every mail that was handled, three times within a moment."""
    (script,) = scripts(1, 1)
    file = tmp_path / "db"
    with closing(open_database(f"sqlite:///{file}")) as database:
        fill(database, (script,))
        deliver(database)
        hand_in(database, script, script.moves)
        with database.read() as tx:
            wanted = sa.text(f"SELECT rootpage FROM sqlite_master WHERE name = '{where}'")
            root = tx.execute(wanted).scalar_one()
            size = tx.execute(sa.text("PRAGMA page_size")).scalar_one()
    whole = file.read_bytes()
    at = (root - 1) * size
    file.write_bytes(whole[:at] + b"\xff" * size + whole[at + size :])
    with closing(Database(f"sqlite:///{file}")) as database:
        for _ in range(4):
            with pytest.raises(OperationalError):
                handle_next(database, HOST, lambda: NOW)
    file.write_bytes(whole)
    with closing(open_database(f"sqlite:///{file}")) as database:
        handled = handle_next(database, HOST, lambda: NOW)
        assert handled is not None
        assert handled.what == "taken"


@pytest.mark.needs("postgres")
def test_a_right_that_we_lack_is_no_fault_of_a_mail(shared: str) -> None:
    (script,) = scripts(1, 1)
    with closing(open_database(shared)) as database:
        fill(database, (script,))
        deliver(database)
        hand_in(database, script, script.moves)
        with database.write() as tx:
            tx.execute(sa.text("ALTER TABLE outbox RENAME TO away"))
        for _ in range(4):
            with pytest.raises(OperationalError):
                handle_next(database, HOST, lambda: NOW)
        with database.write() as tx:
            tx.execute(sa.text("ALTER TABLE away RENAME TO outbox"))
        handled = handle_next(database, HOST, lambda: NOW)
        assert handled is not None
        assert handled.what == "taken"
