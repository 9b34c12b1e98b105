"""A move is found, with every character that its signature covers, whatever mail has done to its text.

All pairs of damages are tried. The pairs of LOST destroy what they damage: quote marks filled into the midst of
the text, a character reference cut in two, a blank that was a break's only trace. Such a move must be refused, and
never be read as another.
"""

from __future__ import annotations

import pytest

from engine import Refused
from tests.turn.mime.carriage import MAILS
from tests.turn.mime.damage import TEXTS
from tests.turn.mime.sample import MOVE, TEXT, find, mail


def outcome(raw: bytes) -> str:
    """ "" if the move was found, else the refusal's code."""
    try:
        assert find(raw) == MOVE
    except Refused as refused:
        return refused.refusal.code
    return ""


def test_there_are_enough_kinds_of_damage_and_all_but_one_do_something() -> None:
    assert len(TEXTS) + len(MAILS) >= 24
    assert [name for name, damage in TEXTS.items() if damage(TEXT) == TEXT] == ["none"]
    assert [name for name, carrier in MAILS.items() if carrier(TEXT) == mail(TEXT)] == ["plain"]


@pytest.mark.parametrize("name", TEXTS)
def test_damaged_text_in_a_plain_mail(name: str) -> None:
    assert find(mail(TEXTS[name](TEXT))) == MOVE


@pytest.mark.parametrize("name", MAILS)
def test_text_in_a_damaged_mail(name: str) -> None:
    assert find(MAILS[name](TEXT)) == MOVE


REWRAPS = tuple(
    name
    for name in TEXTS
    if name.startswith(("folded", "wrapped", "refilled", "cut", "flowed", "quoted, then wrapped"))
)
"""Damages that set line breaks within strings: each is found by itself; two of them leave no sign of the first."""

LOST: dict[str, tuple[str, ...]] = {
    "quoted": ("refilled at 72", "refilled at 64"),
    "quoted twice": ("refilled at 72", "refilled at 64"),
    "quoted twice tightly": ("refilled at 72", "refilled at 64"),
    "quoted with a bar": ("refilled at 72", "refilled at 64"),
    "quoted with initials": ("quoted with a hash", "refilled at 72", "refilled at 64"),
    "quoted with a hash": ("refilled at 72", "refilled at 64"),
    "quoted with blanks": ("refilled at 72", "refilled at 64"),
    "folded at 60": ("indentation lost",),
    "folded at 72": ("indentation lost", "flowed, DelSp"),
    "flowed within words, label lost": ("quoted with a hash", "flowed, DelSp"),
    "smart quotes, French": ("folded at 78",),
    "no-break spaces everywhere": ("wrapped at 72, indented",),
    "HTML references in plain text": (
        "folded at 60",
        "folded at 66",
        "folded at 76",
        "folded at 78",
        "folded at 76 and trimmed",
        "wrapped at 60",
        "refilled at 64",
    ),
    "quoted, then wrapped": ("quoted with a hash",),
}
SLOW = tuple(name for name in MAILS if "200 kB" in name)


@pytest.mark.parametrize("first", TEXTS)
def test_two_damages_of_the_text(first: str) -> None:
    once = TEXTS[first](TEXT)
    outcomes = {second: outcome(mail(damage(once))) for second, damage in TEXTS.items()}
    lost = {second for second, code in outcomes.items() if code}
    if first in REWRAPS:
        lost -= set(REWRAPS)
    assert lost - {"cut after 998"} == set(LOST.get(first, ())) & set(TEXTS)
    assert set(outcomes.values()) <= {
        "",
        "test/bad-signature",
        "test/not-an-envelope",
        "mail/damaged",
        "mail/no-move",
    }


@pytest.mark.parametrize("first", TEXTS)
def test_damaged_text_in_a_damaged_mail(first: str) -> None:
    once = TEXTS[first](TEXT)
    lost = {second for second, carrier in MAILS.items() if second not in SLOW and outcome(carrier(once))}
    assert lost == set(LOST.get(first, ())) & set(MAILS)
