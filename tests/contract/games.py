"""The games that the kit runs over: every one in the catalog, and the toy, which is in none; and with which seeds."""

from __future__ import annotations

import engine
from tests.contract import shapes
from tests.toy import GAME as TOY


def games() -> tuple[engine.AnyGame, ...]:
    """Each once, by id and version."""
    catalog: tuple[engine.AnyGame, ...] = engine.GAMES
    known = {(game.id, game.version) for game in catalog}
    return catalog if (TOY.id, TOY.version) in known else (*catalog, TOY)


def seeds(game: engine.AnyGame, seats: int) -> tuple[int, ...]:
    """A smooth and a rough play with the default options; with the fewest and the most seats, a rough one of
    each other option, too (`playing.table_of` takes the options by seed).
    """
    others = range(1, len(shapes.alternatives(game.options))) if seats in game.players else ()
    return (0, 1, *(2 * other + 1 for other in others))
