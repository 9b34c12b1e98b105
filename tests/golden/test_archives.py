"""The recorded archives: sound, told as they were told, and broken by any change of a byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import GAMES as RULESETS
from fixtures.make_games import told
from pbem.audit.audit import audit
from pbem.cli import main

GAMES = Path(__file__).resolve().parents[2] / "fixtures" / "games"
ARCHIVES = sorted(GAMES.glob("*/*.pbem"))
NAMES = [f"{path.parent.name}-{path.stem}" for path in ARCHIVES]
FLIPS = 24
"""Bytes changed in each archive."""


def test_every_number_of_players_is_recorded() -> None:
    names = {(path.parent.name, path.stem) for path in ARCHIVES}
    for game in RULESETS:
        fewest, most = game.players
        plain = {f"{players}p-{seed}" for players in range(fewest, most + 1) for seed in "abc"}
        assert {(game.id, name) for name in (*plain, "3p-lively")} <= names


@pytest.mark.parametrize("archive", ARCHIVES, ids=NAMES)
def test_an_archive_is_sound_and_finished(archive: Path) -> None:
    report = audit(archive.read_bytes())
    assert report.verdict == "sound"
    assert report.exit_code == 0


@pytest.mark.parametrize("archive", ARCHIVES, ids=NAMES)
def test_a_game_is_told_as_it_was_told(archive: Path) -> None:
    assert told(archive.read_bytes()) == archive.with_suffix(".txt").read_bytes()


def places(size: int, name: str) -> list[tuple[int, int]]:
    """Where bytes are changed, and by what, for an archive of that name: chosen once and for all by its digest."""
    stream = hashlib.shake_256(name.encode()).digest(5 * FLIPS)
    numbers = (stream[at : at + 5] for at in range(0, len(stream), 5))
    return [(int.from_bytes(one[:4], "big") % size, one[4] % 255 + 1) for one in numbers]


@pytest.mark.parametrize("archive", ARCHIVES, ids=NAMES)
def test_any_byte_changed_is_a_fault_with_its_line(archive: Path) -> None:
    sound = archive.read_bytes()
    ends = [(0, 1), (len(sound) - 1, 1)]
    for at, change in [*places(len(sound), archive.name), *ends]:
        broken = bytearray(sound)
        broken[at] ^= change
        report = audit(bytes(broken))
        assert report.exit_code == 1, (at, change)
        assert report.line == sound[:at].count(b"\n") + 1, (at, change)


@pytest.mark.parametrize("archive", ARCHIVES[:2], ids=NAMES[:2])
def test_the_command_says_the_line(archive: Path, tmp_path: Path) -> None:
    sound = archive.read_bytes()
    for at, change in places(len(sound), archive.name)[:5]:
        broken = bytearray(sound)
        broken[at] ^= change
        file = tmp_path / "broken.pbem"
        file.write_bytes(broken)
        result = CliRunner().invoke(main, ["audit", str(file)])
        assert result.exit_code == 1
        assert f"line {audit(bytes(broken)).line}" in result.output


@pytest.mark.parametrize("archive", ARCHIVES, ids=NAMES)
def test_a_line_that_is_missing_is_a_fault(archive: Path) -> None:
    lines = archive.read_bytes().splitlines(keepends=True)
    for gone in range(0, len(lines) - 1, 9):
        report = audit(b"".join((*lines[:gone], *lines[gone + 1 :])))
        assert report.exit_code == 1
        assert report.line == gone + 1


@pytest.mark.parametrize("archive", ARCHIVES, ids=NAMES)
def test_an_archive_cut_short_is_unfinished(archive: Path) -> None:
    """What stands there is sound as far as it goes: exit code 3 (protocol.md section 7)."""
    lines = archive.read_bytes().splitlines(keepends=True)
    for length in range(1, len(lines), 17):
        assert audit(b"".join(lines[:length])).exit_code == 3
