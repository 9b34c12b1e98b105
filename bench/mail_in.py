"""Mail in: from the first byte on the line to all moves verified, applied, durable, their letters queued.

Ten connections, each with games of its own, hand in the same mails in the same order: to a service (SQLite, as a home
has it), to an aiosmtpd that does nothing but answer 250, and, where Postfix is installed, to a Postfix that queues them
and delivers nothing. Each mail is the next move of another game, some games young and some older, and the letters of
the moves before it have gone out, as it is where people play slowly. Each server is a process of its own beside the one
that sends, and has taken some mails before the clock starts. Seconds on the clock, for what is measured waits for
disks; what the service is given credit for is only what is committed.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

import msgspec
from aiosmtpd.smtp import SMTP

from bench import postfix
from bench.mails import KEY, NOW, Script, deliver, fill, scripts
from bench.measure import Figure, figure
from pbem.service.app import Service, Setting
from pbem.service.config import Config, Endpoint, init_home
from pbem.service.database import Database, open_database

replace = msgspec.structs.replace

BARE, QUEUED = 0.2, 0.4
CONNECTIONS, EACH, FIRST, REPEATS = 10, 34, 4, 5
"""Connections, games on each, how many of them come before the clock starts, runs of each server."""
OLDEST = 9
"""Games have had from none to so many moves."""
SETTLED = 2.0
"""Seconds between the first mails and those that count: who starts processes has started them."""
Server = Callable[[Connection, tuple[Script, ...]], None]


def figures() -> list[Figure]:
    """Mails a second ÷ those of the others; these figures are to be at least their bound."""
    written = _scripts()
    with_postfix = postfix.is_here()
    _filled()
    service, bare, queued = list[float](), list[float](), list[float]()
    for _ in range(REPEATS):
        service.append(_rate(_serve, written))
        bare.append(_rate(_answer, written))
        if with_postfix:
            with postfix.running() as server:
                queued.append(asyncio.run(_handed_in(server, written)))
    found = [
        figure(
            "mails a second ÷ aiosmtpd that only answers", median(service) / median(bare), BARE, least=True
        )
    ]
    if queued:
        value = median(service) / median(queued)
        found.append(figure("mails a second ÷ Postfix's durable queue", value, QUEUED, least=True))
    return found


@cache
def _scripts() -> tuple[Script, ...]:
    """Each with its last move to be handed in."""
    return tuple(
        replace(script, opening=script.opening + script.moves[:-1], moves=script.moves[-1:])
        for number in range(OLDEST + 1)
        for script in scripts(CONNECTIONS * EACH // (OLDEST + 1), number + 1, seed=f"{number} old")
    )


def _rate(server: Server, written: tuple[Script, ...]) -> float:
    """Mails a second, by a server in a new process; it says when all is done."""
    ours, theirs = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=server, args=(theirs, written))
    process.start()
    try:
        door = Endpoint("127.0.0.1", ours.recv())

        def is_done() -> None:
            ours.send("all is handed over")
            if ours.recv() != "done":
                raise AssertionError("not done")

        rate = asyncio.run(_handed_in(door, written, is_done))
        ours.send("end")
        return rate
    finally:
        ours.close()
        process.join()


async def _handed_in(
    door: Endpoint, written: Sequence[Script], is_done: Callable[[], None] = lambda: None
) -> float:
    first = CONNECTIONS * FIRST
    await hand_over(door, written[:first])
    is_done()
    await asyncio.sleep(SETTLED)
    start = time.perf_counter()
    await hand_over(door, written[first:])
    is_done()
    return count(written[first:]) / (time.perf_counter() - start)


def count(written: Sequence[Script]) -> int:
    """How many mails there are."""
    return sum(len(script.moves) for script in written)


async def hand_over(door: Endpoint, written: Sequence[Script]) -> None:
    """All mails, over ten connections at once; each game's in order."""
    await asyncio.gather(*(_connection(door, written[first::CONNECTIONS]) for first in range(CONNECTIONS)))


async def _connection(door: Endpoint, written: Sequence[Script]) -> None:
    """A client that costs little: it says what is to be said, and reads one line an answer."""
    reader, writer = await asyncio.open_connection(door.host, door.port)
    await _expect(reader, b"220")
    writer.write(b"HELO bench.example.org\r\n")
    await _expect(reader, b"250")
    for address, raw in [(script.address, raw) for script in written for raw in script.moves]:
        for said, wanted in (
            (b"MAIL FROM:<bench@example.org>\r\n", b"250"),
            (b"RCPT TO:<%b>\r\n" % address.encode(), b"250"),
            (b"DATA\r\n", b"354"),
            (raw.replace(b"\r\n.", b"\r\n..") + b".\r\n", b"250"),
        ):
            writer.write(said)
            await _expect(reader, wanted)
    writer.close()
    await writer.wait_closed()


async def _expect(reader: asyncio.StreamReader, code: bytes) -> None:
    line = await reader.readline()
    if not line.startswith(code):
        raise AssertionError(line)


def _serve(peer: Connection, written: tuple[Script, ...]) -> None:
    """The service, in a home of its own; the relay is down, so that nothing is sent."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(listen="127.0.0.1:0", relay="127.0.0.1:1", per_sender=0, per_game=0)
        home = init_home(Path(folder) / "home", config, KEY.raw)
        (home.path / "pbem.sqlite").write_bytes(_filled())
        asyncio.run(_served(peer, Service(home, Setting(lambda: NOW)), count(written)))


@cache
def _filled() -> bytes:
    """A database in which all games have begun; made once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "db"
        with closing(open_database(f"sqlite:///{file}")) as database:
            fill(database, _scripts())
            deliver(database)
        return file.read_bytes()


async def _served(peer: Connection, service: Service, mails: int) -> None:
    door = await service.start()
    peer.send(door.port)
    while await asyncio.to_thread(peer.recv) != "end":
        while await asyncio.to_thread(_count, service.database, "state = 'new'"):
            await asyncio.sleep(0.005)
        peer.send("done")
    taken = _count(service.database, "outcome = 'taken'")
    await service.stop()
    if taken < mails:
        raise AssertionError(f"{taken} of {mails} moves taken")


def _count(database: Database, which: str) -> int:
    with database.read() as tx:
        return int(tx.exec_driver_sql(f"SELECT count(*) FROM inbox WHERE {which}").scalar_one())


def _answer(peer: Connection, _: tuple[Script, ...]) -> None:
    asyncio.run(_answered(peer))


class _Nothing:
    async def handle_DATA(self, *_: object) -> str:  # noqa: N802 - aiosmtpd names it so
        return "250 OK"


async def _answered(peer: Connection) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(_Nothing(), hostname="bench.example.org", loop=loop), "127.0.0.1", 0
    )
    peer.send(server.sockets[0].getsockname()[1])
    while await asyncio.to_thread(peer.recv) != "end":
        peer.send("done")
    server.close()
