"""The menu of attacks and of what a battle asks."""

from __future__ import annotations

from engine.games.cybertron import orders
from engine.games.cybertron.assault import can_fly, going, mine_in, most_defenders
from engine.games.cybertron.menu_parts import LEADER, card_options, leader_field, own_zones
from engine.games.cybertron.standing import has_leader, is_enemy, pieces
from engine.games.cybertron.state import MOST_ATTACKERS, State, ToBonus, cards_of, map_of
from engine.kernel.menu import Field, Option
from engine.kernel.pool import Pool, choice
from engine.kernel.prose import Say, say

FROM, TO = say("From which zone"), say("Which zone to attack")
DICE = say("How many pieces attack")
CARDS, CARD = say("Cards to play now"), say("The card")
UNTIL = say("Until it is captured, or for so many rolls")
KEEP = say("Stop when only so many pieces are left at home")
MOVE_IN = say("After the conquest: least, all, or how many move in")
WHEN = say("Only if")
HELD, NOT_HELD = say("You hold these zones"), say("You do not hold these zones")
CAPTURED = say("You have captured these zones in this turn")
ZONE = say("The zone")
AT_LEAST, AT_MOST = say("At least so many of your pieces"), say("At most so many of your pieces")
PIECES = say("Pieces")
DEFENDERS = say("How many pieces defend")
PLUS = say("How much to add")


def attack(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    """From where, and by that whom and with how many; then what goes with every attack."""
    where = map_of(state)
    links = where.links(state.opened)
    enemies = [place for place, owner in enumerate(state.owner) if is_enemy(state, seat, owner)]
    options: list[Option] = []
    for place, owner in enumerate(state.owner):
        here = pieces(state, place) if owner == seat else 0
        if here < 2:
            continue
        zone = where.ids[place]
        flies = can_fly(state, seat, zone)
        targets = [other for other in enemies if flies or other in links[place]]
        if targets:
            near = _near(pool, min(MOST_ATTACKERS, here - 1), leader=has_leader(state, place))
            far = _far(pool) if flies else ""
            goals = tuple(
                Option(where.ids[other], form=near if other in links[place] else far) for other in targets
            )
            keep = Field("keep", "number", KEEP, high=min(here - 1, orders.MOST_ROBOTS), optional=True)
            to = Field("to", "zone", TO, options=goals)
            options.append(Option(zone, form=pool.form("attack_from", (to, keep))))
    if not options:
        return ()
    return (Field("from", "zone", FROM, options=tuple(options)), *_plan(pool, state, seat))


def _near(pool: Pool, most: int, *, leader: bool) -> str:
    dice = Field("dice", "number", DICE, low=1, high=most)
    return pool.form("near", (dice, leader_field()) if leader else (dice, leader_field(only=False)))


def _far(pool: Pool) -> str:
    leads = Field("leader", "choice", LEADER, options=(Option(True),))
    return pool.form("far", (Field("dice", "number", DICE, low=1, high=1), leads))


def _plan(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    until = ("captured", *range(1, orders.MOST_UNTIL + 1))
    move_in = ("least", "all", *range(1, orders.MOST_MOVED + 1))
    return (
        *_cards(state, seat, "attack"),
        Field("until", "choice", UNTIL, sets=pool.set("until", tuple(map(Option, until))), optional=True),
        Field(
            "move_in", "choice", MOVE_IN, sets=pool.set("move_in", tuple(map(Option, move_in))), optional=True
        ),
        Field(
            "when", "record", WHEN, options=(Option("when", form=_when(pool, state, seat)),), optional=True
        ),
    )


def _cards(state: State, seat: str, time: str) -> tuple[Field, ...]:
    deck = cards_of(state)
    cards = tuple(card for card in state.players[seat].hand if deck.upgrade(card).when == time)
    if not cards:
        return ()
    item = Field("card", "card", CARD, options=card_options(state, cards))
    return (Field("cards", "list", CARDS, low=1, high=len(cards), item=item, distinct=True, optional=True),)


def _when(pool: Pool, state: State, seat: str) -> str:
    """Guards that are true now."""
    mine = own_zones(state, seat)
    others = tuple(zone for zone in map_of(state).ids if zone not in mine)
    fields = (
        *_zones("held", HELD, mine),
        *_zones("not_held", NOT_HELD, others),
        *_zones("captured", CAPTURED, state.captured),
        Field(
            "at_least",
            "record",
            AT_LEAST,
            options=(Option("zones", form=_limits(pool, state, seat, at_most=False)),),
            optional=True,
        ),
        Field(
            "at_most",
            "record",
            AT_MOST,
            options=(Option("zones", form=_limits(pool, state, seat, at_most=True)),),
            optional=True,
        ),
    )
    return pool.form("when", fields)


def _zones(name: str, ask: Say, zones: tuple[str, ...]) -> tuple[Field, ...]:
    if not zones:
        return ()
    item = choice("zone", ZONE, zones, "zone")
    return (Field(name, "list", ask, low=1, high=len(zones), item=item, distinct=True, optional=True),)


def _limits(pool: Pool, state: State, seat: str, *, at_most: bool) -> str:
    """By zone, the numbers that are true now."""
    fields: list[Field] = []
    for zone in map_of(state).ids:
        mine = min(mine_in(state, seat, zone), orders.MOST_ROBOTS)
        low, high = (mine, orders.MOST_ROBOTS) if at_most else (1, mine)
        if low <= high:
            fields.append(Field(zone, "number", PIECES, low=low, high=high, optional=True))
    return pool.form("at_most" if at_most else "at_least", tuple(fields))


def defend(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    """How many, and by that whether the leader; cards."""
    place = map_of(state).place[going(state).target]
    robots, leader = state.robots[place], has_leader(state, place)
    must = pool.form("leads", (Field("leader", "choice", LEADER, options=(Option(True),)),))
    may = pool.form("may_lead", (leader_field(only=None if leader else False),))
    options = tuple(
        Option(dice, form=must if dice > robots else may) for dice in range(1, most_defenders(state) + 1)
    )
    return (Field("dice", "choice", DEFENDERS, options=options), *_cards(state, seat, "defence"))


def bonus(pool: Pool, state: State, seat: str) -> tuple[Field, ...]:
    """From nothing to all there is."""
    task = state.agenda[0]
    assert isinstance(task, ToBonus)
    return (Field("plus", "number", PLUS, high=task.most),)
