"""Processes of a service as a host starts them, players who insist until they are answered, and what must be true after.

The invariants, whatever was killed: every log is sound and whole; each envelope sent is in exactly one record; every
mail is done; every letter was delivered, as one text for each Message-ID.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiosmtplib
import sqlalchemy as sa

from pbem.audit.audit import audit
from pbem.cli.asked import game_secrets, word
from pbem.log.envelope import Envelope
from pbem.player.opening import open_file
from pbem.service import games
from pbem.service.app import Service
from pbem.service.config import Config, Endpoint, Home, init_home, open_home
from pbem.service.database import Database, open_database
from pbem.service.tables import NEW, inbox, outbox
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from tests.service.house import ARENA, Chance, Clock, House, Player, stream
from tests.service.lightly import light_desk
from tests.service.mailbox import Mailbox, Post, open_mailbox, send, written

PBEM = str(Path(sys.executable).with_name("pbem"))
SEATS = ("red", "blue")
PATIENCE = 60.0
Roles = dict[str, tuple[str, ...]]
APART: Roles = {"smtp": ("smtp",), "worker": ("worker",), "sender": ("sender",)}
DOUBLE: Roles = {f"{role}-{number}": (role,) for role in ("smtp", "worker", "sender") for number in (1, 2)}
ALL: Roles = {"all": ("smtp", "worker", "sender")}
STATES = ("sent", "replaced")
"""Of letters, when all is done."""


@dataclass
class Process:
    """One `pbem serve`; `events` is what it has told, once it has ended."""

    process: asyncio.subprocess.Process
    door: Endpoint
    took: float
    """Seconds to its start: a measure of how fast everything is at the moment."""
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    reading: asyncio.Task[None] | None = None

    async def end(self, number: int) -> int:
        """Sends a signal and waits; gives the exit code."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        code = await self.process.wait()
        if self.reading is not None:
            await self.reading
        return code


async def serve(
    home: Path, *args: str, before: Iterable[str] = (), environment: dict[str, str] | None = None
) -> Process:
    """Starts one and waits until it says so. `before` is what the command is run by."""
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *(*before, PBEM, "serve", "--home", str(home), *args),
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        limit=1 << 20,
    )
    assert process.stderr is not None
    first = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
    assert b'"event":"started"' in first, first + await process.stderr.read()
    host, _, port = json.loads(first)["listen"].rpartition(":")
    made = Process(process, Endpoint(host, int(port or 0)), time.monotonic() - began, [json.loads(first)])
    made.reading = asyncio.create_task(_read(process.stderr, made.events))
    return made


async def _read(stream: asyncio.StreamReader, events: list[dict[str, Any]]) -> None:
    async for line in stream:
        if line.startswith(b"{"):
            events.append(json.loads(line))


@dataclass
class Fleet:
    """Several processes over one database, by name. `roles`: which roles a name has; `seed`: what players draw from."""

    home: Path
    mailbox: Mailbox
    roles: Roles
    seed: str = ""
    running: dict[str, Process] = field(default_factory=dict[str, Process])
    knocks: int = 0

    async def start(self, name: str) -> None:
        """Starts the process of that name."""
        args = [arg for role in self.roles[name] for arg in ("--role", role)]
        self.running[name] = await serve(self.home, *args)

    async def kill(self, name: str) -> None:
        """kill -9, and start again."""
        await self.running.pop(name).end(signal.SIGKILL)
        await self.start(name)

    def door(self) -> Endpoint:
        """A door that is open as far as we know; one after the other, where there are several."""
        doors = [one.door for _, one in sorted(self.running.items()) if one.door.host]
        self.knocks += 1
        return doors[self.knocks % len(doors)] if doors else Endpoint("127.0.0.1", 1)


@asynccontextmanager
async def open_fleet(path: Path, roles: Roles, seed: str = "", **settings: Any) -> AsyncGenerator[Fleet]:
    """A home, a mailbox for all its letters, and the processes."""
    mailbox = Mailbox()
    given: dict[str, Any] = {"pictures": "text", **settings}
    async with open_mailbox(mailbox) as relay:
        config = Config(
            listen="127.0.0.1:0",
            relay=str(relay),
            per_sender=0,
            per_game=0,
            pace=0,
            **given,
        )
        init_home(path / "home", config, Chance("fleet")(32))
        fleet = Fleet(path / "home", mailbox, roles, seed)
        try:
            for name in roles:
                await fleet.start(name)
            yield fleet
        finally:
            for process in fleet.running.values():
                await process.end(signal.SIGTERM)


def new_games(home: Home, names: Iterable[str], seed: str = "") -> None:
    """Games by these ids, whose invitations lie in the outbox."""
    with light_desk(), closing(open_database(home.url)) as database:
        for name in names:
            chance = Chance(name + seed)
            people = {seat: Person(f"{seat}.{name}@example.org", word(chance, 16)) for seat in SEATS}
            plan = Plan(name, ARENA, {}, people)
            games.new_game(database, home.host((ARENA,)), plan, game_secrets(home.key, chance), Clock()())


