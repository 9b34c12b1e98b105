"""`pbem audit` and `pbem replay`: one line a file, and the exit codes of protocol.md section 7."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.table import code, pbem, said

ARCHIVES = Path(__file__).resolve().parents[2] / "fixtures" / "games" / "arena"
FIRST, SECOND = ARCHIVES / "2p-a.pbem", ARCHIVES / "3p-a.pbem"


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A log that stops within the game, at the end of a line."""
    path = tmp_path / "cut.pbem"
    path.write_bytes(b"".join(FIRST.read_bytes().splitlines(keepends=True)[:20]))
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A log with a word changed in its tenth line."""
    lines = FIRST.read_bytes().splitlines(keepends=True)
    lines[9] = lines[9].replace(b'"seat":"', b'"seat":"x', 1)
    path = tmp_path / "broken.pbem"
    path.write_bytes(b"".join(lines))
    return path


def test_sound_files_have_a_line_each() -> None:
    result = pbem("audit", FIRST, SECOND)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split(": ")[0] for line in lines] == [str(FIRST), str(SECOND)]
    assert all(": sound: " in line for line in lines)


def test_a_fault_is_told_with_its_line_and_what_to_do(broken: Path) -> None:
    result = pbem("audit", broken)
    assert result.exit_code == 1
    first, *rest = result.stdout.splitlines()
    assert "line 10" in first
    assert [row.split(":")[0].strip() for row in rest] == ["Expected", "Found", "What to do"]


def test_the_advice_is_for_who_audits_and_not_for_who_writes_a_file(tmp_path: Path) -> None:
    """An auditor was told to write the file again with the player's kit."""
    data = bytearray(FIRST.read_bytes())
    data[5_000] = ord("Z")
    path = tmp_path / "changed.pbem"
    path.write_bytes(bytes(data))
    told = pbem("audit", path).stdout
    assert ": fault in line 7: file/" in told
    assert "What to do: Compare this file with another copy of it." in told
    assert "kit" not in told


def test_unfinished_is_not_a_fault(cut: Path) -> None:
    result = pbem("audit", cut)
    assert result.exit_code == 3
    assert "sound so far" in result.stdout


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    result = pbem("audit", tmp_path / "nothing.pbem")
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_a_file_that_is_no_log_is_a_fault(tmp_path: Path) -> None:
    for data in (b"", b"hello\n", b"\xff\xff\n", b"{}\n", b"[" * 100_000):
        path = tmp_path / "odd.pbem"
        path.write_bytes(data)
        result = pbem("audit", path)
        assert result.exit_code == 1
        assert "line 1" in result.stdout


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("sound", "cut"), 3),
        (("cut", "missing"), 2),
        (("missing", "sound", "broken", "cut"), 1),
        (("sound", "sound"), 0),
    ],
)
def test_of_several_files_the_worst_counts_and_all_are_told(
    names: tuple[str, ...], expected: int, broken: Path, cut: Path, tmp_path: Path
) -> None:
    paths = {"sound": FIRST, "broken": broken, "cut": cut, "missing": tmp_path / "missing.pbem"}
    result = pbem("audit", "--json", *(paths[name] for name in names))
    assert result.exit_code == expected
    assert [answer["file"] for answer in said(result)] == [str(paths[name]) for name in names]


def test_machines_are_told_the_same(broken: Path, cut: Path, tmp_path: Path) -> None:
    answers = said(pbem("audit", "--json", FIRST, broken, cut, tmp_path / "nothing.pbem"))
    assert [answer["verdict"] for answer in answers] == ["sound", "fault", "unfinished", "unreadable"]
    assert answers[1]["line"] == 10
    assert answers[3]["problem"]


def test_a_turn_is_told_again() -> None:
    result = pbem("replay", FIRST, "--turn", "3")
    assert result.exit_code == 0
    heads = [line for line in result.stdout.splitlines() if line.startswith("== Record ")]
    assert heads
    assert all(", turn 3: " in head for head in heads)
    assert "THE ARENA" in result.stdout
    assert "YOUR HAND" not in result.stdout


def test_a_turn_is_told_as_a_seat_saw_it() -> None:
    result = pbem("replay", FIRST, "--turn", "3", "--seat", "red")
    assert result.exit_code == 0
    assert "YOUR HAND" in result.stdout


def test_a_whole_game_is_told_record_by_record() -> None:
    *pages, report = said(pbem("replay", "--json", FIRST))
    records = [json.loads(line) for line in FIRST.read_bytes().splitlines()]
    changed = [one["n"] for one in records if one["kind"] in ("start", "move", "timeout", "resign")]
    assert [page["n"] for page in pages] == changed
    assert report["verdict"] == "sound"


def test_what_replay_cannot_tell(broken: Path, cut: Path, tmp_path: Path) -> None:
    assert "No turn 999 in" in pbem("replay", FIRST, "--turn", "999").stderr
    assert code(pbem("replay", FIRST, "--seat", "purple")) == "log/unknown-seat"
    assert code(pbem("replay", tmp_path / "nothing.pbem")) == "cli/file"
    assert pbem("replay", cut).exit_code == 3
    result = pbem("replay", broken)
    assert result.exit_code == 1
    assert "line 10" in result.stdout
    assert pbem("replay", FIRST, "--turn", "-1").exit_code == 2


def test_whoever_reads_only_the_beginning_gets_no_complaint(tmp_path: Path) -> None:
    """`pbem replay … | head`: the command ends without a word when nobody reads on."""
    script = Path(sys.executable).with_name("pbem")
    errors = tmp_path / "errors"
    command = f'"{script}" replay "$1" 2> "$2" | head -n 1'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", str(FIRST), str(errors)], capture_output=True, check=True, timeout=60
    )
    assert done.stdout.startswith(b"== Record ")
    assert errors.read_bytes() == b""


def test_an_archive_is_not_changed_by_being_read(tmp_path: Path) -> None:
    copy = tmp_path / "copy.pbem"
    shutil.copy(FIRST, copy)
    copy.chmod(0o400)
    assert pbem("audit", copy).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"copy.pbem"}
