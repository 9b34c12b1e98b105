"""Battles, roll by roll (FI p.11-15)."""

from __future__ import annotations

import pytest

from engine.games.cybertron import events
from tests.games.cybertron.kit import (
    FOUR,
    Parts,
    Rolls,
    code,
    of,
    owner,
    phase,
    play,
    position,
    robots,
    zones,
)

LAUNCH: Parts = {
    "seat": "megatron",
    "zones": zones(hexima=("megatron", 6), launch_pad=("optimus_prime", 1)),
    "players": {"optimus_prime": {"leader": "launch_pad"}},
    "agenda": phase("attack", "megatron"),
}
"""The manual's battle for the Launch Pad (FI p.14-15), Black as Megatron with his leader in the scrapheap."""


def test_the_manuals_first_roll_for_the_launch_pad() -> None:
    """FI p.14-15: 6 beats 4, the robot dies before the leader; 3 against 2 and 1 is a tie, which Red wins."""
    rolls = Rolls(attack_d6=[6, 3, 1], defence_d6=[4], defence_d8=[2])
    state, happened = play(
        position(**LAUNCH), rolls, do="attack", from_="hexima", to="launch_pad", dice=3, until=1
    )
    (roll,) = of(happened, events.Rolled)
    assert [one.lost for one in roll.compared] == ["defender", "attacker"]
    assert [(one.plus, one.parry) for one in roll.compared] == [(0, 0), (0, 1)]
    assert robots(state, "hexima") == 5
    assert robots(state, "launch_pad") == 0
    assert state.players["optimus_prime"].leader == "launch_pad"


@pytest.mark.parametrize(
    ("move_in", "left", "entered"), [("least", 2, 3), ("all", 1, 4), (4, 1, 4), (50, 1, 4)]
)
def test_the_manuals_second_roll_takes_the_launch_pad(move_in: str | int, left: int, entered: int) -> None:
    """FI p.15: 6 beats Optimus' 4 and 1; three move in, one more may."""
    parts: Parts = {
        **LAUNCH,
        "zones": zones(hexima=("megatron", 5), launch_pad=("optimus_prime", 0), iacon=("optimus_prime", 1)),
    }
    rolls = Rolls(attack_d6=[6, 2, 1], defence_d8=[4])
    state, happened = play(
        position(**parts), rolls, do="attack", from_="hexima", to="launch_pad", dice=3, move_in=move_in
    )
    assert (robots(state, "hexima"), robots(state, "launch_pad")) == (left, entered)
    assert state.players["optimus_prime"].leader == ""
    assert of(happened, events.LeaderDestroyed) == [events.LeaderDestroyed("optimus_prime", "launch_pad")]
    assert state.captured == ("launch_pad",)


def test_fusion_cannons_last_for_this_attack_only() -> None:
    """FI p.11, p.17: one more on every die, in every roll against this target from this origin, then no more."""
    parts: Parts = {
        "zones": zones(ibex=("optimus_prime", 6), orbital_beta_pad=("megatron", 4)),
        "players": {"optimus_prime": {"hand": ["card_perihex"]}},
        "agenda": phase("attack", "optimus_prime"),
    }
    attack = {"do": "attack", "from_": "ibex", "to": "orbital_beta_pad", "dice": 3}
    rolls = Rolls(attack_d6=[5, 3, 1, 6, 1, 1, 5, 1, 1], defence_d6=[5, 4, 1, 6, 5, 1])
    state, happened = play(position(**parts), rolls, **attack, cards=["card_perihex"], until=2)
    first, second = of(happened, events.Rolled)
    assert [value for value, _ in first.attack] == [6, 4, 2]
    assert [one.lost for one in first.compared] == ["defender", "attacker"]
    assert [value for value, _ in second.attack] == [7, 2, 2]
    assert state.discards == ("card_perihex",)
    _, happened = play(state, rolls, **attack, until=1)
    assert [value for value, _ in of(happened, events.Rolled)[0].attack] == [5, 1, 1]


