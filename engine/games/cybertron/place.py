"""A position from parts of it, as a scenario gives them.

A position has the fields of a State; what is not given is as follows. `turn` 1, `day` 1, `order` the charter's seats,
`seat` the first of them, `agenda` a turn that has just begun, with its income to place. `zones` may stand instead of
`owner` and `robots`: by zone `{"seat", "robots"}` (a robot if not said); every other zone of the file holds one robot of the
seat `rest`, or goes round to the seats in board order if there is no `rest`; a factory that is not named is held by whoever
holds its slider, with one robot, if that is open. Of a player whatever is not given is empty, his leader in the scrapheap
in robot form; `placed` is what stands on the board and what was destroyed.

Cards. The word `rest`, once, in `pile`, `discards` or a hand stands for every card that lies nowhere else, in the order of
the deck. Without that word they are the pile, after the cards that it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from engine.games.cybertron import place_checks, rounds, standing
from engine.games.cybertron.orders import DEFAULT, Form, Policy
from engine.games.cybertron.setup import opening
from engine.games.cybertron.state import (
    NO_BOOST,
    Battle,
    Boost,
    How,
    Plan,
    Player,
    State,
    Task,
    cards_of,
    map_of,
)
from engine.games.cybertron.vetting import parts_of
from engine.kernel.game import Charter
from engine.kernel.misfit import misfit_problem
from engine.kernel.refusal import refuse

REST = "rest"
Names = tuple[str, ...]


class _Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class GivenZone(_Part, frozen=True):
    """Who holds a zone, with how many robots."""

    seat: str
    robots: int = 1


class GivenPlayer(_Part, frozen=True):
    """Parts of a Player."""

    hand: Names = ()
    leader: str = ""
    form: Form = "robot"
    spare: int = 0
    placed: int | UnsetType = UNSET
    destroyed: int = 0
    resigned: bool = False
    out: bool | UnsetType = UNSET
    policy: Policy = DEFAULT


class Given(_Part, frozen=True):
    """Parts of a State, under the same names, and the shorter `zones` and `rest`."""

    turn: int = 1
    day: int = 1
    seat: str | UnsetType = UNSET
    order: Names | UnsetType = UNSET
    owner: Names | UnsetType = UNSET
    robots: tuple[int, ...] | UnsetType = UNSET
    zones: Mapping[str, GivenZone] = {}
    rest: str = ""
    players: Mapping[str, GivenPlayer] = {}
    agenda: tuple[Task, ...] | UnsetType = UNSET
    opened: Names = ()
    pile: Names = ()
    discards: Names = ()
    captured: Names = ()
    battles: int | UnsetType = UNSET
    boost: Boost = NO_BOOST
    battle: Battle | None = None
    ask: bool | UnsetType = UNSET
    ended: How = ""
    board: Any = None
    deck: Any = None


def place(charter: Charter, given: Mapping[str, Any]) -> State:
    """A state; Refused `position/…` if the parts can't stand together."""
    try:
        parts = msgspec.convert(given, Given)
    except msgspec.ValidationError as misfit:
        raise refuse("position/shape", problem=misfit_problem(misfit)) from None
    state = _frame(charter, parts)
    state = _zones(state, parts)
    state = _players(state, parts)
    state = _cards(state, parts)
    state = _agenda(state, parts)
    place_checks.check(state)
    return state


def _frame(charter: Charter, parts: Given) -> State:
    """Everything but zones, players, cards and agenda."""
    order = charter.seats if parts.order is UNSET else parts.order
    if sorted(order) != sorted(charter.seats):
        raise refuse("position/seating", found=", ".join(order))
    seat = order[0] if parts.seat is UNSET else parts.seat
    if seat not in order:
        raise refuse("position/seat", seat=seat, place="seat")
    board, deck = parts_of(charter.data)
    state = opening(charter, order, board, deck)
    specials = map_of(state).specials
    for number, zone in enumerate(parts.opened):
        if zone not in specials or zone in parts.opened[:number]:
            raise refuse("position/special", zone=zone)
    battles = (parts.battle.number if parts.battle else 0) if parts.battles is UNSET else parts.battles
    return replace(
        state,
        turn=parts.turn,
        day=parts.day,
        seat=seat,
        opened=tuple(zone for zone in specials if zone in parts.opened),
        captured=parts.captured,
        battles=battles,
        boost=parts.boost,
        ask=state.ask if parts.ask is UNSET else parts.ask,
        ended=parts.ended,
    )


