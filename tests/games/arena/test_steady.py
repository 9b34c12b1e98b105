"""The steady bot: it sees a view, writes what the rules accept, and beats chance."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bench.bots import duels
from engine import Charter, Dice, Held, Lapsed, Stream, Table, bots_of, encode, find_bot, play, start, waiting
from engine.games.arena.orders import Options
from engine.games.arena.steady_view import card_value, chances, value
from engine.games.arena.view import View
from tests.games.arena.kit import ARENA, FIRST_EIGHT, Json, charter, hands, position, rows, seeded, use

TWO = ("red", "green")
STEADY = find_bot(ARENA, "steady")


def orders(view: View, seed: int = 0) -> list[Json]:
    return list(STEADY(ARENA, view, view.me, Stream(seed.to_bytes(4, "big")).below))


def red(**given: Any) -> View:
    """What red sees of a position with the first eight creatures."""
    seen: View = ARENA.view(position(charter(FIRST_EIGHT, TWO, "ask"), **given), "red")
    return seen


def test_it_is_the_best_bot_of_arena() -> None:
    assert list(bots_of(ARENA)) == ["steady", "random"]
    assert find_bot(ARENA) is STEADY


def test_it_beats_chance() -> None:
    match = duels(ARENA, ("steady", "random"), range(20))
    assert match.games == 20
    assert match.won >= 16, match


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("options", [{}, {"reactions": "ask", "stalemate": True}], ids=["plain", "asking"])
def test_it_plays_whole_games_and_nothing_of_it_is_refused(seats: int, options: Json) -> None:
    table = Table(ARENA, Charter(ARENA.seats[:seats], msgspec.convert(options, Options)))
    outcome = start(table, {}, (), Dice(seeded(seats)))
    dice, moves = Dice(seeded(seats)), 0
    while outcome.result is None:
        seat = waiting(table, outcome.position)[0]
        sent = tuple(orders(ARENA.view(outcome.position.state, seat), moves))
        assert sent
        outcome = play(table, outcome.position, Held(seat, sent), dice)
        lapses = [event for event in outcome.events if isinstance(event, Lapsed)]
        assert all(lapse.refusal.code == "moment/game-over" for lapse in lapses), lapses
        moves += 1
    assert moves < 600


def test_the_same_view_and_numbers_give_the_same_turn_and_hidden_things_do_not_matter() -> None:
    given: Json = {"columns": {"magus": rows("red")}}
    one = red(**given, players=hands(red="magus-9 ettin-2", green="amazon-1 amazon-2"))
    other = red(**given, players=hands(red="magus-9 ettin-2", green="gorgon-9 prefect-1"))
    assert encode(one) == encode(other)
    assert orders(one) == orders(other) == orders(one)


def test_nothing_asked_is_nothing_ordered() -> None:
    state = position(charter(FIRST_EIGHT, TWO), players=hands(red="magus-1"))
    assert orders(ARENA.view(state, "green")) == []


FULL = {name: rows([f"{name}-6"]) for name in FIRST_EIGHT if name not in {"magus", "ettin"}}


def test_it_saves_the_creature_it_has_bet_on() -> None:
    columns = {**FULL, "magus": rows((["magus-1"], "red")), "ettin": rows((["ettin-3"], "green"))}
    turn = orders(red(columns=columns, players=hands(red="magus-9 amazon-7")))
    assert any(order.get("card") == "magus-9" for order in turn)


def test_it_fells_the_creature_that_others_have_bet_on() -> None:
    columns = {**FULL, "magus": rows((["magus-8"], "red")), "ettin": rows((["ettin-7"], "green"))}
    turn = orders(red(columns=columns, players=hands(red="ettin-0 amazon-7")))
    assert any(order.get("card") == "ettin-0" for order in turn)


def test_it_bets_while_bets_are_worth_most() -> None:
    turn = orders(red(players=hands(red="magus-9 magus-10 magus-8 ettin-2")))
    assert turn[0]["do"] in {"bet", "secret_bet"}
    assert "magus" in str(turn[0])


def test_it_throws_dead_cards_away() -> None:
    turn = orders(red(dead=["amazon"], players=hands(red="amazon-1 magus-9")))
    assert [order["do"] for order in turn][-2:] == ["discard", "end_turn"]


def test_it_shows_a_hand_that_cannot_be_played() -> None:
    turn = orders(red(dead=["amazon"], players=hands(red="amazon-1 amazon-9")))
    assert {"do": "show_hand"} in turn


def test_it_answers_a_gorgon_and_its_own_titan() -> None:
    agenda = [{"task": "gorgon", "seat": "red", "taker": "green", "creature": "magus"}]
    asked = red(
        seat="green",
        columns={"magus": rows("red")},
        players=hands(red="magus-2 magus-9"),
        agenda=[*agenda, {"task": "discard", "seat": "green"}],
    )
    assert orders(asked) == [{"do": "give", "card": "magus-2"}]
    state = position(
        columns={"titan": rows("red"), "magus": rows("red")},
        players=hands(red="titan-1", green="magus-10 wyrm-3 troll-2"),
    )
    titan = {"do": "play", "card": "titan-1", "power": use("titan", seat="green")}
    state, _ = ARENA.apply(state, "red", msgspec.convert(titan, ARENA.action), Dice(seeded(1)))
    assert orders(ARENA.view(state, "red")) == [{"do": "keep", "card": "magus-10"}]


def test_it_objects_to_a_stalemate_only_when_it_is_ahead() -> None:
    declared: Json = {
        "seat": "green",
        "stalemate": {"began": "green", "declared": "green"},
        "deck": [],
        "agenda": [{"task": "stalemate", "seat": "red"}],
    }
    ahead = red(**declared, columns={"magus": rows((["magus-9"], "red"))})
    behind = red(**declared, columns={"magus": rows((["magus-9"], "green")), "ettin": rows("green")})
    behind = msgspec.structs.replace(behind, seats={**behind.seats, "red": _without_tokens(behind)})
    assert orders(ahead) == [{"do": "object"}]
    assert orders(behind) == [{"do": "accept"}]


def _without_tokens(view: View) -> Any:
    return msgspec.structs.replace(view.seats["red"], stock=0)


def test_the_value_of_a_view() -> None:
    full = {name: rows([f"{name}-{strength}"]) for strength, name in enumerate(FIRST_EIGHT, 2)}
    seen = red(columns=full)
    guessed = chances(seen)
    assert guessed["amazon"] == 0.0, "the one lowest falls"
    assert all(0 < part < 1 for name, part in guessed.items() if name != "amazon")
    backed = red(columns={**full, "ettin": rows((["ettin-6"], "red"))})
    hostile = red(columns={**full, "ettin": rows((["ettin-6"], "green"))})
    assert value(backed) > value(hostile)
    assert card_value(backed, "ettin-9") > card_value(backed, "ettin-1")
    assert card_value(hostile, "ettin-0") > card_value(hostile, "ettin-9")
