"""The menu of a seat, made from its view alone: every order that the rules allow now, as forms to fill in.

It imagines the view as a position and asks the same rules as `check`. Guards are offered as far as they are true now, since
an order whose guards are not is refused now. `legal` picks a few orders of every kind out of a menu.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.games.cybertron import backup, menu_battle, morph, muster, orders
from engine.games.cybertron.agenda import FITS, check, tag
from engine.games.cybertron.imagine import imagine
from engine.games.cybertron.menu_parts import LEADER, card_options, leader_field, one_of, own_zones
from engine.games.cybertron.orders import Action
from engine.games.cybertron.standing import has_leader, is_allied
from engine.games.cybertron.state import LEADER_PRICE, State, Task, ToFlee, ToMuster, cards_of, map_of
from engine.games.cybertron.view import View
from engine.kernel.game import Decision
from engine.kernel.menu import Act, Asked, Chooser, Field, Menu, Option, fill
from engine.kernel.pool import Pool, choice
from engine.kernel.prose import Say, say

ASKED: dict[str, Say] = {
    "claim": say("Claim an empty zone"),
    "spare": say("Place one of your spare robots"),
    "muster": say("Phase 1: place your robots"),
    "morph": say("Phase 2: morph, or go on to the later phases"),
    "attack": say("Phase 3: attack, or go on"),
    "back_up": say("Phase 4: call for back-up, or end your turn"),
    "defend": say("You are attacked: say how you defend"),
    "bonus": say("Say what you add to your die"),
    "flee": say("Say where Bumblebee escapes to"),
}
ACTS: dict[type[Action], Say] = {
    orders.Claim: say("Claim a zone"),
    orders.Spare: say("Place a robot"),
    orders.PlayCard: say("Play a card"),
    orders.RecallLeader: say("Recall your leader for three robots"),
    orders.Place: say("Place robots"),
    orders.FlipLeader: say("Turn your leader to his other form"),
    orders.Morph: say("Open or close a special zone with a card"),
    orders.Attack: say("Attack a zone"),
    orders.BackUp: say("Move pieces to a connected zone"),
    orders.Jump: say("Move Optimus Prime to any zone of yours"),
    orders.Give: say("Give a zone to your team-mate"),
    orders.EndTurn: say("End your turn"),
    orders.Defend: say("Defend"),
    orders.Bonus: say("Add to your die"),
    orders.Flee: say("Escape"),
}
ZONE = say("The zone")
FORM = say("The form in which he returns")
ROBOTS = say("How many robots, or rest for all that are left")
CARD = say("The card")
SPECIAL = say("The special zone")
FROM, TO = say("From which zone"), say("To which zone")
MOVED = say("How many robots move")
PLUS = say("How much to add")
REFUGE = say("The zone to which he escapes")
GIFT = say("The zone to give")


def menu(view: View) -> Menu:
    """What the viewer may do now; nothing if he is not asked."""
    if not view.me or not view.agenda or view.agenda[0].seat != view.me:
        return Menu()
    state = imagine(view)
    task = state.agenda[0]
    pool = Pool()
    acts: list[Act] = []
    for verb in FITS[type(task)]:
        fields = _fields(pool, state, task, verb)
        if fields is not None:
            acts.append(Act(tag(verb), ACTS[verb], pool.form(tag(verb), fields)))
    word = tag(type(task))
    return pool.menu((Asked(word, ASKED[word], tuple(acts)),))


def _fields(pool: Pool, state: State, task: Task, verb: type[Action]) -> tuple[Field, ...] | None:
    """The fields of a verb; None if it can't be used now."""
    seat = task.seat
    makers = {
        orders.Claim: _claim,
        orders.Spare: _spare,
        orders.PlayCard: _play_card,
        orders.RecallLeader: _recall,
        orders.Place: _place,
        orders.Morph: _morph,
        orders.Attack: menu_battle.attack,
        orders.BackUp: _back_up,
        orders.Jump: _jump,
        orders.Give: _give,
        orders.Defend: menu_battle.defend,
        orders.Bonus: menu_battle.bonus,
        orders.Flee: _flee,
    }
    if verb in makers:
        return makers[verb](pool, state, seat) or None
    simple = msgspec.convert({"do": tag(verb)}, Action)
    return () if check(state, seat, simple) is None else None


