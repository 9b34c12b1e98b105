"""The two protocols as connections of the door: SMTP as aiosmtpd speaks it, mended, and LMTP.

LMTP owes one reply for each accepted recipient at the end of a mail; aiosmtpd gives one (then the mail server
in front waits for the others, and delivers twice). Here whatever is said after the data is said for each: by the
handler, one line each, or for a fault the same line for all.

Law: by LMTP comes mail that a mail server has accepted already. Whatever is refused then, but for a recipient that
he may ask about before, he sends back to whom the envelope names, which is anybody whom a stranger wrote there. So
nothing else is refused for good here: not a sender, not a length, not a size. Of a mail that is too long the beginning
is kept, so that a player can be told.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from pbem.service.addresses import is_sender
from pbem.turn import mail_parts

LINE = 1 << 16
"""Bytes: a mail server in front may send longer commands and lines than strangers may."""
SYNTAX = {"FROM": "501 5.5.4 Syntax: MAIL FROM:<address>", "TO": "501 5.5.4 Syntax: RCPT TO:<address>"}


def _in_brackets(word: str, arg: str | None) -> bool:
    """`FROM:<…>`: other servers pass on what stands without brackets, or with one of them, in different ways."""
    name, _, rest = (arg or "").partition(":")
    return name.strip().upper() == word and rest.lstrip().startswith("<") and ">" in rest


class Connection(SMTP):
    """Says when it is gone; takes addresses in angle brackets only."""

    leave: Callable[[Connection], None]

    def connection_lost(self, error: Exception | None) -> None:
        try:
            super().connection_lost(error)
        finally:
            self.leave(self)

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd names it so
        """`MAIL FROM:<address>`."""
        if _in_brackets("FROM", arg):
            await super().smtp_MAIL(arg)
        else:
            await self.push(SYNTAX["FROM"])

    async def smtp_RCPT(self, arg: str | None) -> None:  # noqa: N802
        """`RCPT TO:<address>`."""
        if _in_brackets("TO", arg):
            await super().smtp_RCPT(arg)
        else:
            await self.push(SYNTAX["TO"])


class LmtpConnection(Connection, LMTP):
    """LMTP (RFC 2033), which has no size to exceed: of a long mail `most` bytes are kept, one more than is read."""

    line_length_limit = LINE
    command_size_limit = LINE
    _owed = 0

    def __init__(self, handler: object, *, max_mail: int, **settings: Any) -> None:
        super().__init__(handler, data_size_limit=None, enable_SMTPUTF8=True, **settings)
        self.command_size_limits = defaultdict(lambda: LINE)
        self._asked: Any = handler
        self.most = max(max_mail, mail_parts.SIZE) + 1

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802
        """`MAIL FROM:<address>`; one that is no address of ours is as good as none."""
        if await self.check_helo_needed():
            return
        if not _in_brackets("FROM", arg):
            await self.push(SYNTAX["FROM"])
            return
        assert self.envelope is not None
        if self.envelope.mail_from:
            await self.push("503 5.5.1 nested MAIL command")
            return
        sender = str(arg).partition("<")[2].rpartition(">")[0]
        known = sender if is_sender(sender) else "<>"
        await self.push(await self._asked.handle_MAIL(self, self.session, self.envelope, known, []))

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """A mail of any length; what is behind the first `most` bytes is read and forgotten."""
        if await self.check_helo_needed():
            return
        assert self.envelope is not None
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 need RCPT")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        self.envelope.content = self.envelope.original_content = await self._read_mail()
        said = await self._asked.handle_DATA(self, self.session, self.envelope)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        await self.push(said)

    async def _read_mail(self) -> bytes:
        """Up to the line with a dot, without the dots that were put before others."""
        kept, begins = bytearray(), True
        while True:
            try:
                piece: bytes = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as error:
                piece = await self._reader.read(error.consumed)
            if begins and piece == b".\r\n":
                return bytes(kept)
            kept += piece[begins and piece.startswith(b".") :][: max(0, self.most - len(kept))]
            begins = piece.endswith(b"\r\n")

    async def push(self, status: Any) -> None:
        """Says a line; after the data, one for each recipient that was accepted."""
        owed, self._owed = self._owed, 0
        if isinstance(status, str) and status.startswith("354 ") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        elif owed > 1 and isinstance(status, str) and "\n" not in status:
            status = "\r\n".join([status] * owed)
        await super().push(status)
