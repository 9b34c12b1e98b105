"""The database of a home: found where it was, with the games of its logs, whose charters name the home's key.

Law: a database is begun once in the life of a home, by whoever opens it first (`pbem host init`); a file says that it
was. One that is missing afterwards, or is empty, or is another's, is refused: all mail would be sent back as for nobody.
Nor is anything signed under a key that is not the games' own: no log could ever be sound again.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from engine import refuse
from pbem.service.config import Home
from pbem.service.database import Database, open_database, told
from pbem.service.rows import is_of_host
from pbem.service.tables import games

BEGUN = "begun"
"""The name of the file that says so; it is empty."""
_SOME = 50
"""So many logs and games are looked at: where none of them is known, all are another's."""


def open_store(home: Home) -> Database:
    """The home's database, up to date. Refused as `open_database`, `host/store-gone`, `host/other-key`."""
    mark = home.path / BEGUN
    database = open_database(home.url, home.logs, begun=mark.exists())
    try:
        _check(database, home)
        mark.touch(0o600)
    except DBAPIError as error:
        database.close()
        raise told(error) from None
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def using_store(home: Home) -> Generator[Database]:
    """`open_store` for one piece of work. What the database says no to becomes Refused `host/database`."""
    database = open_store(home)
    try:
        yield database
    except DBAPIError as error:
        raise told(error) from None
    finally:
        database.close()


def _check(database: Database, home: Home) -> None:
    logs = [path.stem for path in islice(home.logs.glob("*.pbem"), _SOME)]
    newest = sa.select(games.c.charter_line).order_by(games.c.created.desc(), games.c.id).limit(_SOME)
    with database.read() as tx:
        known = tx.execute(sa.select(games.c.id).where(games.c.id.in_(logs)).limit(1)).first()
        charters = tx.execute(newest).scalars().all()
    if logs and known is None and _is_another(database, home):
        raise refuse("host/store-gone", place=database.engine.url.database or "", logs=str(home.logs))
    if charters and not any(is_of_host(line, home.key) for line in charters):
        raise refuse("host/other-key")


def _is_another(database: Database, home: Home) -> bool:
    """Whether it knows none of all the games whose logs lie here."""
    with database.read() as tx:
        known = set(tx.execute(sa.select(games.c.id)).scalars())
    return all(path.stem not in known for path in home.logs.glob("*.pbem"))
