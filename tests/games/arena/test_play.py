"""HU p.7-9: phase 2, cards on the table, spectators and referees, passing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.arena.state import top
from tests.games.arena.kit import (
    END,
    SHOW,
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


def test_p7_a_combat_card_goes_on_top_of_its_own_column() -> None:
    state = position(columns={"troll": rows(["troll-9"])}, players=hands(red="troll-2"))
    state, events = do(state, "red", play("troll-2"))
    assert state.columns["troll"].rows[0].cards == ("troll-9", "troll-2")
    assert events == [
        {"event": "card_played", "seat": "red", "card": "troll-2", "creature": "troll", "row": 1}
    ]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (play("troll-2"), "moment/not-in-hand"),
        (play("wyrm-2"), "moment/frozen"),
        (play("magus-1"), "moment/creature-dead"),
        (play("spectator-3", on="magus"), "moment/creature-dead"),
        (play("spectator-3"), "order/where"),
        (play("spectator-3", on="amazon"), "order/unknown-creature"),
        (play("spectator-3", on="troll", power=use("troll")), "order/needless"),
        (play("magister", on="magus"), "moment/creature-dead"),
        (play("magister"), "order/where"),
        (play("troll-1", on="troll"), "order/needless"),
        (play("troll-1", take="magus-4"), "order/needless"),
        (play("troll-1", power=use("magus")), "order/other-power"),
        (play("prefect-1", on="troll"), "order/needless"),
        (play("amazon-1"), "order/unknown-card"),
        (play("dragon"), "order/unknown-card"),
        (play("?3"), "order/unknown-card"),
        (play("troll-1"), ""),
        (play("spectator-3", on="wyrm"), ""),
        (play("magister", on="wyrm"), ""),
        (END, "moment/not-now"),
        (SHOW, "moment/can-play"),
    ],
)
def test_p7_what_may_be_played(order: dict[str, Any], code: str) -> None:
    hand = "troll-1 magus-1 spectator-3 magister prefect-1"
    players = {"red": {"hand": hand.split(), "frozen": ["wyrm-2"]}}
    assert refusal(position(players=players, dead=["magus"]), "red", order) == code


def test_p7_nobody_plays_out_of_turn() -> None:
    state = position(players=hands(green="troll-1"))
    assert refusal(state, "green", play("troll-1")) == "moment/not-your-turn"


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (rows(), "moment/no-backer"),
        (rows("blue"), "moment/not-backer"),
        (rows("red"), ""),
        (rows((["spectator-2"], "red")), "moment/on-spectator"),
        (rows((["spectator-2", "magus-4"], "red")), ""),
        (rows("red", revealed=("blue",)), "moment/not-backer"),
    ],
)
def test_p7_only_the_backer_and_not_on_a_spectator(column: object, code: str) -> None:
    state = position(columns={"magus": column}, players=hands(red="magus-8"))
    assert refusal(state, "red", play("magus-8", power=use("magus"))) == code
    assert refusal(state, "red", play("magus-8")) == ""


def test_6_a_bet_of_the_same_turn_makes_a_backer() -> None:
    state = position(players=hands(red="magus-8"))
    state, _ = do(state, "red", {"do": "bet", "creature": "magus"})
    assert refusal(state, "red", play("magus-8", power=use("magus"))) == ""


def test_p8_a_spectator_blocks_the_card_on_it_and_no_later_one() -> None:
    """Micro-scenario 3: spectator 6 on Magus 4, Magus 8 without power, the next Magus card with it."""
    state = position(
        columns={"magus": rows((["magus-4"], "green"))},
        players=hands(red="spectator-6", green="magus-8 magus-2"),
    )
    state, _ = do(state, "red", play("spectator-6", on="magus"), END)
    assert refusal(state, "green", play("magus-8", power=use("magus"))) == "moment/on-spectator"
    state, _ = do(state, "green", play("magus-8"))
    assert top(state.columns["magus"].rows[0]) == "magus-8"
    state = position(
        columns={"magus": rows((["magus-4", "spectator-6", "magus-8"], "green"))},
        players=hands(green="magus-2"),
        seat="green",
    )
    assert refusal(state, "green", play("magus-2", power=use("magus"))) == ""


def test_p8_a_spectator_on_a_spectator() -> None:
    """2.1: legal, only the top blocks."""
    state = position(columns={"magus": rows((["spectator-1"], "red"))}, players=hands(red="spectator-6"))
    state, _ = do(state, "red", play("spectator-6", on="magus"))
    assert tops(state, "magus") == ["spectator-6"]


def test_p8_a_prefect_takes_a_visible_combat_card_of_any_row() -> None:
    """Micro-scenario 11: Unicorn 10 from row 1, the 3 beneath shows again, and nothing is drawn."""
    hand = "prefect-1 troll-1 troll-2 troll-3 troll-4 troll-5 troll-6 troll-7"
    state = position(
        columns={"unicorn": rows(["unicorn-3", "unicorn-10"])}, dead=["magus"], players=hands(red=hand)
    )
    pile = len(state.deck)
    state, events = do(state, "red", play("prefect-1", take="unicorn-10"), END)
    assert tops(state, "unicorn") == ["unicorn-3", ""]
    assert "unicorn-10" in state.players["red"].hand
    assert len(state.players["red"].hand) == 8
    assert len(state.deck) == pile
    assert state.discards == ("prefect-1",)
    assert named(events, "card_uncovered") == [
        {"event": "card_uncovered", "card": "unicorn-3", "creature": "unicorn", "row": 1}
    ]


@pytest.mark.parametrize(
    ("take", "code"),
    [
        ("", "moment/must-take"),  # 16: mandatory
        ("unicorn-3", "moment/not-visible"),  # covered
        ("spectator-4", "order/combat-card"),  # 16: not spectators
        ("troll-5", "moment/not-visible"),  # beneath a spectator
        ("magus-9", ""),  # 19: a dead creature's column
        ("wyrm-2", ""),  # 18: the current row
    ],
)
def test_p8_what_a_prefect_may_take(take: str, code: str) -> None:
    columns = {
        "unicorn": rows(["unicorn-3", "unicorn-10"]),
        "troll": rows(["troll-5", "spectator-4"]),
        "magus": rows(["magus-9"]),
        "wyrm": rows([], ["wyrm-2"]),
    }
    state = position(columns=columns, dead=["magus"], players=hands(red="prefect-2"))
    order = play("prefect-2", take=take) if take else play("prefect-2")
    assert refusal(state, "red", order) == code


def test_15_a_prefect_with_nothing_visible_is_legal() -> None:
    state = position(columns={"wyrm": rows(["spectator-1"])}, players=hands(red="prefect-1"))
    state, events = do(state, "red", play("prefect-1"))
    assert state.discards == ("prefect-1",)
    assert [event["event"] for event in events] == ["referee_played"]


def test_18_a_card_taken_from_the_current_row_uncovers_a_spectator_that_blocks_again() -> None:
    columns = {"magus": rows((["spectator-1", "magus-5"], "red"))}
    state = position(columns=columns, players=hands(red="prefect-1", green="troll-1", blue="troll-2"))
    state, _ = do(state, "red", play("prefect-1", take="magus-5"), END)
    state, _ = do(state, "green", play("troll-1"), END)
    state, _ = do(state, "blue", play("troll-2"), END)
    assert refusal(state, "red", play("magus-5", power=use("magus"))) == "moment/on-spectator"


def test_p8_the_magister_bares_every_secret_bet_on_the_creature() -> None:
    """14: his own player's too. 2.1: in turn order, then the referee."""
    players = {
        "red": {"hand": ["magister"], "secret": "wyrm-1"},
        "green": {"secret": "troll-2"},
        "blue": {"secret": "wyrm-3"},
    }
    state = position(players=players)
    state, events = do(state, "red", play("magister", on="wyrm"))
    assert state.columns["wyrm"].revealed == ("red", "blue")
    assert state.players["green"].secret == "troll-2"
    assert state.discards == ("wyrm-1", "wyrm-3", "magister")
    assert [event["seat"] for event in named(events, "secret_bet_revealed")] == ["red", "blue"]


def test_15_the_magister_with_no_hit_is_legal() -> None:
    state = position(players=hands(red="magister"))
    state, events = do(state, "red", play("magister", on="wyrm"))
    assert state.discards == ("magister",)
    assert len(events) == 1


def test_p9_passing_shows_the_hand_to_all() -> None:
    state = position(players=hands(red="magus-1 magus-2"), dead=["magus"])
    state, events = do(state, "red", SHOW)
    assert events == [{"event": "hand_shown", "seat": "red", "cards": ["magus-1", "magus-2"]}]
    assert refusal(state, "red", END) == ""


@pytest.mark.parametrize("referee", ["prefect-1", "magister"])
def test_15_a_referee_in_hand_bars_passing(referee: str) -> None:
    state = position(players=hands(red=f"magus-1 {referee}"), dead=["magus"])
    assert refusal(state, "red", SHOW) == "moment/can-play"


def test_43_frozen_cards_are_not_playable_and_a_pass_shows_only_the_rest() -> None:
    players = {"red": {"hand": ["magus-1"], "frozen": ["troll-5", "magister"]}}
    state = position(players=players, dead=["magus"])
    state, events = do(state, "red", SHOW)
    assert events[0]["cards"] == ["magus-1"]
