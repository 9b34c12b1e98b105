"""The law of advance.py, second half: silence, resigning, standing orders, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine import (
    Filed,
    Held,
    Outcome,
    Position,
    Refused,
    Table,
    file_standing,
    play,
    resign,
    start,
    timeout,
)
from tests.kernel.bench import (
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
from tests.toy.state import Setup, player

GEMS = {"ash": ("gem-1",), "birch": ("gem-5", "gem-2")}


def begun(where: Table, *filed: Filed) -> Outcome:
    return start(where, {seat: Setup() for seat in where.charter.seats}, filed, dice())


def code(caught: pytest.ExceptionInfo[Refused]) -> str:
    return caught.value.refusal.code


# Silence.


def test_a_silent_seat_is_sealed_too_and_its_default_runs_in_its_place() -> None:
    where = table()
    position = timeout(where, bidding(where), "ash", dice()).position
    assert position.sealed == (Held("ash", (), silent=True),)
    position = send(where, position, "birch", bid(1)).position
    outcome = timeout(where, position, "cedar", dice())
    assert [(event.seat, event.coins) for event in outcome.events[:3]] == [
        ("ash", 0),
        ("birch", 1),
        ("cedar", 0),
    ]
    assert not outcome.closed


def test_a_silent_turn_is_played_to_its_end() -> None:
    where = table()
    outcome = timeout(where, acting(where, "ash"), "ash", dice())
    assert outcome.closed
    assert outcome.position.state.turn == 2


def test_only_a_seat_that_is_waited_for_can_time_out() -> None:
    where = table()
    position = send(where, bidding(where), "ash", bid(1)).position
    with pytest.raises(Refused) as caught:
        timeout(where, position, "ash", dice())
    assert code(caught) == "moment/not-your-turn"


# Resigning.


def test_a_due_seat_that_resigns_is_waited_for_no_longer() -> None:
    where = table()
    outcome = resign(where, bidding(where), "birch", dice())
    assert outcome.position.due == ("ash", "cedar")
    assert kinds(outcome) == ["left"]
    assert not outcome.closed


def test_the_last_due_seat_resigns_and_the_sealed_lists_run() -> None:
    where = table()
    position = send(where, bidding(where), "ash", bid(1), DONE).position
    position = send(where, position, "cedar", bid(3), DONE).position
    outcome = resign(where, position, "birch", dice())
    assert kinds(outcome)[:4] == ["left", "offered", "offered", "won"]
    assert outcome.closed
    assert outcome.next == ("ash", "cedar")
    assert lapses(outcome) == [("ash", 2, "moment/turn-over")]


def test_what_a_leaver_had_sealed_is_dropped() -> None:
    where = table()
    position = send(where, bidding(where), "ash", bid(9)).position
    position = resign(where, position, "ash", dice()).position
    assert position.sealed == ()
    assert position.due == ("birch", "cedar")


def test_resigning_out_of_turn_leaves_the_turn_open() -> None:
    where = table()
    outcome = resign(where, acting(where, "ash", GEMS), "birch", dice())
    assert not outcome.closed
    assert player(outcome.position.state, "birch").out
    assert send(where, outcome.position, "ash", DONE).next == ("ash", "cedar")


def test_resigning_in_turn_ends_it_and_drops_what_rested() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch"), DONE).position
    outcome = resign(where, position, "ash", dice())
    assert outcome.closed
    assert outcome.next == ("birch", "cedar")
    assert lapses(outcome) == []


def test_an_asked_seat_resigns_and_the_resting_list_goes_on() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch"), sell("gem-1"), DONE).position
    outcome = resign(where, position, "birch", dice())
    assert kinds(outcome) == ["left", "sold", "opened"]
    assert outcome.closed


def test_a_game_ended_by_resigning_waits_for_the_seats_still_due_and_then_closes() -> None:
    where = table("ash", "birch")
    outcome = resign(where, bidding(where), "ash", dice())
    assert outcome.result is not None
    assert not outcome.closed
    assert outcome.position.due == ("birch",)
    outcome = send(where, outcome.position, "birch", bid(1))
    assert lapses(outcome) == [("birch", 1, "moment/game-over")]
    assert outcome.closed
    assert outcome.next == ()
    assert outcome.result is not None
    assert outcome.result.how == "resigned"


# Standing orders.


def test_standing_orders_take_effect_when_the_next_turn_opens_and_not_before() -> None:
    where = table()
    position = file_standing(where, acting(where, "ash", GEMS), "birch", {"guard": "highest"})
    assert player(position.state, "birch").habit == ""
    assert position.standing == ("birch",)
    outcome = send(where, position, "ash", strike("birch"), DONE, duel_1=(1, 6))
    assert outcome.auto[0].answer == {"do": "guard", "gem": "gem-2"}
    assert outcome.auto[0].by == "standing"
    assert player(outcome.position.state, "birch").habit == "highest"
    assert outcome.position.filed == ()
    assert outcome.position.standing == ("birch",)


def test_later_standing_orders_replace_earlier_ones() -> None:
    where = table()
    position = file_standing(where, acting(where, "ash"), "birch", {"guard": "highest"})
    position = file_standing(where, position, "ash", {"guard": "never"})
    position = file_standing(where, position, "birch", {"guard": "never"})
    assert position.filed == (Filed("ash", {"guard": "never"}), Filed("birch", {"guard": "never"}))
    assert position.standing == ("ash", "birch")
    assert player(send(where, position, "ash", DONE).position.state, "birch").habit == "never"


@pytest.mark.parametrize(
    ("policy", "expected"), [({"guard": "bravely"}, "order/shape"), ({"guard": "ask"}, "policy/nobody-asks")]
)
def test_standing_orders_that_the_game_does_not_know_are_refused(
    policy: dict[str, Any], expected: str
) -> None:
    where = table()
    position = acting(where, "ash")
    with pytest.raises(Refused) as caught:
        file_standing(where, position, "birch", policy)
    assert code(caught) == expected


def test_standing_orders_before_the_start_count_from_turn_1() -> None:
    position = begun(table(), Filed("cedar", {"guard": "never"}), Filed("ash", {"guard": "highest"})).position
    assert position.standing == ("ash", "cedar")
    assert player(position.state, "cedar").habit == "never"
    assert player(position.state, "birch").habit == ""


# The end.


def test_nothing_is_left_to_do_after_the_end() -> None:
    where = table("ash", "birch")
    position = Position(
        state=where.game.place(where.charter, {"over": "deck", "deck": [], "spent": _all(where)}), due=()
    )
    with pytest.raises(Refused) as caught:
        play(where, position, Held("ash", (DONE,)), dice())
    assert code(caught) == "moment/game-over"


def test_the_last_turn_closes_with_nobody_next() -> None:
    where = table("ash", "birch")
    parts = {"deck": [], "spent": _all(where), "agenda": [{"seat": "ash", "kind": "act"}]}
    position = Position(state=where.game.place(where.charter, parts), due=())
    outcome = send(where, position, "ash", DONE, LOOK)
    assert outcome.closed
    assert outcome.next == ()
    assert outcome.result is not None
    assert lapses(outcome) == [("ash", 2, "moment/game-over")]


def _all(where: Table) -> list[str]:
    return [f"gem-{worth}" for worth in range(1, where.charter.options.gems + 1)]


def test_a_game_that_closes_a_turn_over_the_heads_of_due_seats_is_a_fault_of_ours() -> None:
    where = table()

    def jump(state: Any, seat: str, dice: Any) -> Any:
        return msgspec.structs.replace(state, turn=state.turn + 1), ()

    with pytest.raises(RuntimeError, match="still due"):
        resign(Table(replace(where.game, resign=jump), where.charter), bidding(where), "ash", dice())
