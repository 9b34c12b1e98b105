"""What standing orders would have answered: to the attacks of this game so far, and to typical ones.

The law. A case is a position made from the view, with the pieces that stood in the zone; the very rules of policy.py answer
it. Of the past the public events tell all but one's own hand at that time: the cards are those of now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.games.cybertron import events, orders, policy
from engine.games.cybertron.assault import CONFINES
from engine.games.cybertron.battle import ADD_IN_ATTACK, ADD_IN_DEFENCE, ESCAPES, refuges_of
from engine.games.cybertron.deck import LimitDefenders
from engine.games.cybertron.ground import with_zone
from engine.games.cybertron.imagine import imagine
from engine.games.cybertron.names import card_name, zone_name
from engine.games.cybertron.orders import Form, Policy
from engine.games.cybertron.standing import is_enemy, pieces
from engine.games.cybertron.state import (
    NO_BOOST,
    Battle,
    Roll,
    State,
    ToBonus,
    ToDefend,
    ToFlee,
    cards_of,
    map_of,
    with_player,
)
from engine.games.cybertron.view import View
from engine.kernel.game import Tried
from engine.kernel.prose import Say, plural, say

MOST_TYPICAL = 3
"""Zones of one's own that typical attacks are tried on: those with the most and the fewest pieces, and the leader's."""
COMPARISONS = ((5, 5), (4, 5), (4, 6))
"""Typical dice, one's own first: a tie, one less, two less."""


class Case(NamedTuple):
    """An attack: by whom, on which zone with what in it, with how many dice; at most so many may defend."""

    attacker: str
    zone: str
    robots: int
    leader: bool
    dice: int
    most: int


def trial(view: View, past: tuple[Any, ...], wanted: Policy) -> tuple[Tried, ...]:
    """Every case for the seat of a view; none for the public, or when the game is over for it."""
    if not view.me or view.ended or view.seats[view.me].out:
        return ()
    state = with_player(replace(imagine(view), battle=None), view.me, policy=wanted)
    cases = (*_happened(state, view.me, past), *_typical(state, view.me))
    return tuple(cases)


def _happened(state: State, me: str, past: Sequence[Any]) -> Iterator[Tried]:
    """The attacks on this seat, as they began."""
    forms: dict[str, Form] = dict.fromkeys(state.order, "robot")
    day = 0
    for number, event in enumerate(past):
        if isinstance(event, (events.LeaderFlipped, events.LeaderRecalled)):
            forms[event.seat] = event.form
        elif isinstance(event, events.TurnBegan):
            day = event.day
        elif isinstance(event, events.AttackBegan) and event.defender == me:
            confined = event.seat == CONFINES and event.leader and forms[CONFINES] == "vehicle"
            most = min(1 if confined else 2, _limit(state, event.battle, past[number + 1 :]))
            case = Case(event.seat, event.target, event.garrison, event.garrison_leader, event.dice, most)
            situation = say("Day {day}: {attack}", day=day, attack=_attack(state, case))
            yield Tried(situation, _defence(state, me, case), past=True)


def _limit(state: State, battle: int, later: Sequence[Any]) -> int:
    """How many may defend after the attacker's cards, which follow the declaration."""
    most = 2
    for event in later:
        if not isinstance(event, events.CardPlayed) or event.battle != battle:
            return most
        effect = cards_of(state).upgrades[event.upgrade].effect
        if isinstance(effect, LimitDefenders):
            most = min(most, effect.n)
    return most


def _attack(state: State, case: Case) -> Say:
    there = (
        say("{robots} and your leader", robots=_robots(case.robots)) if case.leader else _robots(case.robots)
    )
    return say(
        "{dice} against {zone}, where you have {pieces}",
        dice=_count(case.dice),
        zone=zone_name(map_of(state), case.zone),
        pieces=there,
    )


def _robots(count: int) -> Say:
    return plural("{n} robot", "{n} robots", count)


def _count(count: int) -> Say:
    return plural("{n} die", "{n} dice", count)


def _defence(state: State, me: str, case: Case) -> Say:
    """The answer in words, from the answer as an order."""
    order = policy.answer(_attacked(state, me, case), ToDefend(me))
    assert isinstance(order, orders.Defend)
    number = plural("You defend with {n} piece", "You defend with {n} pieces", order.dice)
    led = say("{defence}, your leader among them", defence=number) if order.leader else number
    if not order.cards:
        return say("{defence}.", defence=led)
    deck, where = cards_of(state), map_of(state)
    cards = tuple(card_name(deck, where, card) for card in order.cards)
    return say("{defence}, and play {cards}.", defence=led, cards=cards)


