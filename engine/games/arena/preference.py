"""How a preference list chooses among cards, at the moment when it is used; and what "lowest" means.

By strength; of equals, combat cards in the order of the row, then spectators; referees are the last that
`lowest` takes, and the last that `highest` takes (#2.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.arena import orders, standing
from engine.games.arena.cards import REFEREES, combat, creature_of, is_spectator, strength_of
from engine.games.arena.orders import Policy
from engine.games.arena.state import State


def choose(state: State, seat: str, words: Sequence[str], cards: Sequence[str]) -> str:
    """The first word's card among `cards`; empty if no word fits. `seat` is whose backing counts."""
    for word in words:
        fitting = _fitting(state, seat, word, cards)
        if fitting:
            return lowest(state, fitting) if word == orders.LOWEST else highest(state, fitting)
    return ""


def _fitting(state: State, seat: str, word: str, cards: Sequence[str]) -> list[str]:
    if word in {orders.HIGHEST, orders.LOWEST}:
        return list(cards)
    if word == orders.REFEREE:
        return [card for card in cards if card in REFEREES]
    if word == orders.HIGHEST_BACKED:
        return [
            card for card in cards if (name := creature_of(card)) and standing.backer_of(state, name) == seat
        ]
    if word.startswith(orders.SPECTATOR_FROM):
        least = int(word.removeprefix(orders.SPECTATOR_FROM))
        return [card for card in cards if is_spectator(card) and strength_of(card) >= least]
    return [card for card in cards if card == word]


def lowest(state: State, cards: Sequence[str]) -> str:
    """The lowest of some cards."""
    return min(cards, key=lambda card: (card in REFEREES, strength_of(card), *_tie(state, card)))


def highest(state: State, cards: Sequence[str]) -> str:
    """The highest of some cards."""
    return min(cards, key=lambda card: (card in REFEREES, -strength_of(card), *_tie(state, card)))


def _tie(state: State, card: str) -> tuple[int, str]:
    name = creature_of(card)
    return (state.creatures.index(name) if name else len(state.creatures)), card


def gorgon_gift(policy: Policy, creature: str, hand: Sequence[str]) -> str:
    """The card that standing orders give to a Gorgon (HU p.11); empty if the hand has none."""
    held = [card for card in combat(creature) if card in hand]
    if not held:
        return ""
    if isinstance(policy.gorgon, str):
        return held[-1] if policy.gorgon == orders.HIGHEST else held[0]
    wanted = [combat(creature)[strength] for strength in policy.gorgon.get(creature, ())]
    return next((card for card in wanted if card in held), held[0])
