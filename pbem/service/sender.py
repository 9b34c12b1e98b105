"""The sender: letters from the outbox to a mail server, until it has taken them.

Decides whom to try when, and what an answer means: 2xx is sent, 5xx is never, anything else is later. A mail
server that cannot be reached, or will not have us, is left alone for a while, and no letter's patience suffers for
it but by age. After an outage the letters that have waited go out at a measured pace.

Law: what a mail server has said to a letter is written down before the next letter is tried, however long that takes:
while nothing can be written, no letter is sent again and again. A letter that brings out a fault of ours holds up none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import aiosmtplib
import msgspec
import sqlalchemy as sa

from pbem.service import bounces, notices, outbox
from pbem.service.addresses import Returns
from pbem.service.artist import Dress
from pbem.service.clock import Clock
from pbem.service.config import Endpoint
from pbem.service.database import TROUBLE, Database
from pbem.service.journal import fault, note, warn
from pbem.service.locks import Recipients
from pbem.service.notices import Notices
from pbem.service.outbox import Waiting
from pbem.service.pace import FRESH, Pace
from pbem.service.submission import Submission, connect

T = TypeVar("T")
Route = Callable[[str], Endpoint]
"""Recipient → the mail server that takes letters to him."""
Run = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs what blocks, away from the event loop."""

BATCH = 100
TOO_LARGE = 552
"""Said to the sender's name, with the size of the letter: it is about the letter all the same."""
Write = Callable[[sa.Connection], Any]


class Outcome(msgspec.Struct, frozen=True):
    """How to write down what became of a letter, and how to do so without telling anybody, should that bring out a fault."""

    write: Write
    plain: Write


class Postmark(msgspec.Struct, frozen=True):
    """What a sender needs to know beside the letters: return addresses, who is told of trouble, how to submit.

    `dress` gives letters the look that they are to have; None: they go out as they were written.
    """

    returns: Returns
    told: Notices
    submission: Submission
    pace: int = 0
    dress: Dress | None = None


