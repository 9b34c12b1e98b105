"""The law at the head of advance.py, sentence by sentence: turns, lists, refusals and lapses."""

from __future__ import annotations

from typing import Any

import pytest

from engine import (
    Filed,
    Lapsed,
    Outcome,
    Refused,
    Say,
    Table,
    encode,
    start,
    timeout,
    words,
)
from engine.kernel.advance import MOST_ORDERS
from tests.kernel.bench import (
    BID,
    DONE,
    LOOK,
    acting,
    bid,
    bidding,
    dice,
    kinds,
    lapses,
    sell,
    send,
    strike,
    table,
)
from tests.toy.state import Setup

GEMS = {"ash": ("gem-1",), "birch": ("gem-5", "gem-2")}


def begun(where: Table, *filed: Filed) -> Outcome:
    return start(where, {seat: Setup() for seat in where.charter.seats}, filed, dice())


def code(caught: pytest.ExceptionInfo[Refused]) -> str:
    return caught.value.refusal.code


# A turn opens with the seats that are due; nothing runs before each of them has come in.


def test_the_start_opens_turn_1_for_all_who_must_decide() -> None:
    outcome = begun(table())
    assert outcome.closed
    assert outcome.next == ("ash", "birch", "cedar")
    assert outcome.position.due == outcome.next
    assert outcome.position.state.turn == 1
    assert outcome.result is None


def test_what_comes_early_is_sealed_and_changes_nothing() -> None:
    where = table()
    position = bidding(where)
    outcome = send(where, position, "birch", bid(3))
    assert not outcome.closed
    assert outcome.events == ()
    assert outcome.next == ()
    assert outcome.position.state == position.state
    assert outcome.position.due == ("ash", "cedar")
    assert [held.seat for held in outcome.position.sealed] == ["birch"]


def test_a_sealed_seat_has_no_second_move() -> None:
    where = table()
    position = send(where, bidding(where), "birch", bid(3)).position
    with pytest.raises(Refused) as caught:
        send(where, position, "birch", bid(4))
    assert code(caught) == "moment/not-your-turn"
    assert caught.value.refusal.args == {"seat": "birch", "seats": "ash, cedar"}


def test_a_seat_with_nothing_to_decide_is_refused() -> None:
    where = table()
    with pytest.raises(Refused) as caught:
        send(where, acting(where, "ash"), "birch", DONE)
    assert code(caught) == "moment/not-your-turn"


# Then order lists run in charter order.


def test_sealed_lists_run_in_charter_order_whoever_came_first() -> None:
    where = table()
    outcomes: list[bytes] = []
    for arrival in (("ash", "birch", "cedar"), ("cedar", "birch", "ash")):
        position = bidding(where)
        outcome: Outcome | None = None
        for seat in arrival:
            outcome = send(where, position, seat, bid(2), auction_1=(1, 4, 3))
            position = outcome.position
        assert outcome is not None
        assert kinds(outcome)[:3] == ["offered", "offered", "offered"]
        assert [event.seat for event in outcome.events[:3]] == ["ash", "birch", "cedar"]
        outcomes.append(encode(outcome))
    assert outcomes[0] == outcomes[1]


def test_sealed_lists_go_on_when_the_others_have_run() -> None:
    """Each list bids and has more to do: it rests till all bids are in, and only the winner's goes on."""
    where = table()
    position = send(where, bidding(where), "ash", bid(1), LOOK).position
    position = send(where, position, "birch", bid(5), strike("ash"), DONE).position
    outcome = send(where, position, "cedar", bid(2), LOOK, duel_1=(1, 6))
    assert outcome.closed
    assert outcome.position.state.turn == 2
    assert "struck" in kinds(outcome)
    assert lapses(outcome) == [("ash", 2, "moment/turn-over"), ("cedar", 2, "moment/turn-over")]
    assert outcome.position.rest == ()


def test_resting_lists_of_several_seats_are_all_kept() -> None:
    where = table()
    position = send(where, bidding(where), "ash", bid(1), LOOK).position
    position = send(where, position, "birch", bid(5)).position
    outcome = send(where, position, "cedar", bid(2), LOOK)
    assert not outcome.closed
    assert [(held.seat, held.first) for held in outcome.position.rest] == [("ash", 2), ("cedar", 2)]
    outcome = send(where, outcome.position, "birch", DONE)
    assert [seat for seat, _, _ in lapses(outcome)] == ["ash", "cedar"]


# The first order of a list must be legal, else the whole list is refused.


