"""A battle, roll after roll (FI p.11-15): dice, comparisons, the +1 after the roll, losses, the results.

The law. Dice are sorted once, after what is added to all of them; before each comparison the attacker says what he
adds, then the defender, and a tie is the defender's (section 7, 3). An involved robot goes first, the leader last. A
decision is opened only where it can change something; it lies before the phases on the agenda, and the battle goes on
when it is answered. The label of a draw counts battle and roll, so how a turn is cut into moves changes no roll.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.cybertron import conquest, events, orders, policy
from engine.games.cybertron.assault import attack_boost, going, raised
from engine.games.cybertron.events import Events
from engine.games.cybertron.ground import Step, lose_robots, spend_card
from engine.games.cybertron.state import (
    LEADER_DIE,
    Battle,
    Boost,
    Compared,
    Die,
    Roll,
    State,
    ToBonus,
    ToFlee,
    cards_of,
    map_of,
    with_player,
)
from engine.kernel.dice import Dice

ADD_IN_ATTACK = ("bumblebee", "megatron")
ADD_IN_DEFENCE = ("optimus_prime", "barricade")
ESCAPES = "bumblebee"
"""Who has which power (FI p.14)."""


def apply_defend(state: State, seat: str, order: orders.Defend, dice: Dice) -> Step:
    """The defender's cards, then both roll at once (FI p.11-12, steps 3 and 4)."""
    happened: Events = ()
    if order.cards:
        lines = policy.fired(state, seat, order.cards)
        state = replace(state, battle=replace(going(state), lines=lines))
    for card in order.cards:
        upgrade = cards_of(state).upgrade(card)
        state = spend_card(state, seat, card)
        battle = going(state)
        battle = replace(battle, shield=raised(battle.shield, upgrade), played=(*battle.played, card))
        state = replace(state, battle=battle)
        happened += (events.CardPlayed(seat, card, upgrade.id, battle=battle.number),)
    state = replace(state, agenda=state.agenda[1:], battle=_rolled(state, order, dice))
    state, more = go_on(state, dice)
    return Step(state, (*happened, *more))


def _rolled(state: State, order: orders.Defend, dice: Dice) -> Battle:
    battle = going(state)
    boost, shield = attack_boost(state), battle.shield
    players = state.players
    number = battle.rolls + 1
    label = f"battle/{state.turn}/{battle.number}/{number}"
    attack = _throw(dice, f"{label}/attack", boost, battle.dice, leader=battle.leader)
    defence = _throw(dice, f"{label}/defence", shield, order.dice, leader=order.leader)
    adds = battle.leader and state.seat in ADD_IN_ATTACK and players[state.seat].form == "robot"
    other = battle.defender
    parries = order.leader and other in ADD_IN_DEFENCE and players[other].form == "robot"
    roll = Roll(
        attack,
        defence,
        battle.dice,
        order.dice,
        battle.leader,
        order.leader,
        plus=boost.one + adds,
        parry=shield.one + parries,
    )
    return replace(battle, rolls=number, roll=roll)


def _throw(dice: Dice, label: str, boost: Boost, count: int, *, leader: bool) -> tuple[Die, ...]:
    """One die a piece, the leader's with eight faces at least, highest first (FI p.12, p.14)."""
    leader_sides = max(LEADER_DIE, boost.sides)
    by_sides: dict[int, int] = {}
    for sides, number in ((boost.sides, count - leader), (leader_sides, int(leader))):
        if number:
            by_sides[sides] = by_sides.get(sides, 0) + number
    thrown = [
        (value + boost.each, sides)
        for sides, number in sorted(by_sides.items())
        for value in dice.roll(f"{label}-d{sides}", sides, number)
    ]
    return tuple(sorted(thrown, reverse=True))


def go_on(state: State, dice: Dice) -> Step:
    """Compare, dice by dice, until something must be decided or the roll is done (FI p.12, steps 5 to 7)."""
    while True:
        roll = going(state).roll
        assert roll is not None
        done = len(roll.compared)
        if done == min(len(roll.attack), len(roll.defence)):
            return finish_roll(state, dice)
        high, low = roll.attack[done][0], roll.defence[done][0]
        if roll.added < 0:
            if high + roll.plus > low and high <= low + roll.parry and roll.plus:
                return _ask(state, ToBonus(state.seat, roll.plus))
            roll = replace(roll, added=0)
        high += roll.added
        if low < high <= low + roll.parry:
            state = _with_roll(state, roll)
            return _ask(state, ToBonus(going(state).defender, roll.parry))
        state = _with_roll(state, _compared(roll, 0))


