"""Who works on what, where several processes work on one PostgreSQL: a worker on a game, a sender on a recipient.

Decides nothing but that. A game is taken by locking its row, and only then its oldest mail is read: whoever locks
mails instead plays them out of order. A recipient is taken by an advisory lock, which the database itself lets
go of when the process that held it is gone. SQLite has one writer and one service, and needs none of it.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from pbem.service.database import Database
from pbem.service.inbox import Waiting
from pbem.service.outbox import Waiting as Letter
from pbem.service.prepared import Prepared
from pbem.service.tables import NEW, games, inbox, outbox

GAMES = 4
"""So many games at a time are one worker's: more, and another may find none; fewer, and each asks too often."""
_WAITING = sa.select(*(inbox.c[name] for name in Waiting.__struct_fields__)).where(inbox.c.state == NEW)
_LATER = _WAITING.where(inbox.c.id > sa.bindparam("after")).order_by(inbox.c.id).limit(sa.bindparam("most"))
_OLDEST = Prepared(_LATER)
_OLDEST_OF = _LATER.where(inbox.c.game.in_(sa.bindparam("games", expanding=True)))
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
    """The mail that one transaction may handle, each game's in order. Its games are its own until the commit."""

    def __init__(self, tx: sa.Connection, most: int = GAMES) -> None:
        self._tx = tx
        self._most = most
        self._games: list[str] | None = None
        self._fetched: deque[Waiting] = deque()
        self._after = 0

    def next(self, chunk: int = 1) -> Waiting | None:
        """The oldest mail of the games that are ours and was not given yet; None if there is none left.

        `chunk`: so many may be read at once. After a mail that failed nothing more may be asked for: it comes first again.
        """
        if not self._fetched:
            self._fetched.extend(self._read(chunk))
        if not self._fetched:
            return None
        mail = self._fetched.popleft()
        self._after = mail.id
        return mail

    def _read(self, chunk: int) -> Iterator[Waiting]:
        values: dict[str, Any] = {"after": self._after, "most": chunk}
        if self._tx.dialect.name == "sqlite":
            rows = _OLDEST.rows(self._tx, values)
        else:
            # 1. games with mail, the oldest mail's first, unless somebody else has them
            if self._games is None:
                self._games = list(self._tx.execute(_FREE, {"most": self._most}).scalars())
            # 2. their oldest mail, as it is now that their rows are ours
            values["games"] = self._games
            rows = self._tx.execute(_OLDEST_OF, values).all() if self._games else ()
        return (Waiting(*row) for row in rows)


def lock_game(tx: sa.Connection, game: str) -> bool:
    """The game's row until the commit, as soon as nobody else has it; False if there is no such game."""
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
