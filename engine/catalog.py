"""The games that there are. The only place that names games; adding one is one line here."""

from __future__ import annotations

from engine.games.arena import ARENA
from engine.games.cybertron import CYBERTRON
from engine.kernel.bots import CODES as BOT_CODES
from engine.kernel.game import AnyGame
from engine.kernel.refusal import Code, refuse

GAMES: tuple[AnyGame, ...] = (ARENA, CYBERTRON)

CODES = (
    Code(
        "game/unknown",
        "One of these rulesets: {known}.",
        "{id} {version}.",
        "Check the name and version, or install a release that has this ruleset.",
    ),
    *BOT_CODES,
)


def find(id: str, version: int) -> AnyGame:
    """The game of that name and version; Refused `game/unknown` if there is none."""
    for game in GAMES:
        if (game.id, game.version) == (id, version):
            return game
    known = ", ".join(f"{game.id} {game.version}" for game in GAMES)
    raise refuse("game/unknown", id=id, version=version, known=known)


def pages() -> tuple[str, ...]:
    """What of each game runs in a reader's browser: the path of its entry module, from the folder that holds `engine`.

    A game that has none is played in the page by typed orders.
    """
    return tuple(f"engine/games/{game.id}/page/index.mjs" for game in GAMES)
