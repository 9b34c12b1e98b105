"""Lines of orders in a page: the same orders, the same faults at the same words, the same check words as in Python."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

import engine
from engine import AnyGame, Below, Refused, encode, plain
from pbem.player.check_words import check_word, word_list
from pbem.player.grammar import Grammar, grammar_of
from pbem.player.order_lines import order_line
from pbem.player.order_text import compile_text, nearest
from tests.contract.playing import chance
from tests.pages.node import node
from tests.player import test_order_text as python

SCRIPT = "../board/order_text.mjs"
ARENA = "arena"
GRAMMARS = {game.id: grammar_of(game) for game in engine.GAMES}
Json = dict[str, Any]


def asked(rows: Iterable[Json]) -> list[Any]:
    return node(SCRIPT, (encode(row) for row in rows))


def python_says(text: str, grammar: Grammar) -> Json:
    try:
        compiled = compile_text(text, grammar)
    except Refused as refused:
        return {"refused": refused.refusal.code, "args": plain(refused.refusal.args)}
    faults = [
        {
            "number": one.number,
            "line": one.line,
            "start": one.start,
            "end": one.end,
            "code": one.refusal.code,
            "args": plain(one.refusal.args),
        }
        for one in compiled.faults
    ]
    return {"orders": plain(compiled.orders), "faults": faults}


def alike(texts: Iterable[str], game: str = ARENA) -> None:
    texts = list(texts)
    answers = asked({"game": game, "text": text} for text in texts)
    for text, answer in zip(texts, answers, strict=True):
        assert answer == python_says(text, GRAMMARS[game]), text


def test_the_words_of_the_manual_and_their_faults() -> None:
    """Every text that Python's own test has, and each with another word before and after it."""
    faulty = [text for text, _, _ in python.FAULTY]
    lines = python.with_words(python.LINES)
    damaged = [lines[1:], [lines[0], *lines[2:]], [lines[0], *lines], [lines[1], lines[0], *lines[2:]]]
    texts = [*faulty, *(f"end_turn\n{text}\n\nbett x" for text in faulty)]
    texts += ["\n".join(some) for some in (python.LINES, lines, *damaged)]
    texts += ["\n".join([lines[0], *python.LINES[1:]]), "\n".join(lines).upper().replace("-", "–")]
    texts += [
        "",
        " \n\t\n",
        "bet troll\n" * 201,
        "x" * 2_001,
        "discrad all_dead",
        "\ufeffbet\u00a0troll \r\nend_turn\r",
    ]
    alike(texts)


@pytest.mark.parametrize("game", engine.GAMES, ids=lambda game: str(game.id))
def test_every_order_played_is_written_and_read_alike(game: AnyGame) -> None:
    grammar, orders = GRAMMARS[game.id], plain(python.orders_played(game))
    (answer,) = asked([{"game": game.id, "orders": orders}])
    lines = [order_line(order, grammar) for order in orders]
    assert answer["lines"] == lines
    assert answer["words"] == [f"{line} #{check_word(lines[: n + 1])}" for n, line in enumerate(lines)]
    alike(["\n".join(some) for some in (answer["lines"][:60], answer["words"][:60])], game.id)


def some_of(below: Below, things: str | list[str], most: int) -> list[str]:
    return [things[below(len(things))] for _ in range(below(most + 1))]


TOKENS = [
    *(
        "play",
        "bet",
        "discard",
        "power",
        "(",
        ")",
        "[",
        "]",
        ",",
        "gorgon",
        "red",
        "then",
        "on",
        "3",
        '"',
        "#kite",
        "no",
    ),
    *("keep", "titan", "swap", "take", "troll-3", '"on"', '"a\\u00e9"', "secret", "yes", "-4", "1234567890"),
]


def test_any_words_give_the_same_faults() -> None:
    below = chance("any words")
    alike(" ".join(some_of(below, TOKENS, 16)) for _ in range(600))


def test_any_text_gives_the_same_faults() -> None:
    """Letters of all scripts, of the Unicode that Python knows; quotes, dashes, blanks, marks."""
    below = chance("any text")
    known = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in {"Cn", "Cs", "Co"}
    ]
    odd = list("“”„‟«»‐‑‒–—―−≥≤\ufeff\u200b\u00ad\u2028\x1c\x85\u3000\"'\\()[],#-ßẞıİςΣǅ²٣ fiﬁ…⑴")
    plain_letters = list(string.ascii_letters + " ")
    texts = [
        "".join(
            (known, odd, plain_letters)[below(3)][below(30)] if below(3) else known[below(len(known))]
            for _ in range(below(40))
        )
        for _ in range(250)
    ]
    texts += [f"bet {''.join(some_of(below, odd, 12))}" for _ in range(250)]
    texts += [f"bet {letter} {letter}x" for letter in known[:: len(known) // 300]]
    alike(texts)


def test_odd_shapes_are_written_and_read_alike() -> None:
    """Shapes that no game of the catalog has yet; any text as a word."""
    below = chance("odd shapes")
    letters = list("ab -\"'\\#()[],é²٣Ａ–\n\t\x07yes no to many 7")
    orders: list[Json] = []
    for _ in range(200):
        order: Json = {"do": "go", "to": "".join(some_of(below, letters, 8))}
        order["many"] = below(2_000) - 999 if below(2) else "rest"
        if below(2):
            order["by"] = {"".join(some_of(below, letters, 5)) + "k": below(99) for _ in range(below(3))}
        if below(2):
            order["fast"] = below(2) == 1
        if below(2):
            order["via"] = ["".join(some_of(below, letters, 5)) for _ in range(below(4))]
        if below(2):
            order["level"] = 1 + below(2)
        orders.append(order)
    orders = plain(orders)
    grammar = msgspec.json.decode(msgspec.json.encode(python.ODD))
    (answer,) = asked([{"grammar": grammar, "orders": orders}])
    lines = [order_line(order, python.ODD) for order in orders]
    assert answer["lines"] == lines
    back = asked({"grammar": grammar, "text": line} for line in lines)
    for line, one in zip(lines, back, strict=True):
        assert one == python_says(line, python.ODD)


def test_the_same_words_look_alike() -> None:
    below = chance("nearest")
    known = [*GRAMMARS["cybertron"].verbs, *word_list()[::40]]
    wrong = ["".join(some_of(below, "aeiorstlnd_", 9)) for _ in range(300)]
    wrong += [one[: below(9)] + "".join(some_of(below, "etaoin", 3)) + one[below(9) :] for one in known * 3]
    wrong += ["ab" * 150, "attack" * 40, "etaoin" * 50 + "morph"]
    answers = asked({"word": word, "known": known} for word in wrong)
    for word, answer in zip(wrong, answers, strict=True):
        assert answer == nearest(word, tuple(known)), word


def test_every_check_word_is_there() -> None:
    """The page's list is that of BIP 39: held against Python by lines that need each of many words."""
    lines = [f"bet creature{number}" for number in range(400)]
    (answer,) = asked([{"game": ARENA, "orders": [{"do": "bet", "creature": line[4:]} for line in lines]}])
    words = [line.rpartition("#")[2] for line in answer["words"]]
    assert words == [check_word(lines[: number + 1]) for number in range(len(lines))]
    assert len(set(words)) > 300
