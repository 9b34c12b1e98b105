"""The parts of a picture of the arena: its colours, cards, tokens and lines of words.

A token is told by its letter, its outline and its colour. A card is told by what stands on it; one that the view
does not hold is drawn as a blank.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.arena.cards import BLANK, REFEREES, creature_of, is_spectator, strength_of
from engine.games.arena.report_names import LETTERS, card, creature
from engine.kernel.prose import Say, say
from engine.kernel.shapes import COMMON, Mark, Part, Rect, Shade, Sign, Text, number

PALETTE: Mapping[str, Shade] = {
    **COMMON,
    "now": Shade("#e9efe0", "#2c3a2f"),
    "crowd": Shade("#e4e9f7", "#2d3858"),
    "dead": Shade("#dedbd5", "#2a2b2e"),
    "bones": Shade("#ebe9e4", "#37383c"),
    "back": Shade("#5d4a7a", "#8b78ad"),
    "edge": Shade("#1c1a17", "#f3f1ec"),
    "white_letter": Shade("#ffffff", "#ffffff"),
    "black_letter": Shade("#17150f", "#17150f"),
    "red": Shade("#b9251c", "#b9251c"),
    "blue": Shade("#1f55b5", "#1f55b5"),
    "green": Shade("#1f7433", "#1f7433"),
    "yellow": Shade("#f2c230", "#f2c230"),
    "white": Shade("#ffffff", "#ffffff"),
}
SIGNS: Mapping[str, Sign] = {
    "red": "disc",
    "blue": "diamond",
    "green": "square",
    "yellow": "hexagon",
    "white": "house",
}
_ON = {"yellow": "black_letter", "white": "black_letter"}

CARD = (46, 64)
"""Width and height of a card in the arena."""


def token(seat: str, x: float, y: float, r: float = 13, *, faded: bool = False) -> tuple[Part, ...]:
    """A token with its letter around a centre; a faded one is worth nothing any more."""
    fill, ink = ("bones", "faint") if faded else (seat, _ON.get(seat, "white_letter"))
    mark = Mark(x, y, r, SIGNS[seat], fill, "faint" if faded else "edge", 1.5)
    return mark, Text(x, y, LETTERS[seat], r * 2, bold=True, fill=ink)


def pip(seat: str, x: float, y: float) -> Mark:
    """A token in stock."""
    return Mark(x, y, 7, SIGNS[seat], seat, "edge", 1.5)


def left(x: float, y: float, text: Say, room: float, size: float = 20) -> Text:
    """Words that begin at `x`."""
    return Text(x, y, text, room, size, anchor="start")


def is_blank(name: str) -> bool:
    """Whether a card is one that this view does not hold."""
    return name.startswith(BLANK)


def called(name: str) -> Say:
    """A card's whole name."""
    return say("hidden card") if is_blank(name) else card(name)


def face(name: str, x: float, y: float, frame: str = "line", *, faded: bool = False) -> tuple[Part, ...]:
    """A card in the arena, upright, with its strength; spectators have three heads below it."""
    wide, high = CARD
    thick = 2 if frame == "line" else 4
    if is_blank(name):
        return (
            Rect(x, y, wide, high, "back", frame, thick, 7),
            Text(x + wide / 2, y + high / 2, say("?"), wide, 30, bold=True, fill="white_letter"),
        )
    crowd = is_spectator(name)
    fill = "bones" if faded else "crowd" if crowd else "card"
    ink = "faint" if faded else "ink"
    middle = y + (25 if crowd else high / 2)
    strength = Text(x + wide / 2, middle, number(strength_of(name)), wide - 2, 32, bold=True, fill=ink)
    heads = [Mark(x + wide / 2 + shift, y + 51, 4.5, fill=ink) for shift in (-12, 0, 12)] if crowd else []
    return Rect(x, y, wide, high, fill, frame, thick, 7), strength, *heads


def long_card(
    name: str, x: float, y: float, *, faded: bool = False, frozen: bool = False
) -> tuple[Part, ...]:
    """A card in a hand, 168 by 56: its strength in a box, its name beside it."""
    fill = "bones" if faded else "card"
    ink = "faint" if faded else "ink"
    box = Rect(x, y, 168, 56, fill, "line", 2, 8, dash="dashed" if frozen else "")
    if is_blank(name):
        return box, left(x + 14, y + 28, called(name), 140)
    if name in REFEREES:
        star = Mark(x + 24, y + 28, 11, "star", "now", ink, 1.5)
        return box, star, Text(x + 50, y + 28, called(name), 112, 22, anchor="start", fill=ink)
    crowd = is_spectator(name)
    words = say("spectator") if crowd else creature(creature_of(name))
    strength = number(strength_of(name))
    return (
        box,
        Rect(x + 4, y + 4, 40, 48, fill if faded else "crowd" if crowd else "panel", round=6),
        Text(x + 24, y + 28, strength, 38, 28, bold=True, fill=ink),
        Text(x + 51, y + 28, words, 112, 22, anchor="start", fill=ink),
    )
