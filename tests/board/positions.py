"""Positions of every game of the catalog that has a page: what each seat sees of them, and what it has heard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import engine
from engine import AnyGame
from tests.contract.playing import Case, heard, played
from tests.contract.worlds import worlds

GAMES = Path(__file__).resolve().parents[2] / "engine" / "games"
POSITIONS = 4
MANY = 30


class Seen(msgspec.Struct, frozen=True):
    """One view with its news; no seat is the public."""

    name: str
    game: AnyGame
    seat: str | None
    view: Any
    news: tuple[Any, ...]


def cases() -> list[Case]:
    """A few plays of each game, shared with other tests: by chance, and in another world."""
    return [
        *(Case(game, game.players[few], seed) for game in _games() for few, seed in ((0, 0), (1, 1))),
        *(Case(game, game.players[0], 1, world) for game in _games() for world in worlds(game.id)),
    ]


def many_cases() -> list[Case]:
    """More of them, and by the steady bot."""
    return [
        Case(game, seats, seed, bot=bot)
        for game in _games()
        for seats in range(game.players[0], game.players[1] + 1)
        for seed, bot in ((2, ""), (5, ""), (7, ""), (0, "steady"))
    ]


def _games() -> tuple[AnyGame, ...]:
    """Those whose page draws."""
    games: tuple[AnyGame, ...] = engine.GAMES
    return tuple(game for game in games if (GAMES / game.id / "page" / "board.mjs").is_file())


_SEEN: dict[str, tuple[Seen, ...]] = {}


def seen(case: Case) -> tuple[Seen, ...]:
    """Views of positions spread over a play, of each seat and of the public; worked out once."""
    if case.name not in _SEEN:
        _SEEN[case.name] = tuple(spread(case, POSITIONS))
    return _SEEN[case.name]


def spread(case: Case, count: int) -> Iterator[Seen]:
    """The same for about so many positions."""
    play = played(case)
    outcomes = list(play.outcomes())
    places = sorted({*range(0, len(outcomes), max(1, len(outcomes) // count)), len(outcomes) - 1})
    for last, place in zip([-1, *places], places, strict=False):
        state = outcomes[place].position.state
        events = tuple(event for one in outcomes[last + 1 : place + 1] for event in one.events)
        for seat in (*play.table.charter.seats, None):
            view = case.game.view(state, seat)
            news = heard(play.table, events, seat)
            yield Seen(f"{case.name}, record {place}, {seat}", case.game, seat, view, news)