class Sender:
    """Owns the connections to mail servers. One `send_due` at a time."""

    def __init__(self, database: Database, mark: Postmark, clock: Clock, run: Run) -> None:
        self._database = database
        self._mark = mark
        self._clock = clock
        self._run = run
        self._pace = Pace(mark.pace)
        self._recipients = Recipients(database)
        self._connections: dict[Endpoint, aiosmtplib.SMTP] = {}
        self._failures: dict[Endpoint, tuple[int, int]] = {}
        self._owed: list[Outcome] = []

    async def send_due(self, route: Route) -> int:
        """Tries every letter whose turn it is, once; gives how many were tried."""
        for owed in list(self._owed):
            await self._settle(owed)
        letters: list[Waiting] = await self._run(self._due)
        now, tried = self._clock(), 0
        fresh = [letter for letter in letters if now - letter.created <= FRESH]
        # of a backlog no more than a few seconds' worth, so that fresh letters need not wait for all of it
        waited = [letter for letter in letters if now - letter.created > FRESH][: self._pace.burst]
        for letter in (*fresh, *waited):
            server = route(letter.recipient)
            if self._failures.get(server, (0, 0))[1] > self._clock():
                continue
            if not await self._run(partial(self._recipients.take, letter)):
                continue
            try:
                if now - letter.created > FRESH:
                    await asyncio.sleep(self._pace.take())
                await self._guarded(server, letter)
            finally:
                await self._run(partial(self._recipients.leave, letter))
            tried += 1
        return tried

    async def close(self) -> None:
        """Takes leave of the mail servers, and of the recipients."""
        await self._run(self._recipients.close)
        for server in list(self._connections):
            await self._hang_up(server)

    async def _guarded(self, server: Endpoint, letter: Waiting) -> None:
        """A fault of ours that one letter brings out is that letter's, which is put off like any other."""
        try:
            await self._send(server, letter)
        except TROUBLE:
            raise
        except Exception as error:
            if self._owed:
                raise
            fault("letter-fault", error, letter=_name(letter))
            await self._note(_put_off(letter, type(error).__name__, self._clock()))

    async def _send(self, server: Endpoint, letter: Waiting) -> None:
        used = server in self._connections
        try:
            connection = await self._connected(server)
        except (aiosmtplib.SMTPException, OSError) as error:
            await self._unreachable(server, letter, error)
            return
        raw: bytes = await self._run(partial(self._ready, letter))
        try:
            await connection.sendmail(self._mark.returns.of(letter.id), [letter.recipient], raw)
        except aiosmtplib.SMTPRecipientsRefused as refused:
            first = refused.recipients[0]
            await self._answered(
                letter, first.code, first.message, at_fault=bounces.is_at_fault(first.message)
            )
        except aiosmtplib.SMTPSenderRefused as refused:
            if refused.code == TOO_LARGE:
                await self._answered(letter, refused.code, refused.message)
                return
            # the server will not have us; that says nothing about this letter
            await self._hang_up(server)
            await self._unreachable(server, letter, refused)
        except aiosmtplib.SMTPResponseException as refused:
            await self._answered(letter, refused.code, refused.message)
        except (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPTimeoutError, OSError) as error:
            self._connections.pop(server).close()
            # mail servers close connections that were idle: once more, on a new one
            if used:
                await self._send(server, letter)
            else:
                await self._put_off(letter, type(error).__name__)
        except (aiosmtplib.SMTPException, ValueError) as error:
            await self._give_up(letter, type(error).__name__)
        else:
            await self._note(partial(outbox.sent, letter=letter.id))
            note("letter-sent", letter=_name(letter), attempt=letter.attempts + 1)

    async def _connected(self, server: Endpoint) -> aiosmtplib.SMTP:
        known = self._connections.pop(server, None)
        if known is None or not known.is_connected:
            known = await connect(server, self._mark.submission)
        self._connections[server] = known
        self._failures.pop(server, None)
        return known

    async def _answered(self, letter: Waiting, code: int, said: str, *, at_fault: bool = False) -> None:
        """The mail server does not take this letter: never, or not yet; `at_fault` counts against the address.

        A refusal by its policy is not for good: a relay that was set up wrongly would have lost every letter.
        """
        if 500 <= code < 600 and not bounces.is_policy(said):
            await self._give_up(letter, str(code), strike=at_fault)
            return
        await self._put_off(letter, str(code))

    async def _put_off(self, letter: Waiting, error: str) -> None:
        now = self._clock()
        plain = _put_off(letter, error, now)
        kept = await self._note(partial(self._later, letter=letter, error=error, now=now), plain)
        tell = note if kept else warn
        tell("letter-delayed" if kept else "letter-failed", letter=_name(letter), error=error)

    async def _give_up(self, letter: Waiting, error: str, *, strike: bool = False) -> None:
        plain = partial(outbox.give_up, letter=letter.id, error=error)
        await self._note(partial(self._never, letter=letter, error=error, strike=strike), plain)
        warn("letter-failed", letter=_name(letter), error=error)

    async def _note(self, write: Write, plain: Write | None = None) -> Any:
        """Writes down what became of a letter. What the database does not take now is owed to it."""
        self._owed.append(Outcome(write, plain or write))
        return await self._settle(self._owed[-1])

    async def _settle(self, owed: Outcome) -> Any:
        try:
            written = await self._run(partial(self._write, owed.write))
        except TROUBLE:
            raise
        except Exception as error:
            if owed.plain is owed.write:
                raise
            fault("letter-fault", error)
            written = await self._run(partial(self._write, owed.plain))
        self._owed.remove(owed)
        return written

    def _later(self, tx: sa.Connection, letter: Waiting, error: str, now: int) -> bool:
        kept = outbox.put_off(tx, letter, error, now)
        if not kept:
            notices.letter_failed(tx, self._mark.told, letter, error, now)
        return kept

    def _never(self, tx: sa.Connection, letter: Waiting, error: str, *, strike: bool) -> None:
        now = self._clock()
        outbox.give_up(tx, letter.id, error)
        notices.letter_failed(tx, self._mark.told, letter, error, now)
        if strike:
            bounces.strike(tx, letter.id, error, self._mark.told, now)

    async def _unreachable(self, server: Endpoint, letter: Waiting, error: Exception) -> None:
        """Not the letter's fault: the server is left alone for a while; the letter is given up only for its age."""
        count = self._failures.get(server, (0, 0))[0] + 1
        now = self._clock()
        self._failures[server] = (count, now + outbox.delay(count))
        warn("relay-unreachable", failures=count, error=type(error).__name__)
        if now - letter.created > outbox.PATIENCE:
            await self._give_up(letter, type(error).__name__)

    async def _hang_up(self, server: Endpoint) -> None:
        connection = self._connections.pop(server)
        try:
            await connection.quit(timeout=1)
        except (aiosmtplib.SMTPException, OSError):
            connection.close()

    def _due(self) -> list[Waiting]:
        with self._database.read() as tx:
            return outbox.due(tx, self._clock(), BATCH)

    def _ready(self, letter: Waiting) -> bytes:
        """The letter's bytes as they go out. A look that it is to get is made once, and kept before it is sent."""
        with self._database.read() as tx:
            raw, look = outbox.load_raw(tx, letter.id)
        if not look or self._mark.dress is None:
            return raw
        dressed = self._mark.dress(raw, look)
        self._write(lambda tx: outbox.keep_look(tx, letter.id, dressed))
        return dressed

    def _write(self, work: Callable[[sa.Connection], T]) -> T:
        with self._database.write() as tx:
            return work(tx)


def _put_off(letter: Waiting, error: str, now: int) -> Write:
    return partial(outbox.put_off, letter=letter, error=error, now=now)


def _name(letter: Waiting) -> str:
    """The part of the Message-ID before the @: game, turn, seat, number."""
    return letter.message_id.partition("@")[0]
