"""The figures of a run as CSV files: same figures, same bytes. Decides the files' names and columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from engine import encode
from pbem.lab import balance
from pbem.lab.balance import Balance, Table
from pbem.lab.play import Played

GAME_HEAD = ("cell", "game", "turns", "moves", "how", "order", "bots", "winners", "scores")


def game_row(cell: int, game: Played) -> balance.Row:
    """One game as a row; lists within a cell of it are parted by spaces."""
    places = game.places.items()
    return (
        *(cell, game.number, game.turns, game.moves, game.how, " ".join(game.order)),
        " ".join(f"{seat}={bot}" for seat, bot in game.bots.items()),
        " ".join(seat for seat, (place, _) in places if place == 1),
        " ".join(f"{seat}={score}" for seat, (_, score) in places),
    )


def csv_row(row: balance.Row) -> str:
    """A row as a line of CSV (RFC 4180, but with LF)."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()


def csv_files(cells: Sequence[Balance]) -> dict[str, bytes]:
    """Every table of a run but the one of single games, by file name."""
    options = [encode(cell.cell.options).decode("utf-8") for cell in cells]
    tables: Mapping[str, Table] = {
        "cells.csv": balance.cell_table(cells, options),
        "seats.csv": balance.win_table(cells, "seat"),
        "order.csv": balance.win_table(cells, "order"),
        "bots.csv": balance.win_table(cells, "bot"),
        "length.csv": balance.length_table(cells),
        "events.csv": balance.event_table(cells),
        "wins_with.csv": balance.doer_table(cells),
    }
    return {name: "".join(map(csv_row, table)).encode("utf-8") for name, table in tables.items()}


def can_plot() -> bool:
    """Whether matplotlib is installed (the extra `lab`)."""
    return find_spec("matplotlib") is not None
