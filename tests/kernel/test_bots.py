"""Bots see a view and its menu, and know no rule."""

from __future__ import annotations

from engine import Below, Menu, Stream, foresee, random_order, random_turn
from tests.kernel.bench import acting, bidding, table
from tests.toy import GAME

GEMS = {"ash": ("gem-1", "gem-4")}


def below(seed: int) -> Below:
    return Stream(seed.to_bytes(4, "big")).below


def test_nothing_asked_is_nothing_ordered() -> None:
    assert random_order(Menu(), below(0)) is None
    view = GAME.view(acting(table(), "ash", GEMS).state, "birch")
    assert random_turn(GAME, view, "birch", below(0)) == ()


def test_every_act_of_the_menu_is_chosen_some_time() -> None:
    menu = GAME.menu(GAME.view(acting(table(), "ash", GEMS).state, "ash"))
    chosen = {order["do"] for seed in range(40) if (order := random_order(menu, below(seed)))}
    assert chosen == {"done", "look", "sell", "strike"}


def test_a_turn_is_foreseen_to_its_last_order_and_ends_there() -> None:
    view = GAME.view(acting(table(), "ash", GEMS).state, "ash")
    for seed in range(40):
        orders = random_turn(GAME, view, "ash", below(seed))
        seen = foresee(GAME, view, "ash", orders)
        assert {step.certainty for step in seen.steps} == {"sure"}
        assert seen.closed or seen.after, "it stopped although there was more to foresee"


def test_a_turn_has_a_most() -> None:
    view = GAME.view(acting(table(), "ash", GEMS).state, "ash")
    assert all(len(random_turn(GAME, view, "ash", below(seed), most=1)) == 1 for seed in range(10))


def test_a_turn_is_the_same_for_the_same_numbers() -> None:
    view = GAME.view(bidding(table()).state, "ash")
    assert random_turn(GAME, view, "ash", below(3)) == random_turn(GAME, view, "ash", below(3))