def _claim(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    where = map_of(state)
    empty = tuple(zone for place, zone in enumerate(where.ids[: where.normal]) if not state.owner[place])
    return one_of("zone", ZONE, empty)


def _spare(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    return one_of("zone", ZONE, own_zones(state, seat))


def _own(pool: Pool, state: State, seat: str) -> Field:
    return Field("zone", "zone", ZONE, sets=pool.names("own", own_zones(state, seat)))


def _form() -> Field:
    return Field("form", "choice", FORM, options=(Option("robot"), Option("vehicle")), optional=True)


def _recall(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    if state.players[seat].leader or muster.left_to_place(state) < LEADER_PRICE:
        return ()
    return (_own(pool, state, seat), _form())


def _place(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    numbers = tuple(Option(number) for number in range(1, muster.left_to_place(state) + 1))
    options = (Option("rest"), *numbers[: orders.MOST_ROBOTS])
    return (_own(pool, state, seat), Field("robots", "choice", ROBOTS, options=options, optional=True))


def _play_card(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    """Cards of this phase, each with the fields that go with it."""
    task = state.agenda[0]
    hand = state.players[seat].hand
    deck = cards_of(state)
    forms: dict[str, str] = {}
    if isinstance(task, ToMuster):
        if not task.placing:
            forms["muster"] = ""
        if not state.players[seat].leader:
            forms["place"] = pool.form("return", (_own(pool, state, seat), _form()))
    else:
        move = _back_up(pool, state, seat, moved=True)
        if move:
            forms["morph"] = pool.form("move", move)
    options = [
        option for option in card_options(state, hand) if deck.upgrade(str(option.value)).when in forms
    ]
    if not options:
        return ()
    with_forms = tuple(
        msgspec.structs.replace(option, form=forms[deck.upgrade(str(option.value)).when])
        for option in options
    )
    return (Field("card", "card", CARD, options=with_forms),)


def _morph(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    deck = cards_of(state)
    cards = tuple(card for card in state.players[seat].hand if deck.card(card).morph)
    if not cards:
        return ()
    zones = tuple(
        zone
        for zone in map_of(state).specials
        if morph.check_morph(state, seat, orders.Morph(cards[0], zone)) is None
    )
    card = Field("card", "card", CARD, options=card_options(state, cards))
    return (card, choice("zone", SPECIAL, zones, "zone")) if zones else ()


def _back_up(pool: Pool, state: State, seat: str, *, moved: bool = False) -> tuple[Field, ...]:
    """From where, and by that where to and how many; with `moved` the phase does not matter."""
    task = state.agenda[-1]
    if not moved and getattr(task, "moved", False):
        return ()
    where = map_of(state)
    options: list[Option] = []
    joined: dict[int, frozenset[int]] = {}
    for place, owner in enumerate(state.owner):
        robots, leader = state.robots[place], has_leader(state, place)
        if owner != seat or robots + leader < 2:
            continue
        if place not in joined:
            component = backup.connected(state, seat, place)
            joined.update(dict.fromkeys(component, component))
        goals = tuple(where.ids[other] for other in sorted(joined[place]) if other != place)
        if goals:
            to = Field("to", "zone", TO, sets=pool.names("goals", goals))
            fields = (to, _moved(pool, robots, leader=leader))
            options.append(Option(where.ids[place], form=pool.form("pieces", fields)))
    return (Field("from", "zone", FROM, options=tuple(options)),) if options else ()


def _moved(pool: Pool, robots: int, *, leader: bool) -> Field:
    """How many robots; with the leader there, he may go too, as long as a piece stays."""
    most = min(robots if leader else robots - 1, orders.MOST_ROBOTS)
    if not leader:
        return Field("robots", "number", MOVED, low=1, high=most)
    must = pool.form("leads", (Field("leader", "choice", LEADER, options=(Option(True),)),))
    may = pool.form("may_lead", (leader_field(),))
    no = pool.form("stays", (leader_field(only=False),))
    options = [
        Option(0, form=must),
        *(Option(number, form=may) for number in range(1, min(robots, most + 1))),
    ]
    if most >= robots:
        options.append(Option(robots, form=no))
    return Field("robots", "choice", MOVED, options=tuple(options))


def _jump(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    goals = tuple(zone for zone in own_zones(state, seat) if check(state, seat, orders.Jump(zone)) is None)
    return one_of("to", TO, goals)


def _give(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    if not is_allied(state):
        return ()
    mine = own_zones(state, seat)
    return one_of("zone", GIFT, mine) if check(state, seat, orders.Give(mine[0])) is None else ()


def _flee(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    task = state.agenda[0]
    return one_of("zone", REFUGE, task.zones if isinstance(task, ToFlee) else ())


class _Some(Chooser):
    """Fills a form in one of several ways: with `way` 0 and 1 the first and the last options and nothing optional."""

    def __init__(self, way: int) -> None:
        super().__init__(lambda n: (0, n - 1)[way] if way < 2 else self._turn(n))
        self._way = way
        self._count = 0

    def _turn(self, n: int) -> int:
        self._count += 1
        return (self._way * 7 + self._count * 3) % n

    def wants(self, field: Field) -> bool:
        """Nothing optional in the first two ways."""
        return self._way >= 2 and super().wants(field)


WAYS = 8


def legal(decision: Decision, seen: View) -> tuple[Action, ...]:
    """A finite sample of the legal orders, from the menu of the seat's own view: every verb in some ways."""
    return tuple(_sample(decision, menu(seen)))


def _sample(decision: Decision, asked: Menu) -> Iterator[Action]:
    known: set[bytes] = set()
    for act in (act for one in asked.asked if one.decision == decision.kind for act in one.acts):
        for way in range(WAYS):
            order = fill(asked, act, _Some(way))
            key = msgspec.json.encode(order, order="sorted")
            if key not in known:
                known.add(key)
                yield msgspec.convert(order, Action)
