"""The steady bot: it sees a view, writes what the rules accept, and beats chance."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bench.bots import duels
from engine import Charter, Held, Lapsed, Stream, Table, bots_of, encode, find_bot, play, start, waiting
from engine.games.cybertron.steady_odds import LOST, odds
from engine.games.cybertron.view import View
from tests.contract.worlds import worlds
from tests.games.cybertron.worlds import CYBERTRON, FOUR, THREE, TWO, Json, charter, dice, position

STEADY = find_bot(CYBERTRON, "steady")


def orders(view: View, seed: int = 0) -> list[Json]:
    return list(STEADY(CYBERTRON, view, view.me, Stream(seed.to_bytes(4, "big")).below))


def zone(seat: str, robots: int = 1) -> Json:
    return {"seat": seat, "robots": robots}


def optimus(phase: str = "attack", **parts: Any) -> View:
    """What Optimus Prime sees in a phase of his turn; Megatron holds what is not named."""
    words = ("muster", "morph", "attack", "back_up")
    agenda = [{"task": word, "seat": "optimus_prime"} for word in words[words.index(phase) :]]
    opened = {} if phase == "muster" else {"agenda": agenda}
    seen: View = CYBERTRON.view(position(charter(), rest="megatron", **opened, **parts), "optimus_prime")
    return seen


def test_it_is_the_best_bot_of_cybertron() -> None:
    assert list(bots_of(CYBERTRON)) == ["steady", "random"]
    assert find_bot(CYBERTRON) is STEADY


def test_it_beats_chance() -> None:
    match = duels(CYBERTRON, ("steady", "random"), range(16))
    assert match.games == 16
    assert match.won >= 15, match


WORLD = worlds("cybertron")["torus"]


@pytest.mark.parametrize("seats", [TWO, THREE, FOUR], ids=len)
@pytest.mark.parametrize(
    ("options", "data"),
    [({}, {}), ({"reactions": "ask", "setup": "dealt"}, {}), ({"setup": "live"}, {}), ({}, WORLD)],
    ids=["plain", "asking", "live", "torus"],
)
def test_it_plays_whole_games_and_nothing_of_it_is_refused(
    seats: tuple[str, ...], options: Json, data: Json
) -> None:
    table = Table(CYBERTRON, Charter(seats, msgspec.convert(options, CYBERTRON.options), data))
    rolls = dice(f"steady/{len(seats)}")
    outcome = start(table, {seat: CYBERTRON.setup() for seat in seats}, (), rolls)
    moves = 0
    while outcome.result is None:
        seat = waiting(table, outcome.position)[0]
        sent = tuple(orders(CYBERTRON.view(outcome.position.state, seat)))
        assert sent
        turn = outcome.position.state.turn
        outcome = play(table, outcome.position, Held(seat, sent), dice(f"{seats}/{turn}"))
        lapses = [event for event in outcome.events if isinstance(event, Lapsed)]
        assert all(lapse.refusal.area == "moment" for lapse in lapses)
        moves += 1
    assert moves < 700


def test_the_same_view_gives_the_same_turn_and_hidden_things_do_not_matter() -> None:
    given: Json = {"zones": {"hexima": zone("optimus_prime", 6)}}
    one, other = (
        optimus(**given, players={"megatron": {"hand": [f"card_{name}"]}}) for name in ("iacon", "vos")
    )
    assert encode(one) == encode(other)
    assert orders(one) == orders(other, 1) == orders(one)


def test_nothing_asked_is_nothing_ordered() -> None:
    state = position(charter(), zones={"hexima": zone("optimus_prime", 6)}, rest="megatron")
    assert orders(CYBERTRON.view(state, "megatron")) == []


def test_it_plays_its_cards_then_places_everything_in_one_place() -> None:
    seen = optimus(
        "muster",
        zones={"hexima": zone("optimus_prime", 2), "autobase": zone("optimus_prime")},
        players={"optimus_prime": {"hand": ["card_vos"], "leader": "autobase"}},
    )
    sent = orders(seen)
    assert [order["do"] for order in sent[:2]] == ["play_card", "place"]
    assert sent[1]["robots"] == "rest"


def test_it_attacks_what_is_weak_and_leaves_alone_what_is_strong() -> None:
    strong = {name: zone("megatron", 9) for name in ("launch_pad", "sea_of_mercury", "port_of_praetorus")}
    weak = optimus(zones={"hexima": zone("optimus_prime", 6), "tyrest": zone("megatron"), **strong})
    assert (orders(weak)[0]["from"], orders(weak)[0]["to"]) == ("hexima", "tyrest")
    hopeless = optimus(zones={"hexima": zone("optimus_prime", 3), "tyrest": zone("megatron", 9), **strong})
    assert [order["do"] for order in orders(hopeless)] == ["end_turn"]


def test_it_brings_an_idle_army_to_the_front() -> None:
    zones = {
        "autobase": zone("optimus_prime", 7),
        "altihex": zone("optimus_prime"),
        "iacon": zone("optimus_prime"),
        "kalis": zone("optimus_prime"),
        "neutral_territories": zone("optimus_prime"),
    }
    (move, end) = orders(optimus("back_up", zones=zones))
    assert (move["do"], move["from"], move["robots"]) == ("back_up", "autobase", 6)
    assert end == {"do": "end_turn"}


def test_it_opens_a_factory_beneath_its_own_slider() -> None:
    seen = optimus(
        "morph",
        zones={"decagon": zone("optimus_prime"), "vos": zone("optimus_prime")},
        players={"optimus_prime": {"hand": ["card_tyrest"]}},
    )
    assert {"do": "morph", "card": "card_tyrest", "zone": "decagon"} in orders(seen)


def test_it_brings_its_leader_back_when_it_can_afford_him() -> None:
    rich = {
        name: zone("optimus_prime")
        for name in ("hexima", "tyrest", "vos", "helex", "gygax", "iacon", "kaon", "tarn")
    }
    rich |= {
        name: zone("optimus_prime")
        for name in ("uraya", "primus", "kalis", "stanix", "polyhex", "unicron", "ibex")
    }
    rich |= {name: zone("optimus_prime") for name in ("autobase", "altihex", "rad_zone")}
    assert any(order["do"] == "recall_leader" for order in orders(optimus("muster", zones=rich)))
    poor = optimus("muster", zones={"hexima": zone("optimus_prime")})
    assert not any(order["do"] == "recall_leader" for order in orders(poor))


def test_the_odds_are_those_of_all_rolls() -> None:
    """By counting every roll of three against two dice (FI p.12)."""
    faces = range(1, 7)
    found: dict[tuple[int, int], int] = {}
    for a, b, c, d, e in (
        (a, b, c, d, e) for a in faces for b in faces for c in faces for d in faces for e in faces
    ):
        high, low = sorted((a, b, c), reverse=True), sorted((d, e), reverse=True)
        lost = sum(one <= other for one, other in zip(high, low, strict=False))
        found[lost, 2 - lost] = found.get((lost, 2 - lost), 0) + 1
    assert {(mine, theirs): part for mine, theirs, part in LOST[3, 2]} == {
        pair: count / 6**5 for pair, count in found.items()
    }
    for kinds in LOST.values():
        assert sum(part for *_, part in kinds) == pytest.approx(1)
    assert odds(2, 1).win == pytest.approx(15 / 36)
    assert odds(1, 1).win == 0
    assert odds(30, 2).win > 0.99
