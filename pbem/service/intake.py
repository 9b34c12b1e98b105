"""The intake: mails that come in at the same moment share one commit.

Decides nothing about a mail. Whoever hands one in hears that it is committed, or what the database said to it; a
mail that cannot be written keeps no other from it. A database that is away says so to all of them at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pbem.service import inbox, probes
from pbem.service.database import TROUBLE, Database, is_full
from pbem.service.inbox import Arrival

MOST = 64
PAUSE = 0.005
"""Seconds that a crowd is waited for: those who were answered together hand in their next mails together."""
Run = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs what blocks, away from the event loop."""


class Intake:
    """Owns the mails that are not committed yet. For one event loop."""

    def __init__(self, database: Database, run: Run) -> None:
        self._database = database
        self._run = run
        self._waiting: deque[tuple[Arrival, asyncio.Future[None]]] = deque()
        self._flushing: asyncio.Task[None] | None = None
        self._crowded = False

    async def put(self, mail: Arrival) -> None:
        """Returns when the mail is committed; raises what the database raised."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((mail, done))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        await done

    async def _flush(self) -> None:
        while self._waiting:
            if self._crowded:
                await asyncio.sleep(PAUSE)
            batch = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
            self._crowded = len(batch) > 1
            if not await self._together(batch):
                for one in batch:
                    await self._alone(*one)

    async def _together(self, batch: Sequence[tuple[Arrival, asyncio.Future[None]]]) -> bool:
        """False if each is to be tried by itself."""
        if len(batch) == 1:
            return False
        said: Exception | None = None
        try:
            await self._run(lambda: self._insert([mail for mail, _ in batch]))
        except TROUBLE as error:
            # a lock may take half a minute to say no, and one after the other they would wait for hours
            if is_full(error):
                return False
            said = error
        except Exception:  # noqa: BLE001 - one of them is at fault; each is tried by itself, and hears what it raised
            return False
        for _, done in batch:
            _tell(done, said)
        return True

    async def _alone(self, mail: Arrival, done: asyncio.Future[None]) -> None:
        try:
            await self._run(lambda: self._insert([mail]))
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who waits must hear it
            _tell(done, error)
        else:
            _tell(done, None)

    def _insert(self, mails: Sequence[Arrival]) -> None:
        with self._database.write() as tx:
            for mail in mails:
                inbox.take_in(tx, probes.take_out(tx, mail))


def _tell(done: asyncio.Future[None], error: Exception | None) -> None:
    """Who hung up meanwhile is not told; his mail may be in all the same, and will come again."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
