"""Phase 3 (FI p.11-12): declaring an attack, and announcing each roll of it.

The law. An attack goes from a zone with two pieces at least to a neighbouring enemy zone; Megatron, as a space fighter,
reaches any enemy zone, alone (FI p.14). The attacker's cards are played when he declares it (section 7, 4). Guards and
stops that hold already are refused, so that a later order of a list lapses.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.games.cybertron import events, orders
from engine.games.cybertron.deck import DieBonus, DieSize, LimitDefenders, Upgrade
from engine.games.cybertron.events import Events
from engine.games.cybertron.ground import Step, check_hand, check_own, spend_card
from engine.games.cybertron.standing import has_leader, is_enemy, mate, pieces
from engine.games.cybertron.state import (
    MOST_ATTACKERS,
    Battle,
    Boost,
    Plan,
    State,
    ToAttack,
    ToBackUp,
    ToDefend,
    cards_of,
    map_of,
)
from engine.kernel.refusal import Refusal

CONFINES = "barricade"
FLIES = "megatron"
"""Who has which power (FI p.14)."""


def can_fly(state: State, seat: str, origin: str) -> bool:
    """Whether Megatron stands in a zone as a space fighter (FI p.14)."""
    player = state.players[seat]
    return seat == FLIES and player.form == "vehicle" and player.leader == origin


def check_attack(state: State, seat: str, order: orders.Attack) -> Refusal | None:
    """Whether an attack can be declared now (FI p.11-12)."""
    where = map_of(state)
    refusal = check_own(state, seat, order.origin) or _check_target(state, seat, order.target)
    if refusal:
        return refusal
    origin, target = where.place[order.origin], where.place[order.target]
    if order.leader and not has_leader(state, origin):
        return Refusal("moment/leader-elsewhere", {"zone": order.origin})
    if target not in where.links(state.opened)[origin]:
        if not can_fly(state, seat, order.origin):
            return Refusal("moment/not-adjacent", {"zone": order.origin, "to": order.target})
        if not order.leader or order.dice != 1:
            return Refusal("moment/flies-alone", {"zone": order.origin, "to": order.target})
    here = pieces(state, origin)
    if order.dice > min(MOST_ATTACKERS, here - 1):
        most = max(0, min(MOST_ATTACKERS, here - 1))
        return Refusal("moment/too-many-dice", {"zone": order.origin, "dice": order.dice, "most": most})
    if here <= order.keep:
        return Refusal("moment/keep", {"zone": order.origin, "pieces": here, "keep": order.keep})
    missing = (check_hand(state, seat, card) for card in order.cards)
    return next((one for one in missing if one), None) or next(_unmet(state, seat, order.when), None)


def _check_target(state: State, seat: str, zone: str) -> Refusal | None:
    owner = state.owner[map_of(state).place[zone]]
    if is_enemy(state, seat, owner):
        return None
    if not owner:
        return Refusal("moment/closed", {"zone": zone})
    word = "moment/team-mate" if owner == mate(state, seat) else "moment/own-target"
    return Refusal(word, {"zone": zone})


def _unmet(state: State, seat: str, when: orders.When) -> Iterator[Refusal]:
    """Guards that do not hold."""
    place = map_of(state).place
    for zone in when.held:
        if state.owner[place[zone]] != seat:
            yield Refusal("moment/guard-held", {"zone": zone})
    for zone in when.not_held:
        if state.owner[place[zone]] == seat:
            yield Refusal("moment/guard-not-held", {"zone": zone})
    for zone in when.captured:
        if zone not in state.captured:
            yield Refusal("moment/guard-captured", {"zone": zone})
    for zone, least in sorted(when.at_least.items()):
        mine = mine_in(state, seat, zone)
        if mine < least:
            yield Refusal("moment/guard-at-least", {"zone": zone, "pieces": mine, "number": least})
    for zone, most in sorted(when.at_most.items()):
        mine = mine_in(state, seat, zone)
        if mine > most:
            yield Refusal("moment/guard-at-most", {"zone": zone, "pieces": mine, "number": most})


def mine_in(state: State, seat: str, zone: str) -> int:
    """How many pieces of a seat stand in a zone."""
    place = map_of(state).place[zone]
    return pieces(state, place) if state.owner[place] == seat else 0


def apply_attack(state: State, seat: str, order: orders.Attack) -> Step:
    """The attack is declared, its cards are played, the first dice announced; the defender is asked (FI p.11-12)."""
    where = map_of(state)
    origin, target = where.place[order.origin], where.place[order.target]
    number = state.battles + 1
    defender = state.owner[target]
    far = target not in where.links(state.opened)[origin]
    began = events.AttackBegan(
        seat,
        number,
        order.origin,
        order.target,
        defender,
        order.dice,
        state.robots[origin],
        state.robots[target],
        order.leader,
        has_leader(state, origin),
        has_leader(state, target),
        far,
    )
    plan = Plan(order.dice, order.leader, order.until, order.keep, order.move_in)
    battle = Battle(number, order.origin, order.target, defender, order.dice, order.leader, far, plan=plan)
    agenda = tuple(task for task in state.agenda if isinstance(task, (ToAttack, ToBackUp)))
    state = replace(state, agenda=agenda, battles=number, battle=battle)
    happened: Events = (began,)
    for card in order.cards:
        upgrade = cards_of(state).upgrade(card)
        state = _played(spend_card(state, seat, card), upgrade)
        happened += (events.CardPlayed(seat, card, upgrade.id, battle=number),)
    return Step(next_roll(state), happened)


def _played(state: State, upgrade: Upgrade) -> State:
    """An attacker's card, for this attack or for this turn (FI p.11)."""
    if upgrade.duration == "this_turn":
        return replace(state, boost=raised(state.boost, upgrade))
    battle = going(state)
    return replace(state, battle=replace(battle, boost=raised(battle.boost, upgrade)))


