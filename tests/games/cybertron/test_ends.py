"""Days and the end (FI p.13, p.17, p.18): the AllSpark, who wins, who shares a place, who is out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.cybertron import CYBERTRON, events
from engine.games.cybertron.board import STANDARD
from engine.games.cybertron.state import State
from engine.kernel.dice import Dice
from tests.games.cybertron.kit import (
    FOUR,
    THREE,
    Parts,
    Rolls,
    of,
    order,
    owner,
    phase,
    play,
    position,
    robots,
    zones,
)

ORDER: tuple[str, ...] = ("megatron", "barricade", "optimus_prime")


def split(seats: tuple[str, ...], counts: dict[str, int], pad: str, **parts: Any) -> State:
    """So many zones for each seat, the Launch Pad for one of them; the last seat's turn on day 6."""
    counts = dict(counts)
    counts[pad] -= 1
    held = zones(launch_pad=(pad, 1))
    others = [zone for zone in STANDARD.ids[: STANDARD.normal] if zone != "launch_pad"]
    for seat, count in counts.items():
        for zone in others[:count]:
            held[zone] = {"seat": seat, "robots": 1}
        others = others[count:]
    assert not others
    given: Parts = {"day": 6, "order": list(seats), "seat": seats[-1], "zones": held, **parts}
    return position(seats, **{"agenda": phase("back_up", seats[-1]), **given})


@pytest.mark.parametrize(
    ("zones_of", "pad", "how", "winner"),
    [
        ((16, 16, 10), "optimus_prime", "launch_pad", "optimus_prime"),
        ((16, 16, 10), "barricade", "launch_pad", "barricade"),
        ((17, 16, 9), "optimus_prime", "days", "megatron"),
    ],
)
def test_the_manuals_ending(zones_of: tuple[int, ...], pad: str, how: str, winner: str) -> None:
    """FI p.18: in a tie the holder of the Launch Pad wins, however few zones he has."""
    counts = dict(zip(ORDER, zones_of, strict=True))  # Black, Yellow, Red
    state, happened = play(split(ORDER, counts, pad), do="end_turn")
    result = CYBERTRON.result(state)
    assert result is not None
    assert (result.how, [place.seat for place in result.places if place.place == 1]) == (how, [winner])
    assert of(happened, events.AllSparkTurned)


def test_equal_zones_share_a_place() -> None:
    """Section 7.1, Final places: the winner, then by zones; equals share."""
    counts = {"megatron": 16, "barricade": 16, "optimus_prime": 10}
    state, _ = play(split(ORDER, counts, "optimus_prime"), do="end_turn")
    result = CYBERTRON.result(state)
    assert result is not None
    assert {place.seat: place.place for place in result.places} == {
        "optimus_prime": 1,
        "megatron": 2,
        "barricade": 2,
    }


def test_a_tie_with_the_launch_pad_at_who_has_left_is_shared() -> None:
    """Section 7.1, Final places."""
    counts = {"optimus_prime": 10, "megatron": 16, "barricade": 16}
    order = ("optimus_prime", "megatron", "barricade")
    state = split(order, counts, "optimus_prime", players={"optimus_prime": {"resigned": True}})
    state, _ = play(state, do="end_turn")
    result = CYBERTRON.result(state)
    assert result is not None
    assert (result.how, [place.place for place in result.places]) == ("shared", [1, 1, 3])


def test_teams_add_their_zones() -> None:
    """FI p.18: with four players the zones of both count, of a mate who has left too."""
    counts = {"optimus_prime": 20, "megatron": 11, "bumblebee": 1, "barricade": 10}
    gone = {"optimus_prime": {"resigned": True}}
    state, _ = play(split(FOUR, counts, "megatron", players=gone), do="end_turn")
    result = CYBERTRON.result(state)
    assert result is not None
    assert result.how == "launch_pad"
    assert {place.seat: place.place for place in result.places}["barricade"] == 1


def test_the_allspark_feeds_the_zone_that_is_turned_up() -> None:
    """FI p.18, the last seat of the day: three robots for the holder of Rust Sea, then the next day."""
    state = position(
        THREE,
        day=3,
        order=list(THREE),
        seat="barricade",
        zones=zones(rust_sea=("megatron", 2), iacon=("optimus_prime", 1)),
        pile=["card_rust_sea", "rest"],
        agenda=phase("back_up", "barricade"),
    )
    state, happened = play(state, do="end_turn")
    assert of(happened, events.AllSparkTurned) == [
        events.AllSparkTurned(3, "card_rust_sea", "rust_sea", "megatron", 3)
    ]
    assert (robots(state, "rust_sea"), state.day, state.seat) == (5, 4, "optimus_prime")
    assert state.discards == ("card_rust_sea",)


