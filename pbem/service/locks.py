"""Who works on what, where several processes work on one PostgreSQL: a worker on a game, a sender on a recipient.

Decides nothing but that. A game is taken by locking its row, and only then its oldest mail is read: whoever locks
mails instead plays them out of order. A recipient is taken by an advisory lock, which the database itself lets
go of when the process that held it is gone. SQLite has one writer and one service, and needs none of it.
"""

from __future__ import annotations

import hashlib
from typing import Any

import sqlalchemy as sa

from pbem.service.database import Database
from pbem.service.inbox import Waiting
from pbem.service.outbox import Waiting as Letter
from pbem.service.tables import NEW, games, inbox, outbox

_WAITING = sa.select(*(inbox.c[name] for name in Waiting.__struct_fields__)).where(inbox.c.state == NEW)
_OLDEST = _WAITING.order_by(inbox.c.id).limit(1)
_OLDEST_OF = _WAITING.where(inbox.c.game == sa.bindparam("game")).order_by(inbox.c.id).limit(1)


def next_mail(tx: sa.Connection) -> Waiting | None:
    """The oldest waiting mail of the first game that no other worker has; its game is ours until the commit."""
    if tx.dialect.name == "sqlite":
        return _oldest(tx)
    taken: list[str] = []
    while True:
        # 1. a game with mail, that of the oldest mail first
        wanted = sa.select(inbox.c.game).where(inbox.c.state == NEW, inbox.c.game.not_in(taken))
        game = tx.execute(wanted.order_by(inbox.c.id).limit(1)).scalar()
        if game is None:
            return None
        # 2. its row, unless somebody else has it; mail may still come in, which a plain FOR UPDATE would forbid
        if lock_game(tx, game, wait=False):
            # 3. its oldest mail, as it is now that the row is ours
            mail = _oldest(tx, game)
            if mail is not None:
                return mail
        taken.append(game)


def lock_game(tx: sa.Connection, game: str, *, wait: bool = True) -> bool:
    """The game's row until the commit; False if it is another's (or there is no such game)."""
    row = sa.select(games.c.id).where(games.c.id == game)
    return tx.execute(row.with_for_update(key_share=True, skip_locked=not wait)).first() is not None


def _oldest(tx: sa.Connection, game: str = "") -> Waiting | None:
    row = (tx.execute(_OLDEST_OF, {"game": game}) if game else tx.execute(_OLDEST)).first()
    return None if row is None else Waiting(*row)


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
        except sa.exc.DBAPIError:
            # the locks went with the connection
            self.close()
            raise


def _key(recipient: str) -> int:
    """64 bits of the recipient's digest, signed, as the database wants them."""
    return int.from_bytes(hashlib.sha256(f"pbem/{recipient}".encode()).digest()[:8], "big", signed=True)