@dataclass
class Insistent(Player):
    """A player who sends again until he is acknowledged, and waits for his receipt."""

    door: Callable[[], Endpoint] = lambda: Endpoint("127.0.0.1", 1)
    sent: list[Envelope] = field(default_factory=list[Envelope])

    @property
    def address(self) -> str:
        return f"{self.seat}.{self.game}@example.org"

    async def insist(self, envelope: Envelope, again: int = 0) -> None:
        """Sends until there is a 250, and waits for a letter with the record; so many copies more come by another way."""
        raw = written(self.address, self.invitation.address, envelope.text())
        before = len(self.posts)
        for number in range(again + 1):
            await self.hand_over(b"Received: from relay%d by pbem\r\n" % number * number + raw)
        self.sent.append(envelope)
        await until(lambda: any(answers(post, envelope) for post in self.posts[before:]), "an answer")

    async def hand_over(self, raw: bytes) -> None:
        """Sends a mail until there is a 250."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                await send(self.door(), self.address, [self.invitation.address], raw)
                return
            except (aiosmtplib.SMTPException, OSError):
                assert asyncio.get_running_loop().time() < deadline, "the door stays shut"
                await asyncio.sleep(0.05)


def answers(post: Post, envelope: Envelope) -> bool:
    """Whether a letter is the receipt of an envelope: the new lines of the log have its record."""
    return any(envelope.id.encode() in log for log in open_file(post.raw).logs)


async def until(true: Callable[[], bool], what: str) -> None:
    """Waits for something to become true."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not true():
        assert asyncio.get_running_loop().time() < deadline, f"never came: {what}"
        await asyncio.sleep(0.01)


async def play(fleet: Fleet, game: str, moves: int) -> list[Envelope]:
    """A game by mail: everybody joins and confirms, and so many moves; gives all that was sent."""
    house = House(None, fleet.mailbox, Endpoint("", 0), Clock())  # type: ignore[arg-type]
    players = [Insistent(house, game, seat, door=fleet.door) for seat in SEATS]
    await until(lambda: all(player.posts for player in players), "invitations")
    for player in players:
        await player.insist(player.join())
    await until(lambda: all(_has_view(player) for player in players), "views for all")
    for player in players:
        await player.insist(player.ready())
    below = stream(f"fleet {fleet.seed} {game}")
    for _ in range(moves):
        await until(lambda: len({one.view.head.n for one in players}) == 1, "news for all")
        asked = [one for one in players if one.view.menu.asked]
        if not asked:
            break
        await asked[0].insist(asked[0].move(below), again=max(0, below(6) - 3))
    return [envelope for player in players for envelope in player.sent]


def _has_view(player: Player) -> bool:
    return any(b".view.json" in post.raw for post in player.posts)


def check(home: Path, mailbox: Mailbox, sent: dict[str, list[Envelope]], *, once: bool) -> None:
    """The invariants; with `once`, no letter came twice."""
    opened = open_home(home)
    texts: dict[str, list[bytes]] = {}
    for post in mailbox.posts:
        texts.setdefault(post.message_id, []).append(post.raw)
    for name, found in texts.items():
        # a receipt that is asked for again is written and sent again
        assert len(set(found)) == 1 or ".again." in name, name
        assert len(found) == 1 or not once or ".again." in name, name
    with closing(open_database(opened.url)) as database:
        host = Service(opened).host
        for game, envelopes in sent.items():
            log = games.export(database, host, game, names=False, now=0)
            assert audit(log).verdict in ("unfinished", "sound"), game
            recorded = [json.loads(line).get("envelope") for line in log.splitlines()]
            assert [recorded.count(envelope.id) for envelope in envelopes] == [1] * len(envelopes)
            assert (home / "logs" / f"{game}.pbem").read_bytes() == log
            for seat in SEATS:
                _told_all(log, mailbox.to(f"{seat}.{game}@example.org"))
        with database.read() as tx:
            letters = tx.execute(outbox.select()).all()
            assert {row.state for row in letters} <= set(STATES)
            named = {
                state: {f"<{row.message_id}>" for row in letters if row.state == state} for state in STATES
            }
            # a letter that had gone out when its sender was killed may then have been replaced by a newer one
            assert named["sent"] <= set(texts) <= named["sent"] | named["replaced"]
            assert {row.state for row in tx.execute(inbox.select())} == {"done"}
    _in_order(mailbox, {f"<{row.message_id}>": row.id for row in letters})


def _told_all(log: bytes, posts: Iterable[Post]) -> None:
    """A player's letters together have every line of the log."""
    lines = {line for post in posts for part in open_file(post.raw).logs for line in part.splitlines()}
    assert set(log.splitlines()) <= lines


def _in_order(mailbox: Mailbox, numbers: dict[str, int]) -> None:
    """Letters to one reader came in the order in which they were written, as far as they came for the first time."""
    came: dict[str, dict[str, int]] = {}
    for post in mailbox.posts:
        came.setdefault(post.to, {}).setdefault(post.message_id, numbers[post.message_id])
    for to, found in came.items():
        assert list(found.values()) == sorted(found.values()), to


async def settled(home: Path) -> None:
    """Returns when nothing waits any more; it may take long, if only it goes on."""
    with closing(open_database(open_home(home).url)) as database:
        waiting, deadline = -1, asyncio.get_running_loop().time() + PATIENCE
        while waiting:
            now = await asyncio.to_thread(_waiting, database)
            if now != waiting:
                waiting, deadline = now, asyncio.get_running_loop().time() + PATIENCE
            assert asyncio.get_running_loop().time() < deadline, f"{waiting} still wait"
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)


def _waiting(database: Database) -> int:
    """How many mails and letters wait: by an index each, for whoever reads for long keeps a writer waiting."""
    with database.read() as tx:
        return sum(
            tx.execute(sa.select(sa.func.count()).where(table.c.state == NEW)).scalar_one()
            for table in (inbox, outbox)
        )


class FleetPlayer(Player):
    """A player of one of a fleet's many games: his address names his game, so that his letters can be told apart."""

    @property
    def address(self) -> str:
        """The seat and the game."""
        return f"{self.seat}.{self.game}@example.org"
