"""Whether a board and a deck can be played with: what an owner of the printed game may enter instead of ours.

The law. 42 zones, each in one sector and with one card; links the same from both ends; every zone reached once the
spinners are open; each slider with its factory; coordinates within the canvas. Names are short, so that views and reports
have room. What a file says beyond that (sources, notes) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from engine.games.cybertron.board import Atlas, Board, Factory, Zone
from engine.games.cybertron.deck import (
    STANDARD,
    Deck,
    DieBonus,
    DieSize,
    ExtraRobots,
    LimitDefenders,
    MultiplyBonus,
    Upgrade,
    deck_of,
)
from engine.kernel.misfit import misfit_problem
from engine.kernel.refusal import Refusal

SEATS = ("optimus_prime", "bumblebee", "megatron", "barricade")
"""The leaders, Autobots first (FI p.4); a seat is called after its leader."""
ZONES = 42
MOST_NAME = 40
MOST_TEXT = 160
MOST_LINKS, MOST_UPGRADES = 160, 24
"""So that a view with its board and deck stays an envelope."""
FEWEST_ROBOTS, MOST_SUPPLY = 21, 60
"""21 zones fall to each of two players (section 1.3)."""
ID = re.compile(r"[a-z][a-z0-9_]{0,39}")


def board_of(value: Any) -> Board:
    """A board from what its file says; msgspec.ValidationError if it says something else."""
    return msgspec.convert(value, Board)


def check_board(value: Any) -> Refusal | None:
    """The first thing that is wrong with a board, or None."""
    try:
        board = board_of(value)
    except msgspec.ValidationError as misfit:
        return Refusal("game/board-shape", {"problem": misfit_problem(misfit)})
    return next(_board_faults(board, value), None)


def _board_faults(board: Board, value: Mapping[str, Any]) -> Iterator[Refusal]:
    yield from _names(board)
    yield from _sectors(board, value)
    yield from _links(board, value)
    yield from _specials(board)
    yield from _coordinates(board)
    yield from _leaders(board)
    yield from _numbers(board)
    if board.launch_pad not in {zone.id for zone in board.zones}:
        yield Refusal("game/board-launch-pad", {"zone": board.launch_pad})
    yield from _connected(board)


def _drawn(board: Board) -> Iterator[Zone | Factory]:
    yield from board.zones
    yield from board.factories


def _names(board: Board) -> Iterator[Refusal]:
    if len(board.zones) != ZONES:
        yield Refusal("game/board-count", {"expected": ZONES, "found": len(board.zones)})
    seen: set[str] = set()
    for one in _drawn(board):
        if not ID.fullmatch(one.id) or not 1 <= len(one.name) <= MOST_NAME:
            yield Refusal("game/board-name", {"id": one.id, "most": MOST_NAME})
        if one.id in seen:
            yield Refusal("game/board-twice", {"id": one.id})
        seen.add(one.id)
    sectors = [sector.id for sector in board.sectors]
    for number, sector in enumerate(board.sectors):
        if not ID.fullmatch(sector.id) or not 1 <= len(sector.name) <= MOST_NAME:
            yield Refusal("game/board-name", {"id": sector.id, "most": MOST_NAME})
        if sector.id in sectors[:number]:
            yield Refusal("game/board-twice", {"id": sector.id})


def _sectors(board: Board, value: Mapping[str, Any]) -> Iterator[Refusal]:
    listed = [(zone, sector.id) for sector in board.sectors for zone in sector.zones]
    for zone in board.zones:
        if [sector for name, sector in listed if name == zone.id] != [zone.sector]:
            yield Refusal("game/board-sector", {"zone": zone.id, "sector": zone.sector})
    known = {zone.id for zone in board.zones}
    for name, sector_id in listed:
        if name not in known:
            yield Refusal("game/board-sector", {"zone": name, "sector": sector_id})
    for sector, raw in zip(board.sectors, value["sectors"], strict=True):
        size = raw.get("size", len(sector.zones))
        if size != len(sector.zones):
            yield Refusal(
                "game/board-size", {"sector": sector.id, "size": str(size), "found": len(sector.zones)}
            )


def _links(board: Board, value: Mapping[str, Any]) -> Iterator[Refusal]:
    known = {zone.id for zone in board.zones}
    seen: set[tuple[str, str]] = set()
    for edge in board.edges:
        pair = (edge.a, edge.b)
        if edge.a == edge.b or not set(pair) <= known or pair in seen or pair[::-1] in seen:
            yield Refusal("game/board-link", {"zone": edge.a, "to": edge.b})
        seen.add(pair)
    for raw in value["zones"]:
        yield from _own_list(board, raw, seen)


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(cast("list[object]", value)) if isinstance(value, list) else ()


def _own_list(board: Board, raw: Mapping[str, Any], seen: set[tuple[str, str]]) -> Iterator[Refusal]:
    """A zone's own list of neighbours, if it has one, against the list of links."""
    lists = [raw.get(name) for name in ("neighbours", "gated_neighbours", "hyperlinks")]
    if all(one is None for one in lists):
        return
    named = [str(name) for one in lists for name in _listed(one)]
    zone = str(raw["id"])
    linked = [b if a == zone else a for a, b in sorted(seen) if zone in (a, b)]
    for other in sorted({*named} ^ {*linked}):
        yield Refusal("game/board-symmetry", {"zone": zone, "to": other})


