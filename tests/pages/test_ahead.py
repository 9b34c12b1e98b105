"""A game's page in the browser and its rules in Python say the same: menus and foresight, equal as JSON.

What a player composes offline is judged by the twins under `engine/games/*/page/`. Every question here is put to both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import GAMES, AnyGame, Below, Chooser, Menu, encode, fill
from pbem.scenario.run import run
from tests.contract import shapes
from tests.contract.playing import Case, chance, played, words_of
from tests.contract.worlds import worlds
from tests.pages import data
from tests.pages.asked import Sheet, page_of

SCENARIOS = Path(__file__).parents[2] / "fixtures" / "scenarios"
PAGED = [game for game in GAMES if page_of(game)]
MOST = 12
"""Orders of one composed turn."""

paged = pytest.mark.parametrize("game", PAGED, ids=lambda game: game.id)


def ask(sheet: Sheet, case: Case, positions: int) -> None:
    """Of positions of a play, for every seat: its menu, orders from it right and wrong, and whole turns."""
    play = played(case)
    for name, position in play.positions(positions):
        below = chance("page", name)
        vocabulary = words_of(play.table, position.state)
        for seat in play.table.charter.seats:
            view = sheet.view(sheet.game.view(position.state, seat))
            menu = sheet.menu(view)
            sheet.foresee(view, seat, [])
            for act in (act for one in menu.asked for act in one.acts):
                order = fill(menu, act, Chooser(below))
                sheet.foresee(view, seat, [order])
                sheet.foresee(view, seat, [shapes.mutated(order, below, vocabulary)])
            sheet.foresee(view, seat, [shapes.invent(sheet.game.action, below, vocabulary) for _ in range(6)])
            if menu.asked:
                ask_turns(sheet, view, seat, (menu, below, vocabulary))


def ask_turns(sheet: Sheet, view: Any, seat: str, by: tuple[Menu, Below, tuple[str, ...]]) -> None:
    """A turn composed order by order from the menus of what is foreseen, and the same with faults in it."""
    menu, below, vocabulary = by
    orders: list[Any] = []
    now = view
    while len(orders) < MOST:
        menu = sheet.game.menu(now) if now is not None else menu
        acts = [act for one in menu.asked for act in one.acts]
        if not acts:
            break
        orders.append(fill(menu, acts[below(len(acts))], Chooser(below)))
        now = sheet.foresee(view, seat, list(orders)).view
        if now is not None:
            sheet.menu(sheet.view(now))
    sheet.foresee(view, seat, [shapes.mutated(o, below, vocabulary) if below(3) == 0 else o for o in orders])


@paged
def test_menus_and_foresight_are_the_rules_own(game: AnyGame) -> None:
    sheet = Sheet(game)
    for seats in range(game.players[0], game.players[1] + 1):
        for seed in (1, 2 * seats):
            ask(sheet, Case(game, seats, seed), 5)
    for world in worlds(game.id):
        ask(sheet, Case(game, game.players[1], 1, world), 3)
    for bot in game.bots:
        ask(sheet, Case(game, game.players[1], 0, bot=bot), 5)
    assert not sheet.differ()
    assert {"sure", "hidden", "order/shape", "moment/not-your-turn"} <= set(sheet.steps), sheet.steps


@paged
def test_the_manuals_cases_are_judged_alike(game: AnyGame) -> None:
    """What the scenarios of the rules and the mails that are refused come to is asked of the page as well."""
    sheet = Sheet(game)
    asked: set[bytes] = set()

    def check(state: Any, seat: str, action: Any) -> Any:
        name = encode([state, seat, action])
        if name not in asked:
            asked.add(name)
            sheet.judged(state, seat, action)
        return game.check(state, seat, action)

    spied = replace(game, check=check)
    for path in sorted((SCENARIOS / game.id).glob("*.json")):
        run(msgspec.json.decode(path.read_bytes()), (spied,))
    assert len(asked) > 100
    assert not sheet.differ()


@pytest.mark.soak
@paged
def test_many_plays_are_foreseen_alike(game: AnyGame) -> None:
    for seats in range(game.players[0], game.players[1] + 1):
        for world in ("", *worlds(game.id)):
            sheet = Sheet(game)
            for seed in range(10):
                ask(sheet, Case(game, seats, seed, world), 24)
            assert not sheet.differ()


def test_the_page_knows_the_boards_and_decks_of_the_games() -> None:
    assert data.CYBERTRON.read_text(encoding="utf-8") == data.text()
