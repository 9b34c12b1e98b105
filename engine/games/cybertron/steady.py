"""The steady bot: it masses its robots where most zones can be taken, attacks while the odds are good, and closes up.

The law. It sees a view and its menu, holds no State, and draws no lot. A turn is one mail or a few: what follows from
dice waits for them. What it writes is legal as its view stands; an attack that the dice have made impossible lapses.
"""

from __future__ import annotations

from typing import Any

from engine.games.cybertron.assault import CONFINES
from engine.games.cybertron.battle import ESCAPES
from engine.games.cybertron.deck import BLANK, Card, Upgrade
from engine.games.cybertron.state import (
    LEADER_PRICE,
    MOST_ATTACKERS,
    MOST_DEFENDERS,
    Task,
    ToBackUp,
    ToBonus,
    ToFlee,
    ToMorph,
    ToMuster,
)
from engine.games.cybertron.steady_map import Blow, Field, campaign, field_of, moves_all, strike
from engine.games.cybertron.view import View
from engine.kernel.dice import Below
from engine.kernel.game import AnyGame
from engine.kernel.menu import Order

Orders = tuple[Order, ...]
FRONTS = 8
"""How many of its zones are thought of as the place for the new robots."""
MANY_BATTLES = 24
"""Attacks of a turn after which it ends it."""
END: Order = {"do": "end_turn"}


def steady_turn(game: AnyGame, view: Any, seat: str, below: Below) -> Orders:
    """Orders for whatever the menu asks; the same for the same view."""
    seen: View = view
    mine = [task for task in seen.agenda[:1] if task.seat == seen.me]
    if not mine or not game.menu(seen).asked:
        return ()
    return _answer(seen, mine[0])


def _answer(view: View, task: Task) -> Orders:
    match task.__struct_config__.tag:
        case "claim":
            return ({"do": "claim", "zone": _claim(view)},)
        case "spare":
            return ({"do": "spare", "zone": _spare(view)},)
        case "defend":
            return (_defend(view),)
        case _:
            pass
    if isinstance(task, ToBonus):
        return ({"do": "bonus", "plus": _bonus(view, task)},)
    if isinstance(task, ToFlee):
        field = field_of(view)
        return (
            {"do": "flee", "zone": max(task.zones, key=lambda zone: field.pieces[field.atlas.place[zone]])},
        )
    return _turn(view, task)


def _turn(view: View, task: Task) -> Orders:
    """The rest of a turn: robots, specials, attacks; once nothing is worth attacking, the back-up and the end."""
    field = field_of(view)
    orders: list[Order] = []
    hand = [card for card in view.own.hand if not card.startswith(BLANK)]
    if isinstance(task, ToMuster):
        orders += _muster(view, field, task, hand)
    if not isinstance(task, ToBackUp):
        if isinstance(task, (ToMuster, ToMorph)):
            orders += _flip(view, field, task) + _slide(view, field, hand)
        if view.battles < MANY_BATTLES:
            attacks = _attacks(view, field, hand)
            if attacks:
                return (*orders, *attacks)
    if not (isinstance(task, ToBackUp) and task.moved):
        orders += _back_up(view, field)
    return (*orders, END)


def _upgrade(view: View, card: str) -> tuple[Card, Upgrade]:
    return view.catalogue.card(card), view.catalogue.upgrade(card)


def _muster(view: View, field: Field, task: ToMuster, hand: list[str]) -> list[Order]:
    """Cards of phase 1, the leader back if he is cheap, and all robots on one front."""
    orders: list[Order] = []
    left, bonus = task.left, task.bonus
    back = bool(view.seats[view.me].leader)
    for card in tuple(hand):
        upgrade = _upgrade(view, card)[1]
        kind = str(upgrade.effect.__struct_config__.tag)
        if kind == "extra_robots" and not task.placing:
            left += int(getattr(upgrade.effect, "n", 0))
        elif kind == "multiply_sector_bonus" and bonus and not task.placing:
            more = bonus * (int(getattr(upgrade.effect, "factor", 1)) - 1)
            left, bonus = left + more, bonus + more
        else:
            continue
        hand.remove(card)
        orders.append({"do": "play_card", "card": card})
    front = _front(field, left)
    zone = field.atlas.ids[front]
    free = next((card for card in hand if _upgrade(view, card)[1].when == "place"), "")
    if not back and free:
        hand.remove(free)
        orders.append({"do": "play_card", "card": free, "zone": zone, "form": "robot"})
        field.pieces[front] += 1
    elif not back and left >= LEADER_PRICE + 3:
        orders.append({"do": "recall_leader", "zone": zone, "form": "robot"})
        left -= LEADER_PRICE
        field.pieces[front] += 1
    if left:
        orders.append({"do": "place", "zone": zone, "robots": "rest"})
        field.pieces[front] += left
    return orders


def _front(field: Field, robots: int) -> int:
    """The zone of mine from which so many more robots promise most."""
    mine = field.mine()
    ranked = sorted(mine, key=lambda place: (-_weakness(field, place), place))[:FRONTS]

    def promise(place: int) -> float:
        trial = field.copy()
        trial.pieces[place] += robots
        return campaign(trial)[1]

    return max(ranked, key=promise)


def _weakness(field: Field, place: int) -> float:
    """How good a place is to attack from: an army there, and few enemies in many zones before it."""
    near = [field.pieces[other] for other in field.enemies(place)]
    return field.pieces[place] + 4 * len(near) - min(near, default=50.0) if near else -1.0


