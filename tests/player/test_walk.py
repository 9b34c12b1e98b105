"""Filling in a turn: every way through the questions gives orders that the menu admits; undoing goes back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, AnyGame, Menu, foresee, say, words
from engine.kernel.menu import admits
from pbem.player.describe import describe
from pbem.player.questions import Answer, Choice, Question, Unclear, help_of, parse
from pbem.player.view import ViewFile
from pbem.player.walk import Filled, Scene, Stand, Turn, resume, walk_turn
from tests.player.host import Host
from tests.player.test_game import play
from tests.toy import GAME


def scene_of(view: ViewFile) -> Scene:
    return Scene(view.game, view.seen, view.seat)


def some_answer(question: Question, draw: st.DataObject) -> Answer:
    match question.kind:
        case "choice":
            places: list[Answer] = list(range(len(question.choices)))
            return draw.draw(st.sampled_from([*places, *([None] if question.optional else [])]))
        case "number":
            return draw.draw(st.integers(question.low, question.high))
        case "many":
            size = draw.draw(st.integers(question.low, min(question.high, len(question.choices))))
            return tuple(draw.draw(st.permutations(range(len(question.choices))))[:size])
        case "text":
            return draw.draw(st.text(max_size=20))


def wander(scene: Scene, draw: st.DataObject) -> tuple[Filled, list[Answer]]:
    """Answers to all questions, whatever they are; those given, walked through once more, lead to the same turn."""
    answers: list[Answer] = []
    walk = walk_turn(Turn(scene, ()))
    try:
        question = next(walk)
        while True:
            answers.append(some_answer(question, draw))
            question = walk.send(answers[-1])
    except StopIteration as end:
        filled: Filled = end.value
    assert resume(scene, (), answers).filled == filled
    return filled, answers


def middles() -> list[Host]:
    """Games in their midst: every kind of question is asked in one of them."""
    found: list[Host] = []
    games: list[tuple[AnyGame, tuple[str, ...]]] = [
        (GAME, ("ash", "birch")),
        *((g, g.seats[:2]) for g in GAMES),
    ]
    for game, seats in games:
        for moves in (0, 3, 8, 21):
            host = Host(game, seats).begin()
            play(host, moves)
            if host.asked():  # a short game may be over by then
                found.append(host)
    return found


HOSTS: list[Host] = []


@pytest.fixture
def hosts() -> list[Host]:
    if not HOSTS:
        HOSTS.extend(middles())
    return HOSTS


@given(draw=st.data())
def test_every_way_through_the_questions_gives_orders_of_the_menu(draw: st.DataObject) -> None:
    if not HOSTS:
        HOSTS.extend(middles())
    host = draw.draw(st.sampled_from(HOSTS))
    view = host.read(host.asked())
    filled, _ = wander(scene_of(view), draw)
    menu: Menu = view.menu
    for number, order in enumerate(filled.orders):
        seen = foresee(view.game, view.seen, view.seat, filled.orders[:number])
        if seen.view is None:
            break
        menu = view.game.menu(seen.view)
        assert admits(menu, order), order
        assert [words(row) for row in describe(menu, order)]
    foreseen = foresee(view.game, view.seen, view.seat, filled.orders)
    assert all(step.certainty != "refused" for step in foreseen.steps)


@given(draw=st.data())
@settings(max_examples=12)
def test_undoing_leads_back_to_the_same_question(draw: st.DataObject) -> None:
    if not HOSTS:
        HOSTS.extend(middles())
    host = draw.draw(st.sampled_from(HOSTS))
    scene = scene_of(host.read(host.asked()))
    _, answers = wander(scene, draw)
    stands: list[Stand] = [resume(scene, (), answers[:n]) for n in range(len(answers))]
    for n in reversed(range(len(answers))):
        assert resume(scene, (), answers[:n]) == stands[n]


def test_a_draft_with_an_order_that_can_not_be_given_loses_it_and_says_so(hosts: list[Host]) -> None:
    host = hosts[0]
    view = host.read(host.asked())
    stand = resume(scene_of(view), ({"do": "bid", "coins": 99},), ())
    assert stand.orders == ()
    assert stand.question is not None
    assert "taken out" in words(stand.question.notes[0])


def question(**fields: object) -> Question:
    choices = tuple(Choice(say("{n}", n=name), name) for name in ("troll-3", "troll-10", "magus-1"))
    return Question(**{"kind": "choice", "say": say("Which?"), "choices": choices, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "meant"), [("1", 0), ("troll-3", 0), ("MAG", 2), (" 3 ", 2), ("troll-1", 1)]
)
def test_a_choice_is_a_number_a_word_or_its_beginning(typed: str, meant: int) -> None:
    assert parse(question(), typed) == meant


@pytest.mark.parametrize(("typed", "meant"), [("2", 2), ("02", 2), ("1", 1), ("r", 0), ("REST", 0)])
def test_where_a_choice_is_a_number_it_means_itself_and_not_its_place(typed: str, meant: int) -> None:
    choices = tuple(Choice(say("{n}", n=name), name) for name in ("rest", "1", "2"))
    assert parse(question(choices=choices), typed) == meant
    with pytest.raises(Unclear):
        parse(question(choices=choices), "3")


@pytest.mark.parametrize("typed", ["", "0", "4", "troll", "-1", "x", "²", "1 2", "9" * 50])
def test_what_is_no_choice_is_unclear(typed: str) -> None:
    with pytest.raises(Unclear):
        parse(question(), typed)


def test_defaults_and_leaving_out() -> None:
    assert parse(question(has_default=True, default=1), "") == 1
    assert parse(question(optional=True), "-") is None
    assert parse(question(kind="number", low=2, high=9, has_default=True, default=3), "") == 3
    assert parse(question(kind="many", low=1, high=2, distinct=True), "3, 1") == (2, 0)
    assert parse(question(kind="text"), " a b ") == "a b"


@pytest.mark.parametrize("typed", ["", "1 1", "1 2 3", "1 9"])
def test_several_are_counted_and_different(typed: str) -> None:
    with pytest.raises(Unclear):
        parse(question(kind="many", low=1, high=2, distinct=True), typed)


@pytest.mark.parametrize("typed", ["", "1", "10", "-3", "3.0", "٣", "0x3", "9" * 400])
def test_a_number_is_within_its_bounds(typed: str) -> None:
    with pytest.raises(Unclear):
        parse(question(kind="number", low=2, high=9), typed)


@given(st.sampled_from(["choice", "number", "many", "text"]), st.text(max_size=30))
def test_any_line_is_an_answer_or_unclear(kind: str, line: str) -> None:
    asked = question(kind=kind, low=1, high=3)
    try:
        sentence = None if parse(asked, line) is not None else say("nothing")
    except Unclear as unclear:
        sentence = unclear.sentence
    assert sentence is None or (kind != "text" and words(sentence) != "nothing")
    assert all(words(row) for row in help_of(asked))
