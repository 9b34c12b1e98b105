"""Cybertron's page says what the game does: its examples are orders of the game, its tables are those of the data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from engine import Charter, find
from engine.games.cybertron.board import STANDARD as BOARD
from engine.games.cybertron.deck import STANDARD as DECK
from engine.games.cybertron.orders import Policy, Setup, When
from engine.games.cybertron.report_names import codes
from pbem.player.grammar import grammar_of
from pbem.player.order_text import compile_text

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "cybertron.md").read_text()
CYBERTRON = find("cybertron", 1)
CHARTER = Charter(("optimus_prime", "megatron"), msgspec.convert({}, CYBERTRON.options))


def part(heading: str) -> str:
    """The page from a heading to the next one of its level."""
    level, _ = heading.split(" ", 1)
    start = PAGE.index(f"\n{heading}\n") + 1
    end = re.search(rf"^{level} ", PAGE[start + len(heading) :], re.MULTILINE)
    return PAGE[start : start + len(heading) + end.start()] if end else PAGE[start:]


def codes_in(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", text)


def written(text: str) -> list[Any]:
    """The JSON objects among the code of a part of the page."""
    return [json.loads(code) for code in codes_in(text) if code.startswith("{")]


ORDERS = [order for order in written(PAGE) if "do" in order]
POLICIES = [policy for policy in written(part("## Standing orders")) if "reactions" not in policy]
SETUPS = written(part("## Before the game"))
GUARDS = [guard for guard in written(part("### Phase 3: attack (FI p.11-13)")) if "do" not in guard]


@pytest.mark.parametrize("order", ORDERS, ids=json.dumps)
def test_an_order_on_the_page_is_one_and_is_not_wrong_in_itself(order: dict[str, Any]) -> None:
    action = msgspec.convert(order, CYBERTRON.action)
    four = Charter(tuple(CYBERTRON.seats), CHARTER.options)
    state = CYBERTRON.place(four, {"order": ["optimus_prime", "barricade", "bumblebee", "megatron"]})
    for seat in CYBERTRON.seats:
        refusal = CYBERTRON.check(state, seat, action)
        told = refusal.code if refusal is not None else ""
        # Only Optimus Prime jumps.
        assert not told.startswith("order/") or (order["do"] == "jump" and seat != "optimus_prime"), told


def test_the_turn_in_lines_of_text_is_read() -> None:
    (text,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    compiled = compile_text(text, grammar_of(CYBERTRON))
    assert compiled.faults == ()
    assert [order["do"] for order in compiled.orders] == [line.split()[0] for line in text.splitlines()]
    assert compiled.orders[3]["move_in"] == "all"
    for order in compiled.orders:
        msgspec.convert(order, CYBERTRON.action)


def test_every_order_and_every_field_of_it_is_on_the_page() -> None:
    told = {order["do"]: set[str]() for order in ORDERS}
    for order in ORDERS:
        told[order["do"]] |= set(order)
    for kind in get_args(CYBERTRON.action):
        fields = set(kind.__struct_encode_fields__)
        assert fields <= told[kind.__struct_config__.tag], kind


@pytest.mark.parametrize("policy", POLICIES, ids=json.dumps)
def test_a_policy_on_the_page_is_one(policy: dict[str, Any]) -> None:
    typed = msgspec.convert(policy, CYBERTRON.policy)
    assert CYBERTRON.vet_policy(CHARTER, "megatron", typed) is None


def test_every_standing_order_is_on_the_page_with_its_default() -> None:
    assert set[str]().union(*POLICIES) == set(Policy.__struct_fields__)
    text = part("## Standing orders")
    default = Policy()
    for field, value in (("defend", default.defend), ("leader", default.leader), ("bonus", default.bonus)):
        (row,) = [line for line in text.split("\n") if line.startswith(f'| `{{"{field}": "{value}"}}` |')]
        assert "the default" in row


@pytest.mark.parametrize("setup", SETUPS, ids=json.dumps)
def test_a_setup_on_the_page_is_one(setup: dict[str, Any]) -> None:
    typed = msgspec.convert(setup, CYBERTRON.setup)
    assert CYBERTRON.vet_setup(CHARTER, "megatron", typed) is None


def test_every_list_of_the_setup_is_on_the_page() -> None:
    assert set[str]().union(*SETUPS) == set(Setup.__struct_fields__)


def test_every_guard_is_on_the_page() -> None:
    for guard in GUARDS:
        msgspec.convert(guard, When)
    assert set[str]().union(*GUARDS) == set(When.__struct_fields__)


def test_every_option_and_its_values_are_on_the_page() -> None:
    text = part("## Options")
    for field in CYBERTRON.options.__struct_fields__:
        (row,) = [line for line in text.split("\n") if line.startswith(f"| `{field}` |")]
        values = get_args(CYBERTRON.options.__annotations__[field])
        assert all(f'`"{value}"`' in row for value in values if isinstance(value, str))


def rows(text: str) -> Iterator[list[str]]:
    """The cells of a part's table rows, heads left out."""
    for line in text.split("\n"):
        if line.startswith("| ") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("| ").split(" | ")]


def test_the_zones_are_those_of_the_board() -> None:
    told = {cells[0]: (cells[1], codes_in(cells[2])) for cells in rows(part("## The board"))}
    for sector in BOARD.board.sectors:
        factories = [one.id for one in BOARD.board.factories if one.sector == sector.id]
        assert told[sector.name] == (str(sector.bonus), [*sector.zones, *factories])


def test_the_cards_are_those_of_the_deck() -> None:
    """Each card with its upgrade, and ° where it has no morph icon."""
    told = {cells[0]: cells[3] for cells in rows(part("## The cards")) if len(cells) == 4}
    for upgrade in DECK.deck.upgrades:
        own = [card for card in DECK.deck.cards if card.upgrade == upgrade.id]
        marked = ", ".join(f"`{card.id}`{'' if card.morph else '°'}" for card in own)
        assert told[upgrade.name] == marked


def test_what_is_the_manuals_is_told_as_the_data_mark_it() -> None:
    raw = json.loads((DOCS.parent / "engine/games/cybertron/data/board.json").read_bytes())
    (zones,) = [
        cells for cells in rows(part("## What is the manual's, and what is not")) if cells[0] == "zones"
    ]
    named = [zone["name"] for zone in raw["zones"] if zone["name_src"] == "manual"]
    assert f"{len(named)} names" in zones[1]
    assert all(name in zones[1] for name in named)
    reviewed = [zone["name"] for zone in raw["zones"] if zone["name_src"] == "review"]
    assert all(name in zones[2] for name in reviewed)
    sources = [edge["source"] for edge in raw["edges"]]
    told = f"the other {sources.count('reconstructed')} of {len(sources)}"
    assert told in PAGE
    for leader in raw["leaders"]:
        zone = next(zone["name"] for zone in raw["zones"] if zone["id"] == leader["start_zone"])
        assert f"{leader['name']} in {zone}" in PAGE
    cards = json.loads((DOCS.parent / "engine/games/cybertron/data/deck.json").read_bytes())["cards"]
    exact = [card["zone_name"] for card in cards if card["zone_upgrade_pairing_source"] == "manual"]
    assert all(f"{name} is " in PAGE for name in exact)
    assert f"the other {len(cards) - len(exact)} cards" in PAGE


def test_the_map_is_explained_with_a_label_of_the_map() -> None:
    assert codes(BOARD)["launch_pad"] == "lau"
    assert "`lau M12r`" in PAGE
