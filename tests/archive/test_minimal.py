"""The stranger's verifier: short, alone, and of one mind with ours."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.log.curve import P, is_sound
from pbem.log.ledger import lines_of, verify
from pbem.log.seal import PrivateKey, public_of
from tests.archive.games import kind, lines, long, small, tiny
from tests.archive.minimal import FILE, check, verifier
from tests.log.edwards import IDENTITY, Point, add, encode, point_of

ROOT = FILE.parents[1]
FIXTURES = sorted((ROOT / "fixtures" / "games").rglob("*.pbem"))


def test_it_is_short_and_needs_nothing_of_ours() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    modules = [line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))]
    allowed = {*sys.stdlib_module_names, "cryptography"}
    assert {name.strip(",").partition(".")[0] for name in modules} <= allowed


@pytest.mark.parametrize("archive", [tiny, small, long])
def test_it_finds_whole_games_sound(archive: Callable[[], bytes]) -> None:
    assert check(archive(), secrets=True) == ("finished", 0)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.soak if n % 2 else ()) for n, path in enumerate(FIXTURES)],
    ids=lambda path: path.stem,
)
def test_it_agrees_on_every_fixture(path: Path) -> None:
    data = path.read_bytes()
    report = verify(lines_of(data))
    assert check(data, secrets=False) == (report.verdict, report.fault.line if report.fault else 0)
    assert check(data, secrets=True)[0] == report.verdict


def test_it_agrees_on_every_prefix() -> None:
    rows = lines(small())
    for size in range(len(rows) + 1):
        data = b"".join(rows[:size])
        report = verify(lines_of(data))
        assert check(data, secrets=False) == (report.verdict, report.fault.line if report.fault else 0)


def test_it_knows_a_weak_key_from_a_sound_one() -> None:
    order_two = Point(0, P - 1, 1, 0)
    keys = [encode(IDENTITY), encode(order_two), bytes(32), b"\xff" * 32, (P + 1).to_bytes(32, "little")]
    for number in range(40):
        public = public_of(PrivateKey(bytes([number]) * 32))
        keys += [public, bytes([public[0] ^ 1]) + public[1:], encode(add(_point(public), order_two))]
    verdicts = {key: is_sound(key) for key in keys}
    assert {True, False} == set(verdicts.values())
    assert {key: verifier().sound(key) for key in keys} == verdicts


def _point(public: bytes) -> Point:
    point = point_of(public)
    assert point is not None
    return point


def test_it_is_a_program(tmp_path: Path) -> None:
    rows = lines(small())
    opened = next(i for i, line in enumerate(rows) if kind(line) == "opened")
    files = {"whole": small(), "cut": b"".join(rows[:opened]), "bad": small().replace(b'"n":3', b'"n":4', 1)}
    for name, data in files.items():
        (tmp_path / f"{name}.pbem").write_bytes(data)
    codes = {name: run(tmp_path / f"{name}.pbem").returncode for name in files}
    assert codes == {"whole": 0, "cut": 3, "bad": 1}
    every = run(*(tmp_path / f"{name}.pbem" for name in files))
    assert every.returncode == 1
    assert every.stdout.splitlines()[2].endswith("bad.pbem: fault in line 4: a false signature")


def run(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(FILE), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
