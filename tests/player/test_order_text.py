"""Orders as lines of text: what is written reads back the same, and what is wrong is shown where it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import AnyGame, Refused, read_order, sentences, words
from engine.games.arena import ARENA
from engine.kernel.replay import Moved
from pbem.player.check_words import check_word, word_list
from pbem.player.codes_line import LINE
from pbem.player.grammar import Grammar, Node, Slot, grammar_of
from pbem.player.order_lines import order_line
from pbem.player.order_text import Fault, compile_text
from tests.contract.games import games
from tests.contract.playing import Case, played

Order = dict[str, Any]
GRAMMAR = grammar_of(ARENA)


def orders_played(game: AnyGame) -> tuple[Order, ...]:
    """All orders of some plays, each once."""
    found: dict[str, Order] = {}
    for seats in {game.players[0], game.players[1]}:
        for seed in (0, 1):
            for one in played(Case(game, seats, seed)).taken:
                if isinstance(one.step, Moved):
                    found |= {repr(order): order for order in one.step.orders if order_is_whole(game, order)}
    return tuple(found.values())


def order_is_whole(game: AnyGame, order: Order) -> bool:
    """Rough plays write orders wrong on purpose, too."""
    try:
        read_order(game, order, 1)
    except Refused:
        return False
    return True


def fault(text: str) -> tuple[str, int, str]:
    """The only fault of a text: its code, its line, and the word that it points at."""
    (found,) = compile_text(text, GRAMMAR).faults
    return found.refusal.code, found.number, found.line[found.start : found.end]


def with_words(lines: list[str]) -> list[str]:
    return [f"{line} #{check_word(lines[: count + 1])}" for count, line in enumerate(lines)]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.id}-{game.version}")
def test_every_order_played_is_a_line_and_back(game: AnyGame) -> None:
    grammar, orders = grammar_of(game), orders_played(game)
    assert len(orders) > 10
    for order in orders:
        line = order_line(order, grammar)
        compiled = compile_text(line, grammar)
        assert compiled.faults == (), line
        assert compiled.orders == (order,), line


def test_the_words_of_the_manual() -> None:
    text = """\
Bet troll

