"""Parts that several fields of a menu share."""

from __future__ import annotations

from engine.games.cybertron.names import card_name
from engine.games.cybertron.state import State, cards_of, map_of
from engine.kernel.menu import Field, Option
from engine.kernel.pool import choice
from engine.kernel.prose import Say, say

LEADER = say("Whether your leader is among them")


def own_zones(state: State, seat: str) -> tuple[str, ...]:
    """A seat's zones in board order."""
    return tuple(zone for zone, owner in zip(map_of(state).ids, state.owner, strict=True) if owner == seat)


def one_of(name: str, ask: Say, zones: tuple[str, ...]) -> tuple[Field, ...]:
    """One field with these zones; nothing if there are none."""
    return (choice(name, ask, zones, "zone"),) if zones else ()


def card_options(state: State, cards: tuple[str, ...]) -> tuple[Option, ...]:
    """Cards, with their names."""
    deck, where = cards_of(state), map_of(state)
    return tuple(Option(card, card_name(deck, where, card)) for card in cards)


def leader_field(*, only: bool | None = None) -> Field:
    """Whether the leader is among the pieces; with `only`, the one answer that there is."""
    answers = (False, True) if only is None else (only,)
    return Field("leader", "choice", LEADER, options=tuple(map(Option, answers)), optional=True)
