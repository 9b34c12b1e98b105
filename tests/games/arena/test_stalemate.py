"""FAQ: the stalemate variant. What a scenario file can't ask: what is hidden, foreseen, and written in reports."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine import Charter, Decision, Dice, foresee, plain
from engine.games.arena.events import CardDealt
from engine.games.arena.orders import Accept, ObjectTo, Options
from engine.games.arena.state import State
from tests.games.arena.kit import (
    ARENA,
    END,
    FIRST_EIGHT,
    SHOW,
    THREE,
    Json,
    charter,
    do,
    hands,
    named,
    play,
    position,
    refusal,
    rows,
    seeded,
)

DECLARE: Json = {"do": "declare_stalemate"}
ACCEPT: Json = {"do": "accept"}


def table(**options: Any) -> Charter:
    chosen = {"creatures": list(FIRST_EIGHT), "stalemate": True, **options}
    return Charter(THREE, msgspec.convert(chosen, Options))


def quiet(reactions: str = "ask", **given: Any) -> State:
    """An empty pile in the middle of round 1; Red began it."""
    parts: Json = {
        "deck": [],
        "columns": {"colossus": rows(["colossus-4", "colossus-8"]), "cyclops": rows(["cyclops-5"])},
        "players": hands(red="magus-1 magus-2", green="magus-3", blue="magus-5"),
    }
    return position(table(reactions=reactions), **(parts | given))


def pending(state: State) -> list[Decision]:
    return list(ARENA.pending(state))


def test_without_the_option_it_is_offered_nowhere() -> None:
    state = position(charter(FIRST_EIGHT), players=hands(red="magus-1"))
    assert state.stalemate.began == ""
    assert "stalemate" not in plain(state)
    assert "stalemate" not in plain(ARENA.view(state, "red"))
    assert refusal(state, "red", DECLARE) == "order/no-stalemates"
    acts = [act.do for asked in ARENA.menu(ARENA.view(state, "red")).asked for act in asked.acts]
    assert "declare_stalemate" not in acts
    refused = ARENA.check(state, "red", msgspec.convert(END, ARENA.action))
    assert refused is not None
    assert "declare_stalemate" not in str(refused.args["expected"])


def test_a_fresh_game_is_begun_by_the_first_player() -> None:
    state, _ = ARENA.new(table(), {}, Dice(seeded(1)))
    assert state.stalemate.began == state.order[0]


def test_the_others_are_asked_at_once_and_the_menu_offers_both_answers() -> None:
    asked, _ = do(quiet(), "red", DECLARE)
    assert pending(asked) == [Decision("green", "stalemate"), Decision("blue", "stalemate")]
    for seat in ("green", "blue"):
        (question,) = ARENA.menu(ARENA.view(asked, seat)).asked
        assert [act.do for act in question.acts] == ["accept", "object"]
    assert not ARENA.menu(ARENA.view(asked, "red")).asked
    assert not ARENA.menu(ARENA.view(asked, None)).asked
    refused = ARENA.check(asked, "red", msgspec.convert(END, ARENA.action))
    assert refused is not None
    assert refused.args["seats"] == "green, blue"


@pytest.mark.parametrize("order", [("green", "blue"), ("blue", "green")])
def test_the_order_of_the_answers_changes_nothing(order: tuple[str, str]) -> None:
    state, _ = do(quiet(), "red", DECLARE)
    events: list[Json] = []
    for seat in order:
        state, events = do(state, seat, ACCEPT)
    assert [event["seat"] for event in named(events, "card_dealt")] == ["red", "green", "blue"]
    assert state.stalemate.count == 1
    assert [one.kind for one in pending(state)] == ["bet"]


@pytest.mark.parametrize(
    ("policy", "reactions", "said"),
    [
        ({}, "standing", Accept()),
        ({}, "ask", None),
        ({"mode": "auto"}, "ask", Accept()),
        ({"object": "always"}, "standing", ObjectTo()),
        ({"object": "always"}, "ask", None),
        ({"object": "always", "mode": "auto"}, "ask", ObjectTo()),
        ({"object": "ask"}, "standing", None),
        ({"object": "ask", "mode": "auto"}, "ask", None),
    ],
)
def test_who_is_asked_and_what_standing_orders_say(policy: Json, reactions: str, said: object) -> None:
    players = hands(red="magus-1 magus-2", blue="magus-5") | {"green": {"policy": policy}}
    state, _ = do(quiet(reactions, players=players), "red", DECLARE)
    answer = ARENA.answer(state, Decision("green", "stalemate"))
    assert (answer and answer.action) == said
    late = ARENA.default(state, Decision("green", "stalemate"))
    assert late == (ObjectTo() if policy.get("object") == "always" else Accept())


def test_a_shuffle_of_seen_cards_is_not_foreseen() -> None:
    state, _ = do(quiet(), "red", DECLARE)
    state, _ = do(state, "green", ACCEPT)
    ahead = foresee(ARENA, ARENA.view(state, "blue"), "blue", [ACCEPT])
    assert (ahead.steps[0].certainty, ahead.after, ahead.view) == ("sure", "hidden", None)


def test_whether_anybody_can_play_is_not_foreseen() -> None:
    given: Json = {"dead": ["amazon"], "columns": {"colossus": rows(["colossus-4"], [])}}
    players = hands(red="amazon-1", green="amazon-2", blue="magus-1")
    state = quiet(players=players, **given)
    ahead = foresee(ARENA, ARENA.view(state, "red"), "red", [SHOW, END])
    assert ahead.after == "hidden"
    _, events = do(state, "red", SHOW, END)
    assert not named(events, "row_shuffled")
    mine = quiet(players=hands(red="amazon-1 magus-1 magus-2", green="", blue=""), **given)
    assert foresee(ARENA, ARENA.view(mine, "red"), "red", [play("magus-1"), END]).closed


def test_a_dealt_card_is_known_to_its_owner_alone() -> None:
    state, _ = do(quiet(), "red", DECLARE)
    state, _ = do(state, "green", ACCEPT)
    state, events = ARENA.apply(state, "blue", Accept(), Dice(seeded(2)))
    assert len(state.deck) == 0
    for owner in THREE:
        (mine,) = (event for event in events if isinstance(event, CardDealt) and event.seat == owner)
        assert mine.card in state.players[owner].hand
        for other in (*THREE, None):
            heard = ARENA.hear(mine, other)
            assert isinstance(heard, CardDealt)
            assert heard.card == (mine.card if other == owner else "")
            assert (mine.card in str(plain(ARENA.view(state, other)))) == (other == owner)


def report(state: State, seat: str | None, *events: Any) -> str:
    return ARENA.report(ARENA.view(state, seat), events, "en")


def test_reports_tell_of_the_variant() -> None:
    fresh = quiet()
    assert "Red began the round." in report(fresh, "green")
    assert "there is no card to draw" in report(fresh, "red")
    assert "declare one, since the pile is empty" in report(fresh, "red")
    asked, _ = do(fresh, "red", DECLARE)
    assert "Red has declared a stalemate." in report(asked, "green")
    assert "Green may object to a stalemate. Blue may object" in report(asked, "red")
    assert "Red's stalemate; it comes if nobody objects" in report(asked, "green")
    dice = Dice(seeded(3))
    state, _ = ARENA.apply(asked, "green", Accept(), dice)
    state, events = ARENA.apply(state, "blue", Accept(), dice)
    told = [ARENA.hear(event, "blue") for event in events]
    text = report(state, "blue", *told)
    assert "A stalemate: the 3 cards of row 1 are the new pile" in text
    assert text.count("You drew") == 1


def test_one_card_a_turn_is_said_after_a_stalemate() -> None:
    state = quiet(deck=["ettin-1"], stalemate={"began": "red", "count": 1})
    assert "you draw one card" in report(state, "red")