def _attacked(state: State, me: str, case: Case) -> State:
    """The position as the attack finds it, as far as the answer looks at it."""
    where = map_of(state)
    place = where.place[case.zone]
    state = with_zone(state, place, me, case.robots)
    leader = state.players[me].leader
    here = case.zone if case.leader else "" if leader == case.zone else leader
    state = replace(with_player(state, me, leader=here), seat=case.attacker)
    boost = replace(NO_BOOST, limit=case.most) if case.most < NO_BOOST.limit else NO_BOOST
    battle = Battle(1, "", case.zone, me, case.dice, boost=boost)
    return replace(state, boost=NO_BOOST, battle=battle)


def _typical(state: State, me: str) -> Iterator[Tried]:
    """Attacks on some of one's zones, comparisons for the +1, Bumblebee's flight."""
    where = map_of(state)
    enemy = next((seat for seat in state.order if is_enemy(state, me, seat)), "")
    mine = [place for place, owner in enumerate(state.owner) if owner == me]
    if not enemy or not mine:
        return
    leader = state.players[me].leader
    for place in _chosen(state, me, mine):
        here = leader == where.ids[place]
        for dice, most in ((1, 2), (3, 2), (3, 1)):
            case = Case(enemy, where.ids[place], state.robots[place], here, dice, most)
            situation = say("{attack}.", attack=_attack(state, case))
            if most == 1:
                situation = say("{attack}, and only one may defend.", attack=_attack(state, case))
            yield Tried(situation, _defence(state, me, case))
    yield from _comparisons(state, me, enemy, where.ids[mine[0]])
    if me == ESCAPES:
        yield from _flights(state, me, mine)


def _chosen(state: State, me: str, mine: Sequence[int]) -> tuple[int, ...]:
    """The zones with the most and the fewest pieces, and the leader's, each once."""
    leader = state.players[me].leader
    wanted = [
        max(mine, key=lambda place: pieces(state, place)),
        min(mine, key=lambda place: pieces(state, place)),
        *([map_of(state).place[leader]] if leader else []),
    ]
    return tuple(dict.fromkeys(wanted))[:MOST_TYPICAL]


def _comparisons(state: State, me: str, enemy: str, zone: str) -> Iterator[Tried]:
    """One's +1, attacking or defending by one's leader's power (FI p.14)."""
    attacks = me in ADD_IN_ATTACK
    if not attacks and me not in ADD_IN_DEFENCE:
        return
    for mine, his in COMPARISONS:
        attack, defence = (mine, his) if attacks else (his, mine)
        added = -1 if attacks else 0
        roll = Roll(((attack, 6),), ((defence, 6),), 1, 1, plus=1, parry=1, added=added)
        battle = Battle(1, zone, zone, enemy if attacks else me, 1, roll=roll)
        now = replace(state, seat=me if attacks else enemy, battle=battle)
        order = policy.answer(now, ToBonus(me, 1))
        assert isinstance(order, orders.Bonus)
        situation = say("You defend; your die shows {mine}, your enemy's {his}.", mine=mine, his=his)
        if attacks:
            situation = say("You attack; your die shows {mine}, your enemy's {his}.", mine=mine, his=his)
        yield Tried(situation, _bonus(order.plus))


def _bonus(plus: int) -> Say:
    return say("You add {plus}.", plus=plus) if plus else say("You add nothing.")


def _flights(state: State, me: str, mine: Sequence[int]) -> Iterator[Tried]:
    """Where Bumblebee, as a Camaro, goes from each zone where he has a choice (FI p.14)."""
    where = map_of(state)
    now = with_player(state, me, form="vehicle")
    for place in mine:
        zones = refuges_of(now, me, where.ids[place])
        if len(zones) < 2:
            continue
        order = policy.answer(now, ToFlee(me, zones))
        assert isinstance(order, orders.Flee)
        situation = say("Bumblebee would be destroyed in {zone}.", zone=zone_name(where, where.ids[place]))
        yield Tried(situation, say("He escapes to {zone}.", zone=zone_name(where, order.zone)))