def _specials(board: Board) -> Iterator[Refusal]:
    kinds = {zone.id: zone.kind for zone in board.zones}
    sector = {zone.id: zone.sector for zone in board.zones}
    gates: dict[str, set[str]] = {}
    for edge in board.edges:
        if (edge.type == "gated_border") != bool(edge.gate) or edge.gate not in ("", edge.a, edge.b):
            yield Refusal("game/board-special", {"zone": edge.gate or edge.a})
        if edge.gate:
            gates.setdefault(edge.gate, set()).add(edge.b if edge.gate == edge.a else edge.a)
    spinners = {one.zone: set(one.opens_to) for one in board.spinners}
    sliders = {one.slider: one for one in board.factories}
    for zone, kind in kinds.items():
        if (kind == "spinner") != (zone in spinners) or (kind == "slider") != (zone in sliders):
            yield Refusal("game/board-special", {"zone": zone})
        if spinners.get(zone) != gates.get(zone):
            yield Refusal("game/board-special", {"zone": zone})
    for zone in (*spinners, *sliders):
        if zone not in kinds:
            yield Refusal("game/board-special", {"zone": zone})
    for zone, factory in sliders.items():
        if factory.sector != sector[zone]:
            yield Refusal("game/board-special", {"zone": zone})
    if len(spinners) != len(board.spinners) or len(sliders) != len(board.factories):
        twice = (*(one.zone for one in board.spinners), *(one.slider for one in board.factories))
        yield Refusal("game/board-special", {"zone": next(z for n, z in enumerate(twice) if z in twice[:n])})


def _coordinates(board: Board) -> Iterator[Refusal]:
    seen: set[tuple[int, int]] = set()
    for one in _drawn(board):
        inside = 0 <= one.x <= board.canvas.width and 0 <= one.y <= board.canvas.height
        if not inside or (one.x, one.y) in seen:
            yield Refusal("game/board-coordinates", {"zone": one.id, "x": one.x, "y": one.y})
        seen.add((one.x, one.y))


def _leaders(board: Board) -> Iterator[Refusal]:
    known = {zone.id for zone in board.zones}
    starts: set[str] = set()
    for number, seat in enumerate(SEATS):
        found = [leader for leader in board.leaders if leader.id == seat]
        faction = "autobot" if number < 2 else "decepticon"
        fit = len(found) == 1 == len(board.leaders) / len(SEATS) and found[0].faction == faction
        if not fit or found[0].start_zone not in known or found[0].start_zone in starts:
            yield Refusal("game/board-leaders", {"leaders": ", ".join(SEATS), "leader": seat})
            return
        starts.add(found[0].start_zone)


