"""The parts of a picture of Cybertron: its colours, the signs of the seats, leaders, special zones.

Who holds a zone is told by the outline of its sign and by its colour. A leader in robot form is a star, in vehicle
form a triangle. A sector is a tint of the ground and a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.cybertron.board import Atlas
from engine.kernel.prose import Say
from engine.kernel.shapes import COMMON, Mark, Part, Rect, Shade, Sign, Stroke, Text, number

PALETTE: Mapping[str, Shade] = {
    **COMMON,
    "now": Shade("#e9efe0", "#2c3a2f"),
    "edge": Shade("#1c1a17", "#f3f1ec"),
    "route": Shade("#8d8577", "#8791a0"),
    "battle": Shade("#c4301f", "#ff8a5c"),
    "gold": Shade("#ffd34d", "#ffd34d"),
    "white_letter": Shade("#ffffff", "#ffffff"),
    "black_letter": Shade("#17150f", "#17150f"),
    "optimus_prime": Shade("#b9251c", "#b9251c"),
    "bumblebee": Shade("#f2c230", "#f2c230"),
    "megatron": Shade("#33363b", "#33363b"),
    "barricade": Shade("#1f55b5", "#1f55b5"),
    "red": Shade("#fbe3df", "#4a2724"),
    "yellow": Shade("#faf1c8", "#47401c"),
    "green": Shade("#dff0dc", "#21402a"),
    "blue": Shade("#dde8fa", "#223656"),
    "purple": Shade("#ecdff5", "#3c2a50"),
    "orange": Shade("#fde6cd", "#4e361c"),
}
SIGNS: Mapping[str, Sign] = {
    "optimus_prime": "disc",
    "bumblebee": "square",
    "megatron": "diamond",
    "barricade": "hexagon",
}
_TINTS = ("red", "yellow", "green", "blue", "purple", "orange")
_ON = {"bumblebee": "black_letter"}

SIGN = 20.0
"""Radius of the sign of a zone."""
RING = 29.0
"""Radius of the ring around a spinner."""
HOUSE = 26.0
"""Radius of the house that is a factory."""


def tint(atlas: Atlas, sector: str) -> str:
    """The ground of a sector; one that is not called by a colour gets the colour of its place."""
    if sector in _TINTS:
        return sector
    return _TINTS[list(atlas.sectors).index(sector) % len(_TINTS)]


def sign(seat: str, x: float, y: float, r: float = SIGN, *, told: Say | None = None) -> Iterator[Part]:
    """A seat's sign around a centre, with something written on it."""
    yield Mark(x, y, r, SIGNS[seat], seat, "edge", 2)
    if told is not None:
        yield Text(x, y, told, 2 * r, 24, bold=True, fill=_ON.get(seat, "white_letter"))


def leader(form: str, x: float, y: float, r: float = 10) -> Mark:
    """A leader: a star in robot form, a triangle in vehicle form."""
    return Mark(x, y, r, "star" if form == "robot" else "triangle", "gold", "black_letter", 1.5)


def piece(seat: str, robots: int, form: str, at: tuple[float, float]) -> Iterator[Part]:
    """What stands in a zone: the holder's sign with its robots, and his leader beside it, or alone on it."""
    x, y = at
    if form and not robots:
        yield from sign(seat, x, y)
        yield leader(form, x, y)
        return
    yield from sign(seat, x, y, told=number(robots))
    if form:
        yield leader(form, x + 25, y - 15)


def ring(x: float, y: float, *, is_open: bool, r: float = RING) -> Iterator[Part]:
    """Around a spinner: whole while it is closed, a dashed one while ways lead through it."""
    yield Mark(x, y, r, "disc", "card", "edge", 2 if is_open else 4, dash="dashed" if is_open else "")


def factory(x: float, y: float, *, is_open: bool, r: float = HOUSE) -> Iterator[Part]:
    """A secret war factory beside its slider: dashed and crossed out while it is closed."""
    yield Mark(x, y, r, "house", "card", "edge", 2, dash="" if is_open else "dashed")
    if not is_open:
        arm = r * 0.42
        low = y + r * 0.12
        yield Stroke(((x - arm, low - arm), (x + arm, low + arm)), "route", wide=3)
        yield Stroke(((x + arm, low - arm), (x - arm, low + arm)), "route", wide=3)


def plate(text: Say, x: float, y: float, room: float, fill: str) -> Iterator[Part]:
    """Words on a small ground of their own, around a centre."""
    yield Rect(x - room / 2, y - 13, room, 26, fill, "route", 1.5, round=13)
    yield Text(x, y, text, room - 10, bold=True)
