"""A service in a temporary home with a mailbox beside it, and players who know nothing but what was mailed to them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine import GAMES, Refused, Stream, random_turn
from pbem.cli.asked import game_secrets, word
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey
from pbem.player.answers import join_envelope, move_envelope, ready_envelope
from pbem.player.invitation import Invitation, read_invitation
from pbem.player.view import ViewFile, read_view
from pbem.service.app import Service, Setting
from pbem.service.config import DATABASE, Config, Endpoint, Home, init_home
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from tests.service.lightly import light_desk, new_database
from tests.service.mailbox import Mailbox, Post, open_mailbox, send, written

ARENA = next(game for game in GAMES if game.id == "arena")
SEATS = ("red", "blue")
NOW = 1_767_268_800


class Chance:
    """Bytes from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed, self._count = seed.encode(), 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(self._seed + self._count.to_bytes(4, "big")).digest(size)


@dataclass
class Clock:
    """A clock that stands until it is set."""

    seconds: int = NOW

    def __call__(self) -> int:
        return self.seconds


@dataclass
class House:
    """All that a test needs."""

    service: Service
    mailbox: Mailbox
    door: Endpoint
    clock: Clock
    chance: Chance = field(default_factory=lambda: Chance("house"))

    async def game(self, seats: tuple[str, ...] = SEATS, options: Mapping[str, Any] | None = None) -> str:
        """A new game; everybody has an address of his seat's name."""
        people = {seat: Person(f"{seat}@example.org", word(self.chance, 16)) for seat in seats}
        plan = Plan(word(self.chance, 10), ARENA, options or {}, people)
        game = await self.service.create_game(plan, game_secrets(self.service.home.key, self.chance))
        await self.service.wait_idle()
        return game

    async def players(self, game: str, seats: tuple[str, ...] = SEATS) -> dict[str, Player]:
        """Players who have received the invitations to a game."""
        return {seat: Player(self, game, seat) for seat in seats}

    def rows(self, table: str, columns: str = "*") -> list[Any]:
        """Rows of the database, as they are."""
        with self.service.database.read() as tx:
            return list(tx.execute(sa.text(f"SELECT {columns} FROM {table} ORDER BY 1")))


@dataclass
class Player:
    """A key, and the mailbox."""

    house: House
    game: str
    seat: str

    @property
    def key(self) -> PrivateKey:
        return PrivateKey(hashlib.sha256(f"{self.seat}'s key".encode()).digest())

    @property
    def address(self) -> str:
        return f"{self.seat}@example.org"

    @property
    def posts(self) -> list[Post]:
        """What was mailed to him about this game."""
        return [post for post in self.house.mailbox.to(self.address) if f"[pbem {self.game}]" in post.subject]

    @cached_property
    def invitation(self) -> Invitation:
        return read_invitation(self.posts[0].raw)

    @property
    def view(self) -> ViewFile:
        """The newest view that he was mailed."""
        for post in reversed(self.posts):
            with suppress(Refused):
                return read_view(post.raw, self.invitation.known)
        raise LookupError(self.seat)

    def join(self) -> Envelope:
        return join_envelope(self.key, self.invitation, self.seat.title())

    def ready(self) -> Envelope:
        return ready_envelope(self.key, self.view, {})

    def move(self, below: Callable[[int], int]) -> Envelope:
        view = self.view
        return move_envelope(self.key, view, random_turn(ARENA, view.seen, self.seat, below))

    async def mail(self, envelope: Envelope, *headers: str, sender: str | None = None) -> None:
        """Pastes an envelope into a mail and sends it."""
        raw = written(self.address, self.invitation.address, envelope.text(), *headers)
        await self.hand_in(raw, self.address if sender is None else sender)

    async def hand_in(self, raw: bytes, sender: str | None = None) -> None:
        await send(
            self.house.door, self.address if sender is None else sender, [self.invitation.address], raw
        )
        await self.house.service.wait_idle()


async def begin(house: House, game: str, seats: tuple[str, ...] = SEATS) -> dict[str, Player]:
    """Everybody joins and confirms, by mail."""
    players = await house.players(game, seats)
    for player in players.values():
        await player.mail(player.join())
    for player in players.values():
        await player.mail(player.ready())
    return players


async def play_on(players: Mapping[str, Player], below: Callable[[int], int], moves: int) -> int:
    """So many moves, or to the end; gives how many were made."""
    for made in range(moves):
        asked = [one for one in players.values() if one.view.head.phase == "play" and one.view.menu.asked]
        if not asked:
            return made
        await asked[0].mail(asked[0].move(below))
    return moves


def stream(label: str) -> Callable[[int], int]:
    """Numbers for a bot."""
    return Stream(hashlib.sha256(label.encode()).digest()).below


def home_in(path: Path, relay: Endpoint, **settings: Any) -> Home:
    """A home whose service listens on a free port; its letters are text, for drawing takes long."""
    given: dict[str, Any] = {"pictures": "text", **settings}
    config = Config(listen="127.0.0.1:0", relay=str(relay), **given)
    return init_home(path / "home", config, hashlib.sha256(b"host").digest())


@asynccontextmanager
async def open_house(path: Path, clock: Clock | None = None, **settings: Any) -> AsyncGenerator[House]:
    """A running service, and a mailbox for all its letters, whose desk page is the light one."""
    mailbox, clock = Mailbox(), clock or Clock()
    with light_desk():
        async with open_mailbox(mailbox) as relay:
            home = home_in(path, relay, **settings)
            if not home.config.database and not (file := home.path / DATABASE).exists():
                file.touch(0o600)
                file.write_bytes(new_database())
            service = Service(home, Setting(clock))
            door = await service.start()
            try:
                yield House(service, mailbox, door, clock)
            finally:
                await service.stop()
