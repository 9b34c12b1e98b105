"""A game's page in the browser and its rules in Python say the same: menus and foresight, equal as JSON.

What a player composes offline is judged by the twins under `engine/games/*/page/`. Every question here is put to both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from engine import CODES, GAMES, AnyGame, Below, Chooser, Dice, Menu, encode, fill, pages
from fixtures.desks import desk_at, match_at
from fixtures.make_mails import CASES
from pbem.desk.bundle import bundle, name_of
from pbem.scenario.run import run
from tests.contract import shapes
from tests.contract.playing import Case, chance, played, words_of
from tests.contract.worlds import worlds
from tests.pages import data
from tests.pages.asked import Sheet, page_of
from tests.pages.moments import moments, placed

SCENARIOS = Path(__file__).parents[2] / "fixtures" / "scenarios"
PAGED = [game for game in GAMES if page_of(game)]
MOST = 12
"""Orders of one composed turn."""

ELSEWHERE = {
    *("moment/enough", "order/too-many"),  # counted by the host alone
    *(
        "order/no-lists",
        "order/strengths",
        "order/unknown-upgrade",
    ),  # of standing orders and of what comes with ready
    "order/too-long",  # where a game says it of those only
}
"""Refusals that no order meets while it is composed."""
UNTOLD = {
    *("creatures_chosen", "first_chosen", "hand_dealt", "seats_ordered", "seat_resigned"),  # come of no order
    *("allspark_turned", "card_dealt", "cards_sampled", "row_shuffled"),  # come of hidden cards
}
"""Events that no view can foresee."""

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
    sheet.foresee(view, seat, [*orders, *orders])
    sheet.foresee(view, seat, [shapes.mutated(o, below, vocabulary) if below(3) == 0 else o for o in orders])


def ask_cases(sheet: Sheet, area: tuple[str, ...] = ("order", "moment")) -> None:
    """The moves that are mailed to be refused by a rule, in the positions that they are mailed in."""
    for case in CASES:
        if case.code.partition("/")[0] not in area:
            continue
        match = match_at(case.desk)
        payload = msgspec.json.decode(case.text(match))["payload"]
        if match.desk.table.game is not sheet.game or payload["kind"] != "move":
            continue
        position = desk_at(case.desk, case.position).position
        assert position is not None
        state = position.state
        sheet.foresee(sheet.view(sheet.game.view(state, case.seat)), case.seat, payload["orders"])


def ask_scenarios(sheet: Sheet) -> None:
    """Whatever the scenarios of the rules judge and carry out, by players and by standing orders."""
    game = sheet.game
    asked: set[bytes] = set()

    def ask_once(state: Any, seat: str, action: Any) -> None:
        name = encode([state, seat, action])
        if name not in asked:
            asked.add(name)
            sheet.judged(state, seat, action)

    def check(state: Any, seat: str, action: Any) -> Any:
        ask_once(state, seat, action)
        return game.check(state, seat, action)

    def apply(state: Any, seat: str, action: Any, dice: Dice) -> Any:
        ask_once(state, seat, action)
        return game.apply(state, seat, action, dice)

    spied = replace(game, check=check, apply=apply)
    for path in sorted((SCENARIOS / game.id).glob("*.json")):
        run(msgspec.json.decode(path.read_bytes()), (spied,))


ODD: tuple[Any, ...] = (
    None,
    True,
    3,
    2.5,
    "no\n\"\\'\u2028é",
    "nobody's",
    [],
    ["x", 1],
    {},
    {"use": "x"},
    {"use": "titan", "x": 1},
)


WHOLE = 40
"""Orders of different shapes that are spoilt."""


def ask_shapes(sheet: Sheet) -> None:
    """Orders of each kind with something else in each place, with a field less and with one more."""
    moment = moments(sheet.game.id)[0]
    view = sheet.view(sheet.game.view(placed(sheet.game, moment), moment.seat))
    below = chance("shapes", sheet.game.id)
    made = [shapes.invent(kind, below, ["x"]) for kind in get_args(sheet.game.action) for _ in range(60)]
    whole = {tuple(path for path, _ in shapes.leaves(order)): order for order in made}
    pair = {"do": "play", "card": "x", "power": {"use": "unicorn", "swap": ["x"]}}
    orders: list[Any] = [*ODD, {"do": "é" * 400}, pair]
    for order in list(whole.values())[:WHOLE]:
        ends = [end for end, _ in shapes.leaves(order)]
        for path in dict.fromkeys(end[:length] for end in ends for length in range(1, len(end) + 1)):
            orders += [shapes.replaced(order, path, odd) for odd in ODD]
        orders += [{key: value for key, value in order.items() if key != name} for name in order]
        orders.append({**order, "zz": 1, "__proto__": 1})
    for start in range(0, len(orders), 40):
        sheet.foresee(view, moment.seat, orders[start : start + 40])


def ask_moments(sheet: Sheet) -> None:
    """Turns that chance seldom writes."""
    for moment in moments(sheet.game.id):
        view = sheet.view(sheet.game.view(placed(sheet.game, moment), moment.seat))
        sheet.menu(view)
        for number in range(len(moment.orders) + 1):
            seen = sheet.foresee(view, moment.seat, list(moment.orders[:number]))
            refused = [step.refusal.code for step in seen.steps if step.refusal is not None]
            assert refused == [moment.refused] * (moment.refused != "" and number == len(moment.orders)), (
                moment
            )


@paged
def test_the_page_says_what_the_rules_say(game: AnyGame) -> None:
    sheet = Sheet(game)
    for seats in range(game.players[0], game.players[1] + 1):
        for seed in (1, 2 * seats):
            ask(sheet, Case(game, seats, seed), 4)
    for world in worlds(game.id):
        ask(sheet, Case(game, game.players[1], 1, world), 3)
    for bot in game.bots:
        ask(sheet, Case(game, game.players[0], 0, bot=bot), 3)
    ask_scenarios(sheet)
    ask_cases(sheet)
    ask_moments(sheet)
    ask_shapes(sheet)
    assert not sheet.differ()
    codes = {code.code for code in (*CODES, *game.codes) if code.code.startswith(("order/", "moment/"))}
    assert codes - set(sheet.steps) <= ELSEWHERE, "refusals that were never asked for"
    verbs = {kind.__struct_config__.tag for kind in get_args(game.action)}
    assert not verbs - set(sheet.verbs), "orders that were never sure"
    events = {kind.__struct_config__.tag for kind in get_args(game.event)}
    assert events - set(sheet.events) <= UNTOLD, "events that were never foreseen"


@paged
def test_the_page_says_the_same_in_one_script(game: AnyGame, tmp_path: Path) -> None:
    entry = next(one for one in pages() if f"/{game.id}/" in one)
    given = "export const { id, version, menu, foresee } ="
    module = tmp_path / "page.mjs"
    module.write_text(f"{bundle(entry)}{given} {name_of(entry)};\n", encoding="utf-8")
    sheet = Sheet(game)
    ask_moments(sheet)
    assert not sheet.differ(module)


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
