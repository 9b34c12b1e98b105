"""A player's letters are in his language, whatever his opponents read: both games, each seat in another language.

Nothing of a letter may be left in English, no line may be wider than a terminal, and the log knows no language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from html import unescape
from typing import Any

import pytest

from engine import GAMES, LANGUAGES, AnyGame, find_bot, words
from engine.kernel.prose import Say
from fixtures.make_games import POLICIES
from fixtures.play import Match, begin, expect, open_match, play_out, resign, standing
from fixtures.sentences import sentences
from pbem.log.canonical import digest
from pbem.log.envelope import make_envelope
from pbem.turn.dress import dress
from pbem.turn.posting import Letter
from tests.letters.made import find
from tests.words.english import OWN, english

Words = tuple[str, str, str]

WIDTH = 80
TURNS = {"arena": 12, "cybertron": 7}
OPTIONS: dict[str, Any] = {"reactions": "ask"}


@dataclass(frozen=True)
class Told:
    """The letters of a game by language, and its log."""

    letters: dict[str, list[Letter]]
    lines: tuple[bytes, ...]


def play(game: AnyGame, langs: Mapping[str, str]) -> Match:
    """A game with questions, standing orders, a refusal, silence and farewells."""
    seats = game.seats[:4]
    match = open_match(game, seats, "words", OPTIONS, langs)
    begin(match)
    for seat, orders in zip(seats, POLICIES[game.id], strict=False):
        expect(match.send(standing(match, seat, orders)))
    play_out(match, "words", TURNS[game.id] - 3, find_bot(game, ""))
    match.silence(match.desk.snapshot.ledger.due[0])
    play_out(match, "words", TURNS[game.id], find_bot(game, "random"))
    for seat in seats:
        if not match.over:
            match.send(resign(match, seat))
    return match


@pytest.fixture(scope="module")
def parts() -> dict[Words, str]:
    """By its first three words, every message id, and every part of one that stands between its places."""
    found: dict[Words, str] = {}
    for message in sentences():
        for id in (message,) if isinstance(message, str) else message:
            for part in re.split(r"\{[^{}]*\}", id):
                first = part.split()[:3]
                if len(first) == 3 and sum(word[0].islower() for word in first) > 1:  # not a name
                    found[first[0], first[1], first[2]] = " ".join(first)
    return found


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game.id)
def told(request: pytest.FixtureRequest) -> Told:
    game: AnyGame = request.param
    langs = dict(zip(game.seats[:4], LANGUAGES, strict=True))
    match = play(game, langs)
    found: dict[str, list[Letter]] = {lang: [] for lang in LANGUAGES}
    for letter in match.letters:
        found[langs[letter.seat]].append(letter)
    return Told(found, tuple(match.lines))


@pytest.mark.parametrize("lang", sorted(OWN))
def test_no_letter_has_words_left_in_english(told: Told, lang: str) -> None:
    assert len(told.letters[lang]) > 12
    for letter in told.letters[lang]:
        assert not english(f"{letter.subject}\n{letter.text}", lang)


@pytest.mark.parametrize("lang", sorted(OWN))
def test_no_letter_has_words_left_in_english_in_its_html(told: Told, lang: str) -> None:
    seen = 0
    for letter in told.letters[lang]:
        html = message_from_bytes(dress(letter.raw, find, lang, "off"), policy=policy.default).get_body(
            ("html",)
        )
        if html is None:
            continue
        seen += 1
        text = str(html.get_content())
        pieces = [*re.split(r"<[^<>]+>", text), *re.findall(r'(?:alt|title)="([^"]*)"', text)]
        assert f'<html lang="{lang}">' in text
        assert not [line for piece in pieces for line in english(unescape(piece), lang)]
    assert seen > 5


@pytest.mark.parametrize("lang", sorted(OWN))
def test_no_letter_has_a_sentence_of_the_source(told: Told, lang: str, parts: dict[Words, str]) -> None:
    for letter in told.letters[lang]:
        said = f"{letter.subject} {letter.text}".split()
        text = " ".join(said)
        for first in zip(said, said[1:], said[2:], strict=False):
            assert first not in parts or parts[first] not in text, parts[first]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_of_a_letter_fits_a_terminal(told: Told, lang: str) -> None:
    wide = [line for letter in told.letters[lang] for line in letter.text.splitlines() if len(line) > WIDTH]
    assert not wide


@pytest.mark.parametrize("lang", LANGUAGES)
def test_subjects_are_ascii_on_their_way(told: Told, lang: str) -> None:
    """RFC 2047: a mail's header has no other letters, and reads as the subject that was meant."""
    for letter in told.letters[lang]:
        head = letter.raw.partition(b"\r\n\r\n")[0]
        assert head.isascii()
        assert message_from_bytes(letter.raw, policy=policy.default)["Subject"] == letter.subject


def test_no_language_is_in_the_log(told: Told) -> None:
    """The same game read in English by all has the same records, byte for byte."""
    ruleset = next(game for game in GAMES if f'"id":"{game.id}"'.encode() in told.lines[0])
    assert tuple(play(ruleset, {}).lines) == told.lines


def test_a_player_changes_his_language_during_a_game() -> None:
    """The answer to his settings is in the new one, and so is every letter from then on."""
    game = next(game for game in GAMES if game.id == "arena")
    match = open_match(game, game.seats[:2], "words", {})
    begin(match)
    seat, other = game.seats[:2]
    before = len(match.letters)
    expect(match.send(settings(match, seat, "fi", 1)))
    (answer,) = match.letters[before:]
    assert words(Say("Your letters are in English."), "fi") in answer.text
    play_out(match, "words", 3)
    texts = {
        name: " ".join(one.text for one in match.letters[before:] if one.seat == name)
        for name in (seat, other)
    }
    assert "AREENA" in texts[seat]
    assert "THE ARENA" not in texts[seat]
    assert "THE ARENA" in texts[other]


def test_a_language_without_a_catalog_is_refused_and_changes_nothing() -> None:
    game = next(game for game in GAMES if game.id == "arena")
    match = open_match(game, game.seats[:2], "words", {}, {game.seats[0]: "hu"})
    begin(match)
    verdict = match.send(settings(match, game.seats[0], "sv", 1))
    assert verdict.refusal is not None
    assert verdict.refusal.code == "settings/lang"
    assert match.desk.people[game.seats[0]].lang == "hu"


def settings(match: Match, seat: str, lang: str, rev: int) -> Any:
    payload = {"v": 1, "kind": "settings", "game": match.desk.game_id, "seat": seat, "lang": lang, "rev": rev}
    return make_envelope(match.keys[seat], {**payload, "base": digest(match.lines[-1])}, {})
