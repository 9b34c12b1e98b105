"""The kit sees what it looks for: each toy here is broken in one way, and one check says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine import Answer, AnyGame, Charter, Decision, Dice, Menu, Refusal, say
from tests.contract import course, decisions, news
from tests.contract.coverage import never_seen
from tests.contract.playing import Case, played
from tests.contract.twins import leaks
from tests.toy import GAME, events, report, rules, state, view

change = msgspec.structs.replace
Step = tuple[state.State, tuple[Any, ...]]
Applied = Callable[[state.State, str, Any, Dice], Step]
COUNTED: list[int] = []


class Spin(msgspec.Struct, frozen=True, tag_field="do", tag="spin"):
    """An order that no menu offers."""


def after(then: Callable[[state.State, Any, Step, Dice], Step]) -> Applied:
    """The rules' `apply` with something done to its outcome."""

    def apply(now: state.State, seat: str, action: Any, dice: Dice) -> Step:
        return then(now, action, rules.apply(now, seat, action, dice), dice)

    return apply


def parity(now: state.State) -> int:
    """A thing that nobody can know: whether the deck's last gem is odd."""
    return rules.worth(now.deck[-1]) % 2 if now.deck and now.deck[-1] != state.UNSEEN else 0


def tells_in_public(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    said = [
        change(event, coins=event.coins + parity(now)) if isinstance(event, events.Offered) else event
        for event in step[1]
    ]
    return step[0], tuple(said)


def grows_coins(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    return (change(step[0], bank=step[0].bank + 1) if isinstance(action, state.Look) else step[0]), step[1]


def counts_calls(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    COUNTED.append(1)
    return change(step[0], duels=step[0].duels + len(COUNTED) % 2), step[1]


def labels_twice(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    if isinstance(action, state.Bid):
        dice.roll("bid", 6, 1)
    return step


def labels_by_moves(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    if isinstance(action, state.Done):
        dice.roll(f"done/{now.turn}/{len(dice.public)}", 6, 1)
    return step


def names_in_labels(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    if isinstance(action, state.Sell):
        dice.roll(f"sell/{action.gems[0]}", 6, 1)
    return step


def ends_by_chance(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    if not isinstance(action, state.Sell):
        return step
    fallen = dice.roll(f"sell/{now.turn}/{len(now.spent)}", 6, 1, hidden=True)
    return (change(step[0], strikes=state.MOST_STRIKES), step[1]) if fallen[0] < 4 else step


def probing(now: state.State, seat: str, action: Any) -> Refusal | None:
    if isinstance(action, state.Look) and now.deck and rules.worth(now.deck[0]) > 4:
        return Refusal("moment/no-gems")
    return rules.check(now, seat, action)


def wordless(now: state.State, seat: str, action: Any) -> Refusal | None:
    refusal = rules.check(now, seat, action)
    return Refusal("moment/wordless") if refusal and refusal.code == "moment/not-asked" else refusal


def argumentless(now: state.State, seat: str, action: Any) -> Refusal | None:
    refusal = rules.check(now, seat, action)
    return Refusal("order/no-such-gem") if refusal and refusal.code == "order/no-such-gem" else refusal


def moody(now: state.State, seat: str, action: Any) -> Refusal | None:
    refusal = rules.check(now, seat, action)
    return (
        Refusal("order/whom", {"seat": seat}) if refusal and refusal.code == "moment/not-asked" else refusal
    )


def generous(now: state.State, decision: Decision) -> tuple[Any, ...]:
    return (*rules.legal(now, decision), state.Guard("gem-1"))


def overbold(now: state.State, decision: Decision) -> Any:
    return state.Bid(99) if decision.kind == "bid" else rules.default(now, decision)


def asks_the_rich(now: state.State, decision: Decision) -> Answer | None:
    if decision.kind == "guard" and any(
        gem != state.UNSEEN and rules.worth(gem) > 4 for gem in state.player(now, decision.seat).hand
    ):
        return None
    return rules.answer(now, decision)


def no_look(seen: view.View) -> Menu:
    menu = view.menu(seen)
    asked = tuple(change(one, acts=tuple(act for act in one.acts if act.do != "look")) for one in menu.asked)
    return change(menu, asked=asked)


def one_coin_too_many(seen: view.View) -> Menu:
    menu = view.menu(seen)
    forms = tuple(
        change(form, fields=tuple(change(field, high=field.high + 1) for field in form.fields))
        if form.name == "bid"
        else form
        for form in menu.forms
    )
    return change(menu, forms=forms)


def asks_everybody(seen: view.View) -> Menu:
    return (
        view.menu(seen)
        if view.menu(seen).asked or seen.over
        else view.menu(change(seen, agenda=(state.Task(seen.seat, "guard"),)))
    )


def fuller(now: state.State, seat: str | None) -> view.View:
    return change(view.view(now, seat), bank=now.bank + parity(now))


def forgetful(seen: view.View) -> state.State:
    return change(view.imagine(seen), knows=())


def wide(seen: view.View, happened: tuple[Any, ...], lang: str) -> str:
    return report.report(seen, happened, lang) + "-" * 73


def hears_all(event: Any, seat: str | None) -> Any:
    return event


def leaves_rolling(now: state.State, seat: str, dice: Dice) -> Step:
    dice.roll(f"leave/{now.turn}/{seat.upper()}", 6, 1)
    return rules.resign(now, seat, dice)


def turnless(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
    return (change(step[0], turn=step[0].turn + 1) if isinstance(action, state.Done) else step[0]), step[1]


def shuffled(charter: Charter, parts: Mapping[str, Any]) -> state.State:
    placed = GAME.place(charter, parts)
    return change(placed, deck=tuple(sorted(placed.deck)))


def answers_for_all(now: state.State, decision: Decision) -> Answer | None:
    return Answer(state.Guard("gem-1")) if decision.kind == "guard" else None


BROKEN: dict[str, tuple[AnyGame, Callable[[Any], Any]]] = {
    "a seat is called host": (replace(GAME, seats=("ash", "birch", "host")), course.the_record_is_whole),
    "legal offers what is not": (replace(GAME, legal=generous), decisions.legal_is_accepted_and_on_the_menu),
    "the menu leaves an act out": (replace(GAME, menu=no_look), decisions.legal_is_accepted_and_on_the_menu),
    "nor is it on the menu": (replace(GAME, menu=no_look), decisions.what_is_accepted_is_on_the_menu),
    "the menu offers a coin too many": (replace(GAME, menu=one_coin_too_many), decisions.menus_are_right),
    "the menu asks everybody": (replace(GAME, menu=asks_everybody), decisions.menus_are_right),
    "check looks into the deck": (replace(GAME, check=probing), decisions.checks_are_no_probes),
    "a code without words": (replace(GAME, check=wordless), decisions.refusals_can_be_said),
    "a refusal without its argument": (replace(GAME, check=argumentless), decisions.refusals_can_be_said),
    "an order code of the moment": (replace(GAME, check=moody), decisions.order_codes_hold_for_the_turn),
    "the default can't be done": (replace(GAME, default=overbold), decisions.defaults_are_legal),
    "the answer can't be done": (replace(GAME, answer=answers_for_all), decisions.defaults_are_legal),
    "apply counts its calls": (replace(GAME, apply=after(counts_calls)), course.apply_leaves_its_input_alone),
    "replay differs": (replace(GAME, apply=after(counts_calls)), course.replays_give_the_log),
    "an event of its own": (replace(GAME, event=events.Opened | events.Won), news.data_survives_the_wire),
    "imagine forgets": (replace(GAME, imagine=forgetful), news.views_can_be_imagined),
    "dice unseen by foresight": (replace(GAME, apply=after(ends_by_chance)), decisions.what_is_sure_happens),
    "coins out of nowhere": (replace(GAME, apply=after(grows_coins)), course.nothing_is_lost),
    "a wide report": (replace(GAME, report=wide), news.reports_are_fit_to_mail),
    "everybody hears all": (replace(GAME, hear=hears_all), news.news_shows_no_more_than_it_should),
    "a turn is left out": (replace(GAME, apply=after(turnless)), course.somebody_is_always_next),
    "a label twice": (replace(GAME, apply=after(labels_twice)), course.draws_are_fair),
    "a label names a gem": (replace(GAME, apply=after(names_in_labels)), course.draws_are_fair),
    "leaving rolls dice": (replace(GAME, resign=leaves_rolling), course.draws_are_fair),
    "place makes another": (replace(GAME, place=shuffled), news.positions_can_be_placed),
    "labels count moves": (replace(GAME, apply=after(labels_by_moves)), decisions.cuts_change_nothing),
}  # fmt: skip


def check_all(game: AnyGame, check: Callable[[Any], Any]) -> None:
    for seed in range(12):
        check(played(Case(game, 3, seed)))


def leaks_all(game: AnyGame) -> None:
    for seed in range(8):
        leaks(Case(game, 3, seed), 12, 4)


@pytest.mark.parametrize("name", BROKEN)
def test_the_kit_sees(name: str) -> None:
    game, check = BROKEN[name]
    game = replace(game, id=f"toy-{list(BROKEN).index(name)}")
    COUNTED.clear()
    with pytest.raises(AssertionError, match=game.id):
        check_all(game, check)


LEAKY: dict[str, AnyGame] = {
    "view": replace(GAME, id="leak-1", view=fuller),
    "news": replace(GAME, id="leak-2", apply=after(tells_in_public)),
    "asked": replace(GAME, id="leak-4", answer=asks_the_rich),
}


@pytest.mark.parametrize("name", LEAKY)
def test_leaks_are_seen(name: str) -> None:
    with pytest.raises(AssertionError, match=r"can't tell|names neither"):
        leaks_all(LEAKY[name])


def test_a_sound_game_has_no_leak() -> None:
    twins, turns = leaks(Case(GAME, 4, 0), 12, 4)
    assert twins > 20
    assert turns > 3


def test_what_never_occurs_is_named() -> None:
    broken = replace(GAME, action=GAME.action | Spin)
    assert never_seen(broken) == ("Spin (spin)",)


def test_a_game_without_end_is_found_out() -> None:
    def never_over(now: state.State) -> None:
        return None

    def forever(now: state.State, action: Any, step: Step, dice: Dice) -> Step:
        if step[0].over:
            bids = tuple(state.Task(seat, "bid") for seat in rules.active(now))
            return change(step[0], over="", deck=("gem-1",), spent=(), agenda=bids), step[1]
        return step

    endless = replace(GAME, id="toy-endless", result=never_over, apply=after(forever))
    with pytest.raises(AssertionError, match="not over after"):
        played(Case(endless, 2, 0))


def test_sentences_of_the_kit_name_the_case() -> None:
    assert Case(GAME, 3, 7).name == "toy-1 with 3 seats, seed 7"
    assert say("{a}", a="b").args == {"a": "b"}
