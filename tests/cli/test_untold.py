"""A command that cannot say what it has done says that it is done: one rule, told by the code 74.

From a fault: `pbem game new … >/dev/full` began the game, said that it had failed, and its host began another.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SEATS = ("--ruleset", "arena", "--seat", "red=r@example.org", "--seat", "blue=b@example.org")
UNTOLD = 74


def run(home: Path, *args: str, out: str = "/dev/full", err: str = "") -> tuple[int, str]:
    """The exit code, and what was said on standard error."""
    environment = {**os.environ, "PBEM_HOST": str(home), "PBEM_HOME": str(home) + "-kit", "PBEM_LANG": "en"}
    with Path(out).open("wb") as stdout, Path(err or os.devnull).open("wb") as stderr:
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *args],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr if err else subprocess.PIPE,
            env=environment,
            check=False,
        )
    return done.returncode, (done.stderr or b"").decode()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("untold") / "home"
    code, said = run(found, "host", "init")
    # what it has to say is not lost
    assert (code, "The home is" in said, "cli/untold" in said) == (UNTOLD, True, True)
    (found.parent / "words").write_text("correct horse")
    return found


def games(home: Path) -> list[str]:
    return sorted(path.stem for path in (home / "logs").glob("*.pbem"))


def test_what_is_done_is_said_to_be_done(home: Path) -> None:
    words, copy = str(home.parent / "words"), str(home.parent / "copy")
    before = games(home)
    code, said = run(home, "game", "new", *SEATS, "--json")
    (game,) = set(games(home)) - set(before)
    assert (code, game in said, "It is done" in said) == (UNTOLD, True, True)
    done: tuple[tuple[str, ...], ...] = (
        ("game", "address", game, "red", "x@example.org"),
        ("game", "player", game, "red", "--lang", "fi"),
        ("game", "observe", game, "tom@example.net"),
        ("game", "seat", game, "red", "--offer", "eve@example.org"),
        ("game", "substitutes", "--add", "carl@example.net"),
        ("table", "new", "--ruleset", "arena", "--seat", "red", "--seat", "blue"),
        ("export", game, "-o", str(home.parent / "log.pbem")),
        ("host", "backup", copy, "--passphrase-file", words),
        ("host", "restore", copy, "--passphrase-file", words, "--home", str(home.parent / "again")),
        ("game", "cancel", game),
        ("key", "new", "--key", str(home.parent / "key.json")),
        ("desk", "-o", str(home.parent / "desk.html")),
        ("turn", "new", str(home.parent / "folder"), *SEATS),
    )
    for args in done:
        code, said = run(home, *args)
        assert (code, "cli/untold" in said) == (UNTOLD, True), (args, said)


def test_what_was_only_asked_or_refused_is_not(home: Path) -> None:
    for args in (("game", "list"), ("status", "--json"), ("host", "doctor", "--no-net", "--json")):
        code, said = run(home, *args)
        assert (code, "cli/file" in said, "/dev/stdout" in said) == (2, True, True), said
    code, said = run(home, "game", "new", *SEATS[:2])
    assert (code, "cli/untold" in said) == (2, False)


def test_where_nothing_at_all_can_be_said_the_code_says_it(home: Path) -> None:
    before = games(home)
    assert run(home, "game", "new", *SEATS, err="/dev/full")[0] == UNTOLD
    assert len(games(home)) == len(before) + 1
    assert run(home, "game", "show", "nosuch", err="/dev/full")[0] == 2


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_name_of_standard_output_is_never_replaced(home: Path, tmp_path: Path, name: str) -> None:
    """With standard output in a file, /dev/stdout itself became a file, for everybody on the machine."""
    assert run(home, "game", "new", *SEATS)[0] == UNTOLD
    game = games(home)[0]
    code, _ = run(home, "export", game, "-o", name, out=str(tmp_path / "log"))
    log = (home / "logs" / f"{game}.pbem").read_bytes()
    assert (code, (tmp_path / "log").read_bytes().startswith(log)) == (0, True)
    assert Path("/dev/stdout").is_symlink()


def test_a_reader_who_has_gone_changes_nothing_of_that(home: Path) -> None:
    command = f'{sys.executable} -m pbem "$@" | true; exit "${{PIPESTATUS[0]}}"'
    environment = {**os.environ, "PBEM_HOST": str(home), "PBEM_LANG": "en"}

    def piped(*args: str) -> tuple[int, str]:
        words = ["bash", "-c", command, "pbem", *args]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, said = piped("game", "new", *SEATS)
    assert (code, "It is done" in said) == (UNTOLD, True)
    assert "Traceback" not in piped("game", "list")[1]
