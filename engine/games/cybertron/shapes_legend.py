"""What the signs of the picture mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.games.cybertron.report_board import sides
from engine.games.cybertron.report_names import TEAMS, seat, zone
from engine.games.cybertron.shapes_map import wraps
from engine.games.cybertron.shapes_parts import factory, leader, ring
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, say
from engine.kernel.shapes import WIDTH, Group, Mark, Part, Stroke, Text

EDGE = 16
LINE = 40

Drawn = Callable[[float, float], Iterator[Part]]


def legend(view: View, top: float, seen: tuple[bool, bool]) -> tuple[Group, float]:
    """The signs with their meanings, two a line; `seen`: whether there are arrows, and zones that changed hands."""
    entries = list(_entries(view, *seen))
    parts: list[Part] = [Text(EDGE, top + 26, say("Signs"), 200, 24, bold=True, anchor="start")]
    for place, (told, draw) in enumerate(entries):
        x = EDGE + (WIDTH / 2 - EDGE) * (place % 2)
        y = top + 64 + LINE * (place // 2)
        parts += draw(x + 28, y)
        parts.append(Text(x + 66, y, told, WIDTH / 2 - EDGE - 72, anchor="start"))
    bottom = top + 64 + LINE * (-(-len(entries) // 2)) - LINE / 2
    for told in _ways(view):
        parts.append(Text(EDGE, bottom + 16, told, WIDTH - 2 * EDGE, anchor="start"))
        bottom += 28
    return Group(say("Signs"), tuple(parts)), bottom + 8


def _entries(view: View, fought: bool, fresh: bool) -> Iterator[tuple[Say, Drawn]]:
    yield say("leader as a robot"), _of(lambda x, y: [leader("robot", x, y, 12)])
    yield say("leader as a vehicle"), _of(lambda x, y: [leader("vehicle", x, y, 12)])
    yield say("closed spinner: no way in"), _of(lambda x, y: [*_small_ring(x, y, is_open=False)])
    yield say("open spinner"), _of(lambda x, y: [*_small_ring(x, y, is_open=True)])
    yield say("closed factory"), _of(lambda x, y: [*_house(x, y, is_open=False)])
    yield say("open factory: a zone"), _of(lambda x, y: [*_house(x, y, is_open=True)])
    yield say("border"), _of(lambda x, y: [Stroke(((x - 22, y), (x + 22, y)), "route", wide=3)])
    dotted = _of(lambda x, y: [Stroke(((x - 22, y), (x + 22, y)), "route", wide=3, dash="dotted")])
    yield say("hyperlink"), dotted
    if fought:
        yield say("attack: the zone was taken"), _of(lambda x, y: [*_attack(x, y, "")])
        yield say("attack: the zone held"), _of(lambda x, y: [*_attack(x, y, "dashed")])
    if fresh:
        yield say("has changed hands"), _of(lambda x, y: [Mark(x, y, 16, "disc", "card", "new", 5)])


def _of(draw: Callable[[float, float], list[Part]]) -> Drawn:
    def drawn(x: float, y: float) -> Iterator[Part]:
        yield from draw(x, y)

    return drawn


def _small_ring(x: float, y: float, *, is_open: bool) -> Iterator[Part]:
    yield from ring(x, y, is_open=is_open, r=15)


def _house(x: float, y: float, *, is_open: bool) -> Iterator[Part]:
    yield from factory(x, y, is_open=is_open, r=15)


def _attack(x: float, y: float, dash: str) -> Iterator[Part]:
    if dash:
        yield Stroke(((x - 24, y), (x + 6, y)), "battle", wide=6, dash="dashed")
    else:
        yield Stroke(((x - 24, y), (x + 6, y)), "battle", wide=6)
    yield Stroke(((x + 4, y), (x + 24, y)), "battle", wide=6, arrow=True)


def _ways(view: View) -> Iterator[Say]:
    """The ways around the edge, and with four players the teams."""
    for letter, edge in wraps(view.atlas):
        yield say(
            "{letter}: hyperlink around the edge, {one} to {other}",
            letter=letter,
            one=zone(view.atlas, edge.a),
            other=zone(view.atlas, edge.b),
        )
    for faction, team in sides(view).items():
        zones = sum(view.seats[name].zones for name in team)
        yield say(
            "{team}: {seats}, together {zones} zones",
            team=TEAMS[faction],
            seats=tuple(seat(name) for name in team),
            zones=zones,
        )
