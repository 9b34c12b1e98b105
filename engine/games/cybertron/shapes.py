"""Cybertron as a picture: the map with who holds what, the last battles as arrows, the players, what the signs mean.

Made from a View and the events that its seat has heard; it can't see a State.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.cybertron import events as ev
from engine.games.cybertron.report_battle import place
from engine.games.cybertron.report_board import has_leader
from engine.games.cybertron.report_diary import fights_of
from engine.games.cybertron.report_gains import changes
from engine.games.cybertron.report_names import FORMS, seat, title, zone
from engine.games.cybertron.shapes_hand import hand
from engine.games.cybertron.shapes_legend import legend
from engine.games.cybertron.shapes_map import AREA, Chart, chart_of, distance
from engine.games.cybertron.shapes_parts import PALETTE, SIGN, SIGNS, factory, piece, ring, sign
from engine.games.cybertron.state import DAYS
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, plural, say
from engine.kernel.report import by_turn
from engine.kernel.shapes import WIDTH, Group, Mark, Part, Picture, Point, Rect, Stroke, Text, number

EDGE = 16
LINE = 62
_MIDDLES = (336.0, 430.0, 520.0, 634.0)
"""The middles of the columns of the players."""

Arrow = tuple[str, str, bool]
"""Origin and target of a battle, and whether the target was taken."""


def shapes(view: View, news: tuple[Any, ...] = (), /) -> Picture:
    """The picture of a view."""
    fresh = frozenset(one.zone for one in changes(news))
    arrows = _arrows(view, news)
    groups = [_heading(view), _map(view, arrows, fresh)]
    bottom = AREA.bottom + 8
    players, bottom = _players(view, bottom)
    cards, bottom = hand(view, bottom)
    groups += [players, cards] if cards.parts else [players]
    told, bottom = legend(view, bottom, (bool(arrows), bool(fresh)))
    groups.append(told)
    return Picture(say("Cybertron"), _about(view), bottom + EDGE, PALETTE, tuple(groups))


def _arrows(view: View, news: tuple[Any, ...]) -> tuple[Arrow, ...]:
    """The battles that the news tell of, each way once; taken if any of them took the target."""
    found: dict[tuple[str, str], bool] = {}
    for turn in by_turn(news, ev.TurnBegan):
        for fight in fights_of(turn, view):
            origin, target, _ = place(view, fight)
            if origin:
                taken = fight.ended is not None and fight.ended.how == "captured"
                found[origin, target] = found.get((origin, target), False) or taken
    return tuple((origin, target, taken) for (origin, target), taken in found.items())


def _about(view: View) -> Say:
    held = tuple(
        plural("{seat} holds {n} zone", "{seat} holds {n} zones", view.seats[name].zones, seat=seat(name))
        for name in view.order
    )
    if view.ended:
        return say("Cybertron after the war: {held}.", held=held)
    return say("Day {day} of {days}: {held}.", day=view.day, days=DAYS, held=held)


def _heading(view: View) -> Group:
    """What time it is in the game, and whose turn."""
    what = say("Day {day} of {days}", day=view.day, days=DAYS)
    turn = say("turn {turn}: {seat}", turn=view.turn, seat=seat(view.seat))
    if not view.day:
        what = say("Set-up")
    if view.ended:
        what = say("Game over")
        winners = tuple(seat(name) for name in view.order if view.seats[name].place == 1)
        turn = plural("{winners} wins", "{winners} win", len(winners), winners=winners)
    parts: list[Part] = [
        Text(EDGE, 38, what, 230, 32, bold=True, anchor="start"),
        Text(WIDTH - EDGE - 46, 38, turn, 390, 26, bold=True, anchor="end"),
    ]
    if not view.ended:
        parts += sign(view.seat, WIDTH - EDGE - 16, 38, 15)
    return Group(what, tuple(parts))


def _map(view: View, arrows: tuple[Arrow, ...], fresh: frozenset[str]) -> Group:
    chart = chart_of(view.atlas)
    ground: list[Part] = [*chart.grounds(), *chart.ways(view.opened)]
    ground += (part for arrow in arrows for part in _arrow(chart, arrow))
    zones = [_zone(view, chart, name, fresh) for name in view.atlas.ids]
    heads = [part for arrow in arrows for part in _arrow_head(chart, arrow)]
    head = (say("zone"), say("sector"), say("holder"), say("robots"), say("leader"))
    return Group(say("The map"), (*ground, *chart.titles(), *zones, *chart.badges(), *heads), head)


def _zone(view: View, chart: Chart, name: str, fresh: frozenset[str]) -> Group:
    """A zone: what is special about it, what stands there, its name."""
    x, y = chart.centre(name)
    parts: list[Part] = []
    if name in chart.names:
        parts += chart.plates(name)
    if name in chart.rings:
        parts += ring(x, y, is_open=name in view.opened)
    if name in chart.factories.values():
        parts += factory(x, y, is_open=name in view.zones)
    here = view.zones.get(name)
    if here is not None and here.seat:
        if name in fresh:
            parts.append(Mark(x, y, SIGN + 4, SIGNS[here.seat], "new", "new", 2))
        form = view.seats[here.seat].form if has_leader(view, name) else ""
        parts += piece(here.seat, here.robots, form, (x, y))
    elif here is not None:
        parts.append(Mark(x, y, SIGN - 4, "disc", "card", "route", 2, dash="dashed"))
    if name in chart.names:
        parts += chart.name_of(name)
    return Group(zone(view.atlas, name), tuple(parts), row=_row(view, name), of=name)


def _row(view: View, name: str) -> tuple[Say, ...]:
    """The zone in words, for the table."""
    atlas = view.atlas
    sector = atlas.within[atlas.place[name]]
    colour = next(say("{name}", name=one.name) for one in atlas.board.sectors if one.id == sector)
    called, here = zone(atlas, name), view.zones.get(name)
    if name in atlas.specials and name not in atlas.factory_of:
        called = (
            say("{zone}, open", zone=called) if name in view.opened else say("{zone}, closed", zone=called)
        )
    if here is None:
        return say("{zone}, closed", zone=called), colour, say("-"), say("-"), say("-")
    if not here.seat:
        return called, colour, say("-"), say("-"), say("-")
    leader = FORMS[view.seats[here.seat].form] if has_leader(view, name) else say("-")
    return called, colour, seat(here.seat), number(here.robots), leader


def _ends(chart: Chart, arrow: Arrow) -> tuple[Point, Point]:
    """Where an arrow begins and ends: beside the signs and names of its zones."""
    origin, target, _ = arrow
    near = SIGN + 8
    start = chart.way_out(origin, chart.centre(target), near)
    return start, chart.way_out(target, chart.centre(origin), near)


def _arrow(chart: Chart, arrow: Arrow) -> Iterator[Part]:
    """The way of an attack, beneath the names; dashed where the target held out."""
    start, stop = _ends(chart, arrow)
    yield Stroke((start, stop), "battle", wide=6, dash="" if arrow[2] else "dashed")


def _arrow_head(chart: Chart, arrow: Arrow) -> Iterator[Part]:
    """The head of an attack's arrow, above everything."""
    (x, y), (u, v) = _ends(chart, arrow)
    long = distance(u - x, v - y) or 1
    back = min(20.0, long)
    yield Stroke(
        ((u - (u - x) / long * back, v - (v - y) / long * back), (u, v)), "battle", wide=6, arrow=True
    )


