"""Where a copy may be written: never over what it is a copy of.

Decides which files belong to a home. A file is known by its resolved path, and by what it is on the disk where it has
a second name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from engine import refuse
from pbem.disk import descriptor
from pbem.service.config import CONFIG, DATABASE, KEY, Home
from pbem.service.database_url import file_of
from pbem.service.vault import MAGIC

BESIDE = ("", "-journal", "-wal", "-shm")
"""SQLite's own files, by what stands after the database's name."""


def check_place(home: Home, file: Path, *others: Path) -> None:
    """Refused `host/backup-place` for a file of the home, of its database, or one of the others.

    Refused `host/backup-target` for anything else that is there, and is no older copy.
    """
    place = Path(os.path.realpath(file))
    is_inside = Path(os.path.realpath(home.path)) in place.parents
    # what a pipe resolves to is no path
    is_taken = descriptor(file) is not None or (file.exists() and not (file.is_file() and _is_copy(file)))
    if is_inside and is_taken:
        raise refuse("host/backup-place", file=str(file))
    check_not_own(home, file, *others)
    if is_taken or not file.name:
        raise refuse("host/backup-target", file=str(file))


def check_not_own(home: Home, file: Path, *others: Path) -> None:
    """Refused `host/backup-place` for what the service itself reads or writes, or one of the others."""
    logs, place = Path(os.path.realpath(home.logs)), Path(os.path.realpath(file))
    if logs in (place, *place.parents) or any(_same(file, one) for one in (*_own(home), *others)):
        raise refuse("host/backup-place", file=str(file))


def _own(home: Home) -> Iterator[Path]:
    yield from (home.path / CONFIG, home.path / KEY)
    for database in (home.path / DATABASE, file_of(home.url)):
        if database is not None:
            yield from (database.with_name(database.name + end) for end in BESIDE)
    config = home.config
    yield from (Path(name) for name in (config.relay_password, config.imap_password, config.tls_ca) if name)


def _same(file: Path, other: Path) -> bool:
    if os.path.realpath(file) == os.path.realpath(other):
        return file.is_file() or not file.exists()
    try:
        return file.is_file() and os.path.samefile(file, other)
    except OSError:
        return False


def _is_copy(file: Path) -> bool:
    """An empty file, too, has nothing to lose."""
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) in (b"", MAGIC)
