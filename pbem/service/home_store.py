"""The database of a home: found where it was, with the games of its logs, whose charters name the home's key.

Law: a database is begun once in the life of a home, by whoever opens it first (`pbem host init`); a file says that it
was. One that is missing afterwards, or is empty, or is another's, is refused: all mail would be sent back as for nobody.
Nor is anything signed under a key that is not the games' own: no log could ever be sound again.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress
from itertools import islice

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from engine import refuse
from pbem.disk import give
from pbem.service.config import Home
from pbem.service.database import Database, open_database, told, using
from pbem.service.rows import is_of_host
from pbem.service.tables import games

BEGUN = "begun"
"""The name of the file that says so; it is empty."""
_SOME = 50
"""So many logs and games are looked at: where none of them is known, all are another's."""


def open_store(home: Home) -> Database:
    """The home's database, up to date. Refused as `open_database`, `host/store-gone`, `host/other-key`."""
    mark = home.path / BEGUN
    begun = mark.exists()
    database = open_database(home.url, home.logs, begun=begun)
    try:
        _check(database, home)
        if not begun:
            # a folder that takes no file keeps nobody from a database that is there
            with suppress(OSError):
                mark.touch(0o600)
                give(mark, home.path)
    except DBAPIError as error:
        database.close()
        raise told(error) from None
    except BaseException:
        database.close()
        raise
    return database


def using_store(home: Home) -> AbstractContextManager[Database]:
    """`open_store` for one piece of work. What the database says no to becomes Refused `host/database`."""
    return using(open_store(home))


def _check(database: Database, home: Home) -> None:
    logs = [path.stem for path in islice(home.logs.glob("*.pbem"), _SOME)]
    some = sa.select(games.c.charter_line).limit(_SOME)
    with database.read() as tx:
        known = tx.execute(sa.select(games.c.id).where(games.c.id.in_(logs)).limit(1)).first()
        charters = tx.execute(some).scalars().all()
    if logs and known is None and _is_another(database, home):
        raise refuse("host/store-gone", place=database.engine.url.database or "", logs=str(home.logs))
    if charters and not any(is_of_host(line, home.key) for line in charters):
        raise refuse("host/other-key")


def _is_another(database: Database, home: Home) -> bool:
    """Whether it knows none of all the games whose logs lie here."""
    with database.read() as tx:
        known = set(tx.execute(sa.select(games.c.id)).scalars())
    return all(path.stem not in known for path in home.logs.glob("*.pbem"))
