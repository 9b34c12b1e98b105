"""Who works on what, where several processes work on one PostgreSQL: a worker on a game, a sender on a recipient.

Decides nothing but that. A game is taken by locking its row, and only then its oldest mail is read: whoever locks
mails instead plays them out of order. A recipient is taken by an advisory lock, which the database itself lets
go of when the process that held it is gone. SQLite has one writer and one service, and needs none of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from pbem.service import store
from pbem.service.database import Database
from pbem.service.inbox import Waiting
from pbem.service.outbox import Waiting as Letter
from pbem.service.plain import Sheet
from pbem.service.prepared import Prepared
from pbem.service.tables import NEW, games, inbox, outbox, people

GAMES = 4
"""So many games at a time are one worker's: more, and another may find none; fewer, and each asks too often."""
AHEAD = 4
"""Of so many waiting mails for each one wanted it is looked whose game is next: most games have one mail waiting."""
_waiting = (
    sa.select(inbox.c.id, inbox.c.game)
    .where(inbox.c.state == NEW)
    .order_by(inbox.c.id)
    .limit(sa.bindparam("ahead"))
)
_MAIL = tuple(inbox.c[name] for name in Waiting.__struct_fields__)


def _sheets(waiting: Any) -> Any:
    """The oldest waiting mail of each game with the game's row, a row each of its people; the oldest mail first."""
    among = waiting.subquery()
    first = sa.select(sa.func.min(among.c.id).label("id")).group_by(among.c.game).subquery()
    oldest = sa.select(first.c.id).order_by(first.c.id).limit(sa.bindparam("most"))
    return (
        sa.select(*_MAIL, *store.OPENED)
        .join(games, games.c.id == inbox.c.game)
        .join(people, people.c.game == games.c.id)
        .where(inbox.c.id.in_(oldest))
        .order_by(inbox.c.id)
    )


_OLDEST = Prepared(_sheets(_waiting))
_NOT_OF = _sheets(_waiting.where(inbox.c.game.not_in(sa.bindparam("games", expanding=True))))
_OLDEST_OF = _sheets(_waiting.where(inbox.c.game.in_(sa.bindparam("games", expanding=True))))
_first = (
    sa.select(inbox.c.game, sa.func.min(inbox.c.id).label("id"))
    .where(inbox.c.state == NEW)
    .group_by(inbox.c.game)
    .subquery()
)
# mail may still come in, whose row points at the game's: that a plain FOR UPDATE would forbid
_FREE = (
    sa.select(games.c.id)
    .join(_first, _first.c.game == games.c.id)
    .order_by(_first.c.id)
    .limit(sa.bindparam("most"))
    .with_for_update(key_share=True, skip_locked=True, of=games)
)


class Queue:
    """The mail that one transaction may handle, each game's in order. On PostgreSQL nobody else has its games."""

    def __init__(self, tx: sa.Connection, most: int = GAMES) -> None:
        self._tx = tx
        self._most = most
        self._games: list[str] | None = None

    def sheets(self, most: int, busy: Collection[str] = ()) -> list[Sheet]:
        """The oldest mail of each game that is ours, with the game; the oldest first, at most so many.

        `busy`: games that are left out, because a mail of theirs is being judged.
        """
        values: dict[str, Any] = {"most": most, "ahead": most * AHEAD}
        if self._tx.dialect.name != "sqlite":
            # 1. games with mail, the oldest mail's first, unless somebody else has them
            if self._games is None:
                self._games = list(self._tx.execute(_FREE, {"most": self._most}).scalars())
            # 2. their oldest mail, as it is now that their rows are ours
            if not self._games:
                return []
            found: Sequence[Any] = self._tx.execute(_OLDEST_OF, {**values, "games": self._games}).all()
        elif busy:
            found = self._tx.execute(_NOT_OF, {**values, "games": sorted(busy)}).all()
        else:
            found = _OLDEST.rows(self._tx, values)
        of_mail = groupby(found, key=lambda row: row[0])
        return [_sheet([tuple(row) for row in rows]) for _, rows in of_mail]


def _sheet(rows: Sequence[tuple[Any, ...]]) -> Sheet:
    width = len(_MAIL)
    return Sheet(Waiting(*rows[0][:width]), tuple(row[width:] for row in rows))


def lock_game(tx: sa.Connection, game: str) -> bool:
    """The game's row until the commit, as soon as nobody else has it; False if there is no such game.

    On SQLite nobody else writes, but a mail may have been judged beforehand: it is judged anew, for the game is another.
    """
    if tx.dialect.name == "sqlite":
        ours = games.update().where(games.c.id == game)
        return tx.execute(ours.values(revision=games.c.revision + 1)).rowcount > 0
    row = sa.select(games.c.id).where(games.c.id == game)
    return tx.execute(row.with_for_update(key_share=True)).first() is not None


class Recipients:
    """The recipients to whom this process alone sends, from `take` to `leave`. Owns a connection of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: sa.Connection | None = None

    def take(self, letter: Letter) -> bool:
        """True if nobody else is sending to him, and the letter still waits now that nobody can."""
        if self._database.is_sqlite:
            return True
        if not self._call(sa.select(sa.func.pg_try_advisory_lock(_key(letter.recipient)))):
            return False
        if self._call(sa.select(outbox.c.state).where(outbox.c.id == letter.id)) == NEW:
            return True
        self.leave(letter)
        return False

    def leave(self, letter: Letter) -> None:
        """Others may send to him again."""
        if not self._database.is_sqlite:
            self._call(sa.select(sa.func.pg_advisory_unlock(_key(letter.recipient))))

    def close(self) -> None:
        """Leaves everybody."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _call(self, asked: sa.Select[Any]) -> Any:
        if self._connection is None:
            engine = self._database.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._connection = engine.connect()
        try:
            return self._connection.execute(asked).scalar()
        except DBAPIError:
            # the locks went with the connection
            self.close()
            raise


def _key(recipient: str) -> int:
    """64 bits of the recipient's digest, signed, as the database wants them."""
    return int.from_bytes(hashlib.sha256(f"pbem/{recipient}".encode()).digest()[:8], "big", signed=True)
