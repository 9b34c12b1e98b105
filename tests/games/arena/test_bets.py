"""HU p.4-6: bets, their values, backers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.arena import standing
from engine.games.arena.state import State
from tests.games.arena.kit import FIRST_EIGHT, charter, do, hands, named, play, position, refusal, rows, use

BET_WYRM = {"do": "bet", "creature": "wyrm"}
FOUR_DEAD = ["ettin", "gorgon", "magus", "seraphim"]


def backer(state: State, creature: str) -> str:
    return standing.backer(state.columns[creature])


def test_p5_a_bet_is_a_token_above_the_current_row() -> None:
    state = position(dead=["ettin"], players=hands(red="troll-1"))
    state, events = do(state, "red", BET_WYRM)
    assert state.columns["wyrm"].rows[1].token == "red"
    assert state.players["red"].stock == 4
    assert events == [{"event": "bet_placed", "seat": "red", "creature": "wyrm", "row": 2}]
    assert refusal(state, "red", BET_WYRM) == "moment/not-now"
    assert refusal(state, "red", play("troll-1")) == ""


@pytest.mark.parametrize(
    ("columns", "players", "dead", "code"),
    [
        ({"wyrm": rows("blue")}, {}, [], "moment/cell-taken"),
        ({"wyrm": rows("red")}, {}, [], "moment/cell-taken"),
        ({}, {}, ["wyrm"], "moment/creature-dead"),
        ({name: rows("red") for name in FOUR_DEAD} | {"troll": rows("red")}, {}, [], "moment/no-token"),
        # 3: a token above a cell that already has cards
        ({"wyrm": rows(["wyrm-3"])}, {}, [], ""),
        # 2: revealed secret bets block no cell
        ({"wyrm": rows(revealed=("blue", "green"))}, {}, [], ""),
        # 4: two tokens of one player on one creature, in different rows
        ({"wyrm": rows("red", revealed=("red",))}, {}, ["troll"], ""),
    ],
)
def test_p5_where_a_token_may_be_laid(columns: object, players: object, dead: list[str], code: str) -> None:
    assert refusal(position(columns=columns, players=players, dead=dead), "red", BET_WYRM) == code


def test_p5_a_secret_bet_costs_phase_2_and_is_filled_up_in_phase_3() -> None:
    state = position(players=hands(red="magus-3 troll-1 troll-2 troll-3 troll-4 troll-5 troll-6 troll-7"))
    state, events = do(state, "red", {"do": "secret_bet", "card": "magus-3"})
    red = state.players["red"]
    assert (red.secret, red.stock, len(red.hand)) == ("magus-3", 4, 7)
    assert refusal(state, "red", play("troll-1")) == "moment/not-now"
    state, events = do(state, "red", {"do": "end_turn"})
    assert len(state.players["red"].hand) == 8
    assert named(events, "cards_drawn")[0]["count"] == 1
    assert state.seat == "green"


@pytest.mark.parametrize(
    ("given", "card", "code"),
    [
        ({}, "spectator-3", "order/combat-card"),
        ({}, "magister", "order/combat-card"),
        ({}, "troll-2", "moment/not-in-hand"),
        ({}, "amazon-2", "order/unknown-card"),
        ({"dead": ["magus"]}, "troll-1", "moment/secret-late"),
        ({"players": {"red": {"hand": ["troll-1"], "secret": "troll-5"}}}, "troll-1", "moment/secret-made"),
        ({"columns": {"wyrm": rows(revealed=("red",))}}, "troll-1", "moment/secret-made"),
        ({"players": {"red": {"frozen": ["troll-1"]}}}, "troll-1", "moment/frozen"),
    ],
)
def test_p5_what_a_secret_bet_may_not_be(given: dict[str, object], card: str, code: str) -> None:
    whole: dict[str, Any] = {"players": hands(red="troll-1 spectator-3 magister"), **given}
    assert refusal(position(**whole), "red", {"do": "secret_bet", "card": card}) == code


def test_1_many_secret_bets_on_one_creature() -> None:
    state = position(
        players={"red": {"hand": ["wyrm-1"]}, "green": {"secret": "wyrm-2"}, "blue": {"secret": "wyrm-3"}}
    )
    assert refusal(state, "red", {"do": "secret_bet", "card": "wyrm-1"}) == ""


def test_9_a_second_secret_bet_after_colossus_took_the_first_back() -> None:
    columns = {"colossus": rows("red")}
    players = {"red": {"hand": ["colossus-1", "magus-1"], "secret": "magus-4"}}
    state = position(charter(FIRST_EIGHT), columns=columns, players=players)
    state, events = do(
        state, "red", play("colossus-1", power=use("colossus", token={"secret": True})), {"do": "end_turn"}
    )
    # 10: its card goes face up to the discards
    assert state.discards[-1] == "magus-4"
    assert named(events, "secret_bet_taken_back") == [
        {"event": "secret_bet_taken_back", "seat": "red", "card": "magus-4"}
    ]
    again = position(charter(FIRST_EIGHT), columns=columns, players={"red": {"hand": ["magus-1"]}})
    assert refusal(again, "red", {"do": "secret_bet", "card": "magus-1"}) == ""


def test_p6_revealing_puts_the_token_above_the_creature_and_does_not_cost_phase_2() -> None:
    players = {"red": {"hand": ["troll-1"], "secret": "wyrm-3"}}
    state = position(players=players, dead=FOUR_DEAD)
    state, events = do(state, "red", {"do": "reveal_bet"})
    assert state.columns["wyrm"].revealed == ("red",)
    assert state.discards == ("wyrm-3",)
    assert events[0]["cause"] == "owner"
    assert refusal(state, "red", play("troll-1")) == ""
    assert refusal(position(), "red", {"do": "reveal_bet"}) == "moment/no-secret"


def test_13_a_bet_on_a_dead_creature_may_be_revealed() -> None:
    state = position(players={"red": {"secret": "magus-3"}}, dead=["magus"])
    assert refusal(state, "red", {"do": "reveal_bet"}) == ""


def test_p4_the_greatest_total_of_public_tokens_is_the_backer() -> None:
    """Micro-scenario 1: 7 against 2 + 5, then 8."""
    columns = {"wyrm": rows("red", "red", "blue")}
    dead = ["ettin", "gorgon", "magus"]
    state = position(columns=columns, players={"blue": {"secret": "wyrm-9"}}, dead=dead, seat="blue")
    assert backer(state, "wyrm") == "red"
    state, _ = do(state, "blue", {"do": "reveal_bet"})
    assert backer(state, "wyrm") == ""
    columns = {"wyrm": rows("red", "red", "blue", "red", revealed=("blue",))}
    assert backer(position(columns=columns, dead=dead), "wyrm") == "red"


def test_p4_hidden_secret_bets_do_not_count_for_the_backer() -> None:
    state = position(columns={"wyrm": rows("red")}, players={"blue": {"secret": "wyrm-9"}})
    assert backer(state, "wyrm") == "red"
    assert backer(state, "troll") == ""


def test_5_a_lone_token_of_row_5_makes_a_backer() -> None:
    state = position(columns={"wyrm": rows([], [], [], [], "green")}, dead=FOUR_DEAD)
    assert backer(state, "wyrm") == "green"


def test_7_a_tie_is_recomputed_when_a_token_is_withdrawn() -> None:
    columns = {
        "colossus": rows("red"),
        "magus": rows("red", revealed=()),
        "cyclops": rows(revealed=("red", "blue")),
    }
    state = position(charter(FIRST_EIGHT), columns=columns, players=hands(red="colossus-1"))
    assert backer(state, "cyclops") == ""
    token = {"revealed": "cyclops"}
    state, _ = do(state, "red", play("colossus-1", power=use("colossus", token=token)))
    assert backer(state, "cyclops") == "blue"


def test_p6_values_of_the_rows_and_of_the_secret_bet() -> None:
    """4, 3, 2, 1, 0 gold by row and 5 for a secret bet, on survivors only (HU p.4, p.6)."""
    columns = {
        "wyrm": rows("red", "green", "blue", "red", "green", revealed=("blue",)),
        "ettin": rows("red"),
    }
    state = position(columns=columns, dead=FOUR_DEAD)
    assert [standing.gold(state, seat) for seat in ("red", "green", "blue")] == [5, 3, 7]
