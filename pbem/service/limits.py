"""How much mail is taken: so many mails an hour from one envelope sender, and to one game.

Decides until when a sender is put off; it is told to him, and his mail server tries again by itself. The counts are
of what lies in the inbox, so that all processes together keep the limits; a process looks there again only after a
quarter of what was left has been used, so what all of them let in may exceed a limit by a little.
"""

from __future__ import annotations

from collections import OrderedDict

import sqlalchemy as sa

from pbem.service.database import Database
from pbem.service.tables import inbox

WINDOW = 3_600
_MOST_KEYS = 10_000


class Gate:
    """Counts for one process. `per_sender` and `per_game` are mails an hour, 0 for no limit."""

    def __init__(self, database: Database, per_sender: int, per_game: int) -> None:
        self._database = database
        self._limits = (per_sender, per_game)
        self._free: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()

    def wait_until(self, sender: str, game: str, now: int) -> int:
        """0 if a mail may come in, else the instant (seconds since 1970) from which one may again."""
        by_sender = self._check("sender", sender, self._limits[0], now) if sender else 0
        by_game = self._check("game", game, self._limits[1], now) if game else 0
        return max(by_sender, by_game)

    def at_hand(self, sender: str, game: str, now: int) -> bool:
        """Whether `wait_until` can say so without a look at the database."""
        asked = (("sender", sender, self._limits[0]), ("game", game, self._limits[1]))
        return all(not limit or not value or self._is_free(kind, value, now) for kind, value, limit in asked)

    def _is_free(self, kind: str, value: str, now: int) -> bool:
        free, at = self._free.get((kind, value), (0, 0))
        return free > 0 and now - at < WINDOW // 4

    def _check(self, kind: str, value: str, limit: int, now: int) -> int:
        if not limit:
            return 0
        free, at = self._free.pop((kind, value), (0, 0))
        if free <= 0 or now - at >= WINDOW // 4:
            used, oldest = self._used(kind, value, limit, now)
            if used >= limit:
                return oldest + WINDOW
            free, at = max(1, (limit - used) // 4), now
        self._free[kind, value] = (free - 1, at)
        if len(self._free) > _MOST_KEYS:
            self._free.popitem(last=False)
        return 0

    def _used(self, kind: str, value: str, limit: int, now: int) -> tuple[int, int]:
        """How many of the last `limit` mails came within the window, and when the first of them did."""
        column = inbox.c.sender if kind == "sender" else inbox.c.game
        newest = (
            sa.select(inbox.c.received)
            .where(column == value, inbox.c.received > now - WINDOW)
            .order_by(inbox.c.received.desc())
            .limit(limit)
            .subquery()
        )
        with self._database.read() as tx:
            row = tx.execute(
                sa.select(sa.func.count(), sa.func.min(newest.c.received)).select_from(newest)
            ).one()
        return row[0], row[1] or now
