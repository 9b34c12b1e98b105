"""`pbem lab`: the same figures from the same seed, however many processes; counted right; plain about what is missing."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import GAMES, Refused
from pbem.cli import main
from pbem.cli.lab import grid
from pbem.lab import tables
from pbem.lab.counting import count
from pbem.lab.play import Cell, check, known_bots, play_game

GAME = GAMES[0]
NAME = f"{GAME.id}/{GAME.version}"


def lab(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["lab", NAME, *map(str, arguments)])


def run(folder: Path, *arguments: str) -> dict[str, bytes]:
    done = lab("--players", "3", "--games", "6", "-o", folder, *arguments)
    assert done.exit_code == 0, done.output
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.csv"))}


def rows(data: bytes) -> list[dict[str, Any]]:
    return list(csv.DictReader(data.decode().splitlines()))


def test_one_seed_one_outcome(tmp_path: Path) -> None:
    first = run(tmp_path / "a", "--seed", "green", "--no-plots")
    assert len(first) == 8
    assert run(tmp_path / "b", "--seed", "green", "--no-plots", "--jobs", "2") == first
    assert run(tmp_path / "c", "--seed", "blue", "--no-plots")["games.csv"] != first["games.csv"]


def test_the_tables_agree_with_the_games(tmp_path: Path) -> None:
    found = run(tmp_path, "--bots", "random,silent", "--no-plots")
    games = rows(found["games.csv"])
    assert [int(game["game"]) for game in games] == list(range(6))
    winners = Counter(seat for game in games for seat in game["winners"].split())
    by_seat = {row["seat"]: row for row in rows(found["seats.csv"])}
    assert len(by_seat) == 3
    assert {seat: int(row["wins"]) for seat, row in by_seat.items()} == {
        seat: winners[seat] for seat in by_seat
    }
    lengths = Counter(int(game["turns"]) for game in games)
    assert {int(row["turns"]): int(row["games"]) for row in rows(found["length.csv"])} == lengths
    by_bot = {row["bot"]: int(row["games"]) for row in rows(found["bots.csv"])}
    assert by_bot == {"random": 12, "silent": 6}
    first = Counter(game["order"].split()[0] in game["winners"].split() for game in games)
    assert int(rows(found["order.csv"])[0]["wins"]) == first[True]


def test_every_seat_gets_every_bot() -> None:
    cell = Cell(GAME.id, GAME.version, 3, ("silent", "silent", "random"), "x")
    seats = [
        seat for number in range(3) for seat, bot in play_game(cell, number).bots.items() if bot == "random"
    ]
    assert sorted(seats) == sorted(GAME.seats[:3])


def test_cells_share_their_dice() -> None:
    """What an option changes is measured on the same games."""
    one = Cell(GAME.id, GAME.version, 2, ("silent",), "x")
    assert play_game(one, 3) == play_game(one, 3)
    assert play_game(one, 3).counted != play_game(one, 4).counted


def test_options_make_a_grid(tmp_path: Path) -> None:
    assert grid(()) == [{}]
    assert grid(("a=1", "b=x", "a=2")) == [{"a": 1, "b": "x"}, {"a": 2, "b": "x"}]
    found = run(
        tmp_path,
        "--bots",
        "silent",
        "--no-plots",
        "--option",
        "reactions=ask",
        "--option",
        "reactions=standing",
    )
    cells = rows(found["cells.csv"])
    assert [json.loads(cell["options"]) for cell in cells] == [
        {"reactions": "ask"},
        {"reactions": "standing"},
    ]


def test_words_of_events_are_counted() -> None:
    events: list[dict[str, Any]] = [
        {"event": "bet", "seat": "red", "on": "ox", "row": 1},
        {"event": "bet", "seat": "red", "on": "ox"},
        {"event": "bet", "seat": "blue", "on": "elk"},
        {"event": "dealt", "cards": ["ox", "elk", "ox", 3]},
        {"event": "ended"},
        {"no": "kind"},
    ]
    found = count(events, ("red", "blue"))
    assert found.times == {
        ("bet", "on", "elk"): 1,
        ("bet", "on", "ox"): 2,
        ("bet", "seat", "blue"): 1,
        ("bet", "seat", "red"): 2,
        ("dealt", "cards", "elk"): 1,
        ("dealt", "cards", "ox"): 1,
        ("ended", "", ""): 1,
    }
    assert found.seats[("bet", "on", "ox")] == ("red",)
    assert ("dealt", "cards", "ox") not in found.seats


def test_plots_are_pictures(tmp_path: Path) -> None:
    run(tmp_path)
    pictures = sorted(tmp_path.glob("*.png"))
    assert [path.name for path in pictures] == [
        f"0-{name}.png" for name in ("bot", "length", "order", "seat", "wins_with")
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_without_matplotlib_there_are_tables_and_a_word_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "can_plot", lambda: False)
    monkeypatch.setattr("pbem.cli.lab.can_plot", tables.can_plot)
    done = lab("--players", "2", "--games", "1", "--bots", "silent", "-o", tmp_path)
    assert done.exit_code == 0
    assert "No plots: matplotlib is not installed" in done.output
    assert not list(tmp_path.glob("*.png"))
    assert (tmp_path / "seats.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "1"), "From 2 to"),
        (("--players", "99"), "From 2 to"),
        (("--players", "2", "--bots", "genius"), "genius"),
        (("--players", "2", "--option", "nonsense=1"), "nonsense"),
        (("--players", "2", "--seed", "\udcff"), "cli/not-text"),
        (("--players", "2", "--jobs", "99999"), "not in the range"),
        (("--players", "2", "--option", 'creatures=["a"]'), "Expected"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = lab(*arguments, "--games", "1", "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "out").exists()


def test_a_process_that_is_killed_is_not_waited_for(tmp_path: Path) -> None:
    """It was, for ever; and the rows that had come until then stood there as if they were all."""
    command = [
        sys.executable,
        "-m",
        "pbem",
        "lab",
        NAME,
        "--players",
        "3",
        "--games",
        "100000",
        "--jobs",
        "2",
    ]
    with subprocess.Popen([*command, "-o", str(tmp_path)], stderr=subprocess.PIPE, text=True) as running:
        while not (players := children(running.pid)):
            time.sleep(0.05)
        os.kill(players[0], signal.SIGKILL)
        _, told = running.communicate(timeout=120)
    assert running.returncode == 2
    assert "lab/died" in told
    assert list(tmp_path.iterdir()) == []


def children(parent: int) -> list[int]:
    """The processes that play for another."""
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.parametrize("players", range(GAME.players[0], GAME.players[1] + 1))
@pytest.mark.parametrize("bot", sorted(known_bots(GAME)))
def test_every_bot_plays_a_game_to_its_end(players: int, bot: str) -> None:
    cell = Cell(GAME.id, GAME.version, players, (bot,), "end")
    check(cell)
    game = play_game(cell, 0)
    assert game.how != "given_up"
    assert len(game.places) == players
    assert min(place for place, _ in game.places.values()) == 1


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(Refused):
        check(Cell("no such game", 1, 2, ("random",), "x"))
