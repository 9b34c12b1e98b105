"""What a report of cybertron says of the time to come, and that it says nothing that its reader can't know."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import encode
from engine.games.cybertron.deck import STANDARD as DECK
from engine.games.cybertron.orders import CardLine, Policy
from engine.games.cybertron.state import State
from tests.games.cybertron.reading import (
    CYBERTRON,
    FOUR,
    TWO,
    after_the_war,
    game,
    hears,
    long_report,
    position,
    prose,
    report,
    section,
)


def test_the_next_income_is_told_with_what_is_missing_in_sectors() -> None:
    told = prose(section(report(after_the_war(), "megatron"), "Your next income, as it stands"))
    income = CYBERTRON.view(after_the_war(), "megatron").seats["megatron"].income
    assert told.startswith(f"{income.total} robots ({income.robots} for {income.zones} zones, 2 for Yellow).")


def test_threats_are_the_worst_first_and_never_a_friend() -> None:
    zones = {
        "kaon": {"seat": "megatron", "robots": 1},
        "tarn": {"seat": "barricade", "robots": 30},
        "protihex": {"seat": "bumblebee", "robots": 9},
        "primus": {"seat": "optimus_prime", "robots": 3},
        "rust_sea": {"seat": "optimus_prime", "robots": 1},
        "crystal_city": {"seat": "megatron", "robots": 1},
    }
    told = section(report(position(FOUR, zones=zones, rest="barricade"), "megatron"), "Threats")
    told = told or section(
        report(position(FOUR, zones=zones, rest="barricade"), "megatron"), "Threats at your borders"
    )
    assert told.split("\n")[0].split() == ["Kaon", "M1", "Protihex", "B9,", "Primus", "O3"]
    assert "Tarn" not in told
    assert "Rust Sea" not in told


def test_a_space_fighter_threatens_every_zone() -> None:
    """FI p.14: Megatron in vehicle form may attack any zone."""
    players = {"megatron": {"leader": "ibex", "form": "vehicle"}}
    zones = {"ibex": {"seat": "megatron", "robots": 2}}
    for form, warned in (("vehicle", True), ("robot", False)):
        players["megatron"]["form"] = form
        text = report(position(players=players, zones=zones), "optimus_prime")
        assert ("Megatron is a space fighter" in text) == warned


@pytest.mark.parametrize("card", DECK.ids)
def test_every_card_is_told_with_when_it_can_be_played(card: str) -> None:
    players = {"megatron": {"hand": [card]}}
    told = prose(section(report(position(players=players, seat="megatron"), "megatron"), "Your cards"))
    power = DECK.upgrade(card)
    moments = {
        "muster": "phase 1, before you place",
        "place": "phase 1",
        "morph": "phase 2",
        "attack": "with an attack",
        "defence": "when you are attacked",
    }
    assert told.startswith(f"{card} {power.name} ({moments[power.when]}")
    assert ("a morph." in told) == DECK.card(card).morph


def test_cards_that_can_be_played_now_stand_among_the_moves() -> None:
    players = {"megatron": {"hand": ["card_arena", "card_helex", "card_perihex"], "leader": ""}}
    told = prose(section(report(position(players=players, seat="megatron"), "megatron"), "What you may do"))
    assert "play card card_arena (Mass Production), before you place" in told
    assert "recall leader 3 robots bring him back" in told
    assert "card_helex (Leader Rebuild) brings him back for nothing" in told
    assert "card_perihex" not in told


def test_the_one_to_move_reads_what_he_may_do_and_others_whom_they_wait_for() -> None:
    state = after_the_war()
    assert section(report(state, "megatron"), "What you may do").startswith("  place")
    assert section(report(state, "optimus_prime"), "Whose move") == "It is Megatron's turn."
    assert section(report(state, None), "Whose move") == "It is Megatron's turn."
    assert section(report(state, None), "Your cards") == ""


def _hidden_changes(state: State, seat: str | None) -> list[State]:
    """Positions that differ from this one only in what a seat can't see (rules 8.3)."""
    others = [name for name in state.order if name != seat]
    changed = [replace(state, pile=state.pile[::-1])]
    policy = Policy(
        defend=1,
        one_in=("kaon",),
        leader=("launch_pad",),
        bonus="never",
        cards=(CardLine("energon_shield", ("kaon",), 2, 5),),
        refuge=("simfur",),
        ask=("flee",),
    )
    for name in others:
        player = state.players[name]
        changed.append(replace(state, players={**state.players, name: replace(player, policy=policy)}))
        if player.hand and state.pile:
            count = len(player.hand)
            taken = state.pile[:count]
            swapped = replace(player, hand=DECK.in_order((*taken, *player.hand[len(taken) :])))
            pile = (*player.hand[: len(taken)], *state.pile[count:])
            changed.append(replace(state, pile=pile, players={**state.players, name: swapped}))
    return changed


@pytest.mark.parametrize(("seed", "seats", "step"), [(7, TWO, 6), (8, FOUR, 19)])
def test_what_a_seat_cannot_see_changes_no_byte(seed: int, seats: tuple[str, ...], step: int) -> None:
    compared = 0
    for number, (state, news) in enumerate(game(seed, seats, reactions="ask")):
        if number % step:
            continue
        for seat in (*seats, None):
            heard = hears(seat, news)
            seen = CYBERTRON.view(state, seat)
            picture = encode(CYBERTRON.shapes(seen, heard))
            for other in _hidden_changes(state, seat):
                assert other != state or not state.pile
                compared += 1
                assert report(other, seat, *news) == report(state, seat, *news)
                assert long_report(other, seat, *news) == long_report(state, seat, *news)
                assert encode(CYBERTRON.shapes(CYBERTRON.view(other, seat), heard)) == picture
    assert compared > 40
