"""What zones, cards and leaders are called, from the board and the deck of the game: names, not sentences."""

from __future__ import annotations

from engine.games.cybertron.board import Atlas
from engine.games.cybertron.deck import BLANK, Catalogue
from engine.kernel.prose import Say, say


def zone_name(where: Atlas, zone: str) -> Say:
    """A zone's name; its id if there is no such zone."""
    return say("{name}", name=where.names[where.place[zone]] if zone in where.place else zone)


def card_name(deck: Catalogue, where: Atlas, card: str) -> Say:
    """A card by its upgrade and its zone."""
    if card.startswith(BLANK) or card not in deck.cards:
        return say("{name}", name=card)
    zone = zone_name(where, deck.cards[card].zone)
    return say("{upgrade} ({zone})", upgrade=deck.upgrades[deck.cards[card].upgrade].name, zone=zone)
