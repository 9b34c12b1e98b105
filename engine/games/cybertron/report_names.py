"""Seats, zones, sectors and cards as a reader calls them. Leaders are messages, so that they can be translated.

The names of zones, sectors and upgrades are the board's and the deck's own: data, which another board changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.games.cybertron.board import Atlas
from engine.games.cybertron.deck import BLANK
from engine.games.cybertron.orders import Form
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, say, verbatim, words

SEATS: Mapping[str, Say] = {
    "optimus_prime": say("Optimus Prime"),
    "bumblebee": say("Bumblebee"),
    "megatron": say("Megatron"),
    "barricade": say("Barricade"),
}

LETTERS: Mapping[str, Say] = {
    "optimus_prime": verbatim("O"),
    "bumblebee": verbatim("B"),
    "megatron": verbatim("M"),
    "barricade": verbatim("C"),
}
"""A holder on the map, the same in every language, as their names are."""

COLOURS: Mapping[str, Say] = {
    "Red": say("Red"),
    "Yellow": say("Yellow"),
    "Green": say("Green"),
    "Blue": say("Blue"),
    "Purple": say("Purple"),
    "Orange": say("Orange"),
}
"""The manuals call sectors by their colours."""

TEAMS: Mapping[str, Say] = {"autobot": say("Autobots"), "decepticon": say("Decepticons")}

FORMS: Mapping[Form, Say] = {"robot": say("robot"), "vehicle": say("vehicle")}
FORM_LETTERS: Mapping[Form, Say] = {"robot": say("r"), "vehicle": say("v")}


def seat(name: str) -> Say:
    """A seat: its leader."""
    return SEATS[name]


def who(name: str, me: str) -> Say:
    """Somebody in a phrase: `you` for the reader."""
    return say("you") if name == me else seat(name)


def title(name: str, me: str) -> Say:
    """A seat in a table or heading."""
    return say("{seat} (you)", seat=seat(name)) if name == me else seat(name)


def named(name: str) -> Say:
    """A name that comes from data."""
    return say("{name}", name=name)


@lru_cache(maxsize=1024)
def zone(atlas: Atlas, name: str) -> Say:
    """A zone, or a factory by its slider."""
    for factory in atlas.board.factories:
        if factory.id == name:
            return say("{slider} factory", slider=zone(atlas, factory.slider))
    return named(atlas.names[atlas.place[name]])


@lru_cache(maxsize=1024)
def zone_called(atlas: Atlas, name: str, lang: str) -> str:
    """The same in words."""
    return words(zone(atlas, name), lang)


def zones(atlas: Atlas, names: Iterable[str]) -> tuple[Say, ...]:
    """Zones, to be joined by whoever puts them into words."""
    return tuple(zone(atlas, name) for name in names)


def sector(atlas: Atlas, name: str) -> Say:
    """A sector."""
    name = next(one.name for one in atlas.board.sectors if one.id == name)
    return COLOURS.get(name) or named(name)


def upgrade(view: View, card: str) -> Say:
    """What a card is called: its upgrade. A card that the view does not hold has no name."""
    return say("a hidden card") if card.startswith(BLANK) else named(view.catalogue.upgrade(card).name)


def upgrades(view: View, cards: Iterable[str]) -> tuple[Say, ...]:
    """Cards by their upgrades, to be joined by whoever puts them into words."""
    return tuple(upgrade(view, card) for card in cards)


def series(items: Iterable[Say]) -> Say:
    """Things one after the other, without an `and`."""
    first, *rest = items
    joined = first
    for item in rest:
        joined = say("{first}, {next}", first=joined, next=item)
    return joined


def series_called(texts: Iterable[str], lang: str) -> str:
    """`series` of what is in words already."""
    joined, *rest = texts
    for text in rest:
        joined = words(say("{first}, {next}", first=joined, next=text), lang)
    return joined


@lru_cache(maxsize=16)
def codes(atlas: Atlas) -> Mapping[str, str]:
    """Three letters for each zone, all different: the first ones of its id, or others of it, or a number."""
    found: dict[str, str] = {}
    for name in atlas.ids:
        letters = name.replace("_", "")
        if name in {factory.id for factory in atlas.board.factories}:
            letters = f"f{letters}"
        tries = [letters[:3], *(letters[:2] + letter for letter in letters[3:])]
        tries += [f"{letters[:1]}{number:02}" for number in range(100)]
        taken = set(found.values())
        found[name] = next(code for code in tries if len(code) == 3 and code not in taken)
    return found


def called(atlas: Atlas, id: str, lang: str) -> str:
    """The name of a seat or a zone in a reader's language; any other word as it is."""
    if id in SEATS:
        return words(SEATS[id], lang)
    return words(zone(atlas, id), lang) if id in atlas.place else id
