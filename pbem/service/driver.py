"""The driver itself, for statements whose text is at hand: what SQLAlchemy does around one costs SQLite ten times its work.

Decides nothing but that. What the driver raises becomes SQLAlchemy's exception of the same name, as everywhere else,
so that whoever calls need not know which way his statement took.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem.service.journal import fault

BROKEN = 70
"""The exit code after an fsync that failed; whoever starts the service again starts from what the disk really holds."""
_UNKNOWN = (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
_ELSEWHERE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB)
"""What SQLite says to a connection whose file is not any more where it was; whoever opens it anew may find it."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_CLOSED = ("42501", "42P01", "25006", "XX001", "XX002")
"""What PostgreSQL says of a right that we lack, a table that is gone, a transaction that may not write, and damage."""
Given = Any
"""The values of one statement: a tuple for SQLite, a dict for PostgreSQL."""


def run(tx: sa.Connection, text: str, given: Given = ()) -> int:
    """Carries out a statement that is written; gives how many rows it touched."""
    if tx.dialect.name != "sqlite":
        return int(tx.exec_driver_sql(text, given or None).rowcount)
    return _carried_out(tx, text, given).rowcount


def rows(tx: sa.Connection, text: str, given: Given = ()) -> Sequence[Sequence[Any]]:
    """All rows that a query finds."""
    if tx.dialect.name != "sqlite":
        return tx.exec_driver_sql(text, given or None).all()
    cursor = _carried_out(tx, text, given)
    try:
        return cursor.fetchall()
    except sqlite3.Error as error:
        raise _known(tx, text, error) from error


def run_all(tx: sa.Connection, text: str, given: Sequence[Given]) -> int:
    """Carries it out once for each; gives how many rows were touched in all."""
    if len(given) == 1:
        return run(tx, text, given[0])
    if tx.dialect.name != "sqlite":
        return int(tx.exec_driver_sql(text, list(given)).rowcount)
    return _carried_out(tx, text, given, many=True).rowcount


def copy_into(tx: sa.Connection, target: sa.Connection) -> None:
    """All of a SQLite database, as it is at one instant, into an empty one."""
    source: Any = tx.connection.driver_connection
    try:
        source.backup(target.connection.driver_connection)
    except sqlite3.Error as error:
        raise _known(tx, "backup", error) from error


def end_if_broken(error: BaseException | None) -> bool:
    """After a failed fsync nobody knows what the disk holds, and a second one would succeed and lie: we end at once.

    Gives whether the connection is of no more use after any other error.
    """
    code = int(getattr(error, "sqlite_errorcode", 0))
    if error is not None and code in _UNKNOWN:
        fault("disk-broken", error)
        os._exit(BROKEN)
    return code & 0xFF in _ELSEWHERE


def is_damaged(error: BaseException | None) -> bool:
    """Whether SQLite says that its file is not what it has written."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF in _DAMAGED


def is_its_own(error: BaseException | None) -> bool:
    """Whether an error is the database's, whatever the class that its driver puts it in: no mail is at fault for it."""
    return is_damaged(error) or str(getattr(error, "sqlstate", "")) in _CLOSED


def as_trouble(text: str | None, error: BaseException) -> OperationalError:
    """An error of the database itself as the one that everybody waits for to pass; without values."""
    return OperationalError(text, None, error, hide_parameters=True)


def _carried_out(tx: sa.Connection, text: str, given: Given, *, many: bool = False) -> sqlite3.Cursor:
    driver: Any = tx.connection.driver_connection
    try:
        cursor: sqlite3.Cursor = driver.executemany(text, given) if many else driver.execute(text, given)
    except sqlite3.Error as error:
        raise _known(tx, text, error) from error
    return cursor


def _known(tx: sa.Connection, text: str, error: sqlite3.Error) -> Exception:
    """SQLAlchemy's exception for the driver's; without the values, which are nobody's business."""
    useless = end_if_broken(error)
    if useless:
        # nor are the others of the pool
        tx.invalidate(error)
        tx.engine.dispose()
    if is_its_own(error):
        return as_trouble(text, error)
    found: Exception = DBAPIError.instance(
        text,
        None,
        error,
        sqlite3.Error,
        hide_parameters=True,
        connection_invalidated=useless,
        dialect=tx.dialect,
    )
    return found
