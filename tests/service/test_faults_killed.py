"""kill -9 at any moment, of any process of a service, and a database that goes down under load; then every archive audited.

`--seed WORD` kills at other moments, in other games. `make soak ARGS="tests/service --seed WORD"` does it at full size.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.log.envelope import Envelope
from pbem.service.config import open_home
from tests.service.fleet import ALL, APART, DOUBLE, Fleet, Roles, check, new_games, open_fleet, play, settled
from tests.service.house import stream
from tests.service.postgres import Server, new_database, open_server

KILLS = 200
MOVES = 12
Below = Callable[[int], int]
Trouble = Callable[[Fleet, Below], Awaitable[None]]
"""Makes trouble once, at a moment that nobody chose."""


async def kill(fleet: Fleet, below: Below) -> None:
    """One of the processes, before it has run for longer than it took to start: a busy machine is slow in all."""
    names = sorted(fleet.running)
    name = names[below(len(names))]
    await asyncio.sleep(fleet.running[name].took * below(1_000) / 1_000)
    await fleet.kill(name)


def stop(server: Server) -> Trouble:
    """The power of the database's machine fails now and then; or a process is killed."""

    async def stopped(fleet: Fleet, below: Below) -> None:
        if below(3):
            await kill(fleet, below)
            return
        await asyncio.sleep(below(2_000) / 1_000)
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(below(1_000) / 1_000)
        await asyncio.to_thread(server.start)

    return stopped


def live(path: Path, roles: Roles, seed: str, trouble: Sequence[Trouble], **settings: Any) -> None:
    """Games go on and on while there is trouble after trouble; in the end all is as if there had been none."""
    below = stream(f"moments {seed}")

    async def troubles(fleet: Fleet) -> None:
        for make in trouble:
            await make(fleet, below)

    async def player(fleet: Fleet, first: str, trying: asyncio.Task[None]) -> dict[str, list[Envelope]]:
        sent: dict[str, list[Envelope]] = {}
        while not trying.done() or not sent:
            game = f"{first}{len(sent):04d}"
            await asyncio.to_thread(new_games, open_home(fleet.home), [game], seed)
            sent[game] = list(await play(fleet, game, MOVES))
        return sent

    async def said() -> None:
        async with open_fleet(path, roles, seed, **settings) as fleet:
            trying = asyncio.create_task(troubles(fleet))
            played = await asyncio.gather(*(player(fleet, f"kill{one}", trying) for one in "ab"))
            await trying
            await settled(fleet.home)
            sent = {game: envelopes for one in played for game, envelopes in one.items()}
            check(fleet.home, fleet.mailbox, sent, once=False)

    asyncio.run(said())


@pytest.mark.needs("postgres")
def test_killed_in_any_role(shared: str, tmp_path: Path, seed: str) -> None:
    live(tmp_path, APART, f"suite {seed}", [kill] * 3, database=shared)


@pytest.mark.soak
@pytest.mark.needs("postgres")
def test_killed_two_hundred_times_in_any_role(shared: str, tmp_path: Path, seed: str) -> None:
    live(tmp_path, APART, seed, [kill] * KILLS, database=shared)


@pytest.mark.soak
@pytest.mark.needs("postgres")
def test_killed_two_hundred_times_where_each_role_is_there_twice(
    shared: str, tmp_path: Path, seed: str
) -> None:
    live(tmp_path, DOUBLE, seed, [kill] * KILLS, database=shared)


@pytest.mark.soak
def test_killed_two_hundred_times_with_all_roles(tmp_path: Path, seed: str) -> None:
    live(tmp_path, ALL, seed, [kill] * KILLS)


@pytest.mark.soak
@pytest.mark.needs("postgres")
def test_a_database_that_goes_down_under_load(tmp_path: Path, seed: str) -> None:
    """Without a word, with all its connections open; what it had committed is still there."""
    with open_server(fsync=True) as server:
        database = new_database(server.url, seed)
        live(tmp_path, DOUBLE, seed, [stop(server)] * 60, database=database)
