"""The library as data: which archive stands for which game, the games of each player, figures of each ruleset.

Decides that of several archives of one game (the same charter) the most finished and then the longest counts,
and what is added up. Fed one summary at a time, twice: `choose` first over all, then `add` over all; it keeps a
short entry of each game and counts, so that it grows little with the library.
"""

from __future__ import annotations

import msgspec

from pbem.lab.balance import Balance
from pbem.lab.figures import Evenness, evenness
from pbem.lab.play import Cell, Played
from pbem.site.summary import Summary

_RANKS = {"finished": 3, "cancelled": 2, "unfinished": 1, "fault": 0}


class Entry(msgspec.Struct, frozen=True):
    """A game in a list. `players` and `winners` are names as shown, `seats` how many there are."""

    page: str
    at: str
    title: str
    ruleset: str
    game: str
    players: tuple[str, ...]
    winners: tuple[str, ...]
    turns: int
    state: str
    how: str


class Problem(msgspec.Struct, frozen=True):
    """An archive that does not count: a fault at a line, or (no code) another archive of a game that does."""

    path: str
    page: str
    line: int
    code: str


class Rolls(msgspec.Struct, frozen=True):
    """How often each outcome of one kind of roll came, and whether that looks even."""

    kind: str
    size: int
    counts: tuple[int, ...]
    test: Evenness


class Ruleset(msgspec.Struct, frozen=True):
    """A ruleset with a balance for each number of players; `total` is the same of all numbers together."""

    id: str
    title: str
    balances: dict[int, Balance]
    total: Balance
    dice: dict[int, list[int]]
    tops: dict[int, list[int]]

    def rolls(self) -> list[Rolls]:
        """The distribution of dice, then of shuffles' top items."""
        both = (("dice", self.dice), ("shuffle", self.tops))
        return [
            Rolls(kind, size, tuple(counts[size]), evenness(counts[size]))
            for kind, counts in both
            for size in sorted(counts)
        ]


class Catalogue:
    """Everything that the pages of the library are made from."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.rulesets: dict[str, Ruleset] = {}
        self.players: dict[str, list[int]] = {}
        """Numbers of entries by player's name."""
        self.files = 0
        self._chosen: dict[str, tuple[int, int, str]] = {}

    def choose(self, path: str, one: Summary) -> None:
        """First reading: which file stands for a game."""
        if one.charter:
            rank = (_RANKS[one.state], one.records)
            best = self._chosen.get(one.charter)
            if best is None or rank > best[:2]:
                self._chosen[one.charter] = (*rank, path)

    def add(self, path: str, one: Summary) -> None:
        """Second reading, in the same order."""
        self.files += 1
        if one.state == "fault" or self._chosen[one.charter][2] != path:
            self.problems.append(Problem(path, one.page, one.line, one.code))
        if one.state == "fault" or self._chosen[one.charter][2] != path:
            return
        entry = _entry(one)
        for name in dict.fromkeys(seat.player for seat in one.seats if seat.player):
            self.players.setdefault(name, []).append(len(self.entries))
        self.entries.append(entry)
        if one.state == "finished":
            self._count(one)

    def newest(self) -> list[int]:
        """The numbers of all entries, newest first."""
        return sorted(
            range(len(self.entries)), key=lambda i: (self.entries[i].at, self.entries[i].page), reverse=True
        )

    def _count(self, one: Summary) -> None:
        seats = len(one.seats)
        found = self.rulesets.setdefault(
            one.ruleset, Ruleset(one.ruleset, one.title, {}, _balance(one.ruleset, 0), {}, {})
        )
        played = Played(
            0,
            one.turns,
            one.records,
            one.how,
            tuple(one.order),
            dict.fromkeys(one.order, ""),
            one.places,
            one.counted,
        )
        found.balances.setdefault(seats, _balance(one.ruleset, seats)).add(played)
        found.total.add(played)
        for mine, theirs in ((found.dice, one.dice), (found.tops, one.tops)):
            for size, counts in theirs.items():
                old = mine.setdefault(size, [0] * size)
                mine[size] = [a + b for a, b in zip(old, counts, strict=True)]


def _balance(ruleset: str, players: int) -> Balance:
    return Balance(Cell(ruleset, 0, players, (), ""))


def _entry(one: Summary) -> Entry:
    names = {seat.id: seat.player or seat.name for seat in one.seats}
    winners = tuple(names[seat] for seat, (place, _) in one.places.items() if place == 1 and seat in names)
    return Entry(
        *(one.page, one.at, one.title, one.ruleset, one.game, tuple(names.values()), winners),
        *(one.turns, one.state, one.how),
    )
