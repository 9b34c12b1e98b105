"""The map in a picture: where zones lie, the grounds of sectors, the ways between zones.

Made from a board and which of its special zones are open; it knows no piece. Zones lie as on the board, moved
apart until each has room for its sign and its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import sqrt

from engine.games.cybertron.board import Atlas, Edge
from engine.games.cybertron.report_names import named
from engine.games.cybertron.shapes_parts import SIGN, plate, tint
from engine.games.cybertron.shapes_place import Area, Box, placed
from engine.kernel.prose import say
from engine.kernel.shapes import WIDTH, Dash, Part, Point, Rect, Stroke, Text

AREA = Area(6, 78, WIDTH - 6, 1236)
"""Where the map lies in the picture."""
_LINE, _LETTER, _BOLD = 22.0, 11.2, 12.6
"""Height of a line of a name; about how wide a letter is, at most, in plain and in bold."""
_SIGN, _HEAD = 25.0, 50.0
"""From the upper edge of a zone to the centre of its sign, and to its name."""
_LONG = 9
"""Letters after which a name goes on in the next line."""
_FACTORY = 52.0
"""From the sign of a slider to that of its factory."""
_EDGES = (14.0, WIDTH - 14.0)
_NEAR_EDGE = 0.06
"""The part of the board's width that counts as its edge."""


class Chart:
    """A board as it is drawn: the centres of the signs of zones and factories, the lines of names."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        board = atlas.board
        self.names = {zone.id: _broken(zone.name) for zone in board.zones}
        self.rings = frozenset(spinner.zone for spinner in board.spinners)
        self.factories = {factory.slider: factory.id for factory in board.factories}
        self.letters: dict[str, str] = {}
        for letter, edge in wraps(atlas):
            for end in (edge.a, edge.b):
                self.letters[end] = self.letters.get(end, "") + letter
        self._outer = frozenset(_outer(atlas))
        boxes = (*(self._zone(zone.id, zone.x, zone.y) for zone in board.zones), *self._titles())
        self._places = placed(boxes, AREA)
        self._boxes = {box.name: box for box in boxes}

    def _zone(self, name: str, x: int, y: int) -> Box:
        lines = self.names[name]
        wide = max(48.0, *(len(line) * _LETTER + 4 for line in lines))
        if name in self.factories:
            wide = max(wide, 104.0)
        if name in self.letters and name not in self._outer:
            wide = max(wide, 2 * SIGN + 28.0 * (1 + len(self.letters[name])))
        return Box(name, x, y, wide, self._head(name) + _LINE * len(lines) + 2)

    def _head(self, name: str) -> float:
        return _HEAD + 8 if name in self.rings else _HEAD

    def _titles(self) -> Iterator[Box]:
        """The names of the sectors, above the middles of their zones."""
        zones = {zone.id: zone for zone in self.atlas.board.zones}
        for sector in self.atlas.board.sectors:
            own = [zones[name] for name in sector.zones]
            middle = sum(zone.x for zone in own) / len(own)
            letters = len(sector.name) + 2 + len(str(sector.bonus))
            top = min(zone.y for zone in own)
            yield Box(_title(sector.id), middle, top - 30, letters * _BOLD + 16, 26)

    def centre(self, name: str) -> Point:
        """The centre of a zone's sign."""
        for slider, factory in self.factories.items():
            if name == factory:
                x, y = self.centre(slider)
                return x + _FACTORY, y
        x, y = self._places[name]
        if name in self.factories:
            x -= _FACTORY / 2
        return x, y + (self._head(name) - _HEAD) / 2 + _SIGN

    def grounds(self) -> Iterator[Part]:
        """The sectors: a ground under each zone, and under the ways within a sector."""
        atlas = self.atlas
        for edge in atlas.board.edges:
            sector = atlas.within[atlas.place[edge.a]]
            if edge.type != "hyperlink" and sector == atlas.within[atlas.place[edge.b]]:
                yield Stroke((self.centre(edge.a), self.centre(edge.b)), tint(atlas, sector), wide=60)
        for zone in atlas.board.zones:
            (x, y), box = self._places[zone.id], self._boxes[zone.id]
            ground = tint(atlas, zone.sector)
            yield Rect(x - box.w / 2 - 7, y - 8, box.w + 14, box.h + 13, ground, round=24)

    def titles(self) -> Iterator[Part]:
        """The names of the sectors with what they are worth."""
        for sector in self.atlas.board.sectors:
            (x, y), box = self._places[_title(sector.id)], self._boxes[_title(sector.id)]
            words = say("{sector} +{bonus}", sector=sector.name, bonus=sector.bonus)
            yield from plate(words, x, y + 13, box.w, tint(self.atlas, sector.id))

    def ways(self, opened: tuple[str, ...]) -> Iterator[Part]:
        """Lines between neighbours: dotted over hyperlinks, none through a closed spinner."""
        for edge in self.atlas.board.edges:
            if edge.wraps_board_edge or (edge.gate and edge.gate not in opened):
                continue
            dots: Dash = "dotted" if edge.type == "hyperlink" else ""
            yield Stroke((self.centre(edge.a), self.centre(edge.b)), "route", wide=3, dash=dots)
        for one in self.atlas.board.factories:
            if one.slider in opened:
                yield Stroke((self.centre(one.slider), self.centre(one.id)), "route", wide=3)
        for end in self.letters:
            if end in self._outer:
                yield from self._dots(end)

    def _dots(self, end: str) -> Iterator[Part]:
        """From a zone at the edge of the board to that edge."""
        x, y = self.centre(end)
        yield Stroke(((x, y), (_EDGES[x > WIDTH / 2], y)), "route", wide=3, dash="dotted")

    def badges(self) -> Iterator[Part]:
        """The letters of ways around the edge, at both ends of each."""
        for end, letters in self.letters.items():
            x, y = self.centre(end)
            half = 5.0 + 7 * len(letters)
            if end not in self._outer:
                yield from _badge(letters, x - SIGN - 4 - half, y, half)
                continue
            edge = _EDGES[x > WIDTH / 2]
            yield from _badge(letters, min(max(edge, half + 2), WIDTH - half - 2), y - 30, half)

    def plates(self, name: str) -> Iterator[Rect]:
        """The grounds of the lines of a zone's name, so that no way runs through them."""
        x, y = self._places[name]
        ground = tint(self.atlas, self.atlas.within[self.atlas.place[name]])
        top = y + self._head(name)
        for place, line in enumerate(self.names[name]):
            wide = len(line) * _LETTER
            yield Rect(x - wide / 2, top + _LINE * place, wide, _LINE, ground, round=6)

    def name_of(self, name: str) -> Iterator[Text]:
        """A zone's name below its sign."""
        (x, y), box = self._places[name], self._boxes[name]
        top = y + self._head(name) + _LINE / 2
        for place, line in enumerate(self.names[name]):
            yield Text(x, top + _LINE * place, named(line), box.w + 6)

    def way_out(self, name: str, goal: Point, clear: float) -> Point:
        """Where a line from a zone's centre towards a goal has left its sign and its name behind."""
        x, y = self.centre(name)
        long = distance(goal[0] - x, goal[1] - y) or 1
        across, down = (goal[0] - x) / long, (goal[1] - y) / long
        plates = tuple(self.plates(name)) if name in self.names else ()
        gone = clear
        while gone < long / 2 and any(_covers(one, x + across * gone, y + down * gone) for one in plates):
            gone += 2
        return x + across * gone, y + down * gone


