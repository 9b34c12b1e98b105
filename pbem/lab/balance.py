"""The balance of many games: who wins, by seat, by place in the turn order, by bot; how long; what went with it.

Games are added one at a time, in their order, and nothing is kept of one but counts. A win is a first place,
shared or not. Tables come out as rows of words and numbers, sorted, with four decimals: the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from pbem.lab.counting import Word
from pbem.lab.figures import Share, spread, wilson
from pbem.lab.play import Cell, Played

Row = tuple[str | int, ...]
Table = tuple[Row, ...]
"""Rows, the first of which names the columns."""

SHARE = ("rate", "low", "high")


class Balance:
    """The counts of one cell."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.games = 0
        self.shared = 0
        self.turns: Counter[int] = Counter()
        self.moves: Counter[int] = Counter()
        self.how: Counter[str] = Counter()
        self.played: dict[str, Counter[str]] = {"seat": Counter(), "order": Counter(), "bot": Counter()}
        self.won: dict[str, Counter[str]] = {"seat": Counter(), "order": Counter(), "bot": Counter()}
        self.scores: dict[str, Counter[str]] = {"seat": Counter(), "order": Counter(), "bot": Counter()}
        self.times: Counter[Word] = Counter()
        self.occurs: Counter[Word] = Counter()
        self.did: Counter[Word] = Counter()
        self.did_and_won: Counter[Word] = Counter()

    def add(self, game: Played) -> None:
        """One more game."""
        self.games += 1
        self.turns[game.turns] += 1
        self.moves[game.moves] += 1
        self.how[game.how] += 1
        winners = {seat for seat, (place, _) in game.places.items() if place == 1}
        self.shared += len(winners) > 1
        for place, seat in enumerate(game.order, 1):
            for by, name in (("seat", seat), ("order", str(place)), ("bot", game.bots[seat])):
                self.played[by][name] += 1
                self.won[by][name] += seat in winners
                self.scores[by][name] += game.places.get(seat, (0, 0))[1]
        self.times.update(game.counted.times)
        self.occurs.update(game.counted.times.keys())
        for word, seats in game.counted.seats.items():
            self.did[word] += len(seats)
            self.did_and_won[word] += sum(seat in winners for seat in seats)

    def wins(self, by: str) -> list[tuple[str, Share, float]]:
        """By `seat`, `order` or `bot`: name, share of wins, mean score; seats and bots in their given order."""
        names = {"seat": self._seats(), "order": sorted(self.played["order"], key=int)}.get(by)
        ordered = names if names is not None else sorted(self.played[by])
        return [
            (
                name,
                wilson(self.won[by][name], self.played[by][name]),
                self.scores[by][name] / self.played[by][name],
            )
            for name in ordered
        ]

    def _seats(self) -> list[str]:
        return sorted(self.played["seat"])


def win_table(cells: Sequence[Balance], by: str) -> Table:
    """How often who wins, with the mean score."""
    rows: list[Row] = [("cell", by, "games", "wins", *SHARE, "score")]
    for number, cell in enumerate(cells):
        for name, share, score in cell.wins(by):
            rows.append((number, name, share.whole, share.part, *_interval(share), decimal(score)))
    return tuple(rows)


def length_table(cells: Sequence[Balance]) -> Table:
    """How many games had so many turns."""
    rows: list[Row] = [("cell", "turns", "games")]
    for number, cell in enumerate(cells):
        rows += [(number, turns, cell.turns[turns]) for turns in sorted(cell.turns)]
    return tuple(rows)


def event_table(cells: Sequence[Balance]) -> Table:
    """How often each word of an event came, and in what share of the games."""
    return _words(
        cells,
        ("times", "games", "with"),
        lambda cell: (
            (word, (cell.times[word], cell.games, cell.occurs[word]), wilson(cell.occurs[word], cell.games))
            for word in sorted(cell.times)
        ),
    )


def doer_table(cells: Sequence[Balance]) -> Table:
    """How often those won who did an event with this word."""
    return _words(
        cells,
        ("did", "won"),
        lambda cell: (
            (
                word,
                (cell.did[word], cell.did_and_won[word]),
                wilson(cell.did_and_won[word], cell.did[word]),
            )
            for word in sorted(cell.did)
            if word[1] not in ("", "seat")
        ),
    )


def cell_table(cells: Sequence[Balance], options: Sequence[str]) -> Table:
    """Each cell with its options: games, length, shared first places, wins of the first to move."""
    head = ("cell", "options", "games", "turns_mean", "turns_median", "moves_mean", "shared", "first_rate")
    rows: list[Row] = [(*head, "first_low", "first_high")]
    for number, (cell, said) in enumerate(zip(cells, options, strict=True)):
        turns, moves = spread(cell.turns), spread(cell.moves)
        first = wilson(cell.won["order"]["1"], cell.played["order"]["1"])
        sizes = (decimal(turns.mean), decimal(turns.median), decimal(moves.mean))
        rows.append((number, said, cell.games, *sizes, cell.shared, *_interval(first)))
    return tuple(rows)


def decimal(number: float) -> str:
    """Four decimals."""
    return f"{number:.4f}"


def _words(
    cells: Sequence[Balance],
    columns: tuple[str, ...],
    found: Callable[[Balance], Iterable[tuple[Word, tuple[int, ...], Share]]],
) -> Table:
    rows: list[Row] = [("cell", "event", "field", "word", *columns, *SHARE)]
    for number, cell in enumerate(cells):
        rows += [(number, *word, *counts, *_interval(share)) for word, counts, share in found(cell)]
    return tuple(rows)


def _interval(share: Share) -> tuple[str, str, str]:
    return decimal(share.rate), decimal(share.low), decimal(share.high)
