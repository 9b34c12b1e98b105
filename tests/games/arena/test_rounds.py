"""HU p.9-10: discard and draw, elimination, the end of the game; section 2.1: silence and resignation."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Dice, Result, plain
from engine.games.arena.state import State
from tests.games.arena.kit import (
    ARENA,
    END,
    FIRST_EIGHT,
    LAST_EIGHT,
    SHOW,
    charter,
    do,
    hands,
    in_order,
    named,
    play,
    position,
    refusal,
    rows,
    silent,
    use,
)

A_TO_H = LAST_EIGHT


def resign(state: State, seat: str) -> State:
    after: State = ARENA.resign(state, seat, Dice(in_order))[0]
    assert ARENA.tally(after) == ARENA.tally(state)
    return after


def result(state: State) -> Result:
    found = ARENA.result(state)
    assert found is not None
    return found


def discards(*cards: str) -> dict[str, Any]:
    return {"do": "discard", "cards": list(cards)}


def test_p9_up_to_three_cards_of_dead_creatures_then_draw_to_eight() -> None:
    hand = "magus-1 magus-2 magus-3 magus-4 troll-1 troll-2"
    state = position(players=hands(red=hand), dead=["magus"])
    state, _ = do(state, "red", play("troll-1"))
    state, events = do(state, "red", discards("magus-3", "magus-1"))
    assert state.discards == ("magus-3", "magus-1")
    assert events[0] == {
        "event": "cards_discarded",
        "seat": "red",
        "count": 2,
        "cards": ["magus-3", "magus-1"],
    }
    assert refusal(state, "red", discards("magus-2")) == "moment/not-now"
    state, events = do(state, "red", END)
    assert len(state.players["red"].hand) == 8
    assert named(events, "cards_drawn")[0]["count"] == 5


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (("magus-1", "magus-2", "magus-3"), ""),
        (("magus-1", "magus-2", "magus-3", "magus-4"), "order/discards"),
        ((), "order/discards"),
        (("magus-1", "magus-1"), "order/twice"),
        (("troll-2",), "moment/not-dead"),
        (("spectator-1",), "order/combat-card"),
        (("magus-9",), "moment/not-in-hand"),
        (("magus-8",), "moment/frozen"),
        (("all_dead",), ""),
    ],
)
def test_p9_what_may_be_discarded(cards: tuple[str, ...], code: str) -> None:
    hand = ["magus-1", "magus-2", "magus-3", "magus-4", "troll-1", "troll-2", "spectator-1"]
    players = {"red": {"hand": hand, "frozen": ["magus-8"]}}
    state, _ = do(position(players=players, dead=["magus"]), "red", play("troll-1"))
    assert refusal(state, "red", discards(*cards)) == code


def test_p9_all_dead_are_the_first_three_by_order_of_the_row_and_strength() -> None:
    hand = "troll-1 wyrm-0 magus-7 magus-2 ettin-9"
    state = position(players=hands(red=hand), dead=["wyrm", "magus", "ettin"])
    state, _ = do(state, "red", play("troll-1"))
    all_of_them, _ = do(state, "red", discards("all_dead"))
    assert all_of_them.discards == ("ettin-9", "magus-2", "magus-7")
    with_one, _ = do(state, "red", discards("wyrm-0", "all_dead"))
    assert with_one.discards == ("wyrm-0", "ettin-9", "magus-2")


def test_20_a_hand_above_eight_is_kept_and_not_filled() -> None:
    hand = " ".join(f"troll-{n}" for n in range(10))
    state, events = do(position(players=hands(red=hand)), "red", play("troll-0"), END)
    assert len(state.players["red"].hand) == 9
    assert not named(events, "cards_drawn")


def test_46_frozen_cards_return_before_drawing() -> None:
    players = {"red": {"hand": ["troll-1"], "frozen": ["troll-2", "wyrm-3"]}}
    state, events = do(position(players=players), "red", play("troll-1"), END)
    assert [event["event"] for event in events][1:3] == ["cards_returned", "cards_drawn"]
    assert len(state.players["red"].hand) == 8
    assert state.players["red"].frozen == ()


def board(row: int, tops: dict[str, str]) -> dict[str, Any]:
    empty: list[list[str]] = [[] for _ in range(row - 1)]
    return {name: rows(*empty, [card]) for name, card in tops.items()}


TWO_DEAD = ["titan", "unicorn"]
TIED = {"ettin": "ettin-5", "gorgon": "gorgon-2", "magus": "magus-2", "seraphim": "seraphim-7"} | {
    "troll": "troll-9",
    "wyrm": "wyrm-4",
}


def test_p9_a_tied_lowest_does_not_die_and_a_single_one_does() -> None:
    """Micro-scenario 6, and 54."""
    state = position(columns=board(3, TIED), dead=TWO_DEAD, players=hands(red="troll-8", green="gorgon-1"))
    state, events = do(state, "red", play("troll-8"), END)
    assert not named(events, "creature_died")
    state, events = do(state, "green", play("gorgon-1"), END)
    assert named(events, "creature_died") == [
        {"event": "creature_died", "creature": "gorgon", "card": "gorgon-1", "round": 3}
    ]
    assert state.dead == (*TWO_DEAD, "gorgon")
    assert len(state.columns["troll"].rows) == 4
    assert len(state.columns["gorgon"].rows) == 3
    # HU p.3: the next turn is the left neighbour's, also after an elimination
    assert state.seat == "blue"


def test_p9_nobody_dies_while_a_living_creature_has_no_card() -> None:
    tops = {name: card for name, card in TIED.items() if name != "wyrm"}
    state = position(columns=board(3, tops), dead=TWO_DEAD, players=hands(red="gorgon-1"))
    _, events = do(state, "red", play("gorgon-1"), END)
    assert not named(events, "creature_died")


def test_55_a_spectator_counts_with_its_strength() -> None:
    state = position(columns=board(3, TIED), dead=TWO_DEAD, players=hands(red="spectator-1"))
    state, events = do(state, "red", play("spectator-1", on="troll"), END)
    assert named(events, "creature_died")[0]["creature"] == "troll"


FOUR_DEAD = ["titan", "unicorn", "ettin", "gorgon"]
LAST = {"magus": "magus-3", "seraphim": "seraphim-7", "troll": "troll-9", "wyrm": "wyrm-4"}


def test_p9_the_fifth_death_ends_the_game_and_bares_all_bets() -> None:
    players = {"red": {"hand": ["magus-1"]}, "green": {"secret": "troll-4"}, "blue": {"secret": "magus-9"}}
    columns = board(5, LAST)
    columns["wyrm"] = rows("red", [], [], [], ["wyrm-4"])
    state = position(columns=columns, dead=FOUR_DEAD, players=players)
    state, events = do(state, "red", play("magus-1"), END)
    assert state.ended == "last_round"
    assert len(state.dead) == 5
    assert [event["seat"] for event in named(events, "secret_bet_revealed")] == ["green", "blue"]
    assert [(p.seat, p.place, p.score) for p in result(state).places] == [
        ("green", 1, 5),
        ("red", 2, 4),
        ("blue", 3, 0),
    ]
    assert ARENA.pending(state) == ()
    assert refusal(state, "green", END) == "moment/game-over"


def test_56_the_last_card_of_the_pile_ends_the_game_without_a_check() -> None:
    state = position(columns=board(3, TIED), dead=TWO_DEAD, players=hands(red="gorgon-1"), deck=["troll-1"])
    state, events = do(state, "red", play("gorgon-1"), END)
    assert state.ended == "pile"
    assert not named(events, "creature_died")
    assert len(state.dead) == 2


def test_p10_the_amazon_draws_a_short_pile_out_and_ends_the_game() -> None:
    """21 and 22: the rest of the turn lapses."""
    state = position(
        charter(FIRST_EIGHT),
        columns={"amazon": rows("red")},
        players=hands(red="amazon-1"),
        deck=["magus-1", "magus-2"],
    )
    state, events = do(state, "red", play("amazon-1", power=use("amazon")))
    assert state.ended == "pile"
    assert named(events, "cards_drawn")[0]["count"] == 2
    assert refusal(state, "red", END) == "moment/game-over"


def test_22_the_game_ends_inside_an_ettins_second_card() -> None:
    columns = {"amazon": rows("red"), "ettin": rows("red")}
    state = position(
        charter(FIRST_EIGHT), columns=columns, players=hands(red="amazon-1 ettin-1"), deck=["magus-1"]
    )
    then = [{"card": "amazon-1", "power": use("amazon")}]
    state, _ = do(state, "red", play("ettin-1", power=use("ettin", then=then)))
    assert state.ended == "pile"


def test_57_of_equals_the_most_recent_turn_wins() -> None:
    columns = board(5, LAST)
    columns["wyrm"] = rows("red", [], [], [], ["wyrm-4"])
    columns["troll"] = rows("blue", [], [], [], ["troll-9"])
    columns["seraphim"] = rows("green", [], [], [], ["seraphim-7"])
    state = position(columns=columns, dead=FOUR_DEAD, players=hands(green="magus-1"), seat="green")
    state, _ = do(state, "green", play("magus-1"), END)
    assert [place.seat for place in result(state).places] == ["green", "red", "blue"]


def test_p10_the_manuals_final_scoring() -> None:
    """Micro-scenario 2: white 2, red 6, yellow 7, blue 12, green 15."""
    creatures = ("amazon", "troll", "wyrm", "colossus", "cyclops", "daimon", "ettin", "gorgon")
    columns = {
        "amazon": rows("green", "red", "green", [], ["amazon-5"]),
        "troll": rows("green", "blue", "yellow", [], ["troll-6"]),
        "wyrm": rows("blue", "red", "white", [], ["wyrm-7"]),
        "gorgon": rows([], [], [], [], []),
    }
    players = {
        "green": {"secret": "troll-1"},
        "blue": {"secret": "wyrm-1"},
        "yellow": {"secret": "amazon-1"},
        "red": {"hand": ["gorgon-0"]},
    }
    table = charter(creatures, ("red", "green", "blue", "yellow", "white"))
    dead = ["colossus", "cyclops", "daimon", "ettin"]
    state, _ = do(position(table, columns=columns, players=players, dead=dead), "red", play("gorgon-0"), END)
    assert {p.seat: p.score for p in result(state).places} == {
        "green": 15,
        "blue": 12,
        "yellow": 7,
        "red": 6,
        "white": 2,
    }
    assert result(state).places[0].seat == "green"


def test_59_a_cycle_in_which_nothing_moves_ends_the_game() -> None:
    dead_hand = [f"magus-{n}" for n in range(8)]
    dead_too = [f"ettin-{n}" for n in range(8)]
    players = {"red": {"hand": dead_hand}, "green": {"hand": dead_too}}
    state = position(charter(seats=("red", "green")), players=players, dead=["magus", "ettin"])
    state, _ = do(state, "red", SHOW, END)
    assert state.idle == 1
    state, _ = do(state, "green", SHOW, END)
    assert state.ended == "no_progress"
    stirring = position(charter(seats=("red", "green")), players=players, dead=["magus", "ettin"], idle=1)
    stirring, _ = do(stirring, "red", {"do": "bet", "creature": "wyrm"}, SHOW, END)
    assert (stirring.idle, stirring.ended) == (0, "")


def test_silence_passes_phase_1_and_plays_the_lowest_combat_card() -> None:
    state = position(players=hands(red="wyrm-2 troll-2 magus-0 spectator-0"), dead=["magus"])
    after = silent(state, "red")
    assert after.columns["troll"].rows[1].cards == ("troll-2",)
    assert after.seat == "green"


@pytest.mark.parametrize(
    ("hand", "columns", "order"),
    [
        ("spectator-4 spectator-7 magister", {}, play("spectator-4", on="ettin")),
        (
            "prefect-2 prefect-1",
            {"wyrm": rows(["wyrm-3"]), "troll": rows([], ["troll-1"])},
            play("prefect-1", take="wyrm-3"),
        ),
        ("prefect-2 magister", {}, play("prefect-2")),
        ("magister magus-1", {}, play("magister", on="ettin")),
        ("magus-1", {}, SHOW),
    ],
)
def test_silence_with_fewer_and_fewer_cards(hand: str, columns: object, order: dict[str, Any]) -> None:
    state = position(players=hands(red=hand), columns=columns, dead=["magus"])
    asked = ARENA.pending(state)[0]
    assert plain(ARENA.default(state, asked)) == order


def test_silence_with_nothing_playable_discards_all_dead_cards_it_may() -> None:
    state = position(players=hands(red="magus-1 magus-5 ettin-3 ettin-1"), dead=["magus", "ettin"])
    after = silent(state, "red")
    assert after.discards == ("ettin-1", "ettin-3", "magus-1")
    played = silent(position(players=hands(red="magus-1 troll-5"), dead=["magus"]), "red")
    assert played.discards == ()


def test_silence_in_an_open_turn_keeps_the_highest_and_declines_the_ettin() -> None:
    players = hands(red="titan-1", green="troll-3 spectator-9 prefect-1")
    state = position(columns={"titan": rows("red")}, players=players)
    state, _ = do(state, "red", play("titan-1", power=use("titan", seat="green")))
    assert "spectator-9" in silent(state, "red").players["red"].hand
    state = position(columns={"ettin": rows("red")}, players=hands(red="ettin-1 troll-1"))
    state, _ = do(state, "red", play("ettin-1", power=use("ettin")))
    assert silent(state, "red").columns["troll"].rows[0].cards == ()


def test_resigning_in_the_own_turn_ends_it_without_draw_or_check() -> None:
    players = hands(red="magus-1 magus-2", green="troll-1", blue="wyrm-1")
    columns = board(1, {"ettin": "ettin-3", "troll": "troll-4"})
    state = resign(position(players=players, columns=columns), "red")
    assert (state.seat, state.turn) == ("green", 2)
    assert state.players["red"].resigned
    assert state.gone == ("magus-1", "magus-2")
    assert resign(state, "red") == state


def test_a_resigned_seat_is_skipped_and_cannot_be_chosen() -> None:
    columns = {"gorgon": rows("green"), "ettin": rows("red")}
    players = {"red": {"hand": ["magus-1"], "secret": "wyrm-4"}, "green": {"hand": ["gorgon-1"]}}
    state = resign(position(players=players, columns=columns, seat="green"), "red")
    order = play("gorgon-1", power=use("gorgon", seat="red", creature="wyrm"))
    assert refusal(state, "green", order) == "moment/has-resigned"
    state, _ = do(state, "green", play("gorgon-1"), END)
    state = silent(state, "blue")
    assert state.seat == "green"
    # its tokens stay, and its secret bet stays hidden until the end
    assert state.columns["ettin"].rows[0].token == "red"
    assert state.players["red"].secret == "wyrm-4"


def test_a_resigned_seat_cannot_win_and_the_last_active_seat_does() -> None:
    columns = {"ettin": rows("red"), "wyrm": rows("blue")}
    state = resign(position(columns=columns), "red")
    assert ARENA.result(state) is None
    state = resign(state, "blue")
    assert result(state).how == "resigned"
    assert [(p.seat, p.score) for p in result(state).places] == [("green", 0), ("red", 4), ("blue", 4)]


def test_open_questions_lapse_when_somebody_resigns() -> None:
    players = hands(red="gorgon-1", green="troll-3", blue="troll-4")
    table = charter(reactions="ask")
    state = position(table, columns={"gorgon": rows("red")}, players=players)
    state, _ = do(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    assert ARENA.pending(state)[0].seat == "green"
    victim_left = resign(state, "green")
    assert [d.seat for d in ARENA.pending(victim_left)] == ["red"]
    taker_left = resign(state, "red")
    assert [d.seat for d in ARENA.pending(taker_left)] == ["green"]
    assert ARENA.pending(taker_left)[0].kind == "bet"
