"""Adding a game touches one folder and one line (and the import that the line needs).

A copy of the engine gets the toy as a game of its own; the kit then runs over the copy's catalog.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def copied(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


def with_one_game_more(catalog: str) -> str:
    """The catalog's text with the toy behind the other games."""
    line = re.search(r"^GAMES\b.*\($|^GAMES\b.*\(.*\)$", catalog, re.MULTILINE)
    assert line, "the catalog has no tuple GAMES"
    games = line[0].rstrip(")").rstrip(", ")
    added = f"{games}, TOY)" if line[0].endswith(")") else f"{games}\n    TOY,"
    text = catalog.replace(line[0], added)
    return text.replace(
        "from engine.kernel", "from engine.games.toy import GAME as TOY\nfrom engine.kernel", 1
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    copied(ROOT / "engine", tmp_path / "engine")
    copied(ROOT / "tests" / "contract", tmp_path / "tests" / "contract")
    copied(ROOT / "tests" / "toy", tmp_path / "engine" / "games" / "toy")
    for path in (tmp_path / "engine" / "games" / "toy").glob("*.py"):
        path.write_text(path.read_text().replace("tests.toy", "engine.games.toy"))
    listing = tmp_path / "tests" / "contract" / "games.py"
    listing.write_text(listing.read_text().replace("tests.toy", "engine.games.toy"))
    catalog = tmp_path / "engine" / "catalog.py"
    catalog.write_text(with_one_game_more(catalog.read_text()))
    return tmp_path


def test_one_folder_and_one_line(copy: Path) -> None:
    old, new = ROOT / "engine", copy / "engine"
    ours = {path.relative_to(old) for path in old.rglob("*.py")}
    theirs = {path.relative_to(new) for path in new.rglob("*.py")}
    assert {path.parts[:2] for path in theirs - ours} == {("games", "toy")}
    assert not ours - theirs
    changed = [path for path in ours if (old / path).read_bytes() != (new / path).read_bytes()]
    assert changed == [Path("catalog.py")]
    before, after = ((tree / "catalog.py").read_text().splitlines() for tree in (old, new))
    added = [line[2:] for line in difflib.ndiff(before, after) if line.startswith("+ ")]
    imports = [line for line in added if isinstance(ast.parse(line).body[0], ast.ImportFrom)]
    assert len(imports) == 1
    assert len(added) == 2, f"besides the import more than one line changed: {added}"


def test_the_kit_runs_over_it(copy: Path) -> None:
    command = [sys.executable, "-m", "tests.contract.transcript"]
    run = subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    played = [line.split()[0] for line in run.stdout.splitlines()]
    assert played.count("toy") == 4
    assert set(played) > {"toy"}
    code = (
        "from engine import GAMES\n"
        "from tests.contract.kit import CHECKS\n"
        "from tests.contract.playing import Case, played\n"
        "from tests.contract.twins import leaks\n"
        "toy = GAMES[-1]\n"
        "assert toy.state.__module__ == 'engine.games.toy.state'\n"
        "for check in CHECKS: check(played(Case(toy, 3, 1)))\n"
        "assert leaks(Case(toy, 3, 1), 4, 2)[0]\n"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
