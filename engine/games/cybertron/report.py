"""A turn's report: what a player reads about the war, in 72 columns.

What has happened since his last report, what changed hands, what standing orders did, the board, the players, what
lies ahead of him, his cards, and what he may do now. It sees his view and the events as he heard them, never a
state; the same view and events give the same text.
"""

from __future__ import annotations

from typing import Any

from engine.games.cybertron.report_board import board, players
from engine.games.cybertron.report_diary import diary
from engine.games.cybertron.report_gains import answers, changes, gains
from engine.games.cybertron.report_moves import moves
from engine.games.cybertron.report_outlook import hand, prospects, threats
from engine.games.cybertron.view import View


def report(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The text, without a line end at its end. `events` as the view's seat heard them, with lapses."""
    return _report(view, events, lang, long=False)


def long_report(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The same with every roll of every battle in a line of its own, and all zones of the setup by name."""
    return _report(view, events, lang, long=True)


def _report(view: View, events: tuple[Any, ...], lang: str, *, long: bool) -> str:
    fresh = frozenset(one.zone for one in changes(events))
    parts = [
        diary(view, events, lang, long=long),
        gains(view, events, lang),
        answers(view, events, lang),
        board(view, fresh, lang),
        players(view, lang),
    ]
    parts += _own(view, lang)
    return "\n\n".join(part for part in parts if part)


def around(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The text without the board and the players, for whoever has the picture of them."""
    told = [diary(view, events, lang, long=False), gains(view, events, lang), answers(view, events, lang)]
    return "\n\n".join(part for part in (*told, *_own(view, lang)) if part)


def _own(view: View, lang: str) -> list[str]:
    """What is the reader's alone: what lies ahead of him, his cards, what he may do."""
    if view.day and _plays(view):
        return [prospects(view, lang), threats(view, lang), hand(view, lang), moves(view, lang)]
    return [moves(view, lang)]


def _plays(view: View) -> bool:
    """Whether the reader still plays."""
    if not view.me or view.ended:
        return False
    known = view.seats[view.me]
    return not known.resigned and not known.out
