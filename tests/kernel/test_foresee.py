"""What a seat can tell about its own orders from its view alone."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Foresight, Position, encode, foresee
from tests.kernel.bench import BID, DONE, LOOK, acting, bid, bidding, fallen, sell, send, strike, table
from tests.toy import GAME

GEMS = {"ash": ("gem-1", "gem-4"), "birch": ("gem-5", "gem-2")}


def foreseen(position: Position[Any], seat: str, *orders: Any) -> Foresight:
    return foresee(GAME, GAME.view(position.state, seat), seat, orders)


def certainties(seen: Foresight) -> list[str]:
    return [step.certainty for step in seen.steps]


def test_nothing_ordered_is_nothing_foreseen_but_the_view() -> None:
    position = acting(table(), "ash", GEMS)
    seen = foreseen(position, "ash")
    assert seen == Foresight((), GAME.view(position.state, "ash"), (), "", closed=False)


def test_what_depends_on_own_things_is_sure_and_leads_to_the_real_view() -> None:
    where = table()
    position = acting(where, "ash", GEMS)
    seen = foreseen(position, "ash", sell("gem-4"), sell("gem-1"))
    assert certainties(seen) == ["sure", "sure"]
    real = send(where, position, "ash", sell("gem-4"), sell("gem-1"))
    assert seen.view == GAME.view(real.position.state, "ash")
    assert seen.events == real.events
    assert (seen.after, seen.closed) == ("", False)


def test_the_end_of_the_turn_is_foreseen() -> None:
    seen = foreseen(acting(table(), "ash", GEMS), "ash", sell("gem-1"), DONE)
    assert certainties(seen) == ["sure", "sure"]
    assert seen.closed


def test_an_order_that_looks_at_hidden_things_is_sure_and_hides_what_comes_next() -> None:
    seen = foreseen(acting(table(), "ash", GEMS), "ash", LOOK, sell("gem-1"))
    assert certainties(seen) == ["sure", "hidden"]
    assert seen.after == "hidden"
    assert seen.view is None
    assert not seen.closed


def test_another_seats_decision_hides_what_comes_next() -> None:
    seen = foreseen(acting(table(), "ash", GEMS), "ash", strike("birch"), sell("gem-1"), DONE)
    assert certainties(seen) == ["sure", "hidden", "hidden"]


def test_an_order_that_rolls_is_sure_and_what_follows_depends_on_dice() -> None:
    where = table(ask=True)
    position = send(where, acting(where, "ash", GEMS), "ash", strike("birch")).position
    seen = foreseen(position, "birch", {"do": "guard", "gem": "gem-2"}, {"do": "guard"})
    assert certainties(seen) == ["sure", "dice"]
    assert seen.after == "dice"


def test_a_refused_order_is_refused_and_the_rest_is_foreseen_without_it() -> None:
    where = table()
    position = acting(where, "ash", GEMS)
    seen = foreseen(position, "ash", sell("gem-2"), sell("gem-1"))
    assert certainties(seen) == ["refused", "sure"]
    refusal = seen.steps[0].refusal
    assert refusal is not None
    assert refusal.code == "moment/not-yours"
    assert seen.view == GAME.view(send(where, position, "ash", sell("gem-1")).position.state, "ash")


@pytest.mark.parametrize(
    "order", [{"do": "dance"}, {"do": "sell"}, [], "done", None, {"do": "bid", "coins": "1"}]
)
def test_a_misshapen_order_is_refused_and_never_raised(order: Any) -> None:
    (step,) = foreseen(acting(table(), "ash"), "ash", order).steps
    assert step.certainty == "refused"
    assert step.refusal is not None
    assert step.refusal.code == "order/shape"


def test_orders_after_the_end_are_refused() -> None:
    seen = foreseen(acting(table(), "ash"), "ash", DONE, LOOK)
    assert [step.refusal.code for step in seen.steps if step.refusal] == ["moment/turn-over"]


def test_in_doubt_only_what_is_wrong_in_itself_is_refused() -> None:
    seen = foreseen(acting(table(), "ash", GEMS), "ash", LOOK, sell("gem-8"), strike("ash"))
    assert certainties(seen) == ["sure", "hidden", "refused"]


def test_a_seat_that_is_not_asked_foresees_refusals() -> None:
    seen = foreseen(acting(table(), "ash", GEMS), "birch", DONE)
    assert [step.refusal.code for step in seen.steps if step.refusal] == ["moment/not-asked"]


def test_a_sealed_order_hides_what_comes_of_it() -> None:
    seen = foreseen(bidding(table()), "birch", bid(3), LOOK)
    assert certainties(seen) == ["sure", "hidden"]


def test_orders_of_an_ended_game_are_refused() -> None:
    where = table()
    gems = [f"gem-{worth}" for worth in range(1, 9)]
    position = Position(state=GAME.place(where.charter, {"over": "deck", "deck": [], "spent": gems}), due=())
    seen = foreseen(position, "ash", BID)
    assert [step.refusal.code for step in seen.steps if step.refusal] == ["moment/game-over"]


def test_foresight_needs_nothing_but_the_view() -> None:
    """Two positions that look the same give the same foresight, to the byte."""
    where = table()
    first, second = (acting(where, "ash", {**GEMS, "cedar": cedar}) for cedar in (("gem-8",), ("gem-3",)))
    orders = [sell("gem-1"), strike("cedar"), DONE]
    assert encode(foreseen(first, "ash", *orders)) == encode(foreseen(second, "ash", *orders))
    assert fallen()("any", hidden=True)(6) == 0
