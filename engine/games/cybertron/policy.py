"""What standing orders answer (section 8.4), and what is done for who is silent.

The law. A policy never does what its player could not order. Who has left, and who has sent no standing orders, defends
with all he may and spends his +1 where it turns a loss; his cards stay in his hand. Only others' turns are waited
for: whose turn it is has his +1 and Bumblebee's flight answered at once.
"""

from __future__ import annotations

from typing import assert_never

from engine.games.cybertron import orders
from engine.games.cybertron.assault import going, most_defenders
from engine.games.cybertron.orders import DEFAULT, Action, CardLine, Policy, Question
from engine.games.cybertron.standing import has_leader, is_enemy, pieces
from engine.games.cybertron.state import MOST_DEFENDERS, State, ToBonus, ToDefend, ToFlee, cards_of, map_of

Asked = ToDefend | ToBonus | ToFlee


def policy_of(state: State, seat: str) -> Policy:
    """The policy in force; the default's for who has left."""
    player = state.players[seat]
    return DEFAULT if player.resigned else player.policy


def is_asked(state: State, task: Asked) -> bool:
    """Whether a question waits for its seat: by public facts and the seat's own wish, never by what it holds.

    Where there is no choice, nobody is asked.
    """
    if not state.ask or task.seat == state.seat or state.players[task.seat].resigned:
        return False
    kind: Question = "bonus"
    if isinstance(task, ToDefend):
        kind = "defend"
        if not state.players[task.seat].hand and _ways(state) == 1:
            return False
    elif isinstance(task, ToFlee):
        kind = "flee"
    return kind in state.players[task.seat].policy.ask


def _ways(state: State) -> int:
    """In how many ways the zone can be defended, cards apart."""
    place = map_of(state).place[going(state).target]
    robots, leader, most = state.robots[place], has_leader(state, place), most_defenders(state)
    without = min(most, robots)
    return without + (sum(1 for dice in range(1, most + 1) if dice - 1 <= robots) if leader else 0)


def answer(state: State, task: Asked) -> Action:
    """The answer of a seat's policy."""
    policy = policy_of(state, task.seat)
    match task:
        case ToDefend():
            return _defend(state, task.seat, policy)
        case ToBonus():
            return orders.Bonus(_plus(state, task) if policy.bonus == "best" else 0)
        case ToFlee():
            return orders.Flee(_refuge(state, task, policy))
        case _:
            assert_never(task)


def _defend(state: State, seat: str, policy: Policy) -> orders.Defend:
    zone = going(state).target
    place = map_of(state).place[zone]
    dice, leader = defenders(
        policy, zone, (state.robots[place], has_leader(state, place)), most_defenders(state)
    )
    return orders.Defend(dice, leader, cards(state, seat, policy))


def defenders(policy: Policy, zone: str, there: tuple[int, bool], most: int) -> tuple[int, bool]:
    """How many defend, and whether the leader does; `there`: robots, and whether the leader is with them.

    He is never sent alone while robots stay behind; without a robot he must fight (section 7.1).
    """
    robots, leader = there
    wanted = 1 if policy.defend == 1 or zone in policy.one_in else MOST_DEFENDERS
    dice = min(wanted, most, robots + leader)
    if not robots:
        return 1, True
    gladly = policy.leader == "always" or (not isinstance(policy.leader, str) and zone in policy.leader)
    if leader and gladly and dice > 1:
        return dice, True
    return min(dice, robots), False


def cards(state: State, seat: str, policy: Policy) -> tuple[str, ...]:
    """The defence cards whose lines fit this attack, each line at most once an attack (section 8.4)."""
    return tuple(card for _, card in firing(state, seat, policy))


def firing(state: State, seat: str, policy: Policy) -> tuple[tuple[int, str], ...]:
    """The lines that fit the next roll and have not been used in this attack, by number, each with its card."""
    battle = going(state)
    hand = state.players[seat].hand if not state.players[seat].resigned else ()
    mine = pieces(state, map_of(state).place[battle.target])
    chosen: list[tuple[int, str]] = []
    for number, line in enumerate(policy.cards):
        if number not in battle.lines and fits(line, battle.target, battle.dice, mine):
            taken = [card for _, card in chosen]
            found = match(state, line, tuple(card for card in hand if card not in taken))
            if found:
                chosen.append((number, found))
    return tuple(chosen)


def fired(state: State, seat: str, played: tuple[str, ...]) -> tuple[int, ...]:
    """The lines of this attack that are used up once a seat has played these cards.

    A card that its player chose himself uses up a line only if the line would have played it too.
    """
    now = (number for number, card in firing(state, seat, policy_of(state, seat)) if card in played)
    return (*going(state).lines, *now)


def fits(line: CardLine, zone: str, dice: int, mine: int) -> bool:
    """Whether a line speaks of such an attack."""
    return (not line.zones or zone in line.zones) and dice >= line.dice and mine <= line.pieces


def match(state: State, line: CardLine, hand: tuple[str, ...]) -> str:
    """The card of a hand that a line means; empty if there is none."""
    return next((card for card in hand if _means(state, line, card)), "")


def _means(state: State, line: CardLine, card: str) -> bool:
    deck = cards_of(state)
    return line.card in (card, deck.card(card).upgrade)


def _plus(state: State, task: ToBonus) -> int:
    """Only as much as turns the comparison as it stands (section 7.1)."""
    roll = going(state).roll
    assert roll is not None
    done = len(roll.compared)
    high, low = roll.attack[done][0], roll.defence[done][0]
    needed = low - high + 1 if roll.added < 0 else high + roll.added - low
    return needed if 0 < needed <= task.most else 0


def _refuge(state: State, task: ToFlee, policy: Policy) -> str:
    """The first zone of the list that will do, else the one with most pieces (section 8.4)."""
    listed = [zone for zone in policy.refuge if zone in task.zones]
    where = map_of(state)
    return listed[0] if listed else max(task.zones, key=lambda zone: pieces(state, where.place[zone]))


def front(state: State, seat: str) -> str:
    """The own zone that faces most enemy pieces, the first in board order of equals (section 7.1, Silence)."""
    where = map_of(state)
    links = where.links(state.opened)

    def faced(place: int) -> int:
        return sum(
            pieces(state, other) for other in links[place] if is_enemy(state, seat, state.owner[other])
        )

    mine = [place for place, owner in enumerate(state.owner) if owner == seat]
    return where.ids[max(mine, key=faced)]
