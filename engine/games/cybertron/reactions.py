"""Answers to what a battle asks (FI p.11-15): how to defend, what to add, where to flee."""

from __future__ import annotations

from engine.games.cybertron import orders
from engine.games.cybertron.assault import going, most_defenders
from engine.games.cybertron.ground import check_hand
from engine.games.cybertron.standing import has_leader
from engine.games.cybertron.state import State, Task, ToBonus, ToFlee, map_of
from engine.kernel.refusal import Refusal


def check_defend(state: State, seat: str, order: orders.Defend) -> Refusal | None:
    """One or two pieces of the zone, the leader if he is there, cards of one's own hand (FI p.11-12)."""
    zone = going(state).target
    place = map_of(state).place[zone]
    if order.leader and not has_leader(state, place):
        return Refusal("moment/leader-elsewhere", {"zone": zone})
    most = most_defenders(state)
    if order.dice > most:
        return Refusal("moment/too-many-defend", {"zone": zone, "dice": order.dice, "most": most})
    robots = state.robots[place]
    if order.dice - order.leader > robots:
        return Refusal("moment/needs-leader", {"zone": zone, "dice": order.dice, "robots": robots})
    missing = (check_hand(state, seat, card) for card in order.cards)
    return next((one for one in missing if one), None)


def check_bonus(task: Task, order: orders.Bonus) -> Refusal | None:
    """No more than there is (FI p.14)."""
    assert isinstance(task, ToBonus)
    if order.plus <= task.most:
        return None
    return Refusal("moment/too-much", {"plus": order.plus, "most": task.most})


def check_flee(task: Task, order: orders.Flee) -> Refusal | None:
    """A neighbouring zone of one's own (FI p.14)."""
    assert isinstance(task, ToFlee)
    if order.zone in task.zones:
        return None
    return Refusal("moment/no-refuge", {"zone": order.zone, "zones": ", ".join(task.zones)})
