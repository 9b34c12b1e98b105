"""Every game's pictures: drawn of every view that there is, readable, and the same for whoever only imagines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from engine import AnyGame, Picture
from tests.contract.games import games
from tests.contract.playing import Case, heard, played
from tests.render.looking import faults

POSITIONS = 5
CASES = [
    Case(game, seats, seed)
    for game in games()
    for seats, seed in ((game.players[0], 1), (game.players[1], 0))
]


@dataclass(frozen=True)
class Looked:
    """What a seat, or the public, sees: its view, what it has heard on the way there, and the picture of both."""

    game: AnyGame
    seat: str | None
    seen: Any
    news: tuple[Any, ...]
    picture: Picture


LOOKED: dict[str, tuple[Looked, ...]] = {}


def looks(case: Case) -> tuple[Looked, ...]:
    """Of positions spread over a play, by each seat and by the public; made once."""
    if case.name not in LOOKED:
        LOOKED[case.name] = tuple(_looks(case))
    return LOOKED[case.name]


def _looks(case: Case) -> Iterator[Looked]:
    play = played(case)
    outcomes = list(play.outcomes())
    for outcome in outcomes[:: max(1, len(outcomes) // POSITIONS)]:
        for seat in (*play.table.charter.seats, None):
            seen, news = (
                case.game.view(outcome.position.state, seat),
                heard(play.table, outcome.events, seat),
            )
            yield Looked(case.game, seat, seen, news, case.game.shapes(seen, news))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_everything_can_be_read(case: Case) -> None:
    wrong: list[str] = []
    for one in looks(case):
        wrong += faults(one.picture)
    assert not wrong, "\n".join(sorted(set(wrong))[:20])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_news_are_not_needed(case: Case) -> None:
    for one in looks(case):
        assert one.game.shapes(one.seen) == one.game.shapes(one.seen, ())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_imagined_looks_the_same(case: Case) -> None:
    """A picture of what a seat imagines shows no more and no less than that of what it sees."""
    for one in looks(case):
        again = one.game.view(one.game.imagine(one.seen), one.seat)
        assert one.game.shapes(again, one.news) == one.picture


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_blanks_are_drawn(case: Case) -> None:
    """What a seat imagines of another's view is full of blanks."""
    seats = played(case).table.charter.seats
    for one in looks(case):
        other = next(seat for seat in seats if seat != one.seat)
        assert not faults(one.game.shapes(one.game.view(one.game.imagine(one.seen), other)))
