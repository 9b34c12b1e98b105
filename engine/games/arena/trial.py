"""What standing orders would have answered: to the demands and declarations of this game so far, and to typical ones.

The hand of that time is not known any more: the cards are those of now (HU p.11; FAQ for stalemates).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.games.arena import events, preference
from engine.games.arena.orders import Policy
from engine.games.arena.report_names import card as card_name
from engine.games.arena.report_names import creature as creature_name
from engine.games.arena.view import View
from engine.kernel.game import Tried
from engine.kernel.prose import Say, say


def trial(view: View, past: tuple[Any, ...], wanted: Policy) -> tuple[Tried, ...]:
    """Every case for the seat of a view; none for the public, or once the game is over."""
    if not view.me or view.ended:
        return ()
    return (*_happened(view, past, wanted), *_typical(view, wanted))


def _happened(view: View, past: Sequence[Any], wanted: Policy) -> Iterator[Tried]:
    for event in past:
        if isinstance(event, events.CardDemanded) and event.victim == view.me:
            situation = say("A Gorgon demanded a card of {creature}.", creature=creature_name(event.creature))
            yield Tried(situation, _gift(view, wanted, event.creature), past=True)
        if isinstance(event, events.StalemateDeclared) and event.seat != view.me:
            yield Tried(say("A stalemate was declared."), _object(wanted), past=True)


def _typical(view: View, wanted: Policy) -> Iterator[Tried]:
    for creature in view.creatures:
        if creature not in view.dead:
            situation = say("A Gorgon demands a card of {creature}.", creature=creature_name(creature))
            yield Tried(situation, _gift(view, wanted, creature))
    if view.stalemate.began:
        yield Tried(say("A stalemate is declared."), _object(wanted))


def _gift(view: View, wanted: Policy, creature: str) -> Say:
    card = preference.gorgon_gift(wanted, creature, view.own.hand)
    if not card:
        return say("You have none, and show your hand.")
    return say("You give {card}.", card=card_name(card))


def _object(wanted: Policy) -> Say:
    match wanted.object:
        case "always":
            return say("You object.")
        case "never":
            return say("You do not object.")
        case _:
            return say("You are asked, and do not object if you stay silent.")
