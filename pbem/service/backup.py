"""A copy of everything in one file, and a home made from it.

Decides what a copy holds: settings, host key, and every row of every table as it was at one instant, whatever
database they lie in. So a copy also moves games from SQLite to PostgreSQL, or back. What is made from a copy is
on hold until the players have been heard (`held`): the copy may be older than what they know.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from engine import GAMES, AnyGame, refuse
from pbem import __version__
from pbem.disk import make_last, opened, write_file, write_parts
from pbem.log.seal import PrivateKey
from pbem.service import copy_room, driver, held, vault
from pbem.service.archive import Mirror
from pbem.service.config import (
    CONFIG,
    KEY,
    LEAST_MAIL,
    MOST_MAIL,
    Config,
    Home,
    check_config,
    config_text,
    url_of_file,
)
from pbem.service.copy_place import BESIDE, check_place
from pbem.service.copy_room import room_beside
from pbem.service.database import (
    HEAD,
    Database,
    is_full,
    is_known,
    open_database,
    revision,
    trouble,
    upgrade,
    using,
)
from pbem.service.database_url import file_of
from pbem.service.home_store import open_store
from pbem.service.making import check_empty, making
from pbem.service.tables import METADATA

ROWS, BYTES = 500, 1 << 20
"""At most so many rows in a frame, and about so many bytes."""
_VERSIONS = "alembic_version"
replace = msgspec.structs.replace


class Manifest(msgspec.Struct, frozen=True):
    """The first frame: what the copy is of. `created` in seconds; `revision` is the tables'."""

    release: str
    created: int
    revision: str
    config: Config
    key: bytes

    def __repr__(self) -> str:
        return f"Manifest({self.release})"


class Rows(msgspec.Struct, frozen=True):
    """A frame of rows; the last frame has no table, and counts the rows of all."""

    table: str
    columns: tuple[str, ...]
    rows: list[list[Any]]


class Restored(msgspec.Struct, frozen=True):
    """What came of a restore: how many rows, when the copy was made, the games that wait for their players."""

    rows: int
    created: int
    held: tuple[str, ...]


def backup(home: Home, file: Path, passphrase: str, entropy: bytes, now: int) -> int:
    """Writes the copy in one step; gives the number of rows. A running service goes on.

    Refused `host/backup-place`, `host/backup-target`, `host/database`, `host/database-damaged`. OSError for a full disk.
    """
    if not passphrase:
        raise refuse("host/passphrase")
    check_place(home, file)
    counted = _Counter()
    with closing(open_store(home)) as database:
        try:
            with room_beside(file) as room, _instant(database, room) as tx:
                first = Manifest(__version__, now, HEAD, home.config, home.key.raw)
                frames = counted.through(_frames(tx))
                parts = vault.seal(_with_manifest(first, frames), passphrase, entropy)
                write_parts(room / copy_room.COPY, parts, secret=True)
                os.replace(room / copy_room.COPY, file)
                make_last(file.parent)
        except DBAPIError as error:
            if database.is_sqlite and is_full(error):
                # SQLite's copy lies beside the one that was asked for
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file)) from error
            raise trouble(error) from None
    return counted.rows


def restore(path: Path, file: Path, passphrase: str, now: int, database: str = "") -> Restored:
    """Makes a home from a copy; `database` is the URL to use, the home's own SQLite file if empty.

    Whatever is raised, nothing is left behind. Refused `host/no-backup`, `host/passphrase-wrong`,
    `host/backup-damaged`, `host/not-empty`, `host/database`; `disk/in-use` beside another restore.
    """
    check_empty(path)
    with opened(file) as source:
        frames = vault.unseal(source, passphrase)
        manifest = _read_manifest(next(frames))
        # an earlier release took any number of bytes
        most = min(max(manifest.config.max_mail, LEAST_MAIL), MOST_MAIL - 1)
        config = check_config(replace(manifest.config, database=database, max_mail=most), CONFIG)
        if not is_known(manifest.revision):
            raise refuse("host/newer-database", found=manifest.revision)
        home = Home(path, config, PrivateKey(manifest.key))
        with making(path, config_text(config).encode("utf-8")), _taken_back(home.url) as filled:
            # all rows and all holds, or nothing
            write_file(path / KEY, manifest.key.hex().encode() + b"\n", secret=True)
            rows, games = _fill(home, manifest, frames, now)
            filled.now = True
            with closing(open_database(home.url)) as made:
                Mirror(made, home.logs).repair()
    return Restored(rows, manifest.created, tuple(games))


def _fill(
    home: Home, manifest: Manifest, frames: Iterator[bytes], now: int, games: tuple[AnyGame, ...] = GAMES
) -> tuple[int, list[str]]:
    database = Database(home.url)
    try:
        with database.write() as tx:
            upgrade(tx, manifest.revision)
            rows = _insert(tx, frames)
            upgrade(tx, "head")
            _continue_numbers(tx)
            return rows, held.hold_all(tx, home.host(games), now)
    except DBAPIError as error:
        raise trouble(error) from None
    finally:
        database.close()