def _zones(state: State, parts: Given) -> State:
    where = map_of(state)
    if parts.owner is not UNSET and parts.robots is not UNSET:
        if len(parts.owner) != len(where.ids) or len(parts.robots) != len(where.ids):
            raise refuse("position/zones", count=len(where.ids), found=len(parts.owner))
        return replace(state, owner=parts.owner, robots=parts.robots)
    for zone in sorted(parts.zones):
        if zone not in where.place:
            raise refuse("position/zone", zone=zone, place="zones")
    taken = [_zone(state, parts, number) for number in range(where.normal)]
    for factory in where.board.factories:
        named = parts.zones.get(factory.id)
        holder = GivenZone(taken[where.place[factory.slider]].seat)
        closed = GivenZone("", 0)
        taken.append(named or (holder if factory.slider in state.opened else closed))
    return replace(state, owner=tuple(one.seat for one in taken), robots=tuple(one.robots for one in taken))


def _zone(state: State, parts: Given, number: int) -> GivenZone:
    zone = map_of(state).ids[number]
    return parts.zones.get(zone) or GivenZone(parts.rest or state.order[number % len(state.order)])


def _players(state: State, parts: Given) -> State:
    for seat in sorted(parts.players):
        if seat not in state.order:
            raise refuse("position/seat", seat=seat, place="players")
    players: dict[str, Player] = {}
    for seat in state.order:
        part = parts.players.get(seat, GivenPlayer())
        held = sum(n for n, owner in zip(state.robots, state.owner, strict=True) if owner == seat)
        players[seat] = Player(
            part.hand,
            part.leader,
            part.form,
            part.spare,
            held + part.destroyed if part.placed is UNSET else part.placed,
            part.destroyed,
            part.resigned,
            (not state.owner.count(seat) and state.day > 0) if part.out is UNSET else part.out,
            part.policy,
        )
    return replace(state, players=players)


def piles(state: State) -> Iterator[tuple[str, Names]]:
    """Every place where cards lie, by name; together they hold each once."""
    yield "pile", state.pile
    yield "discards", state.discards
    for seat in state.order:
        yield f"players.{seat}.hand", state.players[seat].hand


def _cards(state: State, parts: Given) -> State:
    deck = cards_of(state)
    state = replace(state, pile=parts.pile, discards=parts.discards)
    placed = [card for _, cards in piles(state) for card in cards]
    for where, cards in piles(state):
        for card in cards:
            if card not in deck.cards and card != REST:
                raise refuse("position/unknown-card", card=card, place=where)
            if card != REST and placed.count(card) > 1:
                raise refuse("position/card-twice", card=card, place=where)
    if placed.count(REST) > 1:
        raise refuse("position/rest-twice", count=placed.count(REST))
    if REST not in placed:
        state = replace(state, pile=(*state.pile, REST))
    rest = tuple(card for card in deck.ids if card not in placed)
    players = {
        seat: replace(player, hand=deck.in_order(_spread(player.hand, rest)))
        for seat, player in state.players.items()
    }
    return replace(
        state, pile=_spread(state.pile, rest), discards=_spread(state.discards, rest), players=players
    )


def _spread(cards: Names, rest: Names) -> Names:
    return tuple(card for entry in cards for card in (rest if entry == REST else (entry,)))


def _agenda(state: State, parts: Given) -> State:
    battle = parts.battle
    if battle is not None and not battle.plan.dice:
        plan = Plan(battle.dice, battle.leader, battle.plan.until, battle.plan.keep, battle.plan.move_in)
        battle = replace(battle, plan=plan)
    state = replace(state, battle=battle)
    if parts.agenda is not UNSET:
        return replace(state, agenda=parts.agenda)
    if state.ended:
        return state
    place_checks.check_zones(state)
    return replace(state, agenda=rounds.phases(state.seat, standing.income(state, state.seat)))
