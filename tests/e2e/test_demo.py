"""`make demo`: a whole game by real mail, each player a process of its own; the same seed gives the same archive."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.audit.audit import audit
from tests.arch.source import ROOT


def shown(folder: Path, *arguments: str) -> str:
    """What the demo tells, with everything kept in a new folder."""
    command = [sys.executable, "-m", "pbem.demo", "--keep", str(folder), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "clock-" not in done.stderr
    return done.stdout


def archive(folder: Path) -> bytes:
    (found,) = folder.glob("*.pbem")
    return found.read_bytes()


def test_the_demo_ends_with_a_sound_archive_every_mail_and_what_to_try_next(tmp_path: Path) -> None:
    told = shown(tmp_path / "kept", "--players", "2", "--seed", "short")
    assert audit(archive(tmp_path / "kept")).exit_code == 0
    assert "Audit:   sound" in told
    assert (
        "Every player's own copy of the log, put together from letters, is the same: Red and Green." in told
    )
    for seat in ("red", "green"):
        mails = list((tmp_path / "kept" / seat / "received").glob("*.eml"))
        assert len(mails) > 10
        assert all(mail.with_suffix(".txt").is_file() for mail in mails)
    commands = re.findall(r"^  (pbem .*)$", told, re.MULTILINE)
    assert [shlex.split(command)[1] for command in commands] == ["audit", "replay", "show"]
    for command in commands:
        arguments = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, command + done.stderr
        assert done.stdout


@pytest.mark.soak
@pytest.mark.parametrize("players", ["2", "4"])
def test_one_seed_gives_one_archive(tmp_path: Path, players: str) -> None:
    arguments = ("--players", players, "--seed", "twice")
    for run in ("first", "second"):
        shown(tmp_path / run, *arguments)
    assert archive(tmp_path / "first") == archive(tmp_path / "second")
    shown(tmp_path / "other", "--players", players, "--seed", "other")
    assert archive(tmp_path / "other") != archive(tmp_path / "first")
