"""Seats, creatures and cards as a reader calls them. Names are messages, so that they can be translated.

A card's name has a space (U+00A0) at which no line is broken; the finished report has ordinary ones.
"""

from __future__ import annotations

from functools import cache, lru_cache

from engine.games.arena.cards import MAGISTER, PREFECTS, creature_of, is_spectator, names, strength_of
from engine.kernel.prose import Say, say, words

SEATS = {
    "red": say("Red"),
    "blue": say("Blue"),
    "green": say("Green"),
    "yellow": say("Yellow"),
    "white": say("White"),
}

LETTERS = {
    "red": say("R"),
    "blue": say("B"),
    "green": say("G"),
    "yellow": say("Y"),
    "white": say("W"),
}
"""A token in the table of the arena; the letters of a language must differ."""

CREATURES = {
    "amazon": say("Amazon"),
    "colossus": say("Colossus"),
    "cyclops": say("Cyclops"),
    "daimon": say("Daimon"),
    "ettin": say("Ettin"),
    "gorgon": say("Gorgon"),
    "magus": say("Magus"),
    "seraphim": say("Seraphim"),
    "titan": say("Titan"),
    "troll": say("Troll"),
    "unicorn": say("Unicorn"),
    "wyrm": say("Wyrm"),
}

_REFEREES = {
    PREFECTS[0]: say("Prefect\u00a01"),
    PREFECTS[1]: say("Prefect\u00a02"),
    MAGISTER: say("Magister"),
}


def seat(name: str) -> Say:
    """A seat's colour."""
    return SEATS[name]


def creature(name: str) -> Say:
    """A creature."""
    return CREATURES[name]


def creatures(names: tuple[str, ...]) -> tuple[Say, ...]:
    """Creatures, to be joined by whoever puts them into words."""
    return tuple(CREATURES[name] for name in names)


def series(items: tuple[Say, ...]) -> Say:
    """Things one after the other, without an `and`."""
    joined = items[0]
    for item in items[1:]:
        joined = say("{first}, {next}", first=joined, next=item)
    return joined


@lru_cache(maxsize=4096)
def creature_series(names: tuple[str, ...], lang: str) -> str:
    """Creatures one after the other, in words: rows of a few names come again and again."""
    return words(series(creatures(names)), lang)


@cache
def card(name: str) -> Say:
    """A card: `Troll 3`, `spectator 6`, `Prefect 1`, `Magister`."""
    if name in _REFEREES:
        return _REFEREES[name]
    if is_spectator(name):
        return say("spectator\u00a0{strength}", strength=strength_of(name))
    return say("{creature}\u00a0{strength}", creature=creature(creature_of(name)), strength=strength_of(name))


def cards(names: tuple[str, ...]) -> tuple[Say, ...]:
    """Cards, to be joined by whoever puts them into words."""
    return tuple(card(name) for name in names)


def named(id: str, lang: str) -> str:
    """The name of a seat, a creature or a card in a reader's language; any other word as it is."""
    if id in SEATS:
        return words(SEATS[id], lang)
    if id in CREATURES:
        return words(CREATURES[id], lang)
    return words(card(id), lang) if id in names(tuple(CREATURES)) else id
