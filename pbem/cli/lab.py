"""`pbem lab`: bots play a ruleset over and over, and the figures of balance are written down."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import product
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import Say, encode, plural, refuse, say
from pbem.cli import asked
from pbem.cli.say import answers, lang, tell, tell_json
from pbem.disk import write_file, write_parts
from pbem.lab.balance import Balance, decimal
from pbem.lab.figures import Share, spread
from pbem.lab.play import Cell, Played, check, play_game
from pbem.lab.tables import GAME_HEAD, can_plot, csv_files, csv_row, game_row

_CHUNK = 8


@click.command()
@click.argument("ruleset")
@click.option("--players", type=click.IntRange(min=1), required=True, help="Seats at the table.")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="Games in each cell."
)
@click.option(
    "--bots", default="random", show_default=True, help="Bots by seat, parted by commas; they rotate."
)
@click.option("--seed", default="1", show_default=True, help="A word from which all chance comes.")
@click.option(
    "--jobs", type=click.IntRange(0, 256), default=1, show_default=True, help="Processes; 0: one a core."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the ruleset; with several values for one name, every combination is a cell.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="A folder for the files."
)
@click.option("--no-plots", is_flag=True, help="Write tables only.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON instead of text.")
@answers
def lab(
    ruleset: str,
    players: int,
    games: int,
    bots: str,
    seed: str,
    jobs: int,
    options: tuple[str, ...],
    output: Path,
    no_plots: bool,
    as_json: bool,
) -> None:
    """Let bots play RULESET (as ID or ID/VERSION) against each other, and measure its balance.

    The same seed gives the same tables, byte for byte, with any number of processes.
    """
    game = asked.ruleset(ruleset)
    base = Cell(game.id, game.version, players, tuple(bots.split(",")), seed)
    cells = [msgspec.structs.replace(base, options=one) for one in grid(options)]
    for cell in cells:
        check(cell)
    output.mkdir(parents=True, exist_ok=True)
    found = _run(cells, games, jobs or os.cpu_count() or 1, output)
    for name, data in csv_files(found).items():
        write_file(output / name, data)
    draw = not no_plots and can_plot()
    if draw:
        from pbem.lab.plots import plots

        for name, data in plots(found, lang()).items():
            write_file(output / name, data)
    if as_json:
        tell_json({"cells": len(cells), "games": games * len(cells), "folder": str(output), "plots": draw})
        return
    for number, balance in enumerate(found):
        _tell(number, balance)
    tell(say("The tables are in {folder}.", folder=str(output)))
    if not no_plots and not draw:
        tell(say("No plots: matplotlib is not installed. To have them: pip install 'pbem[lab]'"))


def grid(entries: Sequence[str]) -> list[dict[str, Any]]:
    """Every combination of the options, where each name takes each of its values; one empty one for none."""
    values: dict[str, list[Any]] = {}
    for entry in entries:
        for name, value in asked.options([entry]).items():
            known = values.setdefault(name, [])
            if encode(value) not in map(encode, known):  # in Python 1 equals true
                known.append(value)
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def _run(cells: Sequence[Cell], games: int, jobs: int, output: Path) -> list[Balance]:
    """Plays all cells; each game's row is written as it comes, in order, so nothing is kept but counts."""
    found = [Balance(cell) for cell in cells]
    write_parts(output / "games.csv", _rows(found, games, jobs))
    return found


def _rows(cells: Sequence[Balance], games: int, jobs: int) -> Iterator[bytes]:
    yield csv_row(GAME_HEAD).encode()
    for number, balance in enumerate(cells):
        for game in _played(balance.cell, games, jobs):
            balance.add(game)
            yield csv_row(game_row(number, game)).encode()


def _played(cell: Cell, games: int, jobs: int) -> Iterator[Played]:
    """The games of a cell in order. Refused `lab/died` if a process did not live to play its part."""
    parts = (range(games)[first : first + _CHUNK] for first in range(0, games, _CHUNK))
    if jobs == 1:
        for part in parts:
            yield from _part(cell, part)
        return
    jobs = min(jobs, -(-games // _CHUNK))
    running: deque[Future[list[Played]]] = deque()
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        try:
            for part in parts:
                running.append(pool.submit(_part, cell, part))
                # as much as keeps all of them busy
                if len(running) > 2 * jobs:
                    yield from running.popleft().result()
            while running:
                yield from running.popleft().result()
        except BrokenProcessPool:
            raise refuse("lab/died") from None
        finally:
            for one in running:
                one.cancel()


def _part(cell: Cell, numbers: range) -> list[Played]:
    return [play_game(cell, number) for number in numbers]


def _tell(number: int, balance: Balance) -> None:
    turns = spread(balance.turns)
    tell(
        plural(
            "Cell {number}, options {options}: {n} game, of {mean} turns.",
            "Cell {number}, options {options}: {n} games, {mean} turns on average, from {least} to {most}.",
            balance.games,
            number=number,
            options=encode(balance.cell.options).decode("utf-8"),
            mean=decimal(turns.mean),
            least=turns.least,
            most=turns.most,
        )
    )
    for by in ("seat", "order", "bot"):
        for name, share, score in balance.wins(by):
            tell(_wins(by, name, share, decimal(score)))


def _wins(by: str, name: str, share: Share, score: str) -> Say:
    part, whole = share.part, share.whole
    rate, low, high = decimal(share.rate), decimal(share.low), decimal(share.high)
    if by == "seat":
        return say(
            "  seat {name}: wins {part} of {whole}, {rate} ({low} to {high}); mean score {score}",
            name=name, part=part, whole=whole, rate=rate, low=low, high=high, score=score,
        )  # fmt: skip
    if by == "order":
        return say(
            "  place {name} in the turn order: wins {part} of {whole}, {rate} ({low} to {high})",
            name=name, part=part, whole=whole, rate=rate, low=low, high=high,
        )  # fmt: skip
    return say(
        "  bot {name}: wins {part} of {whole}, {rate} ({low} to {high}); mean score {score}",
        name=name, part=part, whole=whole, rate=rate, low=low, high=high, score=score,
    )  # fmt: skip
