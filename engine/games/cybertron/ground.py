"""Pieces on the ground: how robots and leaders come to a zone, leave it and are destroyed.

The law. Robots that come on the board are counted as placed, those that go to the scrapheap as destroyed; the supply
has no end (section 7, 17). Nothing here asks whether a rule allows it.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from engine.games.cybertron.events import Events
from engine.games.cybertron.state import State, map_of, with_player
from engine.kernel.refusal import Refusal


class Step(NamedTuple):
    """What an order brings about."""

    state: State
    events: Events


def with_zone(state: State, place: int, owner: str, robots: int) -> State:
    """The state with another owner and number of robots in a zone."""
    owners, counts = state.owner, state.robots
    if owners[place] != owner:
        owners = (*owners[:place], owner, *owners[place + 1 :])
    return replace(state, owner=owners, robots=(*counts[:place], robots, *counts[place + 1 :]))


def add_robots(state: State, place: int, seat: str, robots: int) -> State:
    """So many robots of a seat come from its scrapheap or pile to a zone, which is then its own."""
    state = with_zone(state, place, seat, state.robots[place] + robots)
    return with_player(state, seat, placed=state.players[seat].placed + robots)


def lose_robots(state: State, place: int, robots: int) -> State:
    """So many robots of a zone's owner go to his scrapheap."""
    seat = state.owner[place]
    state = with_zone(state, place, seat, state.robots[place] - robots)
    return with_player(state, seat, destroyed=state.players[seat].destroyed + robots)


def spend_card(state: State, seat: str, card: str) -> State:
    """A card from the hand, face up to the discards (FI p.11)."""
    hand = tuple(other for other in state.players[seat].hand if other != card)
    return replace(with_player(state, seat, hand=hand), discards=(*state.discards, card))


def check_own(state: State, seat: str, zone: str) -> Refusal | None:
    """Whether a zone is the seat's own."""
    owner = state.owner[map_of(state).place[zone]]
    if owner == seat:
        return None
    if not owner:
        return Refusal("moment/closed", {"zone": zone})
    return Refusal("moment/not-yours", {"zone": zone, "seat": owner})


def check_hand(state: State, seat: str, card: str) -> Refusal | None:
    """Whether a card is in the seat's hand."""
    return None if card in state.players[seat].hand else Refusal("moment/not-in-hand", {"card": card})
