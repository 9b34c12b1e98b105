"""Boards and decks of one's own: what is wrong with a file is said by a code of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.games.cybertron import CYBERTRON
from engine.games.cybertron.board import STANDARD
from engine.games.cybertron.orders import Options

FOLDER = Path(__file__).parents[3] / "engine" / "games" / "cybertron" / "data"
SEATS = ("optimus_prime", "megatron")


def board() -> Any:
    return json.loads((FOLDER / "board.json").read_text(encoding="utf-8"))


def deck() -> Any:
    return json.loads((FOLDER / "deck.json").read_text(encoding="utf-8"))


def code(**data: Any) -> str:
    found = CYBERTRON.vet(SEATS, Options(), data)
    return found.code if found else ""


def test_the_standard_files_are_sound() -> None:
    """FI p.2, p.4, p.7: 42 zones in six sectors of 6, 4, 12, 9, 7 and 4, and a card for each zone."""
    assert code(board=board(), deck=deck()) == ""
    assert sorted(len(sector.zones) for sector in STANDARD.board.sectors) == [4, 4, 6, 7, 9, 12]
    assert STANDARD.robots_for(23) == 7


def _zone(data: Any, id: str) -> Any:
    return next(zone for zone in data["zones"] if zone["id"] == id)


def _one_way(data: Any) -> None:
    _zone(data, "iacon")["neighbours"].remove("perihex")


def _missing(data: Any) -> None:
    data["zones"].pop()


def _name(data: Any) -> None:
    _zone(data, "iacon")["name"] = "I" * 41


def _twice(data: Any) -> None:
    data["factories"][0]["id"] = "iacon"


def _sector(data: Any) -> None:
    _zone(data, "iacon")["sector"] = "blue"


def _size(data: Any) -> None:
    data["sectors"][0]["size"] = 7


def _link(data: Any) -> None:
    data["edges"].append({"a": "iacon", "b": "iacon", "type": "border"})


def _special(data: Any) -> None:
    data["spinners"][0]["opens_to"] = ["simfur", "iacon"]


def _slider(data: Any) -> None:
    _zone(data, "decagon")["kind"] = "normal"


def _island(data: Any) -> None:
    data["edges"] = [edge for edge in data["edges"] if "tyger_pax" not in (edge["a"], edge["b"])]
    for zone in data["zones"]:
        zone["neighbours"] = [name for name in zone["neighbours"] if "tyger_pax" not in (name, zone["id"])]


def _outside(data: Any) -> None:
    _zone(data, "iacon")["x"] = 1201


def _leader(data: Any) -> None:
    data["leaders"][1]["start_zone"] = data["leaders"][0]["start_zone"]


def _panel(data: Any) -> None:
    del data["zones_to_robots"]["table"][3]


def _number(data: Any) -> None:
    data["setup"]["operational_robots"] = 20


def _pad(data: Any) -> None:
    data["launch_pad"] = "decagon_factory"


def _shape(data: Any) -> None:
    data["zones"][0]["x"] = "90"


@pytest.mark.parametrize(
    ("expected", "spoil"),
    [
        ("board-symmetry", _one_way),
        ("board-count", _missing),
        ("board-name", _name),
        ("board-twice", _twice),
        ("board-sector", _sector),
        ("board-size", _size),
        ("board-link", _link),
        ("board-special", _special),
        ("board-special", _slider),
        ("board-connected", _island),
        ("board-coordinates", _outside),
        ("board-leaders", _leader),
        ("board-panel", _panel),
        ("board-number", _number),
        ("board-launch-pad", _pad),
        ("board-shape", _shape),
    ],
)
def test_a_spoilt_board_is_refused(expected: str, spoil: Callable[[Any], None]) -> None:
    """Each of the things that the rules rest on (FI p.7-11; section 5)."""
    data = board()
    spoil(data)
    assert code(board=data) == f"game/{expected}"


def _card_twice(data: Any) -> None:
    data["cards"][1]["zone"] = data["cards"][0]["zone"]


def _card_id(data: Any) -> None:
    data["cards"][1]["id"] = data["cards"][0]["id"]


def _upgrade(data: Any) -> None:
    data["cards"][0]["upgrade"] = "nothing"


def _effect(data: Any) -> None:
    data["upgrades"]["overcharge"]["effect"]["sides"] = 100


def _user(data: Any) -> None:
    data["upgrades"]["fusion_cannons"]["who"] = "active"


def _no_upgrades(data: Any) -> None:
    del data["upgrades"]


@pytest.mark.parametrize(
    ("expected", "spoil"),
    [
        ("deck-zone", _card_twice),
        ("deck-name", _card_id),
        ("deck-upgrade", _upgrade),
        ("deck-effect", _effect),
        ("deck-effect", _user),
        ("deck-shape", _no_upgrades),
    ],
)
def test_a_spoilt_deck_is_refused(expected: str, spoil: Callable[[Any], None]) -> None:
    """Every card names a zone and carries an upgrade (FI p.17)."""
    data = deck()
    spoil(data)
    assert code(deck=data) == f"game/{expected}"


def test_a_board_with_other_zones_needs_a_deck_of_its_own() -> None:
    """FI p.17: each card names a zone of the board."""
    data = json.loads(json.dumps(board()).replace('"iacon"', '"nova"'))
    assert code(board=data) == "game/deck-zone"
    cards = json.loads(json.dumps(deck()).replace('"iacon"', '"nova"'))
    assert code(board=data, deck=cards) == ""