def _players(view: View, top: float) -> tuple[Group, float]:
    """The players in turn order, with what everybody knows of them."""
    head = (say("Players"), say("zones"), say("robots"), say("cards"), say("next income"), say("leader"))
    parts: list[Part] = [Text(EDGE, top + 22, head[0], 200, 24, bold=True, anchor="start")]
    parts += (Text(x, top + 24, one, 120, fill="faint") for one, x in zip(head[1:], _MIDDLES, strict=False))
    at = top + 42
    for name in sorted(view.order, key=lambda name: view.seats[name].place):
        parts.append(_player(view, name, at))
        at += LINE
    return Group(say("The players"), tuple(parts), head), at


def _player(view: View, name: str, y: float) -> Group:
    known, middle = view.seats[name], y + 20
    called, fate = title(name, view.me), _fate(view, name)
    parts: list[Part] = []
    if not view.ended and name == view.seat:
        parts.append(Rect(EDGE - 6, y, WIDTH - 2 * EDGE + 12, LINE - 4, "now", round=8))
    parts += sign(name, EDGE + 16, y + LINE / 2 - 2, 16)
    parts.append(Text(EDGE + 44, middle, called, 250, 22, bold=name == view.me, anchor="start"))
    parts.append(Text(EDGE + 44, y + 44, fate, WIDTH - 2 * EDGE - 50, anchor="start", fill="faint"))
    cells = [number(known.zones), number(known.robots), number(known.hand), number(known.income.total)]
    if known.out or known.resigned or view.ended:
        cells[2:] = [say("-"), say("-")]
    for told, x in zip(cells, _MIDDLES, strict=True):
        parts.append(Text(x, middle, told, 90, 22, bold=x == _MIDDLES[0]))
    return Group(called, tuple(parts), row=(called, *cells, fate), of=name)


def _fate(view: View, name: str) -> Say:
    known = view.seats[name]
    if view.ended:
        return say("place {place}", place=known.place)
    if known.out:
        return say("out of the game")
    if known.resigned:
        return say("resigned")
    if not known.leader:
        return say("leader in the scrapheap")
    return say("leader in {zone} ({form})", zone=zone(view.atlas, known.leader), form=FORMS[known.form])
