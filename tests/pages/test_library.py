"""A library over a folder: what it lists and counts, that it reads only what is new, and that its pages are sound."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from pbem.audit import audit
from pbem.site import build as build_module
from pbem.site import shelves
from pbem.site.build import Order, build
from pbem.site.shelves import slug
from tests.pages.archives import NAMES, cancelled, files, game, library, many, write
from tests.pages.dying import Deadly
from tests.pages.html import text, valid

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory) / "site"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    games = library(tmp_path_factory) / "games"
    return {path.relative_to(games).as_posix(): path.read_bytes() for path in games.rglob("*.pbem")}


def test_it_counts_what_is_there(site: Path, logs: dict[str, bytes]) -> None:
    count = len(logs)
    assert count == 13
    assert (site.parent / "built.txt").read_text() == f"{count} archives, {count} read, 8 games, 5 problems"
    problems = text((site / "problems.html").read_bytes())
    for name in ("bad/flipped.pbem", "bad/empty.pbem", "bad/noise.pbem"):
        report = audit(logs[name])
        assert re.search(rf"{name}\s+{report.line}\s+{report.code}", problems), name
    for name in ("again/shorter.pbem", "played/0.pbem"):
        assert re.search(rf"{name}\s+another archive", problems), name


def test_every_page_is_valid_and_every_link_leads_somewhere(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if not path.name.startswith(".")]
    assert len(pages) > 15
    for path in pages:
        root = valid(path.read_bytes())
        for element in root.iter():
            target = element.get("href", "")
            if target and not target.startswith(("#", "data:")):
                assert (path.parent / target).is_file(), (path, target)


def test_feeds_are_atom(site: Path) -> None:
    feeds = list(site.rglob("*.xml"))
    assert len(feeds) == 2 + len(NAMES[:4])
    for path in feeds:
        root = ElementTree.parse(path).getroot()
        assert root.tag == f"{ATOM}feed"
        for name in ("title", "id", "updated", "author"):
            assert root.find(f"{ATOM}{name}") is not None
        entries = root.findall(f"{ATOM}entry")
        assert entries
        dates = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
        assert dates == sorted(dates, reverse=True)
        for entry in entries:
            link = entry.find(f"{ATOM}link")
            assert link is not None
            assert (link.get("href") or "").startswith("https://games.example.org/games/")
    assert len({ElementTree.parse(path).findtext(f"{ATOM}id") for path in feeds}) == len(feeds)


def test_wins_are_counted_as_the_archives_have_them(site: Path, logs: dict[str, bytes]) -> None:
    wins: Counter[tuple[int, str]] = Counter()
    for seed in range(6):
        places = audit(logs[f"played/{seed}.pbem"]).result["places"]
        wins.update((len(places), one["seat"]) for one in places if one["place"] == 1)
    page = text(next(site.glob("rulesets/*.html")).read_bytes())
    for players in (2, 3, 4):
        part = page.split(f"With {players} players")[1].split("With ")[0]
        for (count, seat), won in wins.items():
            if count == players:
                assert re.search(rf"\b{seat}\s+2\s+{won}\b", part), (players, seat)
    assert "Chi-square" in page


def test_players_have_their_games(site: Path) -> None:
    counts = {"Anna": 6, "Ben": 6, "Cora": 4, "Dénes": 2}
    listed = text((site / "players.html").read_bytes())
    for name, count in counts.items():
        assert f"{name} : games: {count}" in re.sub(r"\s+", " ", listed).replace(f"{name}:", f"{name} :")
        page = (site / "players" / f"{slug(name)}.html").read_text(encoding="utf-8")
        assert page.count('<th scope="row">') == count


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    folder, site = tmp_path / "games", tmp_path / "site"
    write(folder, {f"{seed}.pbem": game(seed, cut=20) for seed in range(4)})
    order = Order(folder, site)
    assert build(order).read == 4
    before = files(site)
    again = build(order)
    assert (again.read, again.written, again.removed) == (0, 0, 0)
    write(folder, {"1.pbem": game(1, cut=25), "9.pbem": game(9, cut=20)})
    (folder / "0.pbem").unlink()
    third = build(order)
    assert (third.archives, third.read, third.removed) == (4, 2, 2)
    after = files(site)
    assert after.keys() != before.keys()
    fresh = tmp_path / "fresh"
    build(Order(folder, fresh))
    assert files(fresh) == after


def test_a_page_that_is_gone_or_a_memory_that_is_damaged_is_made_anew(tmp_path: Path) -> None:
    folder, site = tmp_path / "games", tmp_path / "site"
    write(folder, {f"{seed}.pbem": game(seed, cut=20) for seed in range(3)})
    order = Order(folder, site)
    build(order)
    whole = files(site)
    next((site / "games").glob("*.html")).unlink()
    assert build(order).read == 1
    memory = site / ".library.jsonl"
    memory.write_bytes(memory.read_bytes()[:-40])
    assert build(order).read == 1
    memory.write_bytes(b"{}\n")
    assert build(order).read == 3
    assert files(site) == whole


def test_one_file_that_cannot_be_read_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, site = tmp_path / "games", tmp_path / "site"
    write(folder, {"a.pbem": game(1, cut=20), "b.pbem": game(2, cut=20), "c.pbem": game(3, cut=20)})
    (folder / "d.pbem").mkdir()
    given = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "b.pbem":
            raise PermissionError(13, "Permission denied")
        return given(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read_bytes)
        built = build(Order(folder, site))
    assert (built.archives, built.games, built.problems) == (3, 2, 1)
    assert "could not be read" in text((site / "problems.html").read_bytes())
    assert build(Order(folder, site)).read == 1


def test_what_is_too_long_or_breaks_the_reading_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder that somebody else packed: a file of many gigabytes, almost all of it holes."""
    write(tmp_path / "games", {"a.pbem": cancelled(1), "b.pbem": cancelled(2)})
    with (tmp_path / "games" / "huge.pbem").open("wb") as file:
        file.truncate(1 << 40)
    whole = build_module._read

    def breaks(order: Order, log: bytes, auditor: Any) -> Any:
        if log == (tmp_path / "games" / "b.pbem").read_bytes():
            raise RecursionError
        return whole(order, log, auditor)

    monkeypatch.setattr(build_module, "_read", breaks)
    built = build(Order(tmp_path / "games", tmp_path / "site"))
    assert (built.archives, built.games, built.problems) == (3, 1, 2)
    problems = text((tmp_path / "site" / "problems.html").read_bytes())
    assert re.search(r"huge.pbem\s+archive/too-long", problems)
    assert re.search(r"b.pbem\s+archive/died", problems)
    monkeypatch.undo()
    assert build(Order(tmp_path / "games", tmp_path / "site")).games == 2, "tried again"


