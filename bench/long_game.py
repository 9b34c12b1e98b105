"""A turn in a long game ÷ the same turn in a short one: `pipeline.judge`, letters included.

Two games that are alike but for their history: in the long one the seat to move has sent hundreds of moves
without orders before, each with its record, its receipt and its letters. Then the same orders are judged
in both, over and over at the same desk.
"""

from __future__ import annotations

import msgspec

from bench.measure import Figure, Work, figure, ratio
from engine import GAMES, AnyGame, random_turn
from fixtures.play import Chance, begin, expect, move, open_match
from pbem.log.canonical import digest
from pbem.log.ledger import waiting
from pbem.turn import pipeline
from pbem.turn.pipeline import Claims, Known

BOUND, REPEATS = 1.1, 60
SHORT, LONG = 10, 300
"""Moves before the one that is timed."""


def figures() -> list[Figure]:
    """One for each ruleset."""
    return [
        figure(f"a turn in a long game ÷ in a short one ({game.id})", _ratio(game), BOUND) for game in GAMES
    ]


def _ratio(game: AnyGame) -> float:
    long, short = _turn(game, LONG), _turn(game, SHORT)
    return ratio(long, short, REPEATS)


def _turn(game: AnyGame, before: int) -> Work:
    """A turn to be judged again and again, after so many moves."""
    match = open_match(game, game.seats[: game.players[1]], "long", {})
    begin(match)
    seat = waiting(match.desk.snapshot.ledger)[0]
    for _ in range(before):
        expect(match.send(move(match, match.view(seat), ())))
    view = match.view(seat)
    orders = random_turn(
        game, msgspec.convert(view["view"], game.view_type), seat, Chance("long").below("orders")
    )
    claims = Claims((move(match, view, orders),))
    known = Known({digest(line): number for number, line in enumerate(match.lines)})

    def judge() -> None:
        expect(pipeline.judge(claims, known, match.desk))

    return judge
