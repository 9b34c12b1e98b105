"""The release gate: recorded games come out the same, byte for byte, or the release does not go out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import Position, Table
from fixtures import make_games
from pbem.audit import story as stories
from pbem.audit.story import remake, story
from pbem.cli.gate import main
from pbem.log.draws import LabelSource
from pbem.turn import play, record
from pbem.turn.play import Played
from tests.archive.games import kind, lines, long, small

ROOT = Path(__file__).resolve().parents[2]


def put(folder: Path, archive: bytes, text: bytes | None = None) -> Path:
    (folder / "g.pbem").write_bytes(archive)
    if text is not None:
        (folder / "g.txt").write_bytes(text)
    return folder


def test_recorded_games_come_out_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([put(tmp_path, long(), story(long()))]) == 0
    assert "One archive played again byte for byte; 0 came out otherwise." in capsys.readouterr().out


def test_the_text_is_that_of_the_fixtures() -> None:
    assert story(long()) == make_games.told(long())


def test_every_change_of_the_position_is_made_again() -> None:
    made = remake(small())
    changes = [line for line in lines(small()) if b'"draws"' in line and b'"kind":"drawn"' not in line]
    assert (made.report.verdict, made.records, made.differ) == ("sound", len(changes), ())


def test_no_archive_is_a_failure(tmp_path: Path) -> None:
    assert main([tmp_path]) == 1


def test_a_text_told_otherwise_fails_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = story(long()).split(b"\n")
    told[4] += b"!"
    assert main([put(tmp_path, long(), b"\n".join(told))]) == 1
    assert "g.txt is told otherwise from its line 5 on" in capsys.readouterr().out
    assert main([put(tmp_path, long(), story(long()) + b"\nmore")]) == 1


def test_rules_that_play_otherwise_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = play.resign

    def other(table: Table, position: Position[Any], seat: str, dice: LabelSource) -> Played:
        played = honest(table, position, seat, dice)
        return Played(msgspec.structs.replace(played.outcome, events=()), played.dice)

    monkeypatch.setattr(play, "resign", other)
    assert main([put(tmp_path, small())]) == 1
    assert "audit/events" in capsys.readouterr().out


def test_a_record_written_otherwise_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look, at whole lines, stands on its own: it would find what the audit's comparison of fields forgot."""
    honest = record.told

    def other(table: Table, game_id: str, played: Played, n: int, k_hidden: bytes) -> record.Told:
        return msgspec.structs.replace(honest(table, game_id, played, n, k_hidden), public="ab" * 32)

    monkeypatch.setattr(stories, "told", other)
    made = remake(small())
    assert made.report.verdict == "sound"
    assert len(made.differ) == made.records
    assert kind(lines(small())[made.differ[0] - 1]) == "start"


def test_an_archive_that_is_not_sound_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([put(tmp_path, b"".join(lines(small())[:9]))]) == 1
    assert "unfinished" in capsys.readouterr().out


def test_it_is_a_program_and_goes_over_folders(tmp_path: Path) -> None:
    """All of fixtures/games are played again elsewhere in the suite, and by `make gate`."""
    for game in ("arena", "cybertron"):
        (tmp_path / game).mkdir()
        shutil.copy(ROOT / "fixtures" / "games" / game / "2p-a.pbem", tmp_path / game)
    command = [sys.executable, "-m", "pbem.cli.gate", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "played again byte for byte; 0 came out otherwise." in done.stdout
