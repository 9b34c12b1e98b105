"""The two protocols as connections of the door: SMTP as aiosmtpd speaks it, mended, and LMTP.

LMTP owes one reply for each accepted recipient at the end of a mail; aiosmtpd gives one (then the mail server
in front waits for the others, and delivers twice). Here whatever is said after the data is said for each: by the
handler, one line each, or by aiosmtpd itself (too long, a fault), the same line for all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

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
    """LMTP (RFC 2033)."""

    _owed = 0

    async def push(self, status: Any) -> None:
        """Says a line; after the data, one for each recipient that was accepted."""
        owed, self._owed = self._owed, 0
        if isinstance(status, str) and status.startswith("354 ") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        elif owed > 1 and isinstance(status, str) and "\n" not in status:
            status = "\r\n".join([status] * owed)
        await super().push(status)
