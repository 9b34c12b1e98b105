"""The database: how it is reached, what a transaction is, and that its tables are up to date.

SQLite has one writer: a transaction that writes begins with BEGIN IMMEDIATE, and inside this process a lock
makes waiting for it fair. `journal_mode=DELETE` and `synchronous=EXTRA`: what is committed outlives a loss of
power. PostgreSQL needs no lock of ours. SQLAlchemy's errors go through as they are; their texts are not to be shown,
for they may quote what was being written.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from engine import Refused, refuse
from pbem import deeds
from pbem.service import driver
from pbem.service.database_url import read_url
from pbem.service.driver import end_if_broken

HEAD = "0010"
"""The newest migration; a test holds it against the files."""
_MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 30
TROUBLE = (OperationalError, InterfaceError)
"""What is wrong with the database rather than with us: locked, full, gone. The same thing may work later."""
_FULL = ("disk is full", "No space left")
"""What SQLite and PostgreSQL say of a full disk."""


def is_full(error: DBAPIError) -> bool:
    """Whether it is for want of room."""
    return any(word in str(error.orig) for word in _FULL)


def is_damaged(error: DBAPIError) -> bool:
    """Whether the file itself is not what was written into it."""
    return driver.is_damaged(error.orig) or "Could not decode to UTF-8" in str(error.orig)


def trouble(error: DBAPIError, problem: str = "") -> Refused:
    """`host/database`, or of a file that is malformed `host/database-damaged`."""
    code = "host/database-damaged" if is_damaged(error) else "host/database"
    return refuse(code, problem=problem or str(error.orig).splitlines()[0][:200])


def told(error: DBAPIError) -> Refused:
    """The same without a text that may quote what was written."""
    return trouble(error, "" if is_damaged(error) else type(error.orig).__name__)


class Database:
    """Owns the connections to one database. Safe to use from several threads.

    SQLite's is kept from one transaction to the next, until something goes wrong: to ask a pool for it, and to give it
    back, costs more than most of what is done with it.
    """

    def __init__(self, url: str) -> None:
        parsed = read_url(url)
        try:
            self.engine = _engine(parsed)
        except ImportError:
            raise refuse("host/database-driver") from None
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self._lock: AbstractContextManager[Any] = threading.RLock() if self.is_sqlite else nullcontext()
        self._kept: sa.Connection | None = None
        self._reads = False
        if self.is_sqlite:
            event.listen(self.engine, "begin", self._on_begin)

    def write(self) -> AbstractContextManager[sa.Connection]:
        """A transaction that may write; committed at the end, rolled back by any exception."""
        return self._done(self._alone(False) if self.is_sqlite else self.engine.begin())

    @contextmanager
    def _done(self, transaction: AbstractContextManager[sa.Connection]) -> Generator[sa.Connection]:
        with transaction as tx:
            yield tx
        deeds.lasting()

    def read(self) -> AbstractContextManager[sa.Connection]:
        """A transaction that only reads."""
        return self._alone(True) if self.is_sqlite else self.engine.begin()

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            kept, self._kept = self._kept, None
            if kept is not None:
                kept.close()
            self.engine.dispose()

    @contextmanager
    def _alone(self, reads: bool) -> Generator[sa.Connection]:
        """A transaction while no other thread has one. One inside of another has a connection of its own."""
        with self._lock:
            kept, self._kept = self._kept, None
            tx = self.engine.connect() if kept is None else kept
            try:
                self._reads = reads
                with tx.begin():
                    self._reads = False
                    yield tx
            except BaseException:
                self._reads = False
                tx.close()
                raise
            self._keep(tx)

    def _keep(self, tx: sa.Connection) -> None:
        """For the next transaction, unless one inside of this one has left its own."""
        if self._kept is None:
            self._kept = tx
        else:
            tx.close()

    def _on_begin(self, tx: sa.Connection) -> None:
        driver.run(tx, "BEGIN" if self._reads else "BEGIN IMMEDIATE")


def open_database(url: str, logs: Path | None = None, *, begun: bool = False) -> Database:
    """The database, with its tables up to date. Refused `host/database`, `host/newer-database`, `host/store-gone`.

    `logs`: the folder of the log files. Where these tell of games, or where it was `begun` before, an empty database is
    not the one that is meant.
    """
    played = begun or (logs is not None and any(logs.glob("*.pbem")))
    if played and (place := _missing(url)):
        raise refuse("host/store-gone", place=place, logs=str(logs))
    database = Database(url)
    try:
        found = revision(database)
        if found is None and played:
            raise refuse("host/store-gone", place=database.engine.url.database or "", logs=str(logs))
        if found is not None and not is_known(found):
            raise refuse("host/newer-database", found=found)
        if found != HEAD:
            migrate(database)
    except DBAPIError as error:
        database.close()
        raise trouble(error) from None
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def using(database: Database) -> Generator[Database]:
    """A database for one piece of work, closed after it. What it says no to becomes Refused `host/database`."""
    try:
        yield database
    except DBAPIError as error:
        raise told(error) from None
    finally:
        database.close()


def revision(database: Database) -> str | None:
    """The newest migration that the database has seen; None if it has seen none."""
    with database.read() as tx:
        if not sa.inspect(tx).has_table("alembic_version"):
            return None
        found: str | None = tx.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return found


def is_known(found: str) -> bool:
    """Whether a revision is one of this release's; any other word there comes from a newer one, or from nobody."""
    known = (file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py"))
    return found == HEAD or found in known


def migrate(database: Database) -> None:
    """Brings the tables up to date, in one transaction; does nothing if another process was faster."""
    with database.write() as tx:
        upgrade(tx, "head")


def upgrade(tx: sa.Connection, to: str) -> None:
    """Brings the tables to a revision, inside a transaction."""
    from alembic import command  # noqa: PLC0415 - slow to import, and needed once in a database's life
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    if tx.dialect.name != "sqlite":
        # one process at a time; the others find nothing left to do
        tx.execute(sa.text("SELECT pg_advisory_xact_lock(7318)"))
    config.attributes["connection"] = tx
    command.upgrade(config, to)


def _engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() != "sqlite":
        shared = sa.create_engine(url, hide_parameters=True, pool_pre_ping=True)
        event.listen(shared, "handle_error", _on_error)
        return shared
    given: dict[str, Any] = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    if _private(url.database) and not url.query:
        # a file that has gone away is not made anew, empty, by whoever looks for it
        place = f"file:{quote(os.path.abspath(url.database or ''))}?mode=rw"
        engine = sa.create_engine(
            url,
            hide_parameters=True,
            creator=lambda: sqlite3.connect(place, uri=True, **given),
            # the connection that wrote last: it alone still knows what it has read
            pool_use_lifo=True,
        )
    else:
        engine = sa.create_engine(url, hide_parameters=True, connect_args=given)
    # SQLAlchemy passes every error of the driver here, that of a COMMIT included
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "handle_error", _on_error)
    return engine


def _missing(url: str) -> str:
    """The path of a SQLite file that is not there; empty if it is, or if it is no such database."""
    parsed = read_url(url)
    path = parsed.database or ""
    is_file = parsed.get_backend_name() == "sqlite" and path not in ("", ":memory:") and not parsed.query
    return path if is_file and not Path(path).exists() else ""


def _private(path: str | None) -> bool:
    """The file holds secrets and addresses: made before SQLite makes it, so that nobody else may read it; False if none."""
    if not path or path == ":memory:" or not Path(path).parent.is_dir():
        return False
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return True


def _on_connect(connection: Any, _record: object) -> None:
    """The driver's own idea of transactions is turned off; ours begin in `_on_begin`."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=DELETE", "synchronous=EXTRA", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _on_error(context: sa.engine.ExceptionContext) -> None:
    error = context.original_exception
    if end_if_broken(error):
        context.is_disconnect = True
    if driver.is_its_own(error) and not isinstance(context.sqlalchemy_exception, TROUBLE):
        raise driver.as_trouble(context.statement, error) from error
