"""The README followed word by word: every command in it, in its order, in a copy of the checkout.

`make …` and the line that enters the virtual environment are not run here: the suite itself is run by one of
them, and would run itself. They are held against the Makefile instead.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arch.source import ROOT, files, text

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAKE = re.compile(r"make (\w+)")
MORE_GAMES = re.compile(r"fixtures/games/\w+/(?!2p-[ab])")
ACTIVATE = ". .venv/bin/activate"


def commands() -> list[str]:
    """What stands behind a `$` in the console blocks, in order."""
    rows = [row for block in BLOCK.findall(text("README.md")) for row in block.splitlines()]
    assert all(row.startswith("$ ") for row in rows), "a console block holds commands only"
    return [row.removeprefix("$ ") for row in rows]


RUN = [command for command in commands() if not MAKE.fullmatch(command) and command != ACTIVATE]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout as somebody else has it: what is tracked, or would be; of the archives but two of each game."""
    target = tmp_path_factory.mktemp("readme") / "pbem"
    for name in files():
        if MORE_GAMES.match(name):
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command line as a person types it, with the virtual environment entered, and a home of its own."""
    paths = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    surroundings = {"PATH": paths, "HOME": str(home), "PBEM_LANG": "en", "LANG": "C.UTF-8"}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_every_command_succeeds(copy: Path) -> None:
    assert len(RUN) >= 10
    for command in RUN:
        done = run(command, copy)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, command
        assert done.stdout, f"$ {command} says nothing"


def test_what_is_not_run_exists() -> None:
    left = [command for command in commands() if command not in RUN]
    targets = set(re.findall(r"^(\w+):", text("Makefile"), re.MULTILINE))
    named = [match[1] for command in left if (match := MAKE.fullmatch(command))]
    assert {"demo", "test", "install"} <= set(named) <= targets
    assert [command for command in left if not MAKE.fullmatch(command)] == [ACTIVATE]
    assert re.search(r"^VENV\s*:= \.venv$", text("Makefile"), re.MULTILINE)


def test_the_page_keeps_its_order() -> None:
    page = text("README.md")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert headings == [
        "Two commands",
        "For players",
        "For hosts",
        "For auditors",
        "How fair dice work",
        "Where to go next",
    ]
    fair = page.partition("## How fair dice work\n")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\d+\. ", fair, re.MULTILINE)) == 10


def test_what_the_page_points_at_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text("README.md")):
        assert (ROOT / target).exists(), target
