"""Every game's pictures: drawn of every view that there is, readable, and the same for whoever only imagines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import AnyGame
from tests.contract.games import games
from tests.contract.playing import Case, heard, played
from tests.render.looking import faults

POSITIONS = 5
CASES = [
    Case(game, seats, seed)
    for game in games()
    for seats, seed in ((game.players[0], 1), (game.players[1], 0))
]


def views(case: Case) -> Iterator[tuple[AnyGame, str | None, Any, tuple[Any, ...]]]:
    """Views of positions spread over a play, of each seat and of the public, with what was heard on the way there."""
    play = played(case)
    outcomes = list(play.outcomes())
    for outcome in outcomes[:: max(1, len(outcomes) // POSITIONS)]:
        for seat in (*play.table.charter.seats, None):
            seen = case.game.view(outcome.position.state, seat)
            yield case.game, seat, seen, heard(play.table, outcome.events, seat)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_everything_can_be_read(case: Case) -> None:
    wrong: list[str] = []
    for game, _, seen, news in views(case):
        wrong += faults(game.shapes(seen, news))
    assert not wrong, "\n".join(sorted(set(wrong))[:20])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_news_are_not_needed(case: Case) -> None:
    for game, _, seen, _ in views(case):
        assert game.shapes(seen) == game.shapes(seen, ())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_imagined_looks_the_same(case: Case) -> None:
    """A picture of what a seat imagines shows no more and no less than that of what it sees."""
    for game, seat, seen, news in views(case):
        assert game.shapes(game.view(game.imagine(seen), seat), news) == game.shapes(seen, news)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_blanks_are_drawn(case: Case) -> None:
    """What a seat imagines of another's view is full of blanks."""
    for game, seat, seen, _ in views(case):
        other = next(one for one in played(case).table.charter.seats if one != seat)
        assert not faults(game.shapes(game.view(game.imagine(seen), other)))
