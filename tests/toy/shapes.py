"""The toy's picture: a line for each seat with its coins and gems, then the gems that the viewer knows."""

from __future__ import annotations

from typing import Any

from engine.kernel.prose import say
from engine.kernel.shapes import COMMON, WIDTH, Group, Mark, Picture, Rect, Shade, Sign, Text, number
from tests.toy.events import Struck
from tests.toy.view import SEAT_NAMES, Rival, View

SIGNS: dict[str, Sign] = {"ash": "disc", "birch": "square", "cedar": "diamond", "oak": "triangle"}
PALETTE = {
    **COMMON,
    "ash": Shade("#6d6d6d", "#a8a8a8"),
    "birch": Shade("#c9b27c", "#c9b27c"),
    "cedar": Shade("#9a3f1d", "#d06a40"),
    "oak": Shade("#2f6b2f", "#5aa35a"),
}
LINE = 56
TOP = 90


def shapes(view: View, news: tuple[Any, ...] = (), /) -> Picture:
    """The picture of a view; whoever struck since the last letter has a frame of its own."""
    struck = frozenset(event.seat for event in news if isinstance(event, Struck))
    lines = tuple(
        _line(view, rival, TOP + LINE * place, "new" if rival.seat in struck else "line")
        for place, rival in enumerate(view.players)
    )
    about = say("Turn {turn}: {gems} gems in the deck.", turn=view.turn, gems=view.deck)
    groups = (
        Group(about, (Text(24, 48, about, WIDTH - 48, 26, bold=True, anchor="start"),)),
        Group(say("The seats"), lines, (say("seat"), say("coins"), say("gems"))),
        _known(view, TOP + LINE * len(view.players)),
    )
    return Picture(say("Gems by mail"), about, TOP + LINE * len(view.players) + 80, PALETTE, groups)


def _line(view: View, rival: Rival, y: float, frame: str) -> Group:
    name, middle = SEAT_NAMES[rival.seat], y + LINE / 2
    parts = (
        Rect(16, y + 3, WIDTH - 32, LINE - 6, "panel", frame, 4 if frame == "new" else 2, 8),
        Mark(48, middle, 12, SIGNS[rival.seat], rival.seat, "ink"),
        Text(76, middle, name, 200, 24, bold=rival.seat == view.seat, anchor="start"),
        Text(400, middle, number(rival.coins), 100, 24),
        Text(560, middle, number(rival.gems), 100, 24),
    )
    return Group(name, parts, row=(name, number(rival.coins), number(rival.gems)))


def _known(view: View, y: float) -> Group:
    """The hand, and the top gem of the deck for whoever has looked at it."""
    gems = (*view.hand, *([view.top] if view.top else []))
    room = (WIDTH - 48) / max(len(gems), 6)
    words = [say("{gem}", gem=gem) for gem in gems]
    parts = tuple(
        Group(word, (Text(24 + room * place, y + 40, word, room - 8, 22, anchor="start"),), row=(word,))
        for place, word in enumerate(words)
    )
    return Group(say("Your gems"), parts, (say("gem"),) if parts else ())
