"""The contract kit over every game in the catalog, every number of seats, and some seeds.

`PBEM_SEEDS` says how many seeds `make soak` plays (30 unless it says so).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import AnyGame
from tests.contract.coverage import never_seen
from tests.contract.games import games, seeds
from tests.contract.kit import CHECKS
from tests.contract.playing import Case, Play, played
from tests.contract.transcript import transcript
from tests.contract.twins import TURNS, leaks
from tests.contract.worlds import worlds

ROOT = Path(__file__).resolve().parents[2]
SOAK_SEEDS = range(int(os.environ.get("PBEM_SEEDS", "30")))

TABLES = [(game, seats) for game in games() for seats in range(game.players[0], game.players[1] + 1)]
NAMES = [f"{game.id}-{game.version}-{seats}" for game, seats in TABLES]
WORLDS = [(game.id, world) for game in games() for world in worlds(game.id)]


def cases_in(world: tuple[str, str]) -> tuple[Case, Case]:
    """A smooth play with the fewest seats and a rough one with the most."""
    game = next(one for one in games() if one.id == world[0])
    return Case(game, game.players[0], 0, world[1]), Case(game, game.players[1], 1, world[1])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_contract(table: tuple[AnyGame, int], check: Callable[[Play], None]) -> None:
    for seed in seeds(*table):
        check(played(Case(*table, seed)))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("world", WORLDS, ids="-".join)
def test_contract_with_custom_data(world: tuple[str, str], check: Callable[[Play], None]) -> None:
    for case in cases_in(world):
        check(played(case))


@pytest.mark.parametrize("world", WORLDS, ids="-".join)
def test_no_leak_with_custom_data(world: tuple[str, str]) -> None:
    assert sum(leaks(case, 3, 2)[0] for case in cases_in(world))


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_no_leak(table: tuple[AnyGame, int]) -> None:
    count, longest = 0, 0
    for seed in seeds(*table):
        # the plays with other options are looked at in fewer places
        twins_found, turns = leaks(Case(*table, seed), 6 if seed < 2 else 3, 2)
        count, longest = count + twins_found, max(longest, turns)
    assert count, "no two positions look the same to anybody: is nothing hidden in this game?"
    length = max(one.before.state.turn for seed in seeds(*table) for one in played(Case(*table, seed)).taken)
    assert longest >= min(TURNS, length // 2), f"{count} twins, none of them for more than {longest} turns"


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.id}-{game.version}")
def test_everything_declared_occurs(game: AnyGame) -> None:
    missing = never_seen(game)
    assert not missing, (
        f"{game.id}: never seen in any play: {', '.join(missing)}. If the game can show it, "
        "`python -m tests.contract.coverage` finds plays that do, for tests/contract/rare.toml"
    )


def test_hash_seeds_do_not_matter() -> None:
    """Here, and in a process whose strings have other hashes."""
    seed = "0" if os.environ.get("PYTHONHASHSEED") == "4242" else "4242"
    run = subprocess.run(
        [sys.executable, "-m", "tests.contract.transcript"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    ours = transcript()
    assert ours.count("\n") >= 4
    assert run.stdout == ours, "plays differ between two processes with different PYTHONHASHSEED"


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK_SEEDS)
@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_soak(table: tuple[AnyGame, int], seed: int) -> None:
    case = Case(*table, seed)
    found: list[str] = []
    for check in CHECKS:
        try:
            check(played(case))
        except AssertionError as failed:
            found.append(str(failed))
    assert not found, "\n".join(found)
    leaks(case, 12, 4)