class _Filled(msgspec.Struct):
    """Whether the rows have been committed."""

    now: bool = False


@contextmanager
def _taken_back(url: str) -> Generator[_Filled]:
    """Takes back what was written into a database that was empty, should anything be raised. Refused `host/not-empty`."""
    file = file_of(url)
    is_new, filled = file is not None and not file.exists(), _Filled()
    before = frozenset[str]()
    try:
        with closing(Database(url)) as database:
            before = _tables_before(database)
        yield filled
    except BaseException:
        if file is not None and is_new:
            # what another has filled meanwhile is his
            if filled.now or (file.exists() and not file.stat().st_size):
                for end in BESIDE:
                    file.with_name(file.name + end).unlink(missing_ok=True)
        elif filled.now:
            with using(open_database(url)) as database:
                _drop(database, before)
        raise


def _tables_before(database: Database) -> frozenset[str]:
    try:
        if revision(database) is not None:
            # not the URL, which may hold a password
            raise refuse("host/not-empty", place=database.engine.url.database or "")
        return frozenset(sa.inspect(database.engine).get_table_names())
    except DBAPIError as error:
        raise trouble(error) from None


def _drop(database: Database, before: frozenset[str]) -> None:
    """Our tables go again, whoever's else are there."""
    ours = [table.name for table in reversed(METADATA.sorted_tables)]
    with database.write() as tx:
        for name in (*ours, _VERSIONS):
            if name not in before:
                tx.execute(sa.text(f"DROP TABLE IF EXISTS {name}"))


def _read_manifest(frame: bytes) -> Manifest:
    try:
        return msgspec.msgpack.decode(frame, type=Manifest)
    except msgspec.MsgspecError:
        raise refuse("host/backup-damaged") from None


def _with_manifest(manifest: Manifest, frames: Iterable[Rows]) -> Iterator[bytes]:
    yield msgspec.msgpack.encode(manifest)
    for frame in frames:
        yield msgspec.msgpack.encode(frame)


def _frames(tx: sa.Connection) -> Iterator[Rows]:
    """Every table that there is, those that others point at first; then the counts."""
    counts: list[list[Any]] = []
    for table in _tables(tx):
        name, columns = str(table.name), tuple(str(column.name) for column in table.columns)
        count, rows, size = 0, list[list[Any]](), 0
        ordered = sa.select(table).order_by(*table.primary_key.columns)
        for row in tx.execution_options(yield_per=ROWS).execute(ordered):
            rows.append(list(row))
            count += 1
            size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
            if len(rows) == ROWS or size > BYTES:
                yield Rows(name, columns, rows)
                rows, size = [], 0
        if rows:
            yield Rows(name, columns, rows)
        counts.append([name, count])
    yield Rows("", (), counts)


def _insert(tx: sa.Connection, frames: Iterator[bytes]) -> int:
    tables = {str(table.name): table for table in _tables(tx)}
    counts: dict[str, int] = dict.fromkeys(tables, 0)
    for frame in frames:
        part = msgspec.msgpack.decode(frame, type=Rows)
        if not part.table:
            if dict(part.rows) != counts:
                raise refuse("host/backup-damaged")
            return sum(counts.values())
        rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
        tx.execute(tables[part.table].insert(), rows)
        counts[part.table] += len(rows)
    raise refuse("host/backup-damaged")


def _tables(tx: sa.Connection) -> list[sa.Table]:
    found = sa.MetaData()
    found.reflect(tx)
    return [table for table in found.sorted_tables if table.name != _VERSIONS]


def _continue_numbers(tx: sa.Connection) -> None:
    """PostgreSQL counts by itself, and must go on where the copy ended. SQLite looks at the rows."""
    if tx.dialect.name == "sqlite":
        return
    for table in _tables(tx):
        for column in table.primary_key.columns:
            name = tx.execute(sa.select(sa.func.pg_get_serial_sequence(table.name, column.name))).scalar()
            if name:
                highest = tx.execute(sa.select(sa.func.max(column))).scalar()
                tx.execute(sa.select(sa.func.setval(name, highest or 1, highest is not None)))


@contextmanager
def _instant(database: Database, room: Path) -> Generator[sa.Connection]:
    """All rows as they are at one instant, while others go on writing.

    SQLite is copied first, in one step: whoever reads for long keeps the writer from its commit.
    """
    if not database.is_sqlite:
        with database.engine.connect() as connection:
            tx = connection.execution_options(isolation_level="REPEATABLE READ")
            with tx.begin():
                yield tx
        return
    copy = Database(url_of_file(room / copy_room.DATABASE))
    try:
        with database.read() as tx, copy.engine.connect() as target:
            driver.copy_into(tx, target)
        with copy.read() as tx:
            yield tx
    finally:
        copy.close()


class _Counter:
    """Counts rows on their way by."""

    def __init__(self) -> None:
        self.rows = 0

    def through(self, frames: Iterable[Rows]) -> Iterator[Rows]:
        """The same frames."""
        for frame in frames:
            self.rows += len(frame.rows) if frame.table else 0
            yield frame
