"""The door: mail comes in by SMTP, and is acknowledged once it lies in the inbox, committed.

Decides what is let in: addresses that there are, sizes, counts, patience. It never looks into a mail; what is
wrong with its content is answered by letter, to a player. Whatever goes wrong here is answered with a 4xx
that says nothing of ours, so that the sender tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.service.addresses import Place, is_address
from pbem.service.config import Config
from pbem.service.database import TROUBLE
from pbem.service.journal import fault, warn

NULL_SENDER = ("", "<>")
MOST_RECIPIENTS = 10
CALLS = {"*": 20, "MAIL": 200, "RCPT": 2_000, "DATA": 200, "RSET": 200}
"""How often a connection may use a command; a mail server that sends more opens another one."""

SENDER_OK, RECIPIENT_OK, TAKEN = "250 2.1.0 OK", "250 2.1.5 OK", "250 2.0.0 taken"
LATER, FULL = "451 4.3.0 try again later", "452 4.3.1 try again later"
UNKNOWN, MALFORMED = "550 5.1.1 no such address", "553 5.1.3 not an address that we can use"
TOO_MANY, BUSY = "452 4.5.3 too many recipients", b"421 4.3.2 too many connections, try again later\r\n"
_FULL = ("disk is full", "No space left")
"""What SQLite and PostgreSQL say of a full disk."""


class Steward(Protocol):
    """Whom the door asks, and whom it hands mail to. Both may raise what a database raises."""

    async def find(self, address: str) -> Place | None:
        """The place of an address, None if there is none."""
        ...

    async def take_in(self, sender: str, places: tuple[Place, ...], raw: bytes) -> None:
        """Returns when the mail is committed."""
        ...


class Handler:
    """What aiosmtpd calls. Every answer is one of the constants above."""

    def __init__(self, steward: Steward) -> None:
        self._steward = steward

    async def handle_MAIL(  # noqa: N802 - aiosmtpd names it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """An address, or the null sender of automatic mail."""
        if address not in NULL_SENDER and not is_address(address):
            return MALFORMED
        envelope.mail_from = address
        return SENDER_OK

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Only addresses that there are, and not too many."""

        async def judged() -> str:
            if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
                return TOO_MANY
            if not is_address(address):
                return MALFORMED
            place = await self._steward.find(address)
            if place is None:
                return UNKNOWN
            envelope.rcpt_tos.append(address)
            _places(envelope).append(place)
            return RECIPIENT_OK

        return await _guarded("rcpt", judged)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Into the inbox, committed; only then 250."""

        async def taken() -> str:
            sender = envelope.mail_from or ""
            content = envelope.original_content or b""
            places = tuple(_places(envelope))
            await self._steward.take_in("" if sender in NULL_SENDER else sender, places, content)
            return TAKEN

        return await _guarded("data", taken)

    async def handle_exception(self, error: Exception) -> str:
        """What even the guard did not see."""
        fault("door-failed", error, step="smtp")
        return LATER


class Door:
    """Owns the listening socket and the connections behind it."""

    def __init__(self, config: Config, steward: Steward) -> None:
        self._config = config
        self._handler = Handler(steward)
        self._hostname = config.address.partition("@")[2]
        self._open: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listens; gives the port. OSError if that cannot be."""
        self._server = await asyncio.get_running_loop().create_server(self._connection, host, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stops listening and drops what is open: a mail not yet acknowledged will be sent again."""
        if self._server is None:
            return
        self._server.close()
        for connection in list(self._open):
            if connection.transport is not None:
                connection.transport.close()
        # 3.11 does not wait here, later versions wait for all connections, which are closed by now
        await self._server.wait_closed()
        self._server = None

    def _connection(self) -> asyncio.BaseProtocol:
        if len(self._open) >= self._config.connections:
            warn("door-full", connections=len(self._open))
            return _TurnedAway()
        connection = _Connection(
            self._handler,
            data_size_limit=self._config.max_mail,
            timeout=self._config.timeout,
            hostname=self._hostname,
            ident="pbem",
            command_call_limit=dict(CALLS),
            loop=asyncio.get_running_loop(),
        )
        connection.leave = self._open.discard
        self._open.add(connection)
        return connection


class _Connection(SMTP):
    """aiosmtpd's protocol, which says when it is gone."""

    leave: Callable[[_Connection], None]

    def connection_lost(self, error: Exception | None) -> None:
        try:
            super().connection_lost(error)
        finally:
            self.leave(self)


class _TurnedAway(asyncio.Protocol):
    """A connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(BUSY)
        transport.close()


async def _guarded(step: str, work: Callable[[], Awaitable[str]]) -> str:
    """No exception reaches the peer, and none closes the door."""
    try:
        return await work()
    except TROUBLE as error:
        fault("store-trouble", error, step=step)
        return FULL if any(word in str(error.orig) for word in _FULL) else LATER
    except Exception as error:  # noqa: BLE001 - whatever it is, the mail must be sent again, and nobody told why
        fault("door-failed", error, step=step)
        return LATER


def _places(envelope: Any) -> list[Place]:
    """The places of the recipients accepted so far; aiosmtpd makes a new envelope for each mail."""
    found: list[Place] | None = getattr(envelope, "places", None)
    if found is None:
        found = envelope.places = []
    return found
