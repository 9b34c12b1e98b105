"""The conductor: runs a service and its players, and lets one thing happen at a time.

It sees no game: it asks the players whether something is asked of them, tells the first one to answer, and
waits until the service has handled the mail and delivered every letter. So with one seed and a clock that
only it moves on, two runs give the same archive, although every mail goes through real SMTP.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from engine import AnyGame
from pbem.audit.audit import Report, audit
from pbem.cli.asked import Entropy, game_secrets, word
from pbem.log.canonical import digest
from pbem.player.keys import new_key, save_key
from pbem.service.app import Service, Setting
from pbem.service.config import Config, Endpoint, init_home
from pbem.service.games import export
from pbem.turn.desk import Person
from pbem.turn.opening import Plan

START = 1_767_225_600
"""The clock of the demo starts with 2026, and an hour passes with every mail."""
HOUR = 3_600
PATIENCE = 30.0
"""Seconds that a player's process may take for one answer before something is wrong."""


class Stuck(Exception):
    """The demo does not go on: a fault of ours, said in words."""


@dataclass
class Clock:
    """A clock that stands still until it is moved on."""

    seconds: int = START

    def __call__(self) -> int:
        return self.seconds


def entropy(seed: str) -> Entropy:
    """Bytes that follow from the seed, for everything that is otherwise random."""
    count = 0

    def more(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"pbem demo/{seed}/{count}".encode()).digest(size)

    return more


@dataclass
class Seat:
    """A player's process, and the address of its mailbox."""

    seat: str
    address: str
    process: asyncio.subprocess.Process
    endpoint: Endpoint
    letters: int = 0

    async def say(self, text: str) -> dict[str, Any]:
        """One word to the player, and his answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n".encode())
        return await listen(self.process, self.seat)


async def listen(process: asyncio.subprocess.Process, seat: str) -> dict[str, Any]:
    """The next line of a player. Stuck if none comes."""
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
    except TimeoutError:
        raise Stuck(seat) from None
    if not line:
        raise Stuck(seat)
    answer: dict[str, Any] = msgspec.json.decode(line)
    return answer


@dataclass
class Demo:
    """What is to be played, where everything is kept, and what came of it."""

    game: AnyGame
    players: int
    seed: str
    folder: Path
    bots: tuple[str, ...]
    """By seat, over and over."""
    clock: Clock = field(default_factory=Clock)
    game_id: str = ""
    mails: int = 0
    archive: Path = Path()
    report: Report | None = None
    copies: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        """The seats that are played."""
        return self.game.seats[: self.players]


async def play(demo: Demo, progress: Any) -> None:
    """The whole demo; `progress(seat, kind, mails)` is called for every mail that a player sends."""
    chance = entropy(demo.seed)
    home = init_home(
        demo.folder / "host", Config(listen="127.0.0.1:0", outage=0, pictures="text"), chance(32)
    )
    seats: dict[str, Seat] = {}

    def route(recipient: str) -> Endpoint:
        return seats[recipient.partition("@")[0]].endpoint

    service = Service(home, Setting(clock=demo.clock, route=route))
    server = await service.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(service.stop)
        for seat in demo.names:
            seats[seat] = await hire(demo, seat, server, chance(32))
            stack.push_async_callback(dismiss, seats[seat])
        people = {seat: Person(one.address, word(chance, 16)) for seat, one in seats.items()}
        plan = Plan(word(chance, 10), demo.game, {}, people)
        demo.game_id = await service.create_game(plan, game_secrets(home.key, chance))
        await service.wait_idle()
        while (one := await first_asked(seats)) is not None:
            demo.clock.seconds += HOUR
            answer = await one.say("go")
            demo.mails += 1
            progress(one.seat, str(answer["sent"]), demo.mails)
            await service.wait_idle()
        await conclude(demo, service, seats)


async def hire(demo: Demo, seat: str, server: Endpoint, key: bytes) -> Seat:
    """Starts a player's process with a key file of its own."""
    folder = demo.folder / seat
    folder.mkdir(parents=True, exist_ok=True)
    save_key(folder / "key.json", new_key(key))
    address = f"{seat}@players.example.org"
    bot = demo.bots[demo.names.index(seat) % len(demo.bots)]
    number = int.from_bytes(hashlib.sha256(f"{demo.seed}/{seat}".encode()).digest()[:4], "big")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "pbem.demo.player", "--key", str(folder / "key.json"), "--server", str(server)),
        *("--address", address, "--seed", str(number), "--bot", bot),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    opened = await listen(process, seat)
    return Seat(seat, address, process, Endpoint("127.0.0.1", int(opened["port"])))


async def dismiss(seat: Seat) -> None:
    """Ends a player's process."""
    assert seat.process.stdin is not None
    seat.process.stdin.close()
    await seat.process.wait()


async def first_asked(seats: Mapping[str, Seat]) -> Seat | None:
    """The first seat, in charter order, of which something is asked."""
    asked: Seat | None = None
    for seat in seats.values():
        answer = await seat.say("status")
        seat.letters = int(answer["letters"])
        if answer["asked"] and asked is None:
            asked = seat
    return asked


async def conclude(demo: Demo, service: Service, seats: Mapping[str, Seat]) -> None:
    """The archive, its audit, and whether every player's own copy of the log is the same."""
    data = await asyncio.to_thread(
        export, service.database, service.host, demo.game_id, names=True, now=demo.clock()
    )
    demo.archive = demo.folder / f"{demo.game_id}.pbem"
    demo.archive.write_bytes(data)
    demo.report = audit(data)
    copies = {name: await seat.say("verify") for name, seat in seats.items()}
    lines = data.splitlines(keepends=True)
    for name, copy in copies.items():
        same = digest(b"".join(lines[: copy["lines"]])) == copy["digest"]
        if not same or copy["verdict"] != "finished":
            raise Stuck(name)
    demo.copies = {name: str(copy["verdict"]) for name, copy in copies.items()}
