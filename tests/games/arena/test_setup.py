"""HU p.2-3: what a game is played with, and its start."""

from __future__ import annotations

import pytest

from engine import Charter, Dice, plain
from engine.games.arena.cards import CREATURES, pack
from engine.games.arena.orders import Options, Policy
from tests.games.arena.kit import ARENA, FIRST_EIGHT, LAST_EIGHT, THREE, charter, named, seeded


@pytest.mark.parametrize(("players", "pile"), [(2, 86), (3, 78), (4, 70), (5, 62)])
def test_p3_eight_cards_each_and_the_rest_is_the_pile(players: int, pile: int) -> None:
    seats = ARENA.seats[:players]
    state, events = ARENA.new(Charter(seats, Options()), {}, Dice(seeded(players)))
    assert [len(state.players[seat].hand) for seat in seats] == [8] * players
    assert len(state.deck) == pile
    assert ARENA.tally(state)["cards"] == 102
    assert state.turn == 1
    assert [e["seat"] for e in named([plain(e) for e in events], "hand_dealt")] == list(state.order)


def test_p3_the_three_draws_and_their_labels() -> None:
    dice = Dice(seeded(1))
    state, _ = ARENA.new(Charter(THREE, Options()), {}, dice)
    assert [draw.label for draw in dice.public] == ["setup/creatures", "setup/first"]
    assert [draw.label for draw in dice.hidden] == ["deck/0"]
    shuffled, rolled = dice.public
    assert shuffled.items == CREATURES
    assert set(state.creatures) == set(shuffled.values[:8])
    assert list(state.creatures) == [name for name in CREATURES if name in state.creatures]
    assert rolled.sides == 3
    first = rolled.values[0]
    assert isinstance(first, int)
    assert state.order == (*THREE[first - 1 :], *THREE[: first - 1])
    deck = dice.hidden[0].values
    assert dice.hidden[0].items == pack(state.creatures)
    assert set(state.players[state.order[1]].hand) == set(deck[8:16])
    assert state.deck == deck[24:]


def test_p3_an_agreed_eight_stand_as_listed_without_a_draw() -> None:
    dice = Dice(seeded(1))
    agreed = tuple(reversed(LAST_EIGHT))
    state, _ = ARENA.new(charter(agreed), {}, dice)
    assert state.creatures == agreed
    assert [draw.label for draw in dice.public] == ["setup/first"]


def test_p2_the_pack_of_eight_creatures_has_102_cards() -> None:
    cards = pack(LAST_EIGHT)
    assert len(cards) == len(set(cards)) == 102
    assert "amazon-3" not in cards
    assert {"spectator-0", "spectator-10", "prefect-1", "prefect-2", "magister"} <= set(cards)


@pytest.mark.parametrize(
    ("seats", "creatures", "data", "code"),
    [
        (("red",), FIRST_EIGHT, {}, "game/seats"),
        (("red", "red"), FIRST_EIGHT, {}, "game/seats"),
        (("red", "pink"), FIRST_EIGHT, {}, "game/seats"),
        (("red", "blue"), FIRST_EIGHT[:7], {}, "game/creatures"),
        (("red", "blue"), (*FIRST_EIGHT[:7], "amazon"), {}, "game/creatures"),
        (("red", "blue"), (*FIRST_EIGHT[:7], "dragon"), {}, "game/creatures"),
        (("red", "blue"), FIRST_EIGHT, {"board": 1}, "game/data"),
        (("red", "blue"), FIRST_EIGHT, {}, ""),
    ],
)
def test_p2_what_can_be_played(
    seats: tuple[str, ...], creatures: tuple[str, ...], data: dict[str, int], code: str
) -> None:
    refused = ARENA.vet(seats, Options(creatures=creatures), data)
    assert (refused.code if refused else "") == code


@pytest.mark.parametrize(
    ("gorgon", "code"),
    [
        ("lowest", ""),
        ({"troll": (3, 1)}, ""),
        ({"dragon": (3,)}, "order/unknown-creature"),
        ({"troll": (3, 3)}, "order/strengths"),
        ({"troll": (11,)}, "order/strengths"),
    ],
)
def test_standing_orders_are_judged_by_public_facts(gorgon: object, code: str) -> None:
    policy = Policy(gorgon=gorgon)  # type: ignore[arg-type]
    refused = ARENA.vet_policy(charter(), "red", policy)
    assert (refused.code if refused else "") == code
    assert ARENA.vet_setup(charter(), "red", ARENA.setup()) is None