def going(state: State) -> Battle:
    """The battle that goes on."""
    assert state.battle is not None
    return state.battle


def raised(boost: Boost, upgrade: Upgrade) -> Boost:
    """A side's boost with one more card: additions add up, larger dice do not (section 7, 4)."""
    match upgrade.effect:
        case DieBonus(n=n, dice="all"):
            return replace(boost, each=boost.each + n)
        case DieBonus(n=n):
            return replace(boost, one=boost.one + n)
        case DieSize(sides=sides):
            return replace(boost, sides=max(boost.sides, sides))
        case LimitDefenders(n=n):
            return replace(boost, limit=min(boost.limit, n))
        case _:
            return boost


def attack_boost(state: State) -> Boost:
    """What helps the attacker: this attack's cards and those of this turn."""
    turn, attack = state.boost, going(state).boost
    return Boost(
        turn.each + attack.each,
        turn.one + attack.one,
        max(turn.sides, attack.sides),
        min(turn.limit, attack.limit),
    )


def most_defenders(state: State) -> int:
    """How many pieces may defend in the next roll (FI p.12, p.14)."""
    battle = going(state)
    confined = battle.leader and state.seat == CONFINES and state.players[CONFINES].form == "vehicle"
    limit = min(attack_boost(state).limit, 1) if confined else attack_boost(state).limit
    return min(limit, pieces(state, map_of(state).place[battle.target]))


def next_roll(state: State) -> State:
    """The attacker's dice are announced (FI p.12, step 2), as many as ordered and possible; the defender is asked."""
    battle = going(state)
    origin = map_of(state).place[battle.origin]
    most = min(battle.plan.dice, MOST_ATTACKERS, pieces(state, origin) - 1)
    leads = battle.plan.leader and has_leader(state, origin)
    battle = replace(battle, dice=most, leader=leads, roll=None)
    return replace(state, battle=battle, agenda=(ToDefend(battle.defender), *state.agenda))
