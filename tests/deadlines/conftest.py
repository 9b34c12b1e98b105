"""A world of its own for each test; it begins on a Wednesday in summer."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.deadlines.world import World, open_world


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as found:
        yield found


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty desk to work at, and an empty home for the kit."""
    desk, mine = tmp_path / "desk", tmp_path / "mine"
    desk.mkdir()
    monkeypatch.setenv("PBEM_HOME", str(mine))
    monkeypatch.setenv("PBEM_LANG", "en")
    monkeypatch.chdir(desk)
    return mine
