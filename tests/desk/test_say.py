"""The page's prose says what Python's says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec

from engine import Say, plural, say, words
from pbem.player.view import read_view
from tests.pages.node import node

SCRIPT = str(Path(__file__).with_name("say.mjs"))
NAMES = [say("{name}", name=f"<{i}>") for i in range(4)]
LETTER = Path(__file__).parents[2] / "fixtures" / "letters" / "your-move.eml"
SENTENCES = [
    say("nothing"),
    say("A {{brace}} stays, {what} goes: }}", what="{this}"),
    say("{list}", list=()),
    *(say("{list}", list=tuple(NAMES[:n])) for n in range(5)),
    *(plural("{n} card", "{n} cards", n) for n in (-1, 0, 1, 2, 21, 101)),
    plural("{who} has {n} card", "{who} has {n} cards", 1, who=say("{seat}", seat="ä")),
    say("constructor {n}", n=7),
]


def told(sentences: list[Say], lang: str, catalogs: dict[str, Any]) -> list[Any]:
    rows = [msgspec.json.encode({"say": one, "lang": lang, "catalogs": catalogs}) for one in sentences]
    return node(SCRIPT, rows)


def test_the_same_words_as_python() -> None:
    assert told(SENTENCES, "en", {}) == [words(one) for one in SENTENCES]


def test_a_catalog_is_used_and_what_it_lacks_is_english() -> None:
    catalog = {
        "{n} card": ["{n} kortti", "{n} korttia"],
        "{head} and {last}": "{head} ja {last}",
        "nothing": "",
    }
    sentences = [*(plural("{n} card", "{n} cards", n) for n in (0, 1, 2)), SENTENCES[5], say("nothing")]
    assert told(sentences, "fi", {"fi": catalog}) == [
        "0 korttia",
        "1 kortti",
        "2 korttia",
        "<0> ja <1>",
        "nothing",
    ]


def test_a_missing_argument_is_a_fault() -> None:
    assert told([say("{gone}"), Say("{n} cards", {}, "{n} card")], "en", {}) == [None, None]


def says(value: object) -> Iterator[Say]:
    """Every sentence in a value."""
    if isinstance(value, Say):
        yield value
    elif isinstance(value, msgspec.Struct):
        yield from says([getattr(value, name) for name in value.__struct_fields__])
    elif isinstance(value, tuple | list):
        yield from (one for item in cast("list[object]", value) for one in says(item))


def test_the_menu_of_a_real_position_is_said_alike() -> None:
    sentences = list(says(read_view(LETTER.read_bytes()).menu))
    assert len(sentences) > 10
    assert told(sentences, "en", {}) == [words(one) for one in sentences]