def _numbers(board: Board) -> Iterator[Refusal]:
    numbers = [("bonus", sector.bonus, 0, 99) for sector in board.sectors]
    supply = board.setup.operational_robots
    numbers.append(("operational_robots", supply, FEWEST_ROBOTS, MOST_SUPPLY))
    numbers.append(("edges", len(board.edges), 1, MOST_LINKS))
    numbers += [("canvas", side, 1, 10_000) for side in (board.canvas.width, board.canvas.height)]
    for field, found, low, high in numbers:
        if not low <= found <= high:
            yield Refusal("game/board-number", {"field": field, "low": low, "high": high, "found": found})
    most = ZONES + len(board.factories)
    place = 1
    for row in board.zones_to_robots.table:
        if row.zones_min != place or row.zones_max < place or not 1 <= row.robots <= 99:
            yield Refusal("game/board-panel", {"most": most, "zones": place})
            return
        place = row.zones_max + 1
    if place <= most:
        yield Refusal("game/board-panel", {"most": most, "zones": place})


def _connected(board: Board) -> Iterator[Refusal]:
    where = Atlas(board)
    links = where.links(tuple(where.specials))
    found, edge = {0}, [0]
    while edge:
        for other in links[edge.pop()]:
            if other not in found:
                found.add(other)
                edge.append(other)
    for place, id in enumerate(where.ids):
        if place not in found:
            yield Refusal("game/board-connected", {"zone": id})


def check_deck(value: Any, where: Atlas) -> Refusal | None:
    """The first thing that is wrong with a deck (None: the standard one) on a board, or None."""
    try:
        deck = STANDARD.deck if value is None else deck_of(value)
    except msgspec.ValidationError as misfit:
        return Refusal("game/deck-shape", {"problem": misfit_problem(misfit)})
    except (KeyError, TypeError, AttributeError):
        return Refusal("game/deck-shape", {"problem": "upgrades"})
    return next(_deck_faults(deck, where), None)


def _deck_faults(deck: Deck, where: Atlas) -> Iterator[Refusal]:
    ids = [*(card.id for card in deck.cards), *(upgrade.id for upgrade in deck.upgrades)]
    for number, id in enumerate(ids):
        if not ID.fullmatch(id) or id in ids[:number]:
            yield Refusal("game/deck-name", {"id": id, "most": MOST_TEXT})
    if not 1 <= len(deck.upgrades) <= MOST_UPGRADES:
        found = len(deck.upgrades)
        yield Refusal(
            "game/board-number", {"field": "upgrades", "low": 1, "high": MOST_UPGRADES, "found": found}
        )
    upgrades = {upgrade.id: upgrade for upgrade in deck.upgrades}
    for upgrade in deck.upgrades:
        if not 1 <= len(upgrade.name) <= MOST_NAME or len(upgrade.text) > MOST_TEXT:
            yield Refusal("game/deck-name", {"id": upgrade.id, "most": MOST_TEXT})
        if not _is_sound(upgrade):
            yield Refusal("game/deck-effect", {"upgrade": upgrade.id})
    named = [card.zone for card in deck.cards]
    for zone in (*where.ids[: where.normal], *named):
        count = named.count(zone)
        if count != 1 or zone not in where.ids[: where.normal]:
            yield Refusal("game/deck-zone", {"zone": zone, "found": count})
    for card in deck.cards:
        if card.upgrade not in upgrades:
            yield Refusal("game/deck-upgrade", {"card": card.id, "upgrade": card.upgrade})


def _is_sound(upgrade: Upgrade) -> bool:
    """Whether an effect's numbers, user and duration fit each other."""
    fights = upgrade.who == "attacker" or (upgrade.who == "defender" and upgrade.duration == "this_attack")
    lasts = upgrade.duration != "instant"
    match upgrade.effect:
        case ExtraRobots(n=n):
            return upgrade.who == "active" and 1 <= n <= 20
        case MultiplyBonus(factor=factor):
            return upgrade.who == "active" and 2 <= factor <= 5
        case DieBonus(n=n):
            return fights and lasts and 1 <= n <= 6
        case DieSize(sides=sides):
            return fights and lasts and 6 <= sides <= 20
        case LimitDefenders(n=n):
            return upgrade.who == "attacker" and lasts and n == 1
        case _:
            return upgrade.who == "active"
