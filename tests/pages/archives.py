"""Folders of archives for the library: games played out, called off, broken off, damaged."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from pbem.site.build import Order, build
from tests.audit.make import Edit, Plan, keep_as_is, make
from tests.once import made_once

NAMES = ("Anna", "Ben", "Cora", "Dénes", "Eero")


def called(players: tuple[str, ...]) -> Edit:
    """Gives the players their names, in the order of the seats."""

    def edit(record: dict[str, Any]) -> None:
        if record["kind"] == "names":
            record["names"] = dict(zip(record["names"], players, strict=False))

    return edit


@cache
def game(seed: int, players: int = 2, names: tuple[str, ...] = (), cut: int = 10_000) -> bytes:
    """A game played out; with names, or broken off after so many lines."""
    edit = called(names) if names else keep_as_is
    seats = GAMES[0].seats[:players]
    return b"".join(make(Plan(GAMES[0], seats, seed=seed, named=bool(names), stop_after=cut, edit=edit)))


@cache
def cancelled(seed: int) -> bytes:
    """A game called off before it began."""
    return b"".join(make(Plan(GAMES[0], GAMES[0].seats[:2], seed=seed, cancelled=True)))


def mixed(folder: Path) -> None:
    """A few of each kind, in folders within."""
    logs = {f"played/{seed}.pbem": game(seed, 2 + seed % 3, NAMES[: 2 + seed % 3]) for seed in range(6)}
    whole = logs["played/0.pbem"]
    lines = whole.splitlines(keepends=True)
    logs |= {
        "called off.pbem": cancelled(50),
        "broken off.pbem": game(51, cut=30),
        "bad/flipped.pbem": whole[:9000] + bytes([whole[9000] ^ 1]) + whole[9001:],
        "bad/empty.pbem": b"",
        "bad/noise.pbem": bytes(range(256)),
        "again/shorter.pbem": b"".join(lines[:40]),
        "again/<b>&.pbem": whole,
    }
    write(folder, logs)


def library(factory: pytest.TempPathFactory) -> Path:
    """A folder with these games in `games`, the library over them in `site`, and what was built in `built.txt`."""

    def make(folder: Path) -> None:
        mixed(folder / "games")
        order = Order(folder / "games", folder / "site", base_url="https://games.example.org/")
        built = build(order)
        (folder / "built.txt").write_text(
            f"{built.archives} archives, {built.read} read, {built.games} games, {built.problems} problems"
        )

    return made_once(factory, "library", make)


def write(folder: Path, logs: dict[str, bytes]) -> None:
    """Files by name."""
    for name, data in logs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def many(folder: Path, count: int, played: int) -> None:
    """So many archives, of which some are played out and the others called off."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        data = game(number, 2 + number % 4) if number < played else cancelled(number)
        (folder / f"{number:05}.pbem").write_bytes(data)


def files(site: Path) -> dict[str, bytes]:
    """What a site publishes."""
    found = (path for path in sorted(site.rglob("*")) if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in found}