def _flip(view: View, field: Field, task: Task) -> list[Order]:
    """The form that is likely to help until the next turn: Bumblebee flees from where he is outnumbered, Barricade
    drives where he will lead an attack; the others are of most use as robots."""
    me = view.seats[view.me]
    if not me.leader or (isinstance(task, ToMorph) and task.flipped):
        return []
    place = field.atlas.place[me.leader]
    army = field.pieces[place]
    flees = view.me == ESCAPES and field.threat(place) > 2 * army
    leads = view.me == CONFINES and army > MOST_ATTACKERS and any(field.enemies(place))
    wanted = "vehicle" if flees or leads else "robot"
    return [] if me.form == wanted else [{"do": "flip_leader"}]


def _slide(view: View, field: Field, hand: list[str]) -> list[Order]:
    """A closed factory beneath a slider of its own opened, which is a zone more; an enemy's army shut in."""
    orders: list[Order] = []
    atlas = field.atlas
    for slider, factory in atlas.factory_of.items():
        if not any(field.owner[place] == view.me for place in atlas.sectors[atlas.within[factory]]):
            continue
        safe = field.owner[atlas.place[slider]] in field.friends
        theirs = field.owner[factory] not in field.friends
        useful = theirs and field.pieces[factory] > 1 if slider in view.opened else safe
        card = next((card for card in hand if _upgrade(view, card)[0].morph), "") if useful else ""
        if card:
            hand.remove(card)
            orders.append({"do": "morph", "card": card, "zone": slider})
            opens = slider not in view.opened
            field.owner[factory], field.pieces[factory] = (view.me, 1.0) if opens else ("", 0.0)
    return orders


def _attacks(view: View, field: Field, hand: list[str]) -> list[Order]:
    """The attacks that promise most, as far as one can be written behind the other without knowing the dice."""
    blows, _ = campaign(field.copy())
    orders: list[Order] = []
    now = field
    boosts = [card for card in hand if _upgrade(view, card)[1].when == "attack"]
    for blow in blows:
        orders.append(_attack(view, now, blow, boosts))
        strike(now, blow)
    return orders


def _attack(view: View, field: Field, blow: Blow, boosts: list[str]) -> Order:
    ids = field.atlas.ids
    real = int(field.pieces[blow.origin])
    dice = max(1, min(MOST_ATTACKERS, real - 1))
    order: Order = {"do": "attack", "from": ids[blow.origin], "to": ids[blow.target], "dice": dice}
    home = view.seats[view.me]
    if home.leader == ids[blow.origin] and dice == MOST_ATTACKERS:
        order["leader"] = True
    if boosts and field.pieces[blow.target] >= 4:
        order["cards"] = [boosts.pop(0)]
    if real > MOST_ATTACKERS:
        order["keep"] = 2
    if moves_all(field, blow):
        order["move_in"] = "all"
    return order


def _back_up(view: View, field: Field) -> list[Order]:
    """The largest army with no enemy before it goes where most enemies are."""
    idle = [place for place in field.mine() if field.pieces[place] > 1 and not any(field.enemies(place))]
    if not idle:
        return []
    origin = max(idle, key=lambda place: (field.pieces[place], -place))
    ways = _connected(field, origin)
    goals = [place for place in ways if field.owner[place] == view.me and any(field.enemies(place))]
    if not goals:
        return []
    goal = max(goals, key=lambda place: (field.threat(place) - field.pieces[place], -place))
    ids = field.atlas.ids
    leader = view.seats[view.me].leader == ids[origin]
    robots = view.zones[ids[origin]].robots if ids[origin] in view.zones else 0
    moved = robots if leader else robots - 1
    if moved < 1:
        return []
    return [{"do": "back_up", "from": ids[origin], "to": ids[goal], "robots": moved}]


def _connected(field: Field, origin: int) -> set[int]:
    found, edge = {origin}, [origin]
    while edge:
        for other in field.links[edge.pop()]:
            if other not in found and field.owner[other] in field.friends:
                found.add(other)
                edge.append(other)
    return found


def _claim(view: View) -> str:
    """An empty zone in the sector where it has most, and next to what it has."""
    field = field_of(view)
    atlas = field.atlas
    empty = [place for place in range(atlas.normal) if not field.owner[place]]

    def value(place: int) -> tuple[float, int]:
        sector = atlas.sectors[atlas.within[place]]
        have = sum(field.owner[other] == view.me for other in sector)
        lost = sum(field.owner[other] not in ("", view.me) for other in sector)
        near = sum(field.owner[other] == view.me for other in field.links[place])
        return (have - lost) / len(sector) + near / 4, -place

    return atlas.ids[max(empty, key=value)]


def _spare(view: View) -> str:
    field = field_of(view)
    return field.atlas.ids[_front(field, 1)]


def _defend(view: View) -> Order:
    """With all that may, the leader among them if he need not fight alone."""
    battle = view.battle
    assert battle is not None
    zone = view.zones[battle.target]
    leader = view.seats[view.me].leader == battle.target
    attacker = view.seats[view.seat]
    confined = battle.leader and view.seat == CONFINES and attacker.form == "vehicle"
    limit = min(view.boost.limit, battle.boost.limit, 1 if confined else MOST_DEFENDERS)
    most = min(limit, zone.robots + leader)
    order: Order = {"do": "defend", "dice": most}
    if leader and (most > 1 or not zone.robots):
        order["leader"] = True
    shields = [card for card in view.own.hand if _upgrade(view, card)[1].when == "defence"]
    if shields and not battle.rolls and battle.dice == MOST_ATTACKERS and most > 1:
        order["cards"] = shields[:1]
    return order


def _bonus(view: View, task: ToBonus) -> int:
    """As much as turns the comparison that is next."""
    battle = view.battle
    assert battle is not None
    assert battle.roll is not None
    roll = battle.roll
    done = len(roll.compared)
    high, low = roll.attack[done][0], roll.defence[done][0]
    need = low + 1 - high if view.me == view.seat else high + max(0, roll.added) - low
    return need if 0 < need <= task.most else 0
