"""Bots see a view and its menu, and know no rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import (
    CATALOG_CODES,
    AnyGame,
    Below,
    Menu,
    Refused,
    Stream,
    bots_of,
    find_bot,
    foresee,
    random_order,
    random_turn,
)
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


def mute(_game: AnyGame, _view: Any, _seat: str, _below: Below) -> tuple[dict[str, Any], ...]:
    """A bot that says nothing."""
    return ()


def test_random_plays_every_game_and_a_games_own_bots_come_first() -> None:
    assert list(bots_of(GAME)) == ["random"]
    assert find_bot(GAME) is find_bot(GAME, "random") is random_turn
    clever = replace(GAME, bots={"mute": mute})
    assert list(bots_of(clever)) == ["mute", "random"]
    assert find_bot(clever) is mute
    assert find_bot(clever, "random") is random_turn


def test_an_unknown_bot_is_refused_with_the_names_of_the_others() -> None:
    with pytest.raises(Refused) as caught:
        find_bot(GAME, "genius")
    assert caught.value.refusal.code == "game/unknown-bot"
    assert caught.value.refusal.args == {"name": "genius", "known": "random"}
    assert "game/unknown-bot" in {code.code for code in CATALOG_CODES}
