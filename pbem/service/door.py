"""The door: mail comes in by SMTP or LMTP, and is acknowledged once it lies in the inbox, committed.

Decides what is let in: addresses that there are, sizes, counts, patience. It never looks into a mail; what is
wrong with its content is answered by letter, to a player. Whatever goes wrong here is answered with a 4xx
that says nothing of ours, so that the sender tries again.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.service.addresses import Place, is_address, is_sender
from pbem.service.config import Config, Endpoint
from pbem.service.database import TROUBLE, is_full
from pbem.service.journal import fault, note, warn
from pbem.service.lmtp import Connection, LmtpConnection
from pbem.service.reception import Answer, Later

NULL_SENDER = ("", "<>")
MOST_RECIPIENTS = 10
CALLS = {"*": 20, "MAIL": 200, "RCPT": 2_000, "DATA": 200, "RSET": 200}
"""How often a connection may use a command; a mail server that sends more opens another one."""

SENDER_OK, RECIPIENT_OK, TAKEN = "250 2.1.0 OK", "250 2.1.5 OK", "250 2.0.0 taken"
LATER, FULL = "451 4.3.0 try again later", "452 4.3.1 try again later"
UNKNOWN, MALFORMED = "550 5.1.1 no such address", "553 5.1.3 not an address that we can use"
NOWHERE = "550 5.6.0 this mail names no game: answer a letter of the game, or send its move file"
DROPPED = "250 2.0.0 dropped: this mail names no game, and is of no player"
"""By LMTP: a refusal would be sent on to whoever stands in the envelope."""
TOO_MUCH = "450 4.7.1 too much mail within an hour: try again after {when}"
TOO_MANY, BUSY = "452 4.5.3 too many recipients", b"421 4.3.2 too many connections, try again later\r\n"


class Steward(Protocol):
    """Whom the door asks, and whom it hands mail to. Both may raise what a database raises."""

    async def admit(self, sender: str, address: str) -> Place | Later | None:
        """The place of an address, None if there is none, or until when this sender has to wait."""
        ...

    async def take_in(
        self, sender: str, places: tuple[Place, ...], raw: bytes, *, accepted: bool = False
    ) -> Sequence[Answer]:
        """Returns when the mail is committed, with an answer for each place; `accepted`: a mail server has it already."""
        ...


class Handler:
    """What aiosmtpd calls. Every answer is one of the constants above."""

    def __init__(self, steward: Steward) -> None:
        self._steward = steward

    async def handle_MAIL(  # noqa: N802 - aiosmtpd names it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """An address, or the null sender of automatic mail."""
        if address not in NULL_SENDER and not is_sender(address):
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
            place = await self._steward.admit(_sender(envelope), address)
            if place is None:
                return UNKNOWN
            if isinstance(place, Later):
                return TOO_MUCH.format(when=place)
            envelope.rcpt_tos.append(address)
            _places(envelope).append(place)
            return RECIPIENT_OK

        return await _guarded("rcpt", judged)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Into the inbox, committed; only then 250."""

        async def taken() -> str:
            content, places = envelope.original_content or b"", tuple(_places(envelope))
            if isinstance(server, LmtpConnection):
                answers = await self._steward.take_in(_sender(envelope), places, content, accepted=True)
                return "\r\n".join(_said_by_lmtp(one) for one in answers)
            answers = await self._steward.take_in(_sender(envelope), places, content)
            # by SMTP all recipients hear one answer: taken, if it was for any of them
            return min(_said(one) for one in answers)

        return await _guarded("data", taken)

    async def handle_exception(self, error: Exception) -> str:
        """What even the guard did not see."""
        fault("door-failed", error, step="smtp")
        return LATER


class Door:
    """Owns the listening sockets and the connections behind them."""

    def __init__(self, config: Config, steward: Steward) -> None:
        self._config = config
        self._handler = Handler(steward)
        self._hostname = config.address.partition("@")[2]
        self._open: set[Connection] = set()
        self._servers: list[asyncio.Server] = []

    async def open(self, host: str, port: int) -> int:
        """Listens for SMTP; gives the port. OSError if that cannot be."""
        return (await self._listen(Endpoint(host, port), Connection)).port

    async def open_lmtp(self, where: Endpoint) -> Endpoint:
        """Listens for LMTP; gives where. OSError if that cannot be."""
        return await self._listen(where, LmtpConnection)

    async def _listen(self, where: Endpoint, kind: type[Connection]) -> Endpoint:
        loop = asyncio.get_running_loop()
        if where.path:
            _remove_socket(where.path)
            server = await loop.create_unix_server(lambda: self._connection(kind), where.path)
            # the mail server runs as another user; what may come in is decided here, not by who connects
            os.chmod(where.path, 0o666)  # noqa: S103
            self._servers.append(server)
            return where
        server = await loop.create_server(lambda: self._connection(kind), where.host, where.port)
        self._servers.append(server)
        return Endpoint(where.host, int(server.sockets[0].getsockname()[1]))

    async def close(self) -> None:
        """Stops listening and drops what is open: a mail not yet acknowledged will be sent again."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()
        for connection in list(self._open):
            if connection.transport is not None:
                connection.transport.close()
        # 3.11 does not wait here, later versions wait for all connections, which are closed by now
        for server in servers:
            await server.wait_closed()

    def _connection(self, kind: type[Connection]) -> asyncio.BaseProtocol:
        if len(self._open) >= self._config.connections:
            warn("door-full", connections=len(self._open))
            return _TurnedAway()
        given: dict[str, Any] = {
            "timeout": self._config.timeout,
            "hostname": self._hostname,
            "ident": "pbem",
            "loop": asyncio.get_running_loop(),
        }
        if kind is LmtpConnection:
            # of one mail server, which may have a queue to empty, no command is too often
            connection: Connection = LmtpConnection(self._handler, max_mail=self._config.max_mail, **given)
        else:
            most = self._config.max_mail
            connection = kind(self._handler, data_size_limit=most, command_call_limit=dict(CALLS), **given)
        connection.leave = self._open.discard
        self._open.add(connection)
        return connection


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
        return FULL if is_full(error) else LATER
    except Exception as error:  # noqa: BLE001 - whatever it is, the mail must be sent again, and nobody told why
        fault("door-failed", error, step=step)
        return LATER


def _remove_socket(path: str) -> None:
    """Takes away the socket that a service before us left; OSError if somebody listens there, later if it is no socket."""
    try:
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            return
        with socket.socket(socket.AF_UNIX) as knock:
            if knock.connect_ex(path) == 0:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE), path)
        os.unlink(path)
    except FileNotFoundError:
        return


def _said(answer: Answer) -> str:
    match answer:
        case "taken":
            return TAKEN
        case "nowhere":
            return NOWHERE
        case Later():
            return TOO_MUCH.format(when=answer)


def _said_by_lmtp(answer: Answer) -> str:
    if answer != "nowhere":
        return _said(answer)
    note("mail-dropped")
    return DROPPED


def _sender(envelope: Envelope) -> str:
    sender = envelope.mail_from or ""
    return "" if sender in NULL_SENDER else sender


def _places(envelope: Any) -> list[Place]:
    """The places of the recipients accepted so far; aiosmtpd makes a new envelope for each mail."""
    found: list[Place] | None = getattr(envelope, "places", None)
    if found is None:
        found = envelope.places = []
    return found
