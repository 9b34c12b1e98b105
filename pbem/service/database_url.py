"""Where the database is, as the settings say it.

Law: nothing of an address that cannot be read is shown, for pieces of a password may stand anywhere in it.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from engine import Refused, refuse

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
"""What may stand before `://`, and what is meant by it."""


def read_url(url: str) -> sa.URL:
    """The address of a SQLite or PostgreSQL database. Refused `host/database-url` for any other, or if it is none."""
    try:
        read = sa.make_url(url)
    except (ArgumentError, ValueError):
        raise refuse("host/database-url") from None
    # the rest of a password in which an @ or a / was not written as %40 or %2F
    astray = "@" in f"{read.host or ''}{read.database if read.host else ''}"
    is_known = read.drivername in _DRIVERS and not (read.get_backend_name() == "sqlite" and read.host)
    if not is_known or astray:
        raise refuse("host/database-url")
    return read.set(drivername=_DRIVERS[read.drivername])


def file_of(url: str) -> Path | None:
    """SQLite's file, with or without parameters behind it; None for any other database, or what is none."""
    try:
        read = read_url(url)
    except Refused:
        return None
    name = read.database or ""
    if name.startswith("file:"):
        name = name.removeprefix("file:").partition("?")[0]
    is_file = read.get_backend_name() == "sqlite" and name not in ("", ":memory:")
    return Path(name) if is_file else None
