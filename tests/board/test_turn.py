"""What the turn panel asks, tells and foresees: the same as the kit in Python does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from engine import Act, Below, Chooser, Menu, Say, encode, fill, foresee, plain
from pbem.player.describe import describe, describe_all
from pbem.player.questions import Answer, Question
from pbem.player.walk import walk_act
from tests.board.positions import Seen, cases, seen
from tests.contract.playing import Case, chance
from tests.pages.node import node

SCRIPT = "../board/turn.mjs"
Json = dict[str, Any]
Sentences = tuple[tuple[Say, ...], ...]


def asked(rows: Iterable[Json]) -> list[Any]:
    return node(SCRIPT, (encode(row) for row in rows))


def to_move(case: Case) -> Iterator[tuple[Seen, Menu]]:
    """Views of seats that are asked something."""
    for one in seen(case):
        menu = one.game.menu(one.view) if one.seat is not None else Menu()
        if menu.asked:
            yield one, menu


def answer_of(question: Question, below: Below) -> Answer:
    """Any answer that fits."""
    if question.optional and below(3) == 0:
        return None
    match question.kind:
        case "number":
            return question.low + below(question.high - question.low + 1)
        case "many":
            places = list(range(len(question.choices)))
            count = question.low + below(question.high - question.low + 1)
            return tuple(
                places.pop(below(len(places))) if question.distinct else places[below(len(places))]
                for _ in range(count)
                if places
            )
        case _:
            return below(len(question.choices))


def walked(menu: Menu, act: Act, below: Below) -> tuple[list[Question], list[Answer], Json]:
    """A walk through an act with any answers: what was asked, answered and came of it."""
    questions: list[Question] = []
    answers: list[Answer] = []
    walk = walk_act(menu, act)
    try:
        question = next(walk)
        while True:
            questions.append(question)
            answers.append(answer_of(question, below))
            question = walk.send(answers[-1])
    except StopIteration as end:
        return questions, answers, end.value


def as_asked(question: Question) -> Json:
    return {
        **plain(question),
        "choices": [{"say": plain(one.say), "word": one.word} for one in question.choices],
        "default": plain(question.default),
    }


def same_question(one: Json, other: Json) -> bool:
    """Both as Python reads them: empty arguments of sentences may be left out."""

    def whole(question: Json) -> Any:
        question = {name: value for name, value in question.items() if name != "notes"}
        say = msgspec.convert(question["say"], Say)
        choices = [
            (msgspec.convert(choice["say"], Say), choice["word"].lower()) for choice in question["choices"]
        ]
        return {**question, "say": say, "choices": choices}

    return bool(whole(one) == whole(other))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_question_is_the_kits(case: Case) -> None:
    """Any way through any act: the same questions in the same order, and the same order in the end."""
    below = chance("walk", case.name)
    rows: list[Json] = []
    wanted: list[tuple[list[Question], Json]] = []
    for _, menu in to_move(case):
        acts = [act for one in menu.asked for act in one.acts]
        for place, act in enumerate(acts):
            for _ in range(4):
                questions, answers, order = walked(menu, act, below)
                rows.append({"what": "walk", "menu": plain(menu), "act": place, "answers": plain(answers)})
                wanted.append((questions, order))
    assert len(rows) > 20
    for (questions, order), answer in zip(wanted, asked(rows), strict=True):
        assert answer["order"] == plain(order)
        assert len(answer["asked"]) == len(questions)
        for mine, python in zip(answer["asked"], questions, strict=True):
            assert same_question(mine, as_asked(python)), (mine, python)


def as_says(rows: Any) -> Sentences:
    return msgspec.convert(rows, Sentences)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_orders_are_told_as_the_kit_tells_them(case: Case) -> None:
    """Those of the menu, and one that it does not offer."""
    below = chance("told", case.name)
    rows: list[Json] = []
    wanted: list[Sentences] = []
    for _, menu in to_move(case):
        acts = [act for one in menu.asked for act in one.acts]
        orders = [fill(menu, acts[below(len(acts))], Chooser(below)) for _ in range(6)]
        orders.append({"do": "dance", "with": ["é", 3, True]})
        rows.append({"what": "describe", "menu": plain(menu), "orders": plain(orders)})
        wanted.append(tuple(describe(menu, order) for order in orders))
    for answer, told in zip(asked(rows), wanted, strict=True):
        assert as_says(answer) == told


@pytest.mark.parametrize("case", cases()[:4], ids=lambda case: case.name)
def test_a_plan_is_what_the_kit_foresees(case: Case) -> None:
    """Orders from the menu one after the other; what can not be given is left out, and the rest stands as foreseen."""
    below = chance("plan", case.name)
    rows: list[Json] = []
    views: list[Seen] = []
    for one, first in to_move(case):
        assert one.seat is not None
        menu, orders = first, list[Json]()
        for _ in range(4):
            ahead = foresee(one.game, one.view, one.seat, orders)
            menu = one.game.menu(ahead.view) if ahead.view is not None else menu
            acts = [act for each in menu.asked for act in each.acts]
            if ahead.closed or not acts:
                break
            orders.append(fill(menu, acts[below(len(acts))], Chooser(below)))
        views.append(one)
        rows.append(
            {
                "what": "plan",
                "game": one.game.id,
                "view": plain(one.view),
                "seat": one.seat,
                "orders": plain(orders),
            }
        )
    assert any(len(row["orders"]) > 1 for row in rows)
    for one, row, answer in zip(views, rows, asked(rows), strict=True):
        assert one.seat is not None
        ahead = foresee(one.game, one.view, one.seat, row["orders"])
        fine = [order for order, step in zip(row["orders"], ahead.steps, strict=True) if step.refusal is None]
        ahead = foresee(one.game, one.view, one.seat, fine)
        assert answer["orders"] == fine
        assert answer["certain"] == [step.certainty for step in ahead.steps]
        assert (answer["closed"], answer["after"]) == (ahead.closed, ahead.after)
        assert as_says(answer["rows"]) == describe_all(one.game, one.view, one.seat, fine)
        if ahead.view is not None and not ahead.closed:
            assert answer["menu"] == plain(one.game.menu(ahead.view))
