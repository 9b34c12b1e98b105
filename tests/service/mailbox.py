"""A mailbox that receives by real SMTP, and the mails that players send; nothing of the service is used here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import aiosmtplib
from aiosmtpd.smtp import SMTP

from pbem.service.config import Endpoint


@dataclass
class Post:
    """A mail as it was received."""

    sender: str
    to: str
    raw: bytes

    @cached_property
    def message_id(self) -> str:
        return self.header("message-id")

    @cached_property
    def subject(self) -> str:
        return self.header("subject")

    def header(self, name: str) -> str:
        head = self.raw.partition(b"\r\n\r\n")[0].decode("ascii").replace("\r\n ", " ")
        rows = dict(line.split(": ", 1) for line in head.split("\r\n"))
        return next((value for key, value in rows.items() if key.lower() == name), "")


@dataclass
class Mailbox:
    """Receives for everybody. `answers` are given, one a mail, before it begins to accept."""

    posts: list[Post] = field(default_factory=list[Post])
    answers: list[str] = field(default_factory=list[str])
    tried: int = 0

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names it so
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        self.tried += 1
        if self.answers and self.answers[0].startswith("rcpt "):
            return self.answers.pop(0).removeprefix("rcpt ")
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else ""
        if answer == "drop":
            server.transport.abort()
            return "451 gone"
        if answer:
            return answer
        self.posts += [Post(envelope.mail_from, to, envelope.content) for to in envelope.rcpt_tos]
        return "250 OK"

    def to(self, address: str) -> list[Post]:
        """What one address has received, in order."""
        return [post for post in self.posts if post.to == address]


@asynccontextmanager
async def open_mailbox(mailbox: Mailbox, port: int = 0, size: int = 1 << 25) -> AsyncGenerator[Endpoint]:
    """A mail server on loopback whose only user is the mailbox, and which takes mails of so many bytes."""
    loop = asyncio.get_running_loop()
    transports: list[asyncio.BaseTransport] = []

    class Session(SMTP):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            transports.append(transport)
            super().connection_made(transport)

    server = await loop.create_server(
        lambda: Session(mailbox, hostname="mailbox.example.org", loop=loop, data_size_limit=size),
        "127.0.0.1",
        port,
    )
    try:
        yield Endpoint("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for transport in transports:
            transport.close()
        await server.wait_closed()
        await asyncio.sleep(0)


async def send(server: Endpoint, sender: str, recipients: Sequence[str], raw: bytes) -> None:
    """One mail handed over; raises what the server answers."""
    client = aiosmtplib.SMTP(hostname=server.host, port=server.port, start_tls=False, timeout=60)
    async with client:
        await client.sendmail(sender, list(recipients), raw)


async def talk(server: Endpoint, *lines: bytes) -> list[str]:
    """Raw lines said to a server; the first line of each answer, the greeting included."""
    reader, writer = await asyncio.open_connection(server.host, server.port)
    answers = [await _answer(reader)]
    for line in lines:
        writer.write(line + b"\r\n")
        await writer.drain()
        answers.append(await _answer(reader))
    writer.close()
    await writer.wait_closed()
    return answers


async def _answer(reader: asyncio.StreamReader) -> str:
    line = first = await asyncio.wait_for(reader.readline(), 20)
    while line[3:4] == b"-":
        line = await asyncio.wait_for(reader.readline(), 20)
    return first.decode("ascii").strip()


def written(sender: str, to: str, body: bytes, *headers: str) -> bytes:
    """A mail as a mail program writes it; the body is text."""
    head = "\r\n".join(
        [f"From: {sender}", f"To: {to}", "Subject: my move", "Message-ID: <m1@mail.example.org>", *headers]
    )
    text = b"\r\n".join(body.split(b"\n"))
    return head.encode("ascii") + b"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text