def test_an_illegal_first_order_sends_the_list_back() -> None:
    where = table()
    with pytest.raises(Refused) as caught:
        send(where, acting(where, "ash"), "ash", sell("gem-3"), DONE)
    refusal = caught.value.refusal
    assert (refusal.code, refusal.order) == ("moment/not-yours", 1)
    assert refusal.quote == '{"do":"sell","gems":["gem-3"]}'


def test_an_illegal_first_order_is_refused_before_it_is_sealed() -> None:
    where = table()
    with pytest.raises(Refused) as caught:
        send(where, bidding(where), "birch", bid(11))
    assert code(caught) == "moment/purse"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({"do": "strike", "seat": "ash"}, "order/whom"),
        ({"do": "sell", "gems": ["gem-2", "gem-2"]}, "order/gem-twice"),
        ({"do": "sell", "gems": []}, "order/shape"),
        ({"do": "dance"}, "order/shape"),
        ({"do": "look", "at": "me"}, "order/shape"),
        ({"do": "strike", "seat": "birch", "ruse": {"use": "bold", "stake": 9}}, "order/shape"),
        ({}, "order/shape"),
    ],
)
def test_what_is_wrong_in_itself_sends_all_back_wherever_it_stands(
    order: dict[str, Any], expected: str
) -> None:
    where = table()
    with pytest.raises(Refused) as caught:
        send(where, acting(where, "ash", GEMS), "ash", LOOK, order, DONE)
    assert (code(caught), caught.value.refusal.order) == (expected, 2)
    with pytest.raises(Refused) as caught:
        send(where, bidding(where), "ash", BID, order)
    assert (code(caught), caught.value.refusal.order) == (expected, 2)


def test_shape_refusals_name_the_place() -> None:
    where = table()
    with pytest.raises(Refused) as caught:
        send(
            where,
            acting(where, "ash"),
            "ash",
            {"do": "strike", "seat": "birch", "ruse": {"use": "bold", "stake": 9}},
        )
    expected = caught.value.refusal.args["expected"]
    assert isinstance(expected, Say)
    assert words(expected).endswith("under ruse.stake")


def test_a_refused_list_changes_nothing() -> None:
    where = table()
    position = acting(where, "ash", GEMS)
    before = encode(position)
    with pytest.raises(Refused):
        send(where, position, "ash", sell("gem-3"))
    assert encode(position) == before


def test_too_many_orders_are_refused_and_the_most_are_not() -> None:
    where = table()
    position = acting(where, "ash")
    with pytest.raises(Refused) as caught:
        send(where, position, "ash", *[LOOK] * (MOST_ORDERS + 1))
    assert code(caught) == "order/too-many"
    assert caught.value.refusal.args == {"count": MOST_ORDERS + 1, "most": MOST_ORDERS}
    assert len(send(where, position, "ash", *[LOOK] * MOST_ORDERS).events) == MOST_ORDERS


# A later one that has become impossible is a lapse, and the list goes on or stops as its author said.


def test_a_later_order_that_has_become_impossible_lapses_and_the_list_goes_on() -> None:
    where = table()
    outcome = send(where, acting(where, "ash", GEMS), "ash", sell("gem-1"), sell("gem-1"), DONE)
    assert lapses(outcome) == [("ash", 2, "moment/not-yours")]
    assert outcome.closed


def test_or_stops() -> None:
    where = table()
    orders = (sell("gem-1"), sell("gem-1"), DONE)
    outcome = send(where, acting(where, "ash", GEMS), "ash", *orders, on_lapse="stop")
    assert lapses(outcome) == [("ash", 2, "moment/not-yours")]
    assert not outcome.closed
    assert outcome.position.rest == ()


def test_orders_after_the_end_of_the_turn_lapse() -> None:
    where = table()
    outcome = send(where, acting(where, "ash", GEMS), "ash", DONE, LOOK, sell("gem-1"))
    assert lapses(outcome) == [("ash", 2, "moment/turn-over"), ("ash", 3, "moment/turn-over")]
    assert outcome.closed


def test_a_lapse_quotes_the_order_and_says_why() -> None:
    where = table()
    outcome = send(where, acting(where, "ash", GEMS), "ash", LOOK, sell("gem-4"))
    lapse = next(event for event in outcome.events if isinstance(event, Lapsed))
    assert lapse.quote == '{"do":"sell","gems":["gem-4"]}'
    assert lapse.refusal.args == {"gem": "gem-4"}
    assert lapse.refusal.order == 2


# Decisions that fall to others are answered by standing orders where the game says so.


