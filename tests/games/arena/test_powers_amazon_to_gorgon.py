"""HU p.10-11: the powers from the Amazon to the Gorgon, and their limits."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Answer, Charter, plain
from engine.games.arena.state import State
from tests.games.arena.kit import (
    ARENA,
    END,
    FIRST_EIGHT,
    SHOW,
    Json,
    charter,
    do,
    hands,
    named,
    play,
    position,
    refusal,
    rows,
    tops,
    use,
)


def first_eight(**given: Any) -> State:
    return position(charter(FIRST_EIGHT), **given)


def test_p10_the_amazon_draws_exactly_three_cards() -> None:
    state = first_eight(columns={"amazon": rows("red")}, players=hands(red="amazon-1"))
    pile = len(state.deck)
    state, events = do(state, "red", play("amazon-1", power=use("amazon")))
    assert len(state.players["red"].hand) == 3
    assert len(state.deck) == pile - 3
    assert [event["event"] for event in events] == ["card_played", "power_used", "cards_drawn"]


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ({"creature": "magus", "row": 1}, ""),  # of a dead creature
        ({"creature": "colossus", "row": 1}, ""),  # 12: the token that made him backer
        ({"revealed": "cyclops"}, ""),  # 11
        ({"creature": "daimon", "row": 1}, "moment/not-your-token"),
        ({"creature": "ettin", "row": 1}, "moment/not-your-token"),
        ({"creature": "ettin", "row": 4}, "moment/not-your-token"),
        ({"revealed": "ettin"}, "moment/not-your-token"),
        ({"secret": True}, "moment/no-secret"),
        ({}, "order/token"),
        ({"creature": "magus"}, "order/token"),
        ({"creature": "magus", "row": 1, "secret": True}, "order/token"),
        ({"creature": "magus", "row": 6}, "order/row"),
        ({"creature": "troll", "row": 1}, "order/unknown-creature"),
        ({"revealed": "troll"}, "order/unknown-creature"),
    ],
)
def test_p11_the_colossus_takes_back_an_own_token_from_anywhere(token: Json, code: str) -> None:
    columns = {
        "colossus": rows("red"),
        "magus": rows("red"),
        "daimon": rows("blue"),
        "cyclops": rows(revealed=("blue", "red")),
    }
    state = first_eight(columns=columns, dead=["magus"], players=hands(red="colossus-1"))
    order = play("colossus-1", power=use("colossus", token=token))
    assert refusal(state, "red", order) == code
    if not code:
        after, _ = do(state, "red", order)
        assert after.players["red"].stock == state.players["red"].stock + 1


def test_p11_a_cell_freed_by_the_colossus_may_be_bet_again() -> None:
    """Micro-scenario 16."""
    state = first_eight(columns={"colossus": rows("red")}, players=hands(red="colossus-1"))
    token = {"creature": "colossus", "row": 1}
    state, events = do(state, "red", play("colossus-1", power=use("colossus", token=token)), END)
    assert named(events, "token_taken_back") == [
        {"event": "token_taken_back", "seat": "red", "creature": "colossus", "row": 1}
    ]
    assert refusal(state, "green", {"do": "bet", "creature": "colossus"}) == ""


@pytest.mark.parametrize(("count", "frozen"), [(8, 4), (7, 4), (3, 2), (1, 1)])
def test_p11_the_cyclops_freezes_half_a_hand_rounded_up(count: int, frozen: int) -> None:
    hand = " ".join(f"magus-{n}" for n in range(count))
    players = hands(red="cyclops-1", green=hand)
    state = first_eight(columns={"cyclops": rows("red")}, players=players)
    state, events = do(state, "red", play("cyclops-1", power=use("cyclops", seat="green")))
    assert len(state.players["green"].frozen) == frozen
    assert len(state.players["green"].hand) == count - frozen
    assert named(events, "cards_frozen")[0]["seat"] == "green"


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        ("green", "moment/few-cards"),
        ("blue", ""),
        ("red", "order/own-seat"),
        ("white", "order/unknown-seat"),
    ],
)
def test_p11_whom_the_cyclops_may_choose(seat: str, code: str) -> None:
    players = {
        "red": {"hand": ["cyclops-1"]},
        "green": {"frozen": ["magus-1"]},
        "blue": {"hand": ["magus-2"]},
    }
    state = first_eight(columns={"cyclops": rows("red")}, players=players)
    assert refusal(state, "red", play("cyclops-1", power=use("cyclops", seat=seat))) == code


def test_44_a_second_cyclops_freezes_half_of_the_rest_and_all_return_together() -> None:
    players = {
        "red": {"hand": ["cyclops-1"]},
        "green": {"hand": [f"magus-{n}" for n in range(4)], "frozen": ["ettin-1", "ettin-2"]},
    }
    state = first_eight(columns={"cyclops": rows("red")}, players=players)
    state, _ = do(state, "red", play("cyclops-1", power=use("cyclops", seat="green")), END)
    assert len(state.players["green"].frozen) == 4
    assert refusal(state, "green", play("ettin-1")) == "moment/frozen"
    state, events = do(state, "green", play(state.players["green"].hand[0]), END)
    assert named(events, "cards_returned")[0]["count"] == 4


def test_a_victim_without_a_card_left_passes_by_showing_an_empty_hand() -> None:
    """2.1: Cyclops on one card takes it; it returns in his phase 3."""
    players = hands(red="cyclops-1", green="magus-1")
    state = first_eight(columns={"cyclops": rows("red")}, players=players)
    state, _ = do(state, "red", play("cyclops-1", power=use("cyclops", seat="green")), END)
    state, events = do(state, "green", SHOW, END)
    assert named(events, "hand_shown")[0]["cards"] == []
    assert "magus-1" in state.players["green"].hand


@pytest.mark.parametrize(
    ("creature", "row", "code"),
    [
        ("gorgon", 1, ""),  # an earlier row
        ("gorgon", 2, ""),
        ("ettin", 1, "moment/cell-taken"),
        ("gorgon", 3, "moment/no-row"),  # 52
        ("magus", 1, "moment/creature-dead"),  # 51
        ("gorgon", 0, "order/row"),
    ],
)
def test_p11_where_the_daimon_may_place_a_token(creature: str, row: int, code: str) -> None:
    columns = {"daimon": rows("red"), "ettin": rows("blue")}
    state = first_eight(columns=columns, dead=["magus"], players=hands(red="daimon-1"))
    assert refusal(state, "red", play("daimon-1", power=use("daimon", creature=creature, row=row))) == code


def test_53_the_daimon_is_an_extra_bet_that_needs_a_token() -> None:
    """Micro-scenario 5: the value is that of the row."""
    columns = {"daimon": rows("red")}
    state = first_eight(columns=columns, dead=["magus"], players=hands(red="daimon-1"))
    order = play("daimon-1", power=use("daimon", creature="gorgon", row=1))
    state, events = do(state, "red", {"do": "bet", "creature": "gorgon"}, order)
    assert state.players["red"].stock == 2
    assert state.columns["gorgon"].rows[0].token == "red"
    assert named(events, "bet_placed")[1]["daimon"]
    columns |= {name: rows("red") for name in ("amazon", "colossus", "cyclops", "ettin")}
    state = first_eight(columns=columns, dead=["magus"], players=hands(red="daimon-1"))
    assert refusal(state, "red", order) == "moment/no-token"


def test_p11_the_ettin_plays_a_second_card_with_its_own_power() -> None:
    """Micro-scenario 12, and 23: Ettin 5, Troll 7 takes Troll 10 from row 1; nothing more than one draw."""
    hand = "ettin-5 troll-7 magus-0 magus-1 magus-2 magus-3 magus-4 magus-5"
    columns = {"ettin": rows("red"), "troll": rows((["troll-10"], "red"))}
    state = position(columns=columns, dead=["gorgon", "unicorn"], players=hands(red=hand))
    then = [{"card": "troll-7", "power": use("troll", take="troll-10")}]
    state, events = do(state, "red", play("ettin-5", power=use("ettin", then=then)))
    assert len(state.players["red"].hand) == 7
    assert tops(state, "troll") == ["", "", "troll-7"]
    state, events = do(state, "red", END)
    assert named(events, "cards_drawn")[0]["count"] == 1


def test_24_a_second_ettin_may_be_played_without_its_power() -> None:
    state = position(columns={"ettin": rows("red")}, players=hands(red="ettin-5 ettin-9 troll-1"))
    then = [{"card": "ettin-9", "power": use("ettin")}]
    assert refusal(state, "red", play("ettin-5", power=use("ettin", then=then))) == "order/ettin-twice"
    state, _ = do(state, "red", play("ettin-5", power=use("ettin")))
    assert refusal(state, "red", play("ettin-9", power=use("ettin"))) == "moment/ettin-used"
    state, _ = do(state, "red", play("ettin-9"))
    assert refusal(state, "red", play("troll-1")) == "moment/not-now"


def test_25_the_second_card_may_be_declined_by_ending_the_turn_or_discarding() -> None:
    players = hands(red="ettin-5 magus-1")
    state = position(columns={"ettin": rows("red")}, players=players, dead=["magus"])
    state, _ = do(state, "red", play("ettin-5", power=use("ettin")))
    assert refusal(state, "red", SHOW) == "moment/not-now"
    declined, events = do(state, "red", END)
    assert declined.seat == "green"
    assert not named(events, "hand_shown")
    discarded, _ = do(state, "red", {"do": "discard", "cards": ["all_dead"]})
    assert discarded.discards == ("magus-1",)


def test_p11_the_first_legal_second_card_is_played() -> None:
    players = hands(red="ettin-5 spectator-3 troll-2")
    state = position(columns={"ettin": rows("red")}, players=players, dead=["magus"])
    then = [
        {"card": "troll-9"},
        {"card": "troll-2", "power": use("troll")},
        {"card": "spectator-3", "on": "magus"},
        {"card": "spectator-3", "on": "wyrm"},
        {"card": "troll-2"},
    ]
    after, _ = do(state, "red", play("ettin-5", power=use("ettin", then=then)))
    assert tops(after, "wyrm") == ["", "spectator-3"]
    still_open, _ = do(state, "red", play("ettin-5", power=use("ettin", then=then[:3])))
    assert ARENA.pending(still_open)[0].kind == "ettin"


def test_26_the_seraphim_as_ettin_is_the_one_use_of_the_turn() -> None:
    columns = {"seraphim": rows("red"), "gorgon": rows("red")}
    players = hands(red="seraphim-1 seraphim-2 gorgon-1", green="wyrm-1")
    state = position(columns=columns, dead=["ettin"], players=players)
    ettin = use("seraphim", **{"as": use("ettin")})
    then = [{"card": "seraphim-2", "power": ettin}]
    twice = use("seraphim", **{"as": use("ettin", then=then)})
    assert refusal(state, "red", play("seraphim-1", power=twice)) == "order/ettin-twice"
    state, _ = do(state, "red", play("seraphim-1", power=ettin))
    assert refusal(state, "red", play("seraphim-2", power=ettin)) == "moment/ettin-used"
    assert refusal(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="wyrm"))) == ""


def demanded(policy: Json, reactions: str = "standing", hand: str = "troll-2 troll-7 troll-9") -> State:
    table: Charter = charter(reactions=reactions)
    players = {"red": {"hand": ["gorgon-1"]}, "green": {"hand": hand.split(), "policy": policy}}
    state = position(table, columns={"gorgon": rows("red")}, players=players)
    state, _ = do(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    return state


@pytest.mark.parametrize(
    ("policy", "hand", "given"),
    [
        ({}, "troll-2 troll-7 troll-9", "troll-2"),
        ({"gorgon": "highest"}, "troll-2 troll-7 troll-9", "troll-9"),
        ({"gorgon": {"troll": [3, 7]}}, "troll-2 troll-7 troll-9", "troll-7"),
        ({"gorgon": {"troll": [3]}}, "troll-2 troll-7 troll-9", "troll-2"),
        ({"gorgon": {"wyrm": [9]}}, "troll-2 troll-7 troll-9", "troll-2"),
        ({}, "wyrm-1 spectator-2", ""),
        ({}, "", ""),
    ],
)
def test_p11_standing_orders_answer_the_gorgon(policy: Json, hand: str, given: str) -> None:
    state = demanded(policy, hand=hand)
    asked = ARENA.pending(state)[0]
    assert (asked.seat, asked.kind) == ("green", "gorgon")
    answer = ARENA.answer(state, asked)
    assert isinstance(answer, Answer)
    assert not answer.shown
    order = plain(answer.action)
    assert order == ({"do": "give", "card": given} if given else SHOW)
    assert ARENA.default(state, asked) == answer.action
    state, events = do(state, "green", order)
    if given:
        assert given in state.players["red"].hand
        assert events == [
            {"event": "card_given", "seat": "green", "taker": "red", "creature": "troll", "card": given}
        ]
    else:
        assert events[0]["event"] == "hand_seen"
    assert ARENA.pending(state)[0].kind == "discard"


def test_37_in_an_ask_game_the_victim_chooses() -> None:
    state = demanded({}, "ask")
    asked = ARENA.pending(state)[0]
    assert ARENA.answer(state, asked) is None
    assert ARENA.answer(demanded({"mode": "auto"}, "ask"), asked) is not None
    codes = [
        ({"do": "give", "card": "troll-9"}, ""),
        ({"do": "give", "card": "troll-3"}, "moment/not-in-hand"),
        ({"do": "give", "card": "wyrm-3"}, "moment/other-creature"),
        (SHOW, "moment/must-give"),
        (play("troll-2"), "moment/not-now"),
    ]
    assert [refusal(state, "green", order) for order, _ in codes] == [code for _, code in codes]
    assert refusal(state, "red", END) == "moment/not-your-turn"
    # the question is asked whatever the hand holds
    assert ARENA.answer(demanded({}, "ask", "wyrm-1"), asked) is None


def test_47_frozen_cards_are_neither_given_nor_shown_to_a_gorgon() -> None:
    players = {"red": {"hand": ["gorgon-1"]}, "green": {"hand": ["wyrm-1"], "frozen": ["troll-3"]}}
    state = position(columns={"gorgon": rows("red")}, players=players)
    state, _ = do(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    assert refusal(state, "green", {"do": "give", "card": "troll-3"}) == "moment/frozen"
    state, events = do(state, "green", SHOW)
    assert events[0]["cards"] == ["wyrm-1"]


@pytest.mark.parametrize(
    ("seat", "creature", "code"),
    [
        ("green", "gorgon", ""),  # 40
        ("blue", "troll", ""),  # 2.1: an empty hand
        ("green", "magus", "moment/creature-dead"),
        ("red", "troll", "order/own-seat"),
    ],
)
def test_p11_what_a_gorgon_may_demand(seat: str, creature: str, code: str) -> None:
    players = hands(red="gorgon-1", green="troll-1")
    state = position(columns={"gorgon": rows("red")}, players=players, dead=["magus"])
    order = play("gorgon-1", power=use("gorgon", seat=seat, creature=creature))
    assert refusal(state, "red", order) == code
