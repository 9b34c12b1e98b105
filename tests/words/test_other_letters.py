"""Answers to questions, offers of seats, messages, and what observers are told: in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_args

import msgspec
import pytest

from engine import GAMES
from fixtures.play import Match, begin, open_match, play_out
from pbem.turn import asked_letters, hold_letters, observer_letters, offer_letters, press
from pbem.turn.commands import WITH_SIGNATURE
from pbem.turn.desk import Message, Offer
from pbem.turn.posting import Letter
from tests.words.english import OWN, english

replace = msgspec.structs.replace


@cache
def match(game_id: str, lang: str) -> Match:
    """Two players of one language, some turns into a game."""
    game = next(game for game in GAMES if game.id == game_id)
    seats = game.seats[:2]
    found = open_match(game, seats, "asked", {}, dict.fromkeys(seats, lang))
    begin(found)
    play_out(found, "asked", 4)
    return found


def letters(found: Match, lang: str) -> Iterator[Letter]:
    """One letter of each kind, and of each of its ways."""
    seat, other = found.desk.charter.seats
    desk, lines = found.desk, found.lines
    question = asked_letters.Question(seat, f"{seat}@example.org", "<1@example.org>", "mark")
    name = desk.table.game.seat_names[seat]
    games = [
        asked_letters.Playing("abc", desk.table.game.title, name, phase, 3, waited_for=phase == "play")
        for phase in ("join", "ready", "play", "over")
    ]
    yield asked_letters.help_letter(desk, question)
    yield asked_letters.status_letter(desk, question)
    yield asked_letters.games_letter(desk, question, games)
    yield asked_letters.games_letter(desk, question, [], "status")
    yield asked_letters.log_letter(desk, question, lines)
    yield asked_letters.resent_letter(desk, question, lines, 0)
    for word in WITH_SIGNATURE:
        yield asked_letters.needs_signature_letter(desk, question, word)
    for how in ("taken", "reset"):
        offered = replace(desk, offers={other: Offer("new@example.org", "token", how, lang)})
        yield offer_letters.offer_letter(offered, other, lines)
    for first in (True, False):
        watcher = observer_letters.Observer("look@example.org", lang, 3600 if first else 0)
        yield observer_letters.observer_letter(desk, watcher, lines, first=first)
    yield hold_letters.asking_letter(desk, seat)
    for heard in get_args(hold_letters.Heard):
        yield hold_letters.heard_letter(desk, seat, heard, "mark", "<1@example.org>")
    for to in ((other,), ()):
        yield press.receipt_letter(desk, seat, to, 7)


@pytest.mark.parametrize("lang", sorted(OWN))
@pytest.mark.parametrize("game", ["arena", "cybertron"])
def test_nothing_is_left_in_english(game: str, lang: str) -> None:
    seen = 0
    for letter in letters(match(game, lang), lang):
        seen += 1
        assert not english(f"{letter.subject}\n{letter.text}", lang), letter.text
    assert seen > 20


@pytest.mark.parametrize("lang", sorted(OWN))
def test_a_message_is_quoted_as_it_was_written_and_told_in_the_readers_language(lang: str) -> None:
    found = match("arena", lang)
    seat, other = found.desk.charter.seats
    text = "See you at the end of the turn."
    for who, to_all in ((other, False), (other, True), ("", True)):
        letter = press.message_letter(found.desk, seat, (Message(who, to_all, text, found.desk.now),), "mark")
        assert text in letter.text
        assert not english(f"{letter.subject}\n{letter.text.replace(text, '')}", lang)


@pytest.mark.parametrize(
    "line",
    ["Anna kirjoitti 3.7.2026 klo 12.00:", "Anna ezt írta (2026. júl. 3.):", "Am 3.7.2026 schrieb Anna:"],
)
def test_what_a_mail_program_writes_above_a_quotation_is_none_of_the_message(line: str) -> None:
    """Programs write it in the language of their user."""
    assert press.own_words(f"Hello.\n\n{line}\n> older words\n").strip() == "Hello."