def test_a_process_that_dies_costs_its_file_and_nothing_else(tmp_path: Path) -> None:
    """A pool of multiprocessing waits for ever for what a dead process had."""
    names = [f"{name}.pbem" for name in ("a", "b", "killer", "x", "y", "z")]
    write(tmp_path / "games", {name: cancelled(number) for number, name in enumerate(names)})
    built = build(Order(Deadly(tmp_path / "games"), tmp_path / "site", jobs=2))
    assert (built.archives, built.games, built.problems) == (6, 5, 1)
    assert re.search(r"killer.pbem\s+archive/died", text((tmp_path / "site" / "problems.html").read_bytes()))


def test_the_same_site_by_any_number_of_processes(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    whole = game(3, 2)
    write(
        folder,
        {"a.pbem": whole, "b.pbem": game(4, 3, cut=40), "off.pbem": cancelled(5), "bad.pbem": whole[:-9]},
    )
    code = (
        "import sys; from pathlib import Path; from pbem.site.build import Order, build\n"
        "if __name__ == '__main__': build(Order(Path(sys.argv[1]), Path(sys.argv[2]), jobs=int(sys.argv[3])))"
    )
    script = tmp_path / "run.py"
    script.write_text(code)
    for jobs in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": jobs, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, str(script), str(folder), str(tmp_path / jobs), jobs]
        subprocess.run(command, check=True, env=environment)
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_without_pages_nothing_links_to_them(tmp_path: Path) -> None:
    folder, site = tmp_path / "games", tmp_path / "site"
    write(folder, {"a.pbem": game(1, cut=20)})
    build(Order(folder, site))
    assert list((site / "games").glob("*.html"))
    build(Order(folder, site, pages=False))
    assert not list((site / "games").glob("*.html"))
    for path in site.rglob("*.html"):
        assert b'href="games/' not in path.read_bytes()
        assert b'href="../games/' not in path.read_bytes()


def test_more_games_than_a_page_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "PAGE", 30)
    _two_pages(tmp_path, 45)


@pytest.mark.soak
def test_three_hundred_games(tmp_path: Path) -> None:
    _two_pages(tmp_path, 300)


def _two_pages(path: Path, count: int) -> None:
    folder, site = path / "games", path / "site"
    many(folder, count, 1)
    built = build(Order(folder, site))
    assert (built.archives, built.games, built.problems) == (count, count, 0)
    table = (site / "search.html").read_text(encoding="utf-8")
    data = table.split('id="data">')[1].split("</script>")[0]
    assert len(msgspec.json.decode(data)["games"]) == count
    assert sorted(path.name for path in (site / "list").glob("*.html")) == ["1.html", "2.html"]
    assert build(Order(folder, site)).read == 0


MEASURE = """
import resource, sys
from pathlib import Path
from pbem.site.build import Order, build
if __name__ == "__main__":
    build(Order(Path(sys.argv[1]), Path(sys.argv[2]), jobs=2))
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        print(resource.getrusage(who).ru_maxrss)
"""


@pytest.mark.soak
def test_ten_thousand_games_within_memory(tmp_path: Path) -> None:
    """Two processes; the memory of each grows by little from a hundred archives to ten thousand."""
    script = tmp_path / "run.py"
    script.write_text(MEASURE)
    most: list[list[int]] = []
    for count, played in ((100, 20), (10_000, 200)):
        many(tmp_path / str(count), count, played)
        command = [sys.executable, str(script), str(tmp_path / str(count)), str(tmp_path / f"{count}.site")]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
        most.append([int(line) for line in done.stdout.split()])
    (small, small_worker), (large, large_worker) = most
    assert large < small + 200 * 1024, "kibibytes"
    assert large_worker < small_worker * 1.3
