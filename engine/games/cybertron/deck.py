"""The upgrade cards as data: each names a zone, carries one upgrade, and often the morph icon (FI p.17).

The law. What a card does is its `effect`, a number or two; the rules know the kinds of effect, not the cards. A
blank (`?17`) says nothing: whoever asks what it is gets `Unseen`. The standard deck is not carried in a position;
another one is, whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

import msgspec

from engine.kernel.game import Unseen

BLANK = "?"


class _Effect(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type"):
    pass


class ExtraRobots(_Effect, frozen=True, tag="extra_robots"):
    """Phase 1, step B: so many robots more (FI p.8)."""

    n: int


class MultiplyBonus(_Effect, frozen=True, tag="multiply_sector_bonus"):
    """Phase 1, step B: this turn's sector bonus so many times (FI p.8)."""

    factor: int


class LeaderReturn(_Effect, frozen=True, tag="free_leader_return"):
    """Phase 1, step E: the leader returns without a price."""


class BackUpMove(_Effect, frozen=True, tag="back_up_move"):
    """Phase 2: one back-up move by the rules of phase 4 (FI p.16)."""


class DieBonus(_Effect, frozen=True, tag="die_bonus"):
    """So much more on every die of one's own side, or on one die of one's choice (FI p.17)."""

    n: int
    dice: Literal["all", "one_of_choice"] = "all"


class DieSize(_Effect, frozen=True, tag="die_size"):
    """All dice of one's own side have so many faces (FI p.11)."""

    sides: int


class LimitDefenders(_Effect, frozen=True, tag="limit_defenders"):
    """The defender uses so many pieces at most."""

    n: int


Effect: TypeAlias = (
    ExtraRobots | MultiplyBonus | LeaderReturn | BackUpMove | DieBonus | DieSize | LimitDefenders
)
Who: TypeAlias = Literal["active", "attacker", "defender"]
When: TypeAlias = Literal["muster", "place", "morph", "attack", "defence"]


class Upgrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """An upgrade: `who` uses it, how long it lasts (FI p.11), and what it does."""

    id: str
    name: str
    duration: Literal["instant", "this_attack", "this_turn"]
    who: Who
    effect: Effect
    text: str = ""

    @property
    def when(self) -> When:
        """When it is played: `muster` and `place` are steps B and E of phase 1, `morph` is phase 2."""
        match self.effect:
            case ExtraRobots() | MultiplyBonus():
                return "muster"
            case LeaderReturn():
                return "place"
            case BackUpMove():
                return "morph"
            case _:
                return "defence" if self.who == "defender" else "attack"


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card: the zone it names (which only the AllSpark looks at), its upgrade, its morph icon."""

    id: str
    zone: str
    upgrade: str
    morph: bool = False


class Deck(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A deck: its upgrades, then its cards, in the order of the file."""

    name: str
    upgrades: tuple[Upgrade, ...]
    cards: tuple[Card, ...]


class Catalogue:
    """What is worked out of a deck once: cards and upgrades by id."""

    __slots__ = ("cards", "deck", "ids", "place", "upgrades")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.ids = tuple(card.id for card in deck.cards)
        """Every card in the order of the deck's file."""
        self.place: Mapping[str, int] = {id: number for number, id in enumerate(self.ids)}
        self.cards: Mapping[str, Card] = {card.id: card for card in deck.cards}
        self.upgrades: Mapping[str, Upgrade] = {upgrade.id: upgrade for upgrade in deck.upgrades}

    def card(self, id: str) -> Card:
        """A card of the deck. Unseen if it is a blank; KeyError if there is no such card."""
        if id.startswith(BLANK):
            raise Unseen("hidden")
        return self.cards[id]

    def upgrade(self, id: str) -> Upgrade:
        """The upgrade that a card carries; errors as `card`."""
        return self.upgrades[self.card(id).upgrade]

    def in_order(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Cards in the order of the deck's file, blanks last in the order of their numbers."""
        return tuple(sorted(cards, key=self._rank))

    def _rank(self, id: str) -> int:
        return len(self.ids) + int(id[1:]) if id.startswith(BLANK) else self.place[id]


def deck_of(value: Mapping[str, Any]) -> Deck:
    """A deck from what its file says; msgspec.ValidationError, or KeyError, if it says something else."""
    upgrades = [{**upgrade, "id": id} for id, upgrade in value["upgrades"].items()]
    return msgspec.convert({**value, "upgrades": upgrades}, Deck)


def _standard() -> Deck:
    text = files("engine.games.cybertron").joinpath("data/deck.json").read_bytes()
    return deck_of(msgspec.json.decode(text))


STANDARD = Catalogue(_standard())
"""The deck that lies in the game's folder: largely reconstructed, see its marks."""


@lru_cache(maxsize=64)
def _catalogue(deck: Deck) -> Catalogue:
    return Catalogue(deck)


def catalogue(deck: Deck | None) -> Catalogue:
    """The catalogue of a position's own deck, or of the standard deck."""
    return STANDARD if deck is None else _catalogue(deck)
