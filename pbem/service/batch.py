"""What several mails brought, kept back and written together: a statement costs more than the row that it writes.

Decides nothing of what is written. Law: either all of it is written or, by raising, nothing, for whoever raises out of
`flush` gives up the transaction. What is kept back cannot be read, so whoever needs it, or writes to the same game in
another way, calls `flush` first.
"""

from __future__ import annotations

import sqlalchemy as sa

from pbem.service import inbox, outbox, store
from pbem.service.plain import Rows
from pbem.service.store import Overtaken


class Batch:
    """Owns what is not written yet. For one transaction."""

    def __init__(self, tx: sa.Connection) -> None:
        self._tx = tx
        self._waiting: dict[str, Rows] = {}

    def put(self, game: str, rows: Rows) -> None:
        """To be written with the next `flush`; nothing may be kept back of the same game."""
        if game in self._waiting:
            raise RuntimeError("two changes of one game kept back")
        self._waiting[game] = rows

    def holds(self, game: str) -> bool:
        """Whether there is something of this game that is not written."""
        return game in self._waiting

    def flush(self) -> None:
        """Writes everything. Raises Overtaken if a game or a mail is not any more what it was when it was read."""
        waiting = list(self._waiting.values())
        if not waiting:
            return
        self._waiting = {}
        # 1. the games, if they are still as they were when they were judged
        if store.CHANGE.run_all(self._tx, [one.game for one in waiting]) != len(waiting):
            raise Overtaken
        # 2. records with what is kept sealed of them, and letters, rendered
        store.RECORD.run_all(self._tx, [row for one in waiting for row in one.records])
        outbox.INSERT.run_all(self._tx, [row for one in waiting for row in one.letters])
        # 3. the mails are done with
        if not inbox.all_done(self._tx, [(one.mail, one.outcome) for one in waiting]):
            raise Overtaken
