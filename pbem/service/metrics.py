"""Numbers for Prometheus: what this process has done since it began, and what lies in the database now.

Law: names of events, states, phases and roles; never a game, a seat, an address. What counts events is the journal,
so that a number and a line of the log cannot tell two stories. `GET /metrics` is answered and nothing else.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from pbem import __version__
from pbem.service import games, held, journal
from pbem.service.clock import Clock
from pbem.service.config import Endpoint
from pbem.service.database import Database
from pbem.service.tables import NEW, inbox, outbox

TYPE = "text/plain; version=0.0.4; charset=utf-8"
PATIENCE = 10.0
_LONGEST = 8_192
Sample = tuple[Mapping[str, str], float]


def page(database: Database, clock: Clock) -> str:
    """The whole text. Raises what is wrong with the database."""
    return "".join(_metrics(database, clock()))


def _metrics(database: Database, now: int) -> Iterator[str]:
    found = games.status(database)
    with database.read() as tx:
        mail = tx.execute(sa.select(sa.func.min(inbox.c.received)).where(inbox.c.state == NEW)).scalar()
        letter = tx.execute(sa.select(sa.func.min(outbox.c.created)).where(outbox.c.state == NEW)).scalar()
        holds = len(held.list_held(tx))
    yield _gauge("pbem_build_info", "The release that runs.", [({"version": __version__}, 1)])
    events = [({"event": event}, count) for event, count in sorted(journal.COUNTS.items())]
    yield _metric("pbem_events_total", "counter", "Events of the journal since this process began.", events)
    yield _gauge("pbem_games", "Games by phase.", _by("phase", found.games))
    yield _gauge("pbem_games_on_hold", "Games that wait for their players after a restore.", [({}, holds)])
    yield _gauge("pbem_inbox_mails", "Mails by state.", _by("state", found.inbox))
    yield _gauge("pbem_outbox_letters", "Letters by state.", _by("state", found.outbox))
    waits = "Seconds that the oldest {} has waited."
    yield _gauge("pbem_inbox_oldest_seconds", waits.format("mail"), [({}, max(now - (mail or now), 0))])
    yield _gauge("pbem_outbox_oldest_seconds", waits.format("letter"), [({}, max(now - (letter or now), 0))])
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = round(used.ru_utime + used.ru_stime, 3)
    yield _metric("process_cpu_seconds_total", "counter", "CPU seconds of this process.", [({}, cpu)])
    yield _gauge(
        "process_max_resident_bytes", "Most memory that this process has used.", [({}, used.ru_maxrss << 10)]
    )


def _by(label: str, counts: Mapping[str, int]) -> list[Sample]:
    return [({label: name}, count) for name, count in counts.items()]


def _gauge(name: str, text: str, samples: list[Sample]) -> str:
    return _metric(name, "gauge", text, samples)


def _metric(name: str, kind: str, text: str, samples: list[Any]) -> str:
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    for labels, value in samples:
        inside = ",".join(f'{label}="{_escaped(word)}"' for label, word in labels.items())
        lines.append(f"{name}{{{inside}}} {value}" if inside else f"{name} {value}")
    return "\n".join(lines) + "\n"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Window:
    """Owns the socket at which the page is shown. `show` makes the page, off the event loop's thread."""

    def __init__(self, show: Callable[[], str]) -> None:
        self._show = show
        self._server: asyncio.Server | None = None

    async def open(self, at: Endpoint) -> int:
        """Listens; gives the port. OSError if that cannot be."""
        self._server = await asyncio.start_server(self._answer, at.host, at.port, limit=_LONGEST)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stops listening."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                asked = await reader.readuntil(b"\r\n\r\n")
                status, body = await self._page(asked.split(b"\r\n", 1)[0])
                head = f"HTTP/1.1 {status}\r\nContent-Type: {TYPE}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{head}Connection: close\r\n\r\n".encode("ascii") + body)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            journal.note("metrics-unread", error=type(error).__name__)
        finally:
            writer.close()

    async def _page(self, line: bytes) -> tuple[str, bytes]:
        if line.split(b" ")[:2] != [b"GET", b"/metrics"]:
            return "404 Not Found", b""
        try:
            return "200 OK", (await asyncio.to_thread(self._show)).encode("utf-8")
        except Exception as error:  # noqa: BLE001 - a number that cannot be had must not end the service
            journal.fault("metrics-failed", error)
            return "503 Service Unavailable", b""
