"""What goes wrong with machines, disks, databases and lines; and what must be true all the same."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from pbem.audit.audit import audit
from pbem.service import app, games, inbox, worker
from pbem.service.addresses import Place
from pbem.service.app import Service, Setting
from pbem.service.config import Endpoint, Home, open_home
from pbem.service.database import BROKEN, Database, open_database
from pbem.service.inbox import Arrival
from pbem.service.worker import handle_some
from tests.service.fleet import answers, new_games, open_fleet, serve, settled
from tests.service.full_disk import put_off
from tests.service.house import NOW, Clock, House, Player, begin, home_in, open_house, play_on, stream
from tests.service.mailbox import Mailbox, Post, open_mailbox, send, written
from tests.service.postgres import open_server
from tests.service.test_store import HOST, new_game

ROOT = Path(__file__).resolve().parents[2]


def everything(database: Database) -> dict[str, list[Any]]:
    tables = ("games", "people", "records", "inbox", "outbox")
    with database.read() as tx:
        return {name: list(tx.execute(sa.text(f"SELECT * FROM {name} ORDER BY 1, 2"))) for name in tables}


def joined(database: Database, *ids: str) -> None:
    """Games with two mails each in the inbox: both players join."""
    for game in ids:
        new_game(database, game)
    with database.read() as tx:
        letters = tx.execute(sa.text("SELECT recipient, raw FROM outbox ORDER BY id")).all()
    mailbox = Mailbox([Post("x@example.org", row.recipient, bytes(row.raw)) for row in letters])
    house = House(None, mailbox, None, None)  # type: ignore[arg-type]
    for game in ids:
        for seat in ("red", "blue"):
            player = Player(house, game, seat)
            raw = written(player.address, "x@example.org", player.join().text())
            with database.write() as tx:
                inbox.take_in(tx, Arrival("x@example.org", (Place(game, seat, "x"),), raw, NOW))


def test_a_database_that_fails_at_any_statement_leaves_nothing_done(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads, savepoints and the commit included; four mails in one transaction, however busy the machine is."""
    monkeypatch.setattr(worker, "SECONDS", 600.0)
    with closing(open_database(url)) as database:
        joined(database, "one", "two")
        before, tried = everything(database), 0
        locked = OperationalError("x", {}, Exception("locked"))
        points = ("before_cursor_execute", "savepoint", "release_savepoint", "commit")
        while _fails_at(database, tried, locked, points, 4):
            assert everything(database) == before
            tried += 1
        assert tried > 30
        _all_joined(database)


def test_a_fault_of_ours_at_any_statement_is_the_mail_s_own(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_ATTEMPTS", 1_000)
    with closing(open_database(url)) as database:
        joined(database, "one", "two")
        before, tried = everything(database), 0
        while _fails_at(database, tried, OSError("broken"), ("before_cursor_execute",), 1):
            after = everything(database)
            assert {**after, "inbox": []} == {**before, "inbox": []}
            assert {row.state for row in after["inbox"]} == {"new"}
            tried += 1
        assert tried > 8
        assert sum(row.state == "done" for row in everything(database)["inbox"]) == 1
        handle_some(database, HOST, lambda: NOW, 4)
        _all_joined(database)


def _all_joined(database: Database) -> None:
    for game in ("one", "two"):
        log = games.export(database, HOST, game, names=False, now=NOW)
        assert audit(log).verdict == "unfinished"
        assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1, 1]
    found = games.status(database)
    assert found.inbox == {"new": 0, "done": 4, "poison": 0}
    # an invitation each, and news for both when the second has joined
    assert found.outbox["new"] >= 6


def _fails_at(database: Database, number: int, error: Exception, points: tuple[str, ...], mails: int) -> bool:
    """Handles what waits, with the statement of that number failing; False if there were not so many."""
    count, failed = 0, False

    def fail(*_: Any) -> None:
        nonlocal count, failed
        count += 1
        if count == number + 1:
            failed = True
            raise error

    for point in points:
        event.listen(database.engine, point, fail)
    try:
        handle_some(database, HOST, lambda: NOW, mails)
    except (OSError, OperationalError) as raised:
        if raised is not error:
            raise
    finally:
        for point in points:
            event.remove(database.engine, point, fail)
    return failed


