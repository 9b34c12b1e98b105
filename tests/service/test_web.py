"""The desk page at a web address: one file, and a clear answer to every other request, however bad."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.service import web
from pbem.service.config import Endpoint
from pbem.service.web import LONGEST, Web
from pbem.turn.desk_file import desk_file

HERE = Endpoint("127.0.0.1", 0)


def page() -> bytes:
    """Made when a test asks for it, not while tests are collected."""
    return desk_file().data


def talk(work: Callable[[int], Awaitable[None]]) -> None:
    """Runs something against an open socket."""

    async def whole() -> None:
        served = Web(page)
        port = await served.open(HERE)
        try:
            await work(port)
        finally:
            await served.close()

    asyncio.run(whole())


async def ask(port: int, request: bytes, *, end: bool = False) -> bytes:
    reader, writer = await asyncio.open_connection(HERE.host, port)
    writer.write(request)
    if end:
        writer.write_eof()
    answer = await reader.read()
    writer.close()
    return answer


def parts(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, fields in lower case, body; the body has the length that was promised."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rows = head.decode("ascii").split("\r\n")
    fields = {name.lower(): value for name, _, value in (row.partition(": ") for row in rows)}
    assert len(fields) == len(rows)
    return int(first.split()[1]), fields, body


def test_the_page_is_there_and_nothing_else() -> None:
    async def work(port: int) -> None:
        status, fields, body = parts(await ask(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        assert (status, body) == (200, page())
        assert fields["content-length"] == str(len(page()))
        assert fields["content-type"] == "text/html; charset=utf-8"
        assert fields["x-content-type-options"] == "nosniff"
        assert fields["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in fields
        assert "server" not in fields
        own = re.search(rb'Content-Security-Policy" content="([^"]*)"', page())
        assert own
        assert fields["content-security-policy"] == f"{own[1].decode()}; frame-ancestors 'none'"
        assert "default-src 'none'" in fields["content-security-policy"]
        again = f"GET /?from=mail HTTP/1.1\r\nIf-None-Match: {fields['etag']}\r\n\r\n".encode()
        assert parts(await ask(port, again))[0] == 304
        status, fields, body = parts(await ask(port, b"HEAD / HTTP/1.0\r\n\r\n"))
        assert (status, body, fields["content-length"]) == (200, b"", str(len(page())))

    talk(work)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /favicon.ico HTTP/1.1\r\n\r\n", 404),
        (b"GET //etc/passwd HTTP/1.1\r\n\r\n", 404),
        (b"GET /../x HTTP/1.1\r\n\r\n", 404),
        (b"GET http://x/ HTTP/1.1\r\n\r\n", 404),
        (b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 405),
        (b"PUT / HTTP/1.1\r\n\r\n", 405),
        (b"OPTIONS / HTTP/1.1\r\n\r\n", 405),
        (b"OPTIONS * HTTP/1.1\r\n\r\n", 404),
        (b"CONNECT x:1 HTTP/1.1\r\n\r\n", 404),
        (b"get / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1 \r\n\r\n", 400),
        (b"GET  / HTTP/1.1\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
        (b"GET /\n\n HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_what_is_not_the_page(request_: bytes, status: int) -> None:
    head = request_.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    served = Web(page)
    found, fields, body = parts(served.answer(head))
    assert found == status
    assert fields["content-length"] == str(len(body))
    assert fields["connection"] == "close"
    assert page() not in body
    assert ("allow" in fields) == (status == 405)


@given(st.binary(max_size=300))
def test_no_request_is_too_bad(data: bytes) -> None:
    status = parts(Web(page).answer(data + b"\r\n\r\n"))[0]
    assert status in (200, 304, 400, 404, 405)


def test_a_request_without_an_end_or_without_measure_is_answered() -> None:
    async def work(port: int) -> None:
        assert parts(await ask(port, b"GET / HT", end=True))[0] == 400
        assert parts(await ask(port, b"GET / HTTP/1.1\r\nX: " + b"x" * 2 * LONGEST))[0] == 431
        assert parts(await ask(port, b"GET / HTTP/1.1\r\n\r\n"))[0] == 200

    talk(work)


def test_who_does_not_speak_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "PATIENCE", 0.2)

    async def work(port: int) -> None:
        assert await ask(port, b"GET / HTTP/1.1\r\n") == b""
        assert parts(await ask(port, b"GET / HTTP/1.1\r\n\r\n"))[0] == 200

    talk(work)


def test_so_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST", 2)

    async def work(port: int) -> None:
        idle = [await asyncio.open_connection(HERE.host, port) for _ in range(2)]
        await asyncio.sleep(0)
        status, fields, _ = parts(await ask(port, b"GET / HTTP/1.1\r\n\r\n"))
        assert (status, fields["retry-after"]) == (503, "10")
        for _, writer in idle:
            writer.close()
            await writer.wait_closed()
        for _ in range(100):
            if parts(await ask(port, b"GET / HTTP/1.1\r\n\r\n"))[0] == 200:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it stays closed")

    talk(work)
