"""`pbem library build`, `pbem replay-page` and `pbem export --html`: what they write, say and answer."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.log.ledger import lines_of
from pbem.site import page_of
from tests.archive.games import small
from tests.pages.archives import cancelled, write

DOCS = Path(__file__).parents[2] / "docs" / "library.md"


def pbem(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def log() -> bytes:
    return small()


def test_a_page_of_a_file(tmp_path: Path, log: bytes) -> None:
    lines = list(lines_of(log))
    half = b"".join(lines[: len(lines) // 2])
    write(tmp_path, {"game.pbem": log, "half.pbem": half, "bad.pbem": log[:-9]})
    for name, code, said in (("game", 0, "sound:"), ("half", 3, "unfinished"), ("bad", 1, "log/no-line-end")):
        done = pbem("replay-page", tmp_path / f"{name}.pbem", "-o", tmp_path / f"{name}.html")
        assert (done.exit_code, said in done.output) == (code, True), done.output
        assert (tmp_path / f"{name}.html").read_bytes() == page_of((tmp_path / f"{name}.pbem").read_bytes())


def test_export_makes_a_page(tmp_path: Path, log: bytes) -> None:
    write(tmp_path, {"game.pbem": log})
    done = pbem("export", tmp_path / "game.pbem", "--html", "-o", tmp_path / "page.html")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "page.html").read_bytes() == page_of(log)
    shown = pbem("export", tmp_path / "game.pbem", "--html")
    assert shown.stdout_bytes == page_of(log)


def test_export_makes_a_page_of_a_layer(tmp_path: Path, log: bytes) -> None:
    """What only the full archive holds is not in the page of the public layer."""
    write(tmp_path, {"game.pbem": log})
    assert (
        pbem("export", tmp_path / "game.pbem", "--layer", "public", "-o", tmp_path / "p.pbem").exit_code == 0
    )
    done = pbem("export", tmp_path / "game.pbem", "--html", "--layer", "public", "-o", tmp_path / "page.html")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "page.html").read_bytes() == page_of((tmp_path / "p.pbem").read_bytes())


def test_the_log_comes_out_of_the_page_as_the_manual_says(tmp_path: Path, log: bytes) -> None:
    (tmp_path / "page.html").write_bytes(page_of(log))
    said = re.search(r"\$ (sed -n .* > game\.pbem)", DOCS.read_text(encoding="utf-8"))
    assert said is not None
    subprocess.run(["sh", "-c", said[1]], cwd=tmp_path, check=True)
    assert (tmp_path / "game.pbem").read_bytes() == log


def test_a_library_is_built_and_brought_up_to_date(tmp_path: Path) -> None:
    write(tmp_path / "games", {"a.pbem": cancelled(1), "b.pbem": cancelled(2), "c.pbem": b"?"})
    order = ("library", "build", tmp_path / "games", "-o", tmp_path / "site")
    first = pbem(*order)
    assert first.exit_code == 0, first.output
    assert "Archives: 3, of which 3 were read. Games: 2, problems: 1." in first.output
    assert (tmp_path / "site" / "index.html").is_file()
    again = json.loads(pbem(*order, "--json").output)
    assert again == {
        "archives": 3,
        "read": 0,
        "games": 2,
        "problems": 1,
        "written": 0,
        "removed": 0,
        "left_out": 0,
    }


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert pbem("library", "build", tmp_path / "none", "-o", tmp_path / "site").exit_code == 2
    assert pbem("replay-page", tmp_path / "none.pbem", "-o", tmp_path / "page.html").exit_code == 2
    assert not list(tmp_path.iterdir())


def test_a_site_is_not_built_around_its_archives(tmp_path: Path) -> None:
    write(tmp_path / "games", {"a.pbem": cancelled(1)})
    for site in (tmp_path, tmp_path / "games", tmp_path / "games" / ".." / "games"):
        done = pbem("library", "build", tmp_path / "games", "-o", site)
        assert (done.exit_code, "archive/site" in done.output) == (2, True), done.output
    assert [path.name for path in tmp_path.rglob("*")] == ["games", "a.pbem"]
    assert pbem("library", "build", tmp_path / "games", "-o", tmp_path / "games" / "site").exit_code == 0


def test_what_somebody_else_put_into_the_site_stays(tmp_path: Path) -> None:
    write(tmp_path / "games", {"a.pbem": cancelled(1), "b.pbem": cancelled(2)})
    own = [
        tmp_path / "site" / name
        for name in ("about.html", "players/anna.html", "games/mine.html", "list/9.html")
    ]
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<title>Mine</title>")
    order = ("library", "build", tmp_path / "games", "-o", tmp_path / "site", "--json")
    assert json.loads(pbem(*order).output)["removed"] == 0
    (tmp_path / "games" / "b.pbem").unlink()
    assert json.loads(pbem(*order).output)["removed"] == 1
    assert all(path.exists() for path in own)


def test_what_has_no_name_or_no_end_is_counted(tmp_path: Path) -> None:
    write(tmp_path / "games", {"a.pbem": cancelled(1), "new\nline.pbem": cancelled(2)})
    os.mkfifo(tmp_path / "games" / "pipe.pbem")
    (tmp_path / "games" / "gone.pbem").symlink_to("nowhere")
    (tmp_path / "games" / "folder.pbem").mkdir()
    (tmp_path / "games" / os.fsdecode(b"\xff.pbem")).write_bytes(cancelled(3))
    done = pbem("library", "build", tmp_path / "games", "-o", tmp_path / "site")
    assert (done.exit_code, "3 files are left out" in done.output) == (0, True), done.output
