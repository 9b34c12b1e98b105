"""A game that has begun, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.table import Game


def no_sync(_: int) -> None:
    """What these tests crash is the command, not the machine; they needn't wait for its disk."""


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, and no home but a folder of the test's."""
    monkeypatch.setenv("PBEM_LANG", "en")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pbem.disk.os.fsync", no_sync)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """Two players who have confirmed; turn 1 is open."""
    return Game(tmp_path / "friday").begin()