def _ask(state: State, task: ToBonus) -> Step:
    return Step(replace(state, agenda=(task, *state.agenda)), ())


def _with_roll(state: State, roll: Roll) -> State:
    return replace(state, battle=replace(going(state), roll=roll))


def _compared(roll: Roll, parry: int) -> Roll:
    """The next two dice compared, with what both have added; the loser's piece is counted off (FI p.12)."""
    done = len(roll.compared)
    wins = roll.attack[done][0] + roll.added > roll.defence[done][0] + parry
    attackers, defenders = roll.attackers - (not wins), roll.defenders - wins
    if wins:
        last = roll.defending_leader and not defenders
        result = Compared("defending_leader" if last else "defender", roll.added, parry)
    else:
        last = roll.attacking_leader and not attackers
        result = Compared("attacking_leader" if last else "attacker", roll.added, parry)
    return replace(
        roll,
        attackers=attackers,
        defenders=defenders,
        plus=roll.plus - roll.added,
        parry=roll.parry - parry,
        compared=(*roll.compared, result),
        added=-1,
    )


def apply_bonus(state: State, order: orders.Bonus, dice: Dice) -> Step:
    """What a side adds to its die of the comparison that is next (FI p.14-15)."""
    roll = going(state).roll
    assert roll is not None
    state = replace(state, agenda=state.agenda[1:])
    if roll.added < 0:
        roll = replace(roll, added=order.plus)
        done = len(roll.compared)
        high, low = roll.attack[done][0] + roll.added, roll.defence[done][0]
        if low < high <= low + roll.parry:
            return _ask(_with_roll(state, roll), ToBonus(going(state).defender, roll.parry))
        return go_on(_with_roll(state, _compared(roll, 0)), dice)
    return go_on(_with_roll(state, _compared(roll, order.plus)), dice)


def finish_roll(state: State, dice: Dice) -> Step:
    """Losses leave the board (FI p.12, step 6); Bumblebee may escape; then the results."""
    battle = going(state)
    roll = battle.roll
    assert roll is not None
    where = map_of(state)
    lost = [one.lost for one in roll.compared]
    happened: Events = (
        events.Rolled(
            battle.number,
            battle.rolls,
            roll.attack,
            roll.defence,
            roll.compared,
            roll.attacking_leader,
            roll.defending_leader,
        ),
    )
    for zone, robots in ((battle.origin, lost.count("attacker")), (battle.target, lost.count("defender"))):
        if robots:
            state = lose_robots(state, where.place[zone], robots)
    beaten = battle.beaten + lost.count("defender") + lost.count("defending_leader")
    battle = replace(battle, lost=battle.lost + len(lost) - (beaten - battle.beaten), beaten=beaten)
    state = replace(state, battle=battle)
    for word, seat, zone in (
        ("attacking_leader", state.seat, battle.origin),
        ("defending_leader", battle.defender, battle.target),
    ):
        if word in lost:
            refuges = refuges_of(state, seat, zone)
            if len(refuges) > 1:
                task = ToFlee(seat, refuges)
                return Step(replace(state, agenda=(task, *state.agenda)), happened)
            state, more = _leaves(state, seat, zone, refuges[0] if refuges else "")
            happened += more
    state, more = conquest.results(state, dice)
    return Step(state, (*happened, *more))


def refuges_of(state: State, seat: str, zone: str) -> tuple[str, ...]:
    """Where a leader who would be destroyed in a zone can go: Bumblebee, as a Camaro, next door (FI p.14)."""
    if seat != ESCAPES or state.players[seat].form != "vehicle":
        return ()
    where = map_of(state)
    near = where.links(state.opened)[where.place[zone]]
    return tuple(where.ids[place] for place in near if state.owner[place] == seat)


def _leaves(state: State, seat: str, zone: str, refuge: str) -> Step:
    state = with_player(state, seat, leader=refuge)
    if refuge:
        return Step(state, (events.LeaderFled(seat, zone, refuge),))
    return Step(state, (events.LeaderDestroyed(seat, zone),))


def apply_flee(state: State, seat: str, order: orders.Flee, dice: Dice) -> Step:
    """Bumblebee stands in his refuge, and the battle's results follow (FI p.14)."""
    zone = state.players[seat].leader
    state, happened = _leaves(replace(state, agenda=state.agenda[1:]), seat, zone, order.zone)
    state, more = conquest.results(state, dice)
    return Step(state, (*happened, *more))
