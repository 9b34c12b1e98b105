"""Files that have no end, or are far too large, are refused by every command; from a fault: /dev/zero was read on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import Refused
from pbem.cli import main
from pbem.disk import read_file, read_stream

LETTER = Path(__file__).resolve().parents[2] / "fixtures" / "letters" / "your-move.eml"
KEY = LETTER.with_name("your-key.json")
NEW = ("game", "new", "--ruleset", "arena", "--seat", "red=r@example.org", "--seat", "blue=b@example.org")
GIVEN = [
    (*NEW, "--board", "FILE"),
    (*NEW, "--deck", "FILE"),
    ("host", "adopt", "FILE"),
    ("host", "adopt", str(LETTER), "FILE"),
    ("host", "backup", "COPY", "--passphrase-file", "FILE"),
    ("host", "restore", "FILE", "--passphrase-file", str(LETTER), "--home", "COPY"),
    ("turn", "apply", "FOLDER", "FILE"),
    ("turn", "new", "FOLDER", *NEW[2:], "--board", "FILE"),
    ("scenario", "run", "FILE"),
    ("show", "FILE"),
    ("fill", str(LETTER), "--key", str(KEY), "--orders", "FILE"),
    ("compile", "FILE", "--view", str(LETTER)),
    ("audit", "FILE"),
    ("replay", "FILE"),
    ("verify", "FILE"),
    ("replay-page", "FILE", "-o", "COPY"),
    ("export", "FILE"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("endless") / "home"
    done = CliRunner(env={"PBEM_HOST": str(found)}).invoke(main, ["host", "init"])
    assert done.exit_code == 0
    return found


@pytest.mark.parametrize("args", GIVEN, ids=" ".join)
def test_no_command_reads_on(home: Path, tmp_path: Path, args: tuple[str, ...]) -> None:
    endless, large, pipe = Path("/dev/zero"), tmp_path / "large", tmp_path / "pipe"
    with large.open("wb") as sparse:
        sparse.truncate(3 << 30)
    os.mkfifo(pipe)
    (tmp_path / "folder").mkdir()
    names = {"COPY": str(tmp_path / "copy"), "FOLDER": str(tmp_path / "folder")}
    runner = CliRunner(env={"PBEM_HOST": str(home), "PBEM_HOME": str(tmp_path / "kit"), "PBEM_LANG": "en"})
    for file in (endless, large, pipe):
        if args[:2] == ("host", "restore") and file is large:
            continue  # a copy has no size that it may not have; its first bytes say that this is none
        done = runner.invoke(main, [{"FILE": str(file), **names}.get(word, word) for word in args])
        assert done.exit_code in (1, 2), done.output
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        told = (
            "archive/not-a-file",
            "disk/too-large",
            "too-long",
            "something else: a folder",
            "has no end",
            "no-backup",
        )
        assert any(code in done.output for code in told), done.output
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("name", ["config.toml", "host.key"])
def test_nor_does_the_home(home: Path, tmp_path: Path, name: str) -> None:
    other = tmp_path / "home"
    other.mkdir()
    for file in ("config.toml", "host.key", "pbem.sqlite", "begun"):
        (other / file).write_bytes((home / file).read_bytes())
    (other / name).unlink()
    (other / name).symlink_to("/dev/zero")
    done = CliRunner(env={"PBEM_HOST": str(other), "PBEM_LANG": "en"}).invoke(main, ["status"])
    assert done.exit_code == 2
    assert ("host/key" if name == "host.key" else "archive/not-a-file") in done.output


@pytest.mark.parametrize(
    "args",
    [
        ("compile", "-", "--view", str(LETTER)),
        ("press", str(LETTER), "-", "--key", str(KEY)),
        ("key", "words", "--read", "--key", "KEY"),
        ("fill", str(LETTER), "--key", str(KEY)),
    ],
    ids=" ".join,
)
def test_nor_is_standard_input_read_on(tmp_path: Path, args: tuple[str, ...]) -> None:
    environment = {**os.environ, "PBEM_HOME": str(tmp_path), "PBEM_LANG": "en"}
    words = [str(tmp_path / "key.json") if word == "KEY" else word for word in args]
    with Path("/dev/zero").open("rb") as zero:
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *words],
            stdin=zero,
            capture_output=True,
            env=environment,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert b"disk/too-large" in done.stderr


def test_what_is_just_small_enough_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 10)
    assert read_file(tmp_path / "file", 10) == b"x" * 10
    with pytest.raises(Refused, match="disk/too-large"):
        read_file(tmp_path / "file", 9)
    with (tmp_path / "file").open("rb") as stream:
        assert read_stream(stream, 10, "-") == b"x" * 10
