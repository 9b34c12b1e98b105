"""The catalogs of engine/locale: every sentence in every language, with its places and plural forms."""

from __future__ import annotations

import gettext
import io
import json
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from engine import plural, say, verbatim, words
from fixtures.catalogs import (
    LANGUAGES,
    catalog,
    fault,
    joined,
    known,
    missing,
    mo_bytes,
    po_bytes,
    po_path,
    taken,
)
from fixtures.sentences import Message, of_page, sentences

texts_of = cache(known)
"""Reading a catalog takes a while."""


@pytest.fixture(scope="module")
def said() -> dict[Message, set[str]]:
    return sentences()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_missing_and_none_is_left_over(lang: str, said: dict[Message, set[str]]) -> None:
    texts = texts_of(lang)
    assert len(said) > 2_000
    absent = missing(texts, said)
    assert not absent, f"`make catalogs` tells how to translate them: {absent[:20]}"
    assert not texts.keys() - said.keys(), "`make catalogs` drops what nobody says any more"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_translation_is_unsure_or_obsolete(lang: str) -> None:
    text = po_path(lang).read_bytes()
    read = read_po(io.BytesIO(text))
    assert not [one.id for one in read if one.fuzzy]
    assert not read.obsolete
    assert b"#, fuzzy" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_has_the_places_and_the_ends_of_its_sentence(lang: str) -> None:
    for message, texts in texts_of(lang).items():
        assert not fault(message, texts), (message, texts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_files_of_a_catalog_are_as_the_tool_writes_them(
    lang: str, said: dict[Message, set[str]]
) -> None:
    """What gettext reads is what the text says: `make catalogs` was run after the last change."""
    fresh = catalog(lang, texts_of(lang), said)
    assert po_path(lang).read_bytes() == po_bytes(fresh)
    assert po_path(lang).with_suffix(".mo").read_bytes() == mo_bytes(fresh)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forms_of_a_plural_are_chosen_by_the_number(lang: str) -> None:
    compiled = gettext.GNUTranslations(io.BytesIO(po_path(lang).with_suffix(".mo").read_bytes()))
    for message, texts in texts_of(lang).items():
        if isinstance(message, tuple):
            assert len(texts) == 2, message
            assert compiled.ngettext(*message, 1) == texts[0]
            assert {compiled.ngettext(*message, number) for number in (0, 2, 5, 11, 21, 100)} == {texts[1]}


def test_a_noun_follows_its_number_as_each_language_wants_it() -> None:
    """Hungarian has the singular after a number, Finnish the partitive."""
    told = {lang: [words(plural("{n} card", "{n} cards", n), lang) for n in (1, 3)] for lang in LANGUAGES}
    assert told["fi"] == ["1 kortti", "3 korttia"]
    assert told["de"] == ["1 Karte", "3 Karten"]
    assert told["hu"] == ["1 lap", "3 lap"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_list_is_said_in_the_language(lang: str) -> None:
    text = words(say("The game now waits for {names}.", names=tuple(map(verbatim, "ABC"))), lang)
    assert "A, B" in text
    assert " and " not in text


def test_a_language_that_is_not_there_is_english() -> None:
    assert words(plural("one card", "{n} cards", 3), "sv") == "3 cards"


def test_a_sentence_of_a_page_is_found_over_several_lines() -> None:
    text = 'a(say("One: {x}, " +\n  "two \\"3\\".", { x }));\nplural("{n} die", "{n} dice", n, {}); say("verdict.sound")'
    assert list(of_page(text)) == [("{n} die", "{n} dice"), 'One: {x}, two "3".']


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Vuoro", "places"),
        ("Vuoro {turn} {seat}", "places"),
        ("Vuoro {turn", "expected '}'"),
        (" Vuoro {turn}", "blanks"),
        (["Vuoro {turn}", "Vuoro {turn}"], "1 forms"),
    ],
)
def test_what_is_no_translation_is_not_taken(tmp_path: Path, text: object, why: str) -> None:
    given = tmp_path / "new.json"
    given.write_text(json.dumps({"Turn {turn}": {"fi": text}}), encoding="utf-8")
    with pytest.raises(SystemExit, match=why):
        taken(given, {"Turn {turn}": {"x.py"}})


def test_a_translation_of_nothing_is_not_taken(tmp_path: Path) -> None:
    given = tmp_path / "new.json"
    given.write_text('{"Trun {turn}": {"fi": "Vuoro {turn}"}}', encoding="utf-8")
    with pytest.raises(SystemExit, match="no such sentence"):
        taken(given, {"Turn {turn}": {"x.py"}})


def test_catalogs_in_conflict_keep_what_either_side_has_changed() -> None:
    base: dict[Message, tuple[str, ...]] = {"a": ("1",), "b": ("1",), "c": ("1",)}
    ours: dict[Message, tuple[str, ...]] = {**base, "a": ("2",), "d": ("1",)}
    theirs: dict[Message, tuple[str, ...]] = {**base, "b": ("3",), "e": ("1",)}
    assert joined(base, ours, theirs) == {**base, "a": ("2",), "b": ("3",), "d": ("1",), "e": ("1",)}