@pytest.mark.needs("namespaces")
def test_a_full_disk_puts_mail_off_and_loses_none(tmp_path: Path) -> None:
    _full_disk(tmp_path, step=8)


@pytest.mark.soak
@pytest.mark.needs("namespaces")
def test_a_disk_full_at_every_size(tmp_path: Path) -> None:
    _full_disk(tmp_path, step=1)


def _full_disk(folder: Path, step: int) -> None:
    own = ["unshare", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*own, sys.executable, "-m", "tests.service.full_disk", str(folder), str(step)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1_200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    refused, late = map(int, re.findall(r"\d+", done.stdout))
    assert refused > 0, done.stdout
    assert late > 0 or step > 1, done.stdout


SHIM = """
#include <errno.h>
#include <unistd.h>
#include <stdlib.h>
#include <sys/syscall.h>
static int fails(void) { char *file = getenv("FSYNC_FAILS"); return file && access(file, F_OK) == 0; }
int fsync(int fd) { if (fails()) { errno = EIO; return -1; } return syscall(SYS_fsync, fd); }
int fdatasync(int fd) { if (fails()) { errno = EIO; return -1; } return syscall(SYS_fdatasync, fd); }
"""


@pytest.mark.needs("compiler")
def test_an_fsync_that_failed_ends_the_process_and_the_next_one_starts_from_the_disk(tmp_path: Path) -> None:
    (tmp_path / "shim.c").write_text(SHIM)
    shim = str(tmp_path / "shim.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, str(tmp_path / "shim.c")], check=True)
    fails = tmp_path / "now"
    unsafe = {"LD_PRELOAD": shim, "FSYNC_FAILS": str(fails)}

    async def said() -> None:
        mailbox = Mailbox()
        async with open_mailbox(mailbox) as relay:
            home = home_in(tmp_path, relay)
            new_games(home, ["broken"])
            process = await serve(home.path, environment=unsafe)
            while len(mailbox.posts) < 2:
                await asyncio.sleep(0.01)
            # the letters are marked as sent
            await asyncio.sleep(0.3)
            house = House(Service(home), mailbox, process.door, Clock())
            player = _FleetPlayer(house, "broken", "red")
            raw = written(player.address, player.invitation.address, player.join().text())
            fails.touch()
            with pytest.raises((aiosmtplib.SMTPException, OSError)):
                await send(process.door, player.address, [player.invitation.address], raw)
            assert await asyncio.wait_for(process.process.wait(), 20) == BROKEN
            await process.end(signal.SIGKILL)
            assert process.events[-1]["event"] == "disk-broken"
            fails.unlink()
            again = await serve(home.path)
            await send(again.door, player.address, [player.invitation.address], raw)
            await settled(home.path)
            assert await again.end(signal.SIGTERM) == 0
            with closing(open_database(home.url)) as database:
                log = games.export(database, Service(home).host, "broken", names=False, now=0)
            assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1]

    asyncio.run(said())


class _FleetPlayer(Player):
    @property
    def address(self) -> str:
        return f"{self.seat}.{self.game}@example.org"


@pytest.mark.needs("postgres")
def test_a_database_that_is_gone_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PAUSE", 0.05)

    async def said() -> None:
        with open_server() as server:
            url = server.url.replace("DATABASE", "postgres")
            async with open_house(tmp_path, database=url) as house:
                players = await begin(house, await house.game())
                below = stream("gone")
                for _ in range(2):
                    asked = next(one for one in players.values() if one.view.menu.asked)
                    move = asked.move(below)
                    raw = written(asked.address, asked.invitation.address, move.text())
                    await asyncio.to_thread(server.stop)
                    with pytest.raises(
                        (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused)
                    ) as put_off:
                        await send(house.door, asked.address, [asked.invitation.address], raw)
                    assert "451" in str(put_off.value)
                    await asyncio.to_thread(server.start)
                    await asked.mail(move)
                    await house.service.wait_idle()
                    assert any(answers(post, move) for post in asked.posts)
                game = players["red"].game
                log = games.export(house.service.database, house.service.host, game, names=False, now=0)
                assert audit(log).verdict == "unfinished"

    asyncio.run(said())


def test_a_relay_that_is_down_for_a_day(tmp_path: Path) -> None:
    """It is not hammered, nothing is given up, and when it is back everybody learns everything, once."""

    async def said() -> None:
        mailbox, clock = Mailbox(), Clock()
        async with open_mailbox(mailbox) as relay:
            shut = [False]
            closed = Endpoint("127.0.0.1", 1)
            setting = Setting(clock, route=lambda _: closed if shut[0] else relay)
            service = Service(home_in(tmp_path, relay), setting)
            door = await service.start()
            house = House(service, mailbox, door, clock)
            game = await house.game()
            players = await begin(house, game)
            asked = next(one for one in players.values() if one.view.menu.asked)
            shut[0] = True
            move = asked.move(stream("down"))
            await asked.mail(move)
            before, failures = len(mailbox.posts), app_count("relay-unreachable")
            for minute in range(0, 24 * 60, 10):
                clock.seconds = NOW + minute * 60
                service._outbox_bell.ring()
                await service.wait_idle()
            assert len(mailbox.posts) == before
            # one minute doubled up to eight hours: a dozen looks at a closed door, not one a letter and minute
            assert 8 <= app_count("relay-unreachable") - failures <= 16
            shut[0] = False
            clock.seconds = NOW + 33 * 3_600
            service._outbox_bell.ring()
            await service.wait_idle()
            assert games.status(service.database).outbox["new"] == 0
            assert games.status(service.database).outbox["failed"] == 0
            news = mailbox.posts[before:]
            assert len({post.message_id for post in news}) == len(news)
            for player in players.values():
                assert any(answers(post, move) for post in news if post.to == player.address)
            await play_on(players, stream("up"), 3)
            await service.stop()

    asyncio.run(said())


def app_count(name: str) -> int:
    from pbem.service.journal import COUNTS

    return COUNTS[name]


def test_data_cut_at_every_byte_is_no_mail(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, connections=100) as house:
            game = await house.game()
            red = (await house.players(game))["red"]
            raw = written(red.address, red.invitation.address, red.join().text())
            there = (f"MAIL FROM:<{red.address}>", f"RCPT TO:<{red.invitation.address}>")
            lines = "".join(f"{line}\r\n" for line in ("EHLO x", *there, "DATA")).encode()
            whole = raw.replace(b"\r\n.", b"\r\n..") + b".\r\n"

            async def cut(at: int) -> None:
                reader, writer = await asyncio.open_connection(house.door.host, house.door.port)
                writer.write(lines)
                while not (await reader.readline()).startswith(b"354"):
                    pass
                writer.write(whole[:at])
                await writer.drain()
                if at % 2:
                    writer.transport.abort()
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()

            for start in range(0, len(whole), 20):
                await asyncio.gather(*(cut(at) for at in range(start, min(start + 20, len(whole)))))
            await asyncio.sleep(0.1)
            assert not house.rows("inbox")
            await red.hand_in(raw)
            assert [row.state for row in house.rows("inbox", "state")] == ["done"]

    asyncio.run(said())


def test_what_is_junk_loses_nothing_else(tmp_path: Path) -> None:
    _flood(tmp_path, mails=500)


@pytest.mark.soak
def test_ten_thousand_mails_of_which_a_third_is_junk(tmp_path: Path) -> None:
    _flood(tmp_path, mails=10_000)


CONNECTIONS = 10
FLAT = 1.25
"""How much more memory the process may use at the end than after a fifth of all mails."""


Piece = tuple[str, str, bytes]
"""Sender, recipient and bytes."""


def _flood(path: Path, mails: int) -> None:
    """Ten connections at once; of ten mails three are junk, in every way that junk comes."""

    async def said() -> None:
        async with open_fleet(path, {"all": ("smtp", "worker", "sender")}) as fleet:
            home, process = open_home(fleet.home), fleet.running["all"]
            ids = [f"flood{number:05d}" for number in range(mails * 7 // 10 // 2)]
            await asyncio.to_thread(new_games, home, ids)
            await settled(fleet.home)
            work, sizes = _mixed(ids, fleet.mailbox), list[int]()
            tenth = work.qsize() // 10

            def measure() -> None:
                if work.qsize() % tenth == 0:
                    sizes.append(_memory(process.process.pid))

            await asyncio.gather(*(_connection(process.door, work, measure) for _ in range(CONNECTIONS)))
            await settled(fleet.home)
            assert _memory(process.process.pid) <= FLAT * sizes[2], sizes
            _nothing_lost(home, ids)
            texts: dict[str, bytes] = {}
            for post in fleet.mailbox.posts:
                assert texts.setdefault(post.message_id, post.raw) == post.raw

    asyncio.run(said())


def _mixed(ids: Sequence[str], mailbox: Mailbox) -> asyncio.Queue[Piece]:
    """Joins of all seats, and among them junk."""
    firsts = {post.to: post for post in mailbox.posts}
    work: asyncio.Queue[Piece] = asyncio.Queue()
    for count, (game, seat) in enumerate((game, seat) for game in ids for seat in ("red", "blue")):
        own = House(None, Mailbox([firsts[f"{seat}.{game}@example.org"]]), None, None)  # type: ignore[arg-type]
        player = _FleetPlayer(own, game, seat)
        raw = written(player.address, player.invitation.address, player.join().text())
        work.put_nowait((player.address, player.invitation.address, raw))
        for number in range(count * 3 // 7, (count + 1) * 3 // 7):
            work.put_nowait(_junk(player, number))
    return work


async def _connection(door: Endpoint, work: asyncio.Queue[Piece], measure: Callable[[], None]) -> None:
    while not work.empty():
        client = aiosmtplib.SMTP(hostname=door.host, port=door.port, start_tls=False, timeout=60)
        async with client:
            for _ in range(50):
                if work.empty():
                    return
                sender, to, raw = work.get_nowait()
                # what is put off would have to come again; junk may be refused for good
                assert not any(code < 500 for code in await put_off(_sent(client, sender, to, raw)))
                measure()


async def _sent(client: aiosmtplib.SMTP, sender: str, to: str, raw: bytes) -> None:
    await client.sendmail(sender, [to], raw)


def _nothing_lost(home: Home, ids: Sequence[str]) -> None:
    with closing(open_database(home.url)) as database:
        found = games.status(database)
        assert found.games["ready"] == len(ids)
        assert found.inbox["new"] == found.inbox["poison"] == 0
        for game in ids[:: max(1, len(ids) // 50)]:
            log = games.export(database, Service(home).host, game, names=False, now=0)
            assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1, 1]


def _memory(pid: int) -> int:
    """Bytes that a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _junk(player: Player, number: int) -> Piece:
    """Sender, recipient and bytes of a mail that nobody wants."""
    there, bad = player.invitation.address, player.join()
    head = f"From: junk{number}@example.org\r\nSubject: {number}\r\n".encode()
    forged = bad.text().replace(b'"token": "', b'"token": "x')
    nested = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    kinds: list[tuple[str, bytes]] = [
        (there, head + b"\r\nBuy now\r\n"),
        (there, head + b"Content-Type: text/plain; charset=bogus\r\n\r\n" + bytes(range(128, 256)) + b"\r\n"),
        (there, head + b"\r\n" + forged.replace(b"\n", b"\r\n")),
        (there, head + nested * 300),
        (there, head + b"Auto-Submitted: auto-replied\r\n\r\nI am away\r\n"),
        (there.replace(".red.", ".green.").replace(".blue.", ".green."), head + b"\r\nwho?\r\n"),
        (f"nobody{number}@pbem.example.org", head + b"\r\nspam\r\n"),
        (there, head + b"\r\n" + b"x" * 300_000 + b"\r\n"),
        (there, b"\r\n\r\n" + b"{" * 5_000 + b"\r\n"),
    ]
    to, raw = kinds[number % len(kinds)]
    return f"junk{number}@example.org", to, raw
