"""Sentences as data, put into words at the very end."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CODES, GAMES, Arg, Say, decode, encode, listing, plural, say, words
from engine.catalog import CODES as CATALOG_CODES
from engine.kernel.prose import translations

ENGINE = Path(__file__).resolve().parents[2] / "engine"


def test_named_places_are_filled() -> None:
    assert words(say("{seat} bid {coins}.", seat="Ash", coins=3)) == "Ash bid 3."


@pytest.mark.parametrize(("n", "said"), [(0, "0 gems"), (1, "one gem"), (2, "2 gems"), (21, "21 gems")])
def test_a_number_chooses_the_form(n: int, said: str) -> None:
    assert words(plural("one gem", "{n} gems", n)) == said


def test_a_plural_may_have_other_places_too() -> None:
    sentence = plural("{seat} has one gem.", "{seat} has {n} gems.", 2, seat=say("Ash"))
    assert words(sentence) == "Ash has 2 gems."


def test_a_plural_needs_its_number() -> None:
    with pytest.raises(TypeError, match="integer n"):
        words(Say("{n} gems", {"n": "two"}, "one gem"))


def test_sentences_stand_inside_sentences() -> None:
    inner = say("{seat} of {land}", seat=say("Ash"), land=say("Oakland"))
    assert words(say("{who} won {what}.", who=inner, what=plural("a gem", "{n} gems", 2))) == (
        "Ash of Oakland won 2 gems."
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [("", "nothing"), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", "a, b, c and d")],
)
def test_lists_are_joined(names: str, said: str) -> None:
    items = tuple(say("{x}", x=name) for name in names)
    assert listing(items) == said
    assert words(say("{all}.", all=items)) == f"{said}."


def test_an_argument_that_is_missing_is_our_fault() -> None:
    with pytest.raises(KeyError, match="seat"):
        words(say("{seat} won."))


def test_braces_in_arguments_are_no_places() -> None:
    assert words(say("You wrote {text}.", text='{"do":"bid"}')) == 'You wrote {"do":"bid"}.'


def test_an_unknown_language_is_english() -> None:
    assert words(plural("one gem", "{n} gems", 2), "tlh") == "2 gems"
    assert translations("tlh").gettext("Ash") == "Ash"


def test_the_id_may_be_a_place_too() -> None:
    assert words(say("{id} is {self}", id="x", self="y")) == "x is y"


def nested(value: Arg) -> Say:
    return say("{v}", v=value)


args = st.dictionaries(
    st.sampled_from(["a", "b", "n"]),
    st.recursive(
        st.one_of(st.text(max_size=5), st.integers(-9, 9)),
        lambda inner: st.lists(inner.map(nested), max_size=3).map(tuple),
        max_leaves=4,
    ),
    max_size=3,
)


@given(args)
def test_a_sentence_survives_the_wire(some: dict[str, object]) -> None:
    sentence = Say("Some {a}", some)  # type: ignore[arg-type]
    assert decode(Say, encode(sentence)) == sentence


def ids() -> Iterator[tuple[str, str]]:
    """Every literal message id in the engine, with its file."""
    for path in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"say", "Say", "plural"}
            ):
                for arg in node.args[: 2 if node.func.id == "plural" else 1]:
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                        yield str(path.relative_to(ENGINE)), arg.value


def places(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


def test_every_message_id_can_be_put_into_words() -> None:
    found = list(ids())
    assert len(found) > 5
    for where, message in found:
        filled = words(Say(message, {name: f"<{name}>" for name in places(message)}))
        for name in places(message):
            assert f"<{name}>" in filled, f"{where}: {message!r}"


def test_every_code_can_be_put_into_words() -> None:
    for code in (*CODES, *CATALOG_CODES, *(code for game in GAMES for code in game.codes)):
        for message in code.texts:
            assert words(Say(message, dict.fromkeys(places(message), "x"))).strip(), code.code
