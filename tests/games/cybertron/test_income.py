"""What a turn begins with (FI p.7-8): the panel, the sectors, the factories."""

from __future__ import annotations

import pytest

from engine.games.cybertron.board import STANDARD
from engine.games.cybertron.standing import income
from tests.games.cybertron.kit import position, zones


def test_the_panel_gives_a_third_of_the_zones_and_three_at_least() -> None:
    """FI p.7, DE p.8 (23 zones give 7): every row, up to the 42 zones and two open factories."""
    assert [STANDARD.robots_for(count) for count in range(1, 45)] == [
        max(3, count // 3) for count in range(1, 45)
    ]
    assert STANDARD.robots_for(0) == 0


@pytest.mark.parametrize(
    ("sector", "size", "bonus"),
    [("red", 6, 3), ("yellow", 4, 2), ("green", 12, 7), ("blue", 9, 5), ("purple", 7, 5), ("orange", 4, 2)],
)
def test_a_whole_sector_gives_its_bonus_and_all_but_one_zone_none(sector: str, size: int, bonus: int) -> None:
    """FI p.7: green 7; FI p.8: purple 5; the others are reconstructed."""
    whole = [STANDARD.ids[place] for place in STANDARD.sectors[sector] if place < STANDARD.normal]
    assert len(whole) == size
    held = position(zones=zones(**dict.fromkeys(whole, ("optimus_prime", 1))), rest="megatron")
    assert income(held, "optimus_prime").bonus == bonus
    lacks = position(zones=zones(**dict.fromkeys(whole[1:], ("optimus_prime", 1))), rest="megatron")
    assert income(lacks, "optimus_prime").bonus == 0


@pytest.mark.parametrize(("robots", "gives"), [(0, 1), (1, 2), (2, 3), (5, 3)])
def test_an_open_factory_pays_a_piece_and_three_at_most(robots: int, gives: int) -> None:
    """FI p.7, step D: one for each robot there and for the leader."""
    state = position(
        zones=zones(iacon=("optimus_prime", 1), decagon_factory=("optimus_prime", robots)),
        rest="megatron",
        opened=["decagon"],
        players={"optimus_prime": {"leader": "decagon_factory"}},
    )
    assert income(state, "optimus_prime").factories == {"decagon_factory": gives}
