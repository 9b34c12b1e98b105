"""Letters tell a seat nothing of what it may not see: not in words, files, sizes, or the order of sending."""

from __future__ import annotations

import email
import hashlib
import json
import re
from functools import cache
from typing import Any

import pytest

from engine import AnyGame, Picture
from engine.games.arena.state import State
from fixtures.desks import ARENA
from fixtures.play import Match, begin, open_match, play_out
from pbem.render import to_svg
from pbem.turn import dress as dressing
from pbem.turn.dress import dress
from pbem.turn.posting import Letter
from tests.turn import twins
from tests.turn.twins import CHANGES, TURNS, Course, bare, changed, replayed

THREE = ("red", "green", "blue")


@cache
def courses() -> tuple[Course, ...]:
    """Three games whose ten turns show no hidden card."""
    found = (one for number in range(60) if twins.is_quiet(one := twins.course(THREE, f"leak {number}")))
    return tuple(one for one, _ in zip(found, range(3), strict=False))


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("reader", THREE)
def test_what_a_seat_cannot_see_changes_no_letter_of_its(reader: str, change: str, number: int) -> None:
    one = courses()[number]
    twin = changed(one.match, CHANGES[change](one, reader))
    plain, other = replayed(one.match, one.moves), replayed(twin, one.moves)
    assert [letter.seat for letter in plain] == [letter.seat for letter in other]
    mine = [(a, b) for a, b in zip(plain, other, strict=True) if a.seat == reader]
    assert len(mine) >= TURNS
    for a, b in mine:
        assert bare(a) == bare(b)
    # the two games are not the same one: the codes that bind the host to the position differ from the start
    assert all(a.raw != b.raw for a, b in mine)


@pytest.mark.parametrize("change", CHANGES)
def test_nor_does_it_change_the_html_and_the_pictures(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, tables, drawing, the size of the picture and of the letter; the picture is made of the drawing."""
    monkeypatch.setattr(dressing, "to_png", drawn_roughly)
    one = courses()[0]
    for reader in THREE:
        twin = changed(one.match, CHANGES[change](one, reader))
        for a, b in zip(replayed(one.match, one.moves), replayed(twin, one.moves), strict=True):
            if a.seat == reader:
                assert looked_at(a) == looked_at(b)


def test_the_pictures_of_twins_are_the_same_bytes() -> None:
    one = courses()[0]
    twin = changed(one.match, CHANGES["hands"](one, "red"))
    pair = zip(replayed(one.match, one.moves), replayed(twin, one.moves), strict=True)
    a, b = [(a, b) for a, b in pair if a.seat == "red"][-1]
    first, second = (dress(letter.raw, find, "en") for letter in (a, b))
    assert picture_in(first) == picture_in(second)
    assert len(first) == len(second)
    assert first != second, "the digests at its foot differ"


def drawn_roughly(picture: Picture, lang: str, *, wide: int, colours: int) -> bytes:
    """Stands for a picture: its drawing's digest, and a size that depends on all of it."""
    svg = to_svg(picture, lang)
    return hashlib.sha256(svg).digest() * (len(svg) * wide // 20_000)


def looked_at(letter: Letter) -> tuple[Any, ...]:
    """A dressed letter, taken apart, its digests blanked."""
    raw = dress(letter.raw, find, "en")
    assert raw != letter.raw
    html, *others = [
        part.get_payload(decode=True)
        for part in email.message_from_bytes(raw).walk()
        if part.get_content_type() in ("text/html", "image/png", "image/svg+xml")
    ]
    assert isinstance(html, bytes)
    blank, count = SHOWN_HEAD.subn("DIGEST", html.decode())
    assert count == 1
    return len(raw), blank, others


SHOWN_HEAD = re.compile(r"(?:(?:[0-9a-f]{4} ){7}[0-9a-f]{4}(?:\r?\n)?){2}")


def find(game: str, version: int) -> AnyGame | None:
    return ARENA if (game, version) == (ARENA.id, ARENA.version) else None


def picture_in(raw: bytes) -> bytes:
    (found,) = [
        part.get_payload(decode=True)
        for part in email.message_from_bytes(raw).walk()
        if part.get_content_type() == "image/png"
    ]
    assert isinstance(found, bytes)
    return found


def test_whoever_holds_the_card_is_told() -> None:
    """The same change, read by a seat that can see it, does change its letters: the comparison has eyes."""
    one = courses()[0]
    twin = changed(one.match, CHANGES["hands"](one, "red"))
    plain, other = replayed(one.match, one.moves), replayed(twin, one.moves)
    for seat in ("green", "blue"):
        pairs = [(a, b) for a, b in zip(plain, other, strict=True) if a.seat == seat]
        assert all(bare(a) != bare(b) for a, b in pairs)


NAME = re.compile(r"[a-z]+-\d+|magister")
SPOKEN = re.compile(r"\b([A-Za-z]+)(?: |\n +)(\d+(?:,\s+\d+)*)\b")
"""A card as a sentence names it, or several of one creature: `Titan 5`, `Magus 7, 9`."""


def cards_in(state: State) -> set[str]:
    """Cards that lie, or have lain, open: on the table and in the discards."""
    table = {card for column in state.columns.values() for cell in column.rows for card in cell.cards}
    return table | set(state.discards)


def shown_by(match: Match, before: State, seat: str) -> set[str]:
    """What the orders of the newest envelope may have shown to a seat, said generously."""
    envelope = match.envelopes[-1]
    orders = json.dumps([one for one in envelope.payload["orders"] if one["do"] != "secret_bet"])
    shown = set(NAME.findall(orders))
    if '"show_hand"' in orders:
        shown |= set(before.players[envelope.seat].hand)
    for use in ("titan", "gorgon") if envelope.seat == seat else ():
        if f'"{use}"' in orders:
            shown |= {card for player in before.players.values() for card in player.hand}
    return shown


def own(state: State, seat: str) -> set[str]:
    player = state.players[seat]
    return {*player.hand, *player.frozen, player.secret} - {""}


def told(letter: Letter) -> str:
    """A letter without the menu, whose lists of words name every card there is; spoken names as ids."""
    spoken = [
        f"{match[1].lower()}-{number}"
        for match in SPOKEN.finditer(letter.text)
        for number in re.findall(r"\d+", match[2])
    ]
    files: list[str] = [letter.text, *spoken]
    for file in letter.files:
        if file.name.endswith(".view.json"):
            view = json.loads(file.data)
            view["payload"].pop("menu", None)
            files.append(json.dumps(view))
        else:
            files.append(file.data.decode("utf-8"))
    return "\n".join(files)


@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_card_that_a_seat_has_never_seen_is_in_none_of_its_letters(seed: str) -> None:
    match = open_match(ARENA, THREE, f"unseen {seed}", {})
    begin(match)
    state = twins.state_of(match)
    known = {seat: own(state, seat) for seat in THREE}
    looked = spoken = 0
    for turn in range(2, 200):
        count = len(match.letters)
        play_out(match, f"{seed} {turn}", until=turn)
        if match.over:
            break
        before, state = state, twins.state_of(match)
        for seat in THREE:
            known[seat] |= cards_in(state) | own(state, seat) | shown_by(match, before, seat)
        everything = {card for player in state.players.values() for card in player.hand} | set(state.deck)
        for letter in match.letters[count:]:
            words = set(NAME.findall(told(letter)))
            assert not words & (everything - known[letter.seat])
            looked += len(everything - known[letter.seat])
            spoken += len(words & own(state, letter.seat))
    assert looked > 1_000
    assert spoken > 1_000, "its own hand is spoken of"
