"""Guards: what a move in advance may be bound to. All that are named must hold when its turn opens.

They look at the view alone, so that a move that was kept or dropped tells nobody what its author could not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from engine.games.cybertron import report_names as names
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, say


class Guard(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`held`: zones that are mine; `held_by`: by zone, the seat that holds it; `at_least`, `at_most`: by zone, how many
    pieces stand there, whoever holds it (a leader counts, FI p.12); `leader`: the zone where my leader stands; `hand`:
    cards that I hold; `day`: it is this day; `robots`: at least so many robots come in this turn (FI p.7-8).
    """

    held: tuple[str, ...] = ()
    held_by: Mapping[str, str] = {}
    at_least: Mapping[str, int] = {}
    at_most: Mapping[str, int] = {}
    leader: str = ""
    hand: tuple[str, ...] = ()
    day: int = 0
    robots: int = 0


def unmet(view: View, guard: Guard) -> Say | None:
    """The first condition that does not hold, in words; None if all hold. A name that means nothing never holds."""
    return next((said for part in (_holders, _pieces, _mine) for said in part(view, guard)), None)


def _holders(view: View, guard: Guard) -> Iterator[Say]:
    for zone in guard.held:
        if _holder(view, zone) != view.me:
            yield say("you hold {zone}", zone=_zone(view, zone))
    for zone, seat in guard.held_by.items():
        if seat not in view.seats or _holder(view, zone) != seat:
            yield say(
                "{seat} holds {zone}", seat=names.SEATS.get(seat) or _plain(seat), zone=_zone(view, zone)
            )


def _pieces(view: View, guard: Guard) -> Iterator[Say]:
    for zone, least in guard.at_least.items():
        if _count(view, zone) < least:
            yield say("at least {number} stand in {zone}", number=least, zone=_zone(view, zone))
    for zone, most in guard.at_most.items():
        if zone not in view.zones or _count(view, zone) > most:
            yield say("at most {number} stand in {zone}", number=most, zone=_zone(view, zone))


def _mine(view: View, guard: Guard) -> Iterator[Say]:
    own = view.seats[view.me]
    if guard.leader and own.leader != guard.leader:
        yield say("your leader stands in {zone}", zone=_zone(view, guard.leader))
    for card in guard.hand:
        if card not in view.own.hand:
            yield say("{card} is in your hand", card=_card(view, card))
    if guard.day and guard.day != view.day:
        yield say("it is day {day}", day=guard.day)
    if own.income.total < guard.robots:
        yield say("at least {number} robots come to you", number=guard.robots)


def _holder(view: View, zone: str) -> str:
    """Who holds a zone; empty for nobody, and for a name that is none."""
    there = view.zones.get(zone)
    return there.seat if there is not None else ""


def _count(view: View, zone: str) -> int:
    """The pieces in a zone, a leader among them; 0 for a name that is none."""
    there = view.zones.get(zone)
    leaders = sum(1 for seat in view.seats.values() if seat.leader == zone)
    return there.robots + leaders if there is not None else 0


def _zone(view: View, name: str) -> Say:
    return names.zone(view.atlas, name) if name in view.atlas.place else _plain(name)


def _card(view: View, card: str) -> Say:
    known = {one.id for one in view.catalogue.deck.cards}
    return names.upgrade(view, card) if card in known else _plain(card)


def _plain(text: str) -> Say:
    """A stranger's word, harmless as a sentence of its own."""
    return names.named("".join(char for char in text if char.isalnum() or char in "-_ ")[:40])
