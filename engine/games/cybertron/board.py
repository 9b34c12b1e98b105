"""The board as data: zones, sectors, links, specials, and what is worked out of them once.

The law. A zone is known by its place in *board order*: the zones of the file, then the factories. Whether two
zones are neighbours depends on which special zones are open (FI p.9-10) and on nothing else. The standard board
is not carried in a position; another one is, whole. Nothing here knows a piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["normal", "spinner", "slider"]
Link: TypeAlias = Literal["border", "hyperlink", "gated_border"]
Faction: TypeAlias = Literal["autobot", "decepticon"]


class _Part(msgspec.Struct, frozen=True, omit_defaults=True):
    pass


class Canvas(_Part, frozen=True):
    """The size of the drawing to which all `x` and `y` belong; y grows downwards."""

    width: int
    height: int


class Sector(_Part, frozen=True):
    """A sector and what holding all of it gives a turn (FI p.7)."""

    id: str
    name: str
    zones: tuple[str, ...]
    bonus: int


class Zone(_Part, frozen=True):
    """A zone: its sector, what is special about it, and where it is drawn."""

    id: str
    name: str
    sector: str
    kind: Kind
    x: int
    y: int


class Edge(_Part, frozen=True):
    """Two zones that are neighbours; a gated border only while the spinner `gate` is open (FI p.10)."""

    a: str
    b: str
    type: Link
    gate: str = ""
    wraps_board_edge: bool = False


class Spinner(_Part, frozen=True):
    """A spinning zone and the zones on either side of it (FI p.9-10)."""

    zone: str
    opens_to: tuple[str, ...]
    initial: Literal["closed", "open"] = "closed"


class Factory(_Part, frozen=True):
    """A secret war factory beneath a slider, a zone of its sector while it is open (FI p.7, p.9)."""

    id: str
    name: str
    slider: str
    sector: str
    x: int
    y: int


class Leader(_Part, frozen=True):
    """A leader: the seat that plays him has his id."""

    id: str
    name: str
    faction: Faction
    vehicle: str
    start_zone: str


class PanelRow(_Part, frozen=True):
    """One row of the panel: from `zones_min` to `zones_max` zones give so many robots."""

    zones_min: int
    zones_max: int
    robots: int


class Panel(_Part, frozen=True):
    """The ZONES to ROBOTS panel (FI p.7)."""

    table: tuple[PanelRow, ...]


class Supply(_Part, frozen=True):
    """How many robots each player begins with (FI p.4)."""

    operational_robots: int


class Board(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A board, as its file gives it; what the file says beyond this (sources, notes) is not kept."""

    name: str
    canvas: Canvas
    sectors: tuple[Sector, ...]
    zones: tuple[Zone, ...]
    edges: tuple[Edge, ...]
    spinners: tuple[Spinner, ...]
    factories: tuple[Factory, ...]
    leaders: tuple[Leader, ...]
    zones_to_robots: Panel
    setup: Supply
    launch_pad: str


Links = tuple[tuple[int, ...], ...]
"""The neighbours of each zone, by places in board order, lowest first."""


class Atlas:
    """What is worked out of a board once: places by id, sectors by place, neighbours by open specials."""

    __slots__ = (
        "_links",
        "board",
        "factory_of",
        "ids",
        "leaders",
        "names",
        "normal",
        "place",
        "sectors",
        "specials",
        "within",
    )

    def __init__(self, board: Board) -> None:
        self.board = board
        self.ids = (*(zone.id for zone in board.zones), *(factory.id for factory in board.factories))
        """Every zone's id in board order."""
        self.names = (*(zone.name for zone in board.zones), *(factory.name for factory in board.factories))
        self.normal = len(board.zones)
        """How many of them are zones of the file; the factories come after."""
        self.place: Mapping[str, int] = {id: number for number, id in enumerate(self.ids)}
        """A zone's place in board order."""
        self.within = (*(zone.sector for zone in board.zones), *(one.sector for one in board.factories))
        """Each zone's sector."""
        self.sectors: Mapping[str, tuple[int, ...]] = {
            sector.id: tuple(number for number, name in enumerate(self.within) if name == sector.id)
            for sector in board.sectors
        }
        """Each sector's zones, its factory among them, open or not."""
        self.factory_of: Mapping[str, int] = {one.slider: self.place[one.id] for one in board.factories}
        """The factory beneath a slider."""
        spinners = {spinner.zone for spinner in board.spinners}
        self.specials = tuple(id for id in self.ids if id in spinners or id in self.factory_of)
        """The special zones that can be turned or slid, in board order."""
        self.leaders: Mapping[str, Leader] = {leader.id: leader for leader in board.leaders}
        self._links: dict[tuple[str, ...], Links] = {}

    def links(self, opened: tuple[str, ...]) -> Links:
        """Who neighbours whom while these special zones are open (FI p.9-11)."""
        known = self._links.get(opened)
        if known is None:
            known = self._links[opened] = self._linked(opened)
        return known

    def _linked(self, opened: tuple[str, ...]) -> Links:
        near: list[set[int]] = [set() for _ in self.ids]
        pairs = [(edge.a, edge.b) for edge in self.board.edges if not edge.gate or edge.gate in opened]
        pairs += [(one.slider, one.id) for one in self.board.factories if one.slider in opened]
        for one, other in pairs:
            near[self.place[one]].add(self.place[other])
            near[self.place[other]].add(self.place[one])
        return tuple(tuple(sorted(places)) for places in near)

    def robots_for(self, zones: int) -> int:
        """What the panel gives for so many zones (FI p.7); for none, nothing."""
        rows = self.board.zones_to_robots.table
        for row in rows:
            if row.zones_min <= zones <= row.zones_max:
                return row.robots
        return rows[-1].robots if zones > rows[-1].zones_max else 0


def _standard() -> Board:
    text = files("engine.games.cybertron").joinpath("data/board.json").read_bytes()
    return msgspec.json.decode(text, type=Board)


STANDARD = Atlas(_standard())
"""The board that lies in the game's folder: largely reconstructed, see its marks."""


@lru_cache(maxsize=64)
def _atlas(board: Board) -> Atlas:
    return Atlas(board)


def atlas(board: Board | None) -> Atlas:
    """The atlas of a position's own board, or of the standard board."""
    return STANDARD if board is None else _atlas(board)
