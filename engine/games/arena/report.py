"""A turn's report: what a player reads about the game itself, in 72 columns.

What has happened since his last report, the arena, the players, his hand, and what he may do now. It sees
his view and the events as he heard them, never a state; the same view and events give the same text.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.report_board import board, players
from engine.games.arena.report_history import history
from engine.games.arena.report_moves import hand, moves
from engine.games.arena.view import View


def report(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The text, without a line end at its end. `events` as the view's seat heard them, with lapses."""
    parts = [history(view, events, lang), board(view, lang), players(view, lang)]
    if view.me and not view.ended and not view.seats[view.me].resigned:
        parts += [hand(view, lang)]
    if not view.ended:
        parts += [moves(view, lang)]
    return "\n\n".join(part for part in parts if part)


def around(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The text without the arena, the players and the hand, for whoever has the picture of them."""
    parts = [history(view, events, lang), *([] if view.ended else [moves(view, lang)])]
    return "\n\n".join(part for part in parts if part)
