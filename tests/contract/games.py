"""The games that the kit runs over: every one in the catalog, and the toy, which is in none."""

from __future__ import annotations

import engine
from tests.toy import GAME as TOY


def games() -> tuple[engine.AnyGame, ...]:
    """Each once, by id and version."""
    catalog: tuple[engine.AnyGame, ...] = engine.GAMES
    known = {(game.id, game.version) for game in catalog}
    return catalog if (TOY.id, TOY.version) in known else (*catalog, TOY)
