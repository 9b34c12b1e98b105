"""Phase 1 (FI p.7-8): cards of step B, the leader's return, and placing every robot.

The law. What zones, sectors and factories give is counted when the turn opens, since nothing can change it before the
first robot is placed; cards add to it. Step B ends with the first act of step E, the phase with the last robot.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.cybertron import events, orders
from engine.games.cybertron.deck import ExtraRobots, LeaderReturn, MultiplyBonus
from engine.games.cybertron.ground import Step, add_robots, check_hand, check_own, spend_card
from engine.games.cybertron.orders import Form
from engine.games.cybertron.state import LEADER_PRICE, State, ToMuster, cards_of, map_of, with_player
from engine.kernel.refusal import Refusal


def left_to_place(state: State) -> int:
    """How many operational robots are still to be placed; 0 once phase 1 is over."""
    task = state.agenda[0] if state.agenda else None
    return task.left if isinstance(task, ToMuster) else 0


def check_card(state: State, seat: str, order: orders.PlayCard) -> Refusal | None:
    """A card of phase 1 for its upgrade: step B, or the leader's free return in step E."""
    missing = check_hand(state, seat, order.card)
    if missing:
        return missing
    upgrade = cards_of(state).upgrade(order.card)
    task = state.agenda[0]
    if not isinstance(task, ToMuster) or upgrade.when not in ("muster", "place"):
        return Refusal("moment/card-phase", {"card": order.card, "upgrade": upgrade.id})
    if upgrade.when == "muster":
        return Refusal("moment/placing", {"card": order.card}) if task.placing else None
    return check_return(state, seat, order.zone)


def check_return(state: State, seat: str, zone: str) -> Refusal | None:
    """The leader must be in the scrapheap, whatever put him there, and the zone one's own (FI p.8)."""
    leader = state.players[seat].leader
    if leader:
        return Refusal("moment/leader-here", {"zone": leader})
    return check_own(state, seat, zone)


def check_recall(state: State, seat: str, order: orders.RecallLeader) -> Refusal | None:
    """The leader's return for three robots that are still to be placed (FI p.8)."""
    refusal = check_return(state, seat, order.zone)
    if refusal:
        return refusal
    left = left_to_place(state)
    return Refusal("moment/price", {"left": left, "price": LEADER_PRICE}) if left < LEADER_PRICE else None


def check_place(state: State, seat: str, order: orders.Place) -> Refusal | None:
    """Robots that are left, on a zone of one's own (FI p.8)."""
    refusal = check_own(state, seat, order.zone)
    if refusal or order.robots == "rest":
        return refusal
    left = left_to_place(state)
    return Refusal("moment/too-many", {"robots": order.robots, "left": left}) if order.robots > left else None


def apply_card(state: State, seat: str, order: orders.PlayCard) -> Step:
    """The card's robots are there to be placed, or the leader is back."""
    upgrade = cards_of(state).upgrade(order.card)
    task = state.agenda[0]
    assert isinstance(task, ToMuster)
    state = spend_card(state, seat, order.card)
    if isinstance(upgrade.effect, LeaderReturn):
        form: Form = order.form or "robot"
        played = events.CardPlayed(seat, order.card, upgrade.id)
        state, happened = _return(state, seat, order.zone, form, 0)
        return Step(state, (played, *happened))
    more = 0
    bonus = task.bonus
    if isinstance(upgrade.effect, ExtraRobots):
        more = upgrade.effect.n
    elif isinstance(upgrade.effect, MultiplyBonus):
        more = bonus * (upgrade.effect.factor - 1)
        bonus += more
    state = _with_task(state, replace(task, left=task.left + more, bonus=bonus))
    return Step(state, (events.CardPlayed(seat, order.card, upgrade.id, more),))


def apply_recall(state: State, seat: str, order: orders.RecallLeader) -> Step:
    """Three robots stay in the scrapheap, and the leader stands on the board (FI p.8)."""
    return _return(state, seat, order.zone, order.form, LEADER_PRICE)


def _return(state: State, seat: str, zone: str, form: Form, price: int) -> Step:
    state = with_player(state, seat, leader=zone, form=form)
    return Step(_placed(state, price), (events.LeaderRecalled(seat, zone, form, price),))


def apply_place(state: State, seat: str, order: orders.Place) -> Step:
    """Robots on a zone; with the last one phase 1 is over (FI p.8)."""
    left = left_to_place(state)
    robots = left if order.robots == "rest" else order.robots
    state = add_robots(state, map_of(state).place[order.zone], seat, robots)
    return Step(_placed(state, robots), (events.RobotsPlaced(seat, order.zone, robots, left - robots),))


def _placed(state: State, robots: int) -> State:
    """Step E has begun, and so many robots fewer are left."""
    task = state.agenda[0]
    assert isinstance(task, ToMuster)
    return _with_task(state, replace(task, left=task.left - robots, placing=True))


def _with_task(state: State, task: ToMuster) -> State:
    return replace(state, agenda=(task, *state.agenda[1:]) if task.left else state.agenda[1:])