def distance(x: float, y: float) -> float:
    """How long a way is; a root and no power, which not every machine rounds alike."""
    return sqrt(x * x + y * y)


@lru_cache(maxsize=16)
def chart_of(atlas: Atlas) -> Chart:
    """The chart of a board, worked out once."""
    return Chart(atlas)


def _badge(letters: str, x: float, y: float, half: float) -> Iterator[Part]:
    """Letters of ways around the edge."""
    yield Rect(x - half, y - 13, 2 * half, 26, "card", "route", 2, round=13)
    yield Text(x, y, named(letters), 2 * half, bold=True)


def _outer(atlas: Atlas) -> Iterator[str]:
    """The zones at the left and the right edge of the board."""
    left, right = (pick(zone.x for zone in atlas.board.zones) for pick in (min, max))
    near = (right - left) * _NEAR_EDGE
    for zone in atlas.board.zones:
        if zone.x <= left + near or zone.x >= right - near:
            yield zone.id


def wraps(atlas: Atlas) -> tuple[tuple[str, Edge], ...]:
    """The ways around the edge of the board, each with a letter of its own."""
    around = (edge for edge in atlas.board.edges if edge.wraps_board_edge)
    return tuple((chr(ord("A") + place % 26), edge) for place, edge in enumerate(around))


def _covers(rect: Rect, x: float, y: float) -> bool:
    """Whether a point lies on a plate, or close to it."""
    near = 4
    across = rect.x - near <= x <= rect.x + rect.w + near
    return across and rect.y - near <= y <= rect.y + rect.h + near


def _title(sector: str) -> str:
    return f"sector {sector}"


def _broken(name: str) -> tuple[str, ...]:
    """A name in short lines."""
    first, *rest = name.split()
    lines = [first]
    for word in rest:
        if len(lines[-1]) + 1 + len(word) <= _LONG:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return tuple(lines)