play gorgon-4 power (gorgon red troll)
play card ettin-4 power (ettin then (troll-3 power (troll take spectator-3)), (spectator-6 on troll))
play colossus-3 power (colossus (creature troll row 2))
play colossus-3 power (colossus (secret))
play unicorn–3 power (unicorn [amazon-1 amazon-2])
play seraphim-3 power (seraphim amazon)
play titan-5 power (titan blue keep "magus-10", referee, spectator≥8)
discard all_dead
END_TURN
"""
    compiled = compile_text(text, GRAMMAR)
    assert compiled.faults == ()
    assert compiled.orders[:2] == (
        {"do": "bet", "creature": "troll"},
        {"do": "play", "card": "gorgon-4", "power": {"use": "gorgon", "seat": "red", "creature": "troll"}},
    )
    assert compiled.orders[2]["power"]["then"] == [
        {"card": "troll-3", "power": {"use": "troll", "take": "spectator-3"}},
        {"card": "spectator-6", "on": "troll"},
    ]
    assert compiled.orders[4]["power"]["token"] == {"secret": True}
    assert compiled.orders[5] == {
        "do": "play",
        "card": "unicorn-3",
        "power": {"use": "unicorn", "swap": ["amazon-1", "amazon-2"]},
    }
    assert compiled.orders[7]["power"]["keep"] == ["magus-10", "referee", "spectator>=8"]
    assert compiled.orders[-2:] == ({"do": "discard", "cards": ["all_dead"]}, {"do": "end_turn"})


FAULTY = [
    ("bett troll", "line/unknown-verb", "bett"),
    ("bet", "line/missing", ""),
    ("bet troll 3", "line/too-much", "3"),
    ("play troll-3 powr troll", "line/unknown-field", "powr"),
    ("play troll-3 on a on b", "line/unknown-field", "on"),
    ("play troll-3 power trol", "line/unknown-word", "trol"),
    ("play gorgon-3 power gorgon", "line/no-bracket", "gorgon"),
    ("play gorgon-3 power (gorgon red", "line/missing", ""),
    ("play gorgon-3 power (gorgon red troll", "line/unclosed", ""),
    ("play daimon-3 power (daimon troll two)", "line/not-a-number", "two"),
    ('play daimon-3 power (daimon troll "2")', "line/not-a-number", '"2"'),
    ("play colossus-3 power (colossus troll)", "line/no-bracket", "troll"),
    ("play colossus-3 power (colossus (secret maybe))", "line/unknown-field", "maybe"),
    ("play unicorn-3 power (unicorn a-1)", "line/how-many", ")"),
    ("discard [a-1, b-2", "line/unclosed", ""),
    ('bet "troll', "line/open-quote", '"troll'),
    ('bet "tr\\oll"', "line/escape", '"tr\\oll"'),
    ("bet )", "line/no-value", ")"),
    ("bet,", "line/no-value", ","),
    ("#kite", "line/no-verb", "#"),
    ("play a power " + "(ettin then (b power " * 20, "line/too-deep", "b"),
]
"""Texts with one fault: its code, and the word that it is about."""


@pytest.mark.parametrize(("text", "code", "word"), FAULTY)
def test_a_fault_points_at_its_word(text: str, code: str, word: str) -> None:
    found, number, pointed = fault(f"end_turn\n{text}")
    assert (found, number, pointed) == (code, 2, word)


@pytest.mark.parametrize(
    "text", ["play troll-3 power", "play troll-3 power (", "play troll-3 power trol", "bet"]
)
def test_what_is_wrong_can_be_said(text: str) -> None:
    """A kind that was left out once had no name for what it belongs to."""
    (found,) = compile_text(text, GRAMMAR).faults
    for sentence in sentences(found.refusal, {code.code: code for code in LINE}):
        assert words(sentence)


def test_no_fault_hides_another() -> None:
    faults = compile_text("bett troll\nbet troll\nplay\n", GRAMMAR).faults
    assert [(one.number, one.refusal.code) for one in faults] == [
        (1, "line/unknown-verb"),
        (3, "line/missing"),
    ]


def test_a_wrong_word_is_answered_with_what_looks_like_it() -> None:
    (found,) = compile_text("discrad all_dead", GRAMMAR).faults
    assert found.refusal.args["words"] == "discard"


LINES = ["bet troll", "play gorgon-4 power (gorgon red troll)", "discard all_dead", "end_turn"]


def test_check_words_hold_for_any_way_of_writing_the_same() -> None:
    text = "\n".join(with_words(LINES)).upper().replace("-", "–").replace(" ", "  ")
    assert not compile_text(text, GRAMMAR).faults
    assert compile_text(text, GRAMMAR).orders == compile_text("\n".join(LINES), GRAMMAR).orders


def test_a_lost_a_doubled_and_a_moved_line_are_noticed() -> None:
    lines = with_words(LINES)
    for damaged in (lines[1:], [lines[0], *lines[2:]], [lines[0], *lines], [lines[1], lines[0], *lines[2:]]):
        faults = compile_text("\n".join(damaged), GRAMMAR).faults
        assert [one.refusal.code for one in faults] == ["line/check-word"]


def test_a_lost_check_word_is_noticed_at_the_end_of_its_line() -> None:
    lines = with_words(LINES)
    lines[2] = LINES[2]
    assert fault("\n".join(lines)) == ("line/no-check-word", 3, "")


def test_lines_without_any_check_word_are_taken_as_they_are() -> None:
    assert not compile_text("\n".join(LINES), GRAMMAR).faults


def test_the_check_word_is_the_published_one() -> None:
    """A value that other programs can be held against."""
    assert len(word_list()) == 2_048
    assert check_word(["bet troll"]) == "govern"
    assert check_word(LINES) == check_word(list(LINES))
    assert len({check_word(LINES[:count]) for count in range(1, 5)}) == 4


@given(st.integers(0, 3), st.integers(0, 60), st.characters(codec="ascii", categories=("Ll", "Nd")))
def test_a_mistyped_letter_is_noticed(row: int, column: int, letter: str) -> None:
    lines = with_words(LINES)
    line = lines[row]
    column %= len(LINES[row])
    changed = line[:column] + letter + line[column + 1 :]
    lines[row] = changed
    compiled = compile_text("\n".join(lines), GRAMMAR)
    # One change in 2,048 has the same word by chance; then a line after it, which has its own, tells.
    if changed != line and not compiled.faults:
        assert row == len(lines) - 1


@given(st.text(max_size=200))
def test_nothing_but_faults_comes_of_any_text(text: str) -> None:
    for found in compile_text(text, GRAMMAR).faults:
        assert isinstance(found, Fault)
        assert 0 <= found.start <= found.end <= len(found.line) + 1


WORDS = st.sampled_from(
    ["play", "power", "(", ")", "[", "]", ",", "gorgon", "red", "then", "on", "3", '"', "#kite"]
)


@given(st.lists(WORDS, max_size=20))
def test_nothing_but_faults_comes_of_any_words(words: list[str]) -> None:
    compile_text(" ".join(words), GRAMMAR)


# Shapes that no game of the catalog has yet.
ODD = Grammar(
    {"go": "Go"},
    {
        "Go": (
            Slot("to", Node("word"), True),
            Slot("many", Node("either", items=(Node("number"), Node("choice", words=("rest",)))), True),
            Slot("by", Node("map", items=(Node("number"),))),
            Slot("fast", Node("flag")),
            Slot("via", Node("list", items=(Node("word"),))),
            Slot("level", Node("choice", words=(1, 2))),
        )
    },
)
VALUES = {
    "to": st.text(min_size=0, max_size=12),
    "many": st.one_of(st.integers(-999, 999), st.just("rest")),
    "by": st.dictionaries(st.text(max_size=8), st.integers(0, 99), max_size=3),
    "fast": st.booleans(),
    "via": st.lists(st.text(max_size=8), max_size=3),
    "level": st.sampled_from([1, 2]),
}


@given(
    st.fixed_dictionaries(
        {"do": st.just("go"), "to": VALUES["to"], "many": VALUES["many"]},
        optional={name: VALUES[name] for name in ("by", "fast", "via", "level")},
    )
)
def test_odd_shapes_and_any_text_as_a_word_come_back(order: Order) -> None:
    line = order_line(order, ODD)
    compiled = compile_text(line, ODD)
    assert compiled.faults == (), line
    assert compiled.orders == (order,), line


def test_too_long_a_text_is_not_looked_at() -> None:
    for text in ("bet troll\n" * 201, "x" * 2_001):
        with pytest.raises(Refused) as refused:
            compile_text(text, GRAMMAR)
        assert refused.value.refusal.code == "line/too-long"


def test_docs_show_lines_that_can_be_compiled() -> None:
    page = (Path(__file__).parents[2] / "docs" / "order_text.md").read_text(encoding="utf-8")
    blocks = page.split("```text\n")[1:]
    assert blocks
    for block in blocks:
        assert not compile_text(block.partition("```")[0], GRAMMAR).faults, block
