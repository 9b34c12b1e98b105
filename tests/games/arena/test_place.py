"""Positions for scenarios: defaults, and what is impossible."""

from __future__ import annotations

from typing import Any

import pytest

from engine import plain
from engine.games.arena.cards import pack
from tests.games.arena.kit import (
    ARENA,
    LAST_EIGHT,
    charter,
    code_of,
    decision,
    hands,
    position,
    random_game,
    rows,
)


def test_nothing_given_is_a_fresh_first_turn() -> None:
    state = position()
    assert (state.turn, state.seat, state.order) == (1, "red", ("red", "green", "blue"))
    assert state.deck == pack(LAST_EIGHT)
    asked = decision(state)
    assert asked is not None
    assert (asked.seat, asked.kind) == ("red", "bet")


def test_cards_that_lie_nowhere_else_are_the_pile_or_where_rest_stands() -> None:
    everything = len(pack(LAST_EIGHT))
    assert len(position(players=hands(red="troll-1")).deck) == everything - 1
    short = position(players=hands(red="troll-1"), deck=["troll-2"])
    assert (short.deck, len(short.gone)) == (("troll-2",), everything - 2)
    begun = position(deck=["troll-2", "rest"])
    assert begun.deck[:2] == ("troll-2", "ettin-0")
    assert len(begun.deck) == everything
    buried = position(deck=["troll-2"], discards=["rest", "wyrm-1"])
    assert buried.discards[-1] == "wyrm-1"
    assert len(buried.discards) == everything - 1


def test_rows_and_stock_are_worked_out() -> None:
    state = position(
        columns={"wyrm": rows("red")}, dead=["magus", "ettin"], players={"red": {"secret": "troll-1"}}
    )
    assert [len(state.columns[name].rows) for name in ("wyrm", "magus", "ettin")] == [3, 1, 2]
    assert state.players["red"].stock == 3


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"turns": 3}, "position/shape"),
        ({"deck": "troll-1"}, "position/shape"),
        ({"columns": {"wyrm": {"rows": [{"token": ["red", "blue"]}]}}}, "position/shape"),
        ({"creatures": ["troll"]}, "position/creatures"),
        ({"dead": ["amazon"]}, "position/creatures"),
        ({"columns": {"amazon": {}}}, "position/creatures"),
        ({"dead": ["troll", "troll"]}, "position/dead"),
        ({"dead": list(LAST_EIGHT[:5])}, "position/dead"),
        ({"order": ["red", "green"]}, "position/order"),
        ({"seat": "white"}, "position/order"),
        ({"turn": 0}, "position/number"),
        ({"players": {"white": {}}}, "position/seat"),
        ({"columns": {"troll": rows("white")}}, "position/seat"),
        ({"players": hands(red="troll-11")}, "position/unknown-card"),
        ({"players": {"red": {"secret": "rest"}}}, "position/wrong-card"),
        ({"players": hands(red="troll-1", green="troll-1")}, "position/card-twice"),
        ({"columns": {"troll": rows(["troll-1"])}, "discards": ["troll-1"]}, "position/card-twice"),
        ({"columns": {"troll": rows(["wyrm-1"])}}, "position/wrong-card"),
        ({"columns": {"troll": rows(["magister"])}}, "position/wrong-card"),
        ({"players": {"red": {"secret": "spectator-1"}}}, "position/wrong-card"),
        ({"columns": {"troll": rows([], [])}}, "position/rows"),
        ({"columns": {"troll": rows([], [])}, "dead": ["troll"]}, "position/rows"),
        ({"players": {"red": {"stock": 4}}}, "position/tokens"),
        ({"columns": {name: rows("red") for name in LAST_EIGHT}}, "position/tokens"),
        ({"columns": {"troll": rows(revealed=("red", "red"))}}, "position/secret-twice"),
        (
            {"columns": {"troll": rows(revealed=("red",))}, "players": {"red": {"secret": "wyrm-1"}}},
            "position/secret-twice",
        ),
        ({"deck": ["rest"], "discards": ["rest"]}, "position/rest-twice"),
        ({"deck": []}, "position/empty-pile"),
        ({"agenda": []}, "position/agenda"),
        ({"agenda": [{"task": "bet", "seat": "red"}]}, "position/agenda"),
        ({"agenda": [{"task": "end", "seat": "green"}]}, "position/agenda"),
        (
            {
                "agenda": [
                    {"task": "gorgon", "seat": "red", "taker": "red", "creature": "troll"},
                    {"task": "discard", "seat": "red"},
                ]
            },
            "position/agenda",
        ),
        (
            {
                "agenda": [
                    {"task": "titan", "seat": "red", "victim": "green", "cards": ["troll-1"]},
                    {"task": "discard", "seat": "red"},
                ]
            },
            "position/agenda",
        ),
        ({"players": {"red": {"resigned": True}}}, "position/seat"),
        ({"ended": "pile", "deck": []}, ""),
        ({"dead": list(LAST_EIGHT[:5]), "ended": "last_round"}, ""),
    ],
)
def test_an_impossible_position_is_refused(given: dict[str, Any], code: str) -> None:
    assert code_of(lambda: position(**given)) == code


@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_game_can_be_given_back(seed: int) -> None:
    table = charter(reactions="ask" if seed % 2 else "standing")

    def each(state: Any, seat: str, order: Any) -> None:
        assert ARENA.place(table, plain(state)) == state

    last, _ = random_game(seed, table, each)
    assert ARENA.place(table, plain(last)) == last
