"""Much mail at once, a third of it junk: nothing of the rest is lost, and memory stays flat."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import aiosmtplib
import pytest

from pbem.cli.asked import game_secrets, word
from pbem.player.invitation import read_invitation
from pbem.service import games
from pbem.service.app import Service
from pbem.service.config import Endpoint, Home, open_home
from pbem.service.database import open_database
from pbem.service.store import insert_game
from pbem.turn.answers import invitation_file
from pbem.turn.desk import Person
from pbem.turn.opening import Plan, open_game
from tests.service.fleet import ALL, SEATS, FleetPlayer, open_fleet, settled
from tests.service.full_disk import put_off
from tests.service.house import ARENA, NOW, Chance, stream
from tests.service.mailbox import written

START = "2026-01-01T12:00:00Z"


def test_what_is_junk_loses_nothing_else(tmp_path: Path, seed: str) -> None:
    _flood(tmp_path, seed, mails=90)


@pytest.mark.soak
def test_ten_thousand_mails_of_which_a_third_is_junk(tmp_path: Path, seed: str) -> None:
    _flood(tmp_path, seed, mails=10_000)


CONNECTIONS = 10
FLAT = 1.25
"""How much more memory the process may use at the end than after a fifth of all mails."""


Piece = tuple[str, str, bytes]
"""Sender, recipient and bytes."""


def _flood(path: Path, seed: str, mails: int) -> None:
    """Ten connections at once; of ten mails three are junk, in every way that junk comes."""

    async def said() -> None:
        async with open_fleet(path, ALL) as fleet:
            home, process = open_home(fleet.home), fleet.running["all"]
            ids = [f"flood{number:05d}" for number in range(mails * 7 // 10 // 2)]
            joins: list[Piece] = []
            for first in range(0, len(ids), 100):
                joins += await asyncio.to_thread(_joins, home, ids[first : first + 100], seed)
            work, sizes = _mixed(joins, seed), list[int]()
            tenth = work.qsize() // 10

            def measure() -> None:
                if work.qsize() % tenth == 0:
                    sizes.append(_memory(process.process.pid))

            await asyncio.gather(*(_connection(process.door, work, measure) for _ in range(CONNECTIONS)))
            await settled(fleet.home)
            sizes.append(_memory(process.process.pid))
            assert sizes[-1] <= FLAT * sizes[2], sizes
            _nothing_lost(home, ids)
            texts: dict[str, bytes] = {}
            for post in fleet.mailbox.posts:
                assert texts.setdefault(post.message_id, post.raw) == post.raw

    asyncio.run(said())


def _joins(home: Home, ids: Sequence[str], seed: str) -> list[Piece]:
    """New games, and a mail of each player's with which he joins; their invitations need not be mailed for it."""
    made: list[Piece] = []
    with closing(open_database(home.url)) as database, database.write() as tx:
        for game in ids:
            chance = Chance(game + seed)
            people = {seat: Person(f"{seat}.{game}@example.org", word(chance, 16)) for seat in SEATS}
            secrets = game_secrets(home.key, chance)
            desk, lines = open_game(Plan(game, ARENA, {}, people), secrets, home.host((ARENA,)).post, START)
            insert_game(tx, desk, lines, NOW)
            for seat in SEATS:
                player = FleetPlayer(None, game, seat)  # type: ignore[arg-type]
                player.invitation = read_invitation(invitation_file(desk, seat))
                raw = written(player.address, player.invitation.address, player.join().text())
                made.append((player.address, player.invitation.address, raw))
    return made


def _mixed(joins: Sequence[Piece], seed: str) -> asyncio.Queue[Piece]:
    """Joins of all seats, and among them junk."""
    work: asyncio.Queue[Piece] = asyncio.Queue()
    kinds = stream(f"junk {seed}")
    for count, join in enumerate(joins):
        work.put_nowait(join)
        for number in range(count * 3 // 7, (count + 1) * 3 // 7):
            work.put_nowait(_junk(join, number, kinds))
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


def _junk(join: Piece, number: int, below: Callable[[int], int]) -> Piece:
    """Sender, recipient and bytes of a mail that nobody wants."""
    _, there, raw = join
    head = f"From: junk{number}@example.org\r\nSubject: {number}\r\n".encode()
    nested = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    kinds: list[tuple[str, bytes]] = [
        (there, head + b"\r\nBuy now\r\n"),
        (there, head + b"Content-Type: text/plain; charset=bogus\r\n\r\n" + bytes(range(128, 256)) + b"\r\n"),
        (there, head + raw.replace(b'"token": "', b'"token": "x')),
        (there, head + nested * 300),
        (there, head + b"Auto-Submitted: auto-replied\r\n\r\nI am away\r\n"),
        (there.replace(".red.", ".green.").replace(".blue.", ".green."), head + b"\r\nwho?\r\n"),
        (f"nobody{number}@pbem.example.org", head + b"\r\nspam\r\n"),
        (there, head + b"\r\n" + b"x" * 300_000 + b"\r\n"),
        (there, b"\r\n\r\n" + b"{" * 5_000 + b"\r\n"),
    ]
    to, text = kinds[below(len(kinds))]
    return f"junk{number}@example.org", to, text
