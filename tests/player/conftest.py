"""The toy game stands beside the released ones, its schemas made on the spot; each test has a home of its own."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

import engine.catalog
from pbem.cli.codes import table
from pbem.turn import schema
from pbem.turn.refusals import TABLE
from tests.service.lightly import light_desk
from tests.toy import GAME


@cache
def schemas() -> dict[str, bytes]:
    """The toy's, by file name."""
    parts = {schema._file(GAME, part): shape for part, shape in schema._parts(GAME).items()}
    return {name: schema._document(name, shape) for name, shape in parts.items()}


@pytest.fixture(autouse=True)
def toy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game as if it were in the catalog, with what `schemas/` would then hold."""
    files, shipped = schemas(), schema._load

    def load(name: str) -> bytes:
        return files.get(name) or shipped(name)

    monkeypatch.setattr(schema, "_load", load)
    monkeypatch.setattr(engine.catalog, "GAMES", (*engine.catalog.GAMES, GAME))
    for code in GAME.codes:
        monkeypatch.setitem(TABLE, code.code, code)
    table.cache_clear()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """An empty desk to work at, and an empty home for the kit, in which nothing is remembered.

    The host's invitations have the light page.
    """
    desk, mine = tmp_path / "desk", tmp_path / "home"
    desk.mkdir()
    monkeypatch.setenv("PBEM_HOME", str(mine))
    monkeypatch.setenv("PBEM_LANG", "en")
    monkeypatch.chdir(desk)
    with light_desk():
        yield mine
