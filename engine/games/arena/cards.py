"""The cards by name: `troll-3`, `spectator-6`, `prefect-1`, `prefect-2`, `magister` (HU p.2-3).

The law. A name says everything about a card. A blank (`?17`) says nothing: whoever asks what it is,
or turns it face up, gets `Unseen`. This module knows no position and no seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engine.kernel.game import Unseen

CREATURES = (
    "amazon",
    "colossus",
    "cyclops",
    "daimon",
    "ettin",
    "gorgon",
    "magus",
    "seraphim",
    "titan",
    "troll",
    "unicorn",
    "wyrm",
)
"""The twelve, in catalogue order."""

STRENGTHS = range(11)
SPECTATOR = "spectator"
PREFECTS = ("prefect-1", "prefect-2")
MAGISTER = "magister"
REFEREES = (*PREFECTS, MAGISTER)
BLANK = "?"


@cache
def combat(creature: str) -> tuple[str, ...]:
    """The eleven combat cards of a creature, weakest first."""
    return tuple(f"{creature}-{strength}" for strength in STRENGTHS)


@cache
def pack(creatures: tuple[str, ...]) -> tuple[str, ...]:
    """Every blue card of a game, in catalogue order: 8 × 11 + 11 + 3 = 102 with eight creatures (HU p.3)."""
    fighters = [card for name in CREATURES if name in creatures for card in combat(name)]
    return (*fighters, *combat(SPECTATOR), *REFEREES)


@cache
def names(creatures: tuple[str, ...]) -> frozenset[str]:
    """The pack as a set, to ask whether a name is a card of this game."""
    return frozenset(pack(creatures))


_PLACE = {card: place for place, card in enumerate(pack(CREATURES))}


@cache
def creature_of(card: str) -> str:
    """The creature that a combat card belongs to; empty for spectators and referees."""
    seen(card)
    name = card.partition("-")[0]
    return name if name in CREATURES else ""


@cache
def strength_of(card: str) -> int:
    """The strength printed on a combat card or spectator, 0 … 10; −1 for a referee."""
    seen(card)
    return -1 if card in REFEREES else int(card.partition("-")[2])


def is_spectator(card: str) -> bool:
    """Whether the card is one of the eleven spectators."""
    return seen(card).startswith(SPECTATOR)


def seen(card: str) -> str:
    """The card itself, as it becomes known to somebody. Unseen if it is a blank."""
    if card.startswith(BLANK):
        raise Unseen("hidden")
    return card


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in catalogue order, blanks last in the order of their numbers."""
    return tuple(sorted(cards, key=_place))


@cache
def _place(card: str) -> int:
    return len(_PLACE) + int(card[1:]) if card.startswith(BLANK) else _PLACE[card]
