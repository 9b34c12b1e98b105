"""Pages, library, audits and laboratory know no game: with one folder and one line more they serve another one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.audit import audit
from tests.contract.test_one_line import copied, with_one_game_more
from tests.pages.html import text, valid

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


PLAY = """
from pathlib import Path
from engine.games.toy import GAME as TOY
from tests.audit.make import Plan, make
folder = Path("games")
folder.mkdir()
for seed in range(3):
    lines = make(Plan(TOY, TOY.seats[: 2 + seed], seed=seed))
    (folder / f"{seed}.pbem").write_bytes(b"".join(lines))
"""


def python(home: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Python there; our tests, but its engine and its pbem."""
    environment = {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{ROOT}"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with one game more, and a folder with games of it."""
    home = tmp_path_factory.mktemp("second")
    for part in ("engine", "pbem", "schemas"):
        copied(ROOT / part, home / part)
    copied(ROOT / "tests" / "toy", home / "engine" / "games" / "toy")
    for path in (home / "engine" / "games" / "toy").glob("*.py"):
        path.write_text(path.read_text().replace("tests.toy", "engine.games.toy"))
    catalog = home / "engine" / "catalog.py"
    catalog.write_text(with_one_game_more(catalog.read_text()))
    python(home, "-m", "pbem.cli.schemas", "schemas")
    python(home, "-c", PLAY)
    return home


@pytest.fixture
def run(home: Path) -> Run:
    def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        return python(home, "-c", "from pbem.cli import main; main()", *arguments, code=code)

    return run


def test_without_it_the_game_is_unknown_and_nothing_breaks(home: Path) -> None:
    report = audit((home / "games" / "0.pbem").read_bytes())
    assert (report.exit_code, report.code) == (1, "audit/ruleset")


def test_audits_one_and_many(run: Run) -> None:
    assert "toy 1" in run("audit", "games/0.pbem").stdout
    results = run("audit", "games", "--jobs", "2", "--json").stdout.splitlines()
    assert [(one["verdict"], one["ruleset"]) for one in map(json.loads, results)] == [("sound", "toy")] * 3


def test_a_replay_page_with_pictures_and_diary(home: Path, run: Run) -> None:
    run("export", "games/1.pbem", "--html", "-o", "page.html")
    page = (home / "page.html").read_bytes()
    valid(page)
    found = re.search(rb'<script type="application/json" id="tale"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    tale = json.loads(found[1])
    assert tale["title"] == "Gems by mail"
    assert len(tale["pieces"]) > 1
    assert all(len(moment["eyes"]) == 4 for moment in tale["moments"]), "everybody, and three seats"


def test_a_library_of_it(home: Path, run: Run) -> None:
    run("library", "build", "games", "-o", "site", "--jobs", "2")
    shelf = next((home / "site" / "rulesets").glob("*.html")).read_bytes()
    assert "Gems by mail" in text(shelf)
    assert "With 3 players" in text(shelf)
    assert len(list((home / "site" / "games").glob("*.html"))) == 3


def test_tables_and_text_there_and_back(home: Path, run: Run) -> None:
    for form in ("jsonl", "csv"):
        for table in ("moves", "events", "draws"):
            assert run("export", "games/2.pbem", "--format", form, "--table", table).stdout
    run("export", "games/2.pbem", "--format", "text", "-o", "game.record")
    again = run("export", "game.record", "--format", "jsonl").stdout
    assert again.count("\n") >= 5


def test_the_laboratory_plays_it(home: Path, run: Run) -> None:
    run("lab", "toy", "--players", "3", "--games", "6", "--bots", "random,silent", "-o", "lab", "--no-plots")
    assert len((home / "lab" / "games.csv").read_text().splitlines()) == 7
    assert "random" in (home / "lab" / "bots.csv").read_text()
