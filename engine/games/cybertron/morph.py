"""Phase 2, morph (FI p.9): the leader's form; spinners and sliders, for a card with the icon.

The law. Whoever holds the special zone or any other zone of its sector may turn or slide it. An open slider bares a
factory with one robot of his in it; closing it destroys what stands there, and nobody may so destroy his own last zone.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.cybertron import events, orders, rounds
from engine.games.cybertron.ground import Step, add_robots, check_hand, lose_robots, spend_card, with_zone
from engine.games.cybertron.standing import has_leader
from engine.games.cybertron.state import State, ToMorph, map_of, with_player
from engine.kernel.dice import Dice
from engine.kernel.refusal import Refusal


def check_flip(state: State, seat: str) -> Refusal | None:
    """The leader stands on the board, and has not been turned in this turn (FI p.9; once a turn is our reading)."""
    if not state.players[seat].leader:
        return Refusal("moment/no-leader")
    task = state.agenda[0]
    return Refusal("moment/flipped") if isinstance(task, ToMorph) and task.flipped else None


def apply_flip(state: State, seat: str) -> Step:
    """The leader in his other form."""
    form: orders.Form = "robot" if state.players[seat].form == "vehicle" else "vehicle"
    state = with_player(state, seat, form=form)
    task = replace(_task(state), flipped=True)
    return Step(replace(state, agenda=(task, *state.agenda[1:])), (events.LeaderFlipped(seat, form),))


def _task(state: State) -> ToMorph:
    task = state.agenda[0]
    assert isinstance(task, ToMorph)
    return task


def may_turn(state: State, seat: str, zone: str) -> bool:
    """Whether a seat holds a zone of the special zone's sector (FI p.9)."""
    where = map_of(state)
    return any(state.owner[place] == seat for place in where.sectors[where.within[where.place[zone]]])


def check_morph(state: State, seat: str, order: orders.Morph) -> Refusal | None:
    """A card with the icon, a foothold in the sector, and a zone left afterwards (FI p.9; section 7.1)."""
    missing = check_hand(state, seat, order.card)
    if missing:
        return missing
    where = map_of(state)
    if not may_turn(state, seat, order.zone):
        sector = where.within[where.place[order.zone]]
        return Refusal("moment/no-foothold", {"zone": order.zone, "sector": sector})
    factory = where.factory_of.get(order.zone, -1)
    closes = factory >= 0 and order.zone in state.opened
    if closes and state.owner[factory] == seat and state.owner.count(seat) == 1:
        return Refusal("moment/last-zone", {"zone": where.ids[factory]})
    return None


def apply_morph(state: State, seat: str, order: orders.Morph, dice: Dice) -> Step:
    """The special zone turned or slid."""
    where = map_of(state)
    opens = order.zone not in state.opened
    factory = where.factory_of.get(order.zone, -1)
    state = spend_card(state, seat, order.card)
    now = {order.zone} ^ set(state.opened)
    state = replace(state, opened=tuple(zone for zone in where.specials if zone in now))
    name = where.ids[factory] if factory >= 0 else ""
    morphed = events.ZoneMorphed(seat, order.card, order.zone, opens, name)
    if factory < 0:
        return Step(state, (morphed,))
    if opens:
        return Step(add_robots(state, factory, seat, 1), (morphed,))
    state, happened = _close(state, seat, factory, dice)
    return Step(state, (morphed, *happened))


def _close(state: State, seat: str, factory: int, dice: Dice) -> Step:
    """All pieces in a factory to the scrapheap, a leader in either form; its owner may be out (section 7.1)."""
    owner, robots, leader = state.owner[factory], state.robots[factory], has_leader(state, factory)
    state = lose_robots(state, factory, robots)
    if leader:
        state = with_player(state, owner, leader="")
    state = with_zone(state, factory, "", 0)
    closed = events.FactoryClosed(owner, map_of(state).ids[factory], robots, leader)
    state, happened = rounds.eliminate(state, owner, seat, dice)
    return Step(state, (closed, *happened))