def test_a_default_answers_for_a_seat_that_never_sent_standing_orders() -> None:
    where = table()
    outcome = send(where, acting(where, "ash", GEMS), "ash", strike("birch"), duel_1=(1, 1))
    (auto,) = outcome.auto
    assert (auto.seat, auto.decision, auto.by) == ("birch", "guard", "default")
    assert auto.answer == {"do": "guard", "gem": "gem-2"}


def test_standing_orders_answer_in_their_own_name() -> None:
    where = table()
    filed = begun(where, Filed("birch", {"guard": "highest"})).position
    assert filed.standing == ("birch",)
    for seat, coins in (("ash", 1), ("birch", 2), ("cedar", 0)):
        filed = send(where, filed, seat, bid(coins)).position
    position = send(where, filed, "birch", DONE).position
    for seat, coins in (("ash", 5), ("birch", 2), ("cedar", 0)):
        position = send(where, position, seat, bid(coins)).position
    outcome = send(where, position, "ash", strike("birch"), strike("cedar"))
    assert [(auto.seat, auto.by) for auto in outcome.auto] == [("birch", "standing"), ("cedar", "default")]


# Else the list rests until they are answered.


def test_a_list_rests_while_another_seat_is_asked_and_goes_on_after_the_answer() -> None:
    where = table(ask=True)
    outcome = send(where, acting(where, "ash", GEMS), "ash", strike("birch"), sell("gem-1"), DONE)
    assert outcome.auto == ()
    assert [(held.seat, held.first, len(held.orders)) for held in outcome.position.rest] == [("ash", 2, 2)]
    with pytest.raises(Refused) as caught:
        send(where, outcome.position, "ash", DONE)
    assert code(caught) == "moment/not-your-turn"
    outcome = send(where, outcome.position, "birch", {"do": "guard", "gem": "gem-5"}, duel_1=(6, 1))
    assert kinds(outcome) == ["guarded", "duelled", "sold", "opened"]
    assert outcome.closed
    assert outcome.position.rest == ()


def test_a_resting_list_that_became_impossible_lapses_under_its_own_number() -> None:
    where = table(ask=True)
    position = send(
        where,
        acting(where, "ash", GEMS),
        "ash",
        sell("gem-1"),
        strike("birch"),
        sell("gem-1"),
        on_lapse="stop",
    ).position
    outcome = send(where, position, "birch", {"do": "guard"}, duel_1=(1, 6))
    assert lapses(outcome) == [("ash", 3, "moment/not-yours")]


def test_the_answer_of_an_asked_seat_must_be_legal() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch")).position
    with pytest.raises(Refused) as caught:
        send(where, position, "birch", {"do": "guard", "gem": "gem-8"})
    assert (code(caught), caught.value.refusal.order) == ("moment/not-yours", 1)


def test_what_an_asked_seat_orders_beyond_its_answer_rests_and_lapses_with_the_turn() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch")).position
    outcome = send(where, position, "birch", {"do": "guard"}, LOOK)
    assert [(held.seat, held.first) for held in outcome.position.rest] == [("birch", 2)]
    outcome = send(where, outcome.position, "ash", DONE)
    assert lapses(outcome) == [("birch", 2, "moment/turn-over")]


def test_an_asked_seat_that_falls_silent_has_its_default_and_the_list_goes_on() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch"), DONE).position
    outcome = timeout(where, position, "birch", dice())
    assert kinds(outcome)[0] == "guarded"
    assert outcome.closed


# A turn closes when the game says so by its number; whatever it leaves unsaid stays open.


def test_a_list_that_does_not_end_the_turn_leaves_it_open() -> None:
    where = table()
    outcome = send(where, acting(where, "ash"), "ash", LOOK)
    assert not outcome.closed
    assert outcome.next == ()
    assert outcome.position.due == ()
    assert send(where, outcome.position, "ash", DONE).closed


def test_an_empty_list_of_a_due_seat_gives_its_place_up_and_leaves_its_decision_open() -> None:
    where = table()
    position = bidding(where)
    for seat in ("ash", "birch"):
        position = send(where, position, seat, bid(1)).position
    outcome = send(where, position, "cedar")
    assert outcome.position.due == ()
    assert not outcome.closed
    assert [decision.seat for decision in where.game.pending(outcome.position.state)] == ["cedar"]
    outcome = send(where, outcome.position, "cedar", bid(4))
    assert "won" in kinds(outcome)


def test_an_empty_list_in_an_open_turn_changes_nothing() -> None:
    where = table()
    position = acting(where, "ash")
    outcome = send(where, position, "ash")
    assert outcome.position == position
    assert outcome.events == ()


def test_next_names_the_seats_in_charter_order() -> None:
    where = table("cedar", "ash", "birch")
    assert begun(where).next == ("cedar", "ash", "birch")
