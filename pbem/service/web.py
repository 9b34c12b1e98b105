"""The desk page at a web address, for phones whose mail programs run no script in an attachment.

Law: one file, read-only, the same for everybody. `GET /` and `HEAD /` are answered with it and nothing else is; no
request is kept, no cookie is set, nothing of a game can be seen here. HTTP/1.1 without keeping a connection: one
request, one answer, within a few seconds and a few bytes, and so many at a time.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable

from pbem.service import journal
from pbem.service.config import Endpoint

LONGEST = 8 * 1024
"""Bytes of a request's head; no answer needs a body."""
PATIENCE = 20.0
"""Seconds for a whole exchange."""
MOST = 64
"""Exchanges at the same time; who comes then is asked to come again."""
_REQUEST = re.compile(rb"([A-Z]{1,20}) ([!-~]{1,2000}) HTTP/1\.[01]")
_STRICT = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cache-Control", "no-cache"),
)
_MARK = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]*)"')


class Web:
    """Owns the socket. `make` gives the file, which takes a moment and is asked for when the socket is opened."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        self._make = make
        self._page, self._tag = b"", ""
        self._server: asyncio.Server | None = None
        self._open = 0

    async def open(self, at: Endpoint) -> int:
        """Listens; gives the port. OSError if that cannot be."""
        self._page = await asyncio.to_thread(self._make)
        self._tag = f'"{hashlib.sha256(self._page).hexdigest()[:32]}"'
        self._server = await asyncio.start_server(self._answer, at.host, at.port, limit=LONGEST)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stops listening."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            async with asyncio.timeout(PATIENCE):
                answer = self._busy() if self._open > MOST else await self._asked(reader)
                writer.write(answer)
                await writer.drain()
                writer.write_eof()
                await reader.read(LONGEST)  # what is still on its way must not reset the answer
        except (OSError, TimeoutError) as error:
            journal.note("web-unread", error=type(error).__name__)
        finally:
            self._open -= 1
            writer.close()

    async def _asked(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return _plain("400 Bad Request")
        except asyncio.LimitOverrunError:
            return _plain("431 Request Header Fields Too Large")
        return self.answer(head)

    def answer(self, head: bytes) -> bytes:
        """The answer to a request's head, which ends with an empty line."""
        first, *fields = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        asked = _REQUEST.fullmatch(first)
        if asked is None:
            return _plain("400 Bad Request")
        if asked[2].partition(b"?")[0] != b"/":
            return _plain("404 Not Found")
        if asked[1] not in (b"GET", b"HEAD"):
            return _plain("405 Method Not Allowed", ("Allow", "GET, HEAD"))
        known = next((value for name, value in map(_field, fields) if name == b"if-none-match"), b"")
        if self._tag.encode("ascii") in known:
            return _head("304 Not Modified", ("ETag", self._tag), *_STRICT)
        size = ("Content-Length", str(len(self._page)))
        kind = ("Content-Type", "text/html; charset=utf-8")
        answer = _head("200 OK", kind, size, ("ETag", self._tag), *_STRICT, *self._policy())
        return answer + self._page if asked[1] == b"GET" else answer

    def _policy(self) -> tuple[tuple[str, str], ...]:
        """The page's own policy once more, and that nobody may frame it, which a page cannot say of itself."""
        found = _MARK.search(self._page)
        own = found[1].decode("ascii") if found else "default-src 'none'"
        return (("Content-Security-Policy", f"{own}; frame-ancestors 'none'"),)

    def _busy(self) -> bytes:
        return _plain("503 Service Unavailable", ("Retry-After", "10"))


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()


def _plain(status: str, *fields: tuple[str, str]) -> bytes:
    body = f"{status}\n".encode("ascii")
    size = (("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body))))
    return _head(status, *size, *_STRICT, *fields) + body


def _head(status: str, *fields: tuple[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields), "Connection: close"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")