def test_who_loses_his_last_zone_is_out_and_his_cards_return() -> None:
    """FI p.13: the cards go back into the pile, which is shuffled; the conqueror gets none."""
    state = position(
        THREE,
        seat="megatron",
        zones=zones(hexima=("megatron", 9), launch_pad=("optimus_prime", 1)),
        players={"optimus_prime": {"hand": ["card_kaon", "card_tarn"]}},
        agenda=phase("attack", "megatron"),
    )
    rolls = Rolls(attack_d6=[6, 6, 6], defence_d6=[1])
    state, happened = play(state, rolls, do="attack", from_="hexima", to="launch_pad", dice=3)
    assert of(happened, events.SeatEliminated) == [events.SeatEliminated("optimus_prime", "megatron", 2)]
    assert (state.players["optimus_prime"].hand, len(state.pile)) == ((), 42)
    assert [label for label in rolls.asked if label.startswith("deck/")] == ["deck/1"]
    assert not state.ended
    assert CYBERTRON.tally(state)["cards"] == 42


def test_a_hand_of_nobody_is_not_shuffled() -> None:
    """Rules 8.2: no draw where there is no card to return; the last side left wins at once (FI p.13)."""
    state = position(
        seat="megatron",
        zones=zones(hexima=("megatron", 9), launch_pad=("optimus_prime", 1)),
        agenda=phase("attack", "megatron"),
    )
    rolls = Rolls(attack_d6=[6, 6, 6], defence_d6=[1])
    state, _ = play(state, rolls, do="attack", from_="hexima", to="launch_pad", dice=3)
    assert state.ended == "conquest"
    assert not [label for label in rolls.asked if label.startswith("deck/")]


def test_who_leaves_out_of_turn_draws_nothing_until_the_turn_ends() -> None:
    """Section 7.1, Resigned: his pieces stay, his hand returns when the turn closes."""
    state = position(
        THREE,
        seat="megatron",
        zones=zones(launch_pad=("optimus_prime", 3), kaon=("megatron", 3)),
        players={"optimus_prime": {"hand": ["card_kaon"]}},
        agenda=phase("attack", "megatron"),
    )
    rolls = Rolls()
    state, _ = CYBERTRON.resign(state, "optimus_prime", Dice(rolls))
    assert (rolls.asked, owner(state, "launch_pad"), state.seat) == ([], "optimus_prime", "megatron")
    state, _ = play(state, rolls, do="end_turn")
    assert rolls.asked == ["deck/1"]
    assert state.players["optimus_prime"].hand == ()
    assert state.seat == "barricade"


def test_who_leaves_after_his_roll_has_it_counted() -> None:
    """FI p.12-15: the dice are compared to the end, the defender's +1 by his standing orders; then the attack is over."""
    state = position(
        THREE,
        seat="megatron",
        ask=True,
        zones=zones(launch_pad=("optimus_prime", 2), hexima=("megatron", 4)),
        players={"optimus_prime": {"leader": "launch_pad", "policy": {"ask": ["bonus"], "leader": "always"}}},
        agenda=phase("attack", "megatron"),
    )
    rolls = Rolls(attack_d6=[6, 5], defence_d6=[5], defence_d8=[5])
    state, _ = play(state, rolls, do="attack", from_="hexima", to="launch_pad", dice=2)
    assert CYBERTRON.pending(state)[0].kind == "bonus"
    assert robots(state, "hexima") == 4
    state, happened = CYBERTRON.resign(state, "megatron", Dice(rolls))
    assert [type(event).__name__ for event in happened[:3]] == ["Rolled", "SeatResigned", "AttackEnded"]
    assert (robots(state, "hexima"), state.battle) == (2, None)


def test_who_is_skipped_adds_nothing() -> None:
    """FI p.14: the +1 is his to leave; an order that the rules demand is given as by default."""
    state = position(
        THREE,
        seat="megatron",
        ask=True,
        zones=zones(launch_pad=("optimus_prime", 2), hexima=("megatron", 4)),
        players={"optimus_prime": {"leader": "launch_pad", "policy": {"ask": ["bonus"], "leader": "always"}}},
        agenda=phase("attack", "megatron"),
    )
    rolls = Rolls(attack_d6=[6, 5], defence_d6=[5], defence_d8=[5])
    state, _ = play(state, rolls, do="attack", from_="hexima", to="launch_pad", dice=2)
    (decision,) = CYBERTRON.pending(state)
    assert CYBERTRON.give_up is not None
    assert CYBERTRON.give_up(state, decision) == order(do="bonus", plus=0)
    assert CYBERTRON.default(state, decision) == order(do="bonus", plus=1)
    state = position(
        THREE, seat="megatron", zones=zones(hexima=("megatron", 4)), agenda=phase("morph", "megatron")
    )
    (decision,) = CYBERTRON.pending(state)
    assert CYBERTRON.give_up(state, decision) == order(do="end_turn")