def test_barricade_as_a_car_leaves_the_defender_one_die() -> None:
    """FI p.14: one defender only, one comparison; the tie takes an ordinary robot."""
    parts: Parts = {
        "seat": "barricade",
        "zones": zones(
            helex=("barricade", 3),
            decagon=("optimus_prime", 4),
            iacon=("megatron", 1),
            simfur=("bumblebee", 1),
        ),
        "players": {"barricade": {"leader": "helex", "form": "vehicle"}},
        "agenda": phase("attack", "barricade"),
    }
    rolls = Rolls(attack_d8=[5], attack_d6=[6, 2], defence_d6=[6])
    state, happened = play(
        position(FOUR, **parts),
        rolls,
        do="attack",
        from_="helex",
        to="decagon",
        dice=3,
        leader=True,
        until=1,
    )
    (roll,) = of(happened, events.Rolled)
    assert (len(roll.defence), [one.lost for one in roll.compared]) == (1, ["attacker"])
    assert (robots(state, "helex"), robots(state, "decagon")) == (2, 4)
    assert state.players["barricade"].leader == "helex"


def test_megatron_flies_alone_and_enters_alone() -> None:
    """FI p.14; section 7, 7: any enemy zone, one die with eight faces, and nobody follows."""
    parts: Parts = {
        "seat": "megatron",
        "zones": zones(primus=("megatron", 5), autobase=("optimus_prime", 1)),
        "rest": "optimus_prime",
        "players": {"megatron": {"leader": "primus", "form": "vehicle"}},
        "agenda": phase("attack", "megatron"),
    }
    state = position(**parts)
    fly = {"do": "attack", "from_": "primus", "to": "autobase"}
    assert code(state, "megatron", **fly, dice=2, leader=True) == "moment/flies-alone"
    assert code(state, "megatron", **fly, dice=1) == "moment/flies-alone"
    state, _ = play(state, Rolls(attack_d8=[8], defence_d6=[1]), **fly, dice=1, leader=True, move_in="all")
    assert (robots(state, "primus"), robots(state, "autobase")) == (5, 0)
    assert (owner(state, "autobase"), state.players["megatron"].leader) == ("megatron", "autobase")


def test_bumblebee_flees_where_his_orders_say() -> None:
    """FI p.14; section 8.4: by the list, else to where most pieces stand; the zone is captured."""
    parts: Parts = {
        "order": ["megatron", "optimus_prime", "barricade", "bumblebee"],
        "seat": "megatron",
        "zones": zones(
            simfur=("bumblebee", 0),
            perihex=("bumblebee", 2),
            tri_lorus_loop=("bumblebee", 5),
            mithril_sea=("megatron", 4),
            iacon=("optimus_prime", 1),
        ),
        "players": {"bumblebee": {"leader": "simfur", "form": "vehicle", "policy": {"refuge": ["perihex"]}}},
        "agenda": phase("attack", "megatron"),
        "rest": "barricade",
    }
    rolls = Rolls(attack_d6=[6, 1, 1], defence_d8=[1])
    state, happened = play(
        position(FOUR, **parts), rolls, do="attack", from_="mithril_sea", to="simfur", dice=3
    )
    assert of(happened, events.LeaderFled) == [events.LeaderFled("bumblebee", "simfur", "perihex")]
    assert (owner(state, "simfur"), state.players["bumblebee"].leader) == ("megatron", "perihex")


def test_a_draws_label_counts_battles_and_rolls() -> None:
    """docs/protocol.md, section 5: the order of attacks must not choose rolls, so no label names a zone."""
    rolls = Rolls(attack_d6=[1, 1, 1, 1, 1, 1], defence_d6=[6, 6, 6, 6])
    play(position(**LAUNCH, turn=17), rolls, do="attack", from_="hexima", to="launch_pad", dice=3, until=2)
    assert rolls.asked == [
        "battle/17/1/1/attack-d6",
        "battle/17/1/1/defence-d6",
        "battle/17/1/1/defence-d8",
        "battle/17/1/2/attack-d6",
        "battle/17/1/2/defence-d6",
        "battle/17/1/2/defence-d8",
    ]
