"""Which order fits which task: the one table, read by the checks, the menu, the documentation and a test.

The head of the agenda is open. In one's own turn an order of a later phase leaves the earlier ones behind (FI p.6;
section 7.1), but for phase 1, in which every robot must be placed.
"""

from __future__ import annotations

from typing import assert_never

from engine.games.cybertron import (
    assault,
    backup,
    battle,
    morph,
    muster,
    orders,
    policy,
    reactions,
    rounds,
    setup,
)
from engine.games.cybertron.ground import Step
from engine.games.cybertron.orders import Action
from engine.games.cybertron.state import (
    State,
    Task,
    ToAttack,
    ToBackUp,
    ToBonus,
    ToClaim,
    ToDefend,
    ToFlee,
    ToMorph,
    ToMuster,
    ToSpare,
)
from engine.games.cybertron.wording import check_wording
from engine.kernel.dice import Dice
from engine.kernel.game import Answer, Decision
from engine.kernel.refusal import Refusal

FITS: dict[type[Task], tuple[type[Action], ...]] = {
    ToClaim: (orders.Claim,),
    ToSpare: (orders.Spare,),
    ToMuster: (orders.PlayCard, orders.RecallLeader, orders.Place),
    ToMorph: (
        orders.FlipLeader,
        orders.Morph,
        orders.PlayCard,
        orders.Attack,
        orders.BackUp,
        orders.Jump,
        orders.Give,
        orders.EndTurn,
    ),
    ToAttack: (orders.Attack, orders.BackUp, orders.Jump, orders.Give, orders.EndTurn),
    ToBackUp: (orders.BackUp, orders.Jump, orders.Give, orders.EndTurn),
    ToDefend: (orders.Defend,),
    ToBonus: (orders.Bonus,),
    ToFlee: (orders.Flee,),
}


def tag(kind: type[Task] | type[Action]) -> str:
    """The word for an order or a task on the wire."""
    return str(kind.__struct_config__.tag)


def pending(state: State) -> tuple[Decision, ...]:
    """Who must decide what: the head of the agenda; nobody once the game is over."""
    return tuple(Decision(task.seat, tag(type(task))) for task in state.agenda[:1])


def check(state: State, seat: str, action: Action) -> Refusal | None:
    """Whether an order may be carried out now: words first, then the table, then the rules of its own."""
    refusal = check_wording(state, seat, action)
    if refusal:
        return refusal
    if not state.agenda:
        return Refusal("moment/game-over")
    task = state.agenda[0]
    if task.seat != seat:
        return Refusal("moment/not-your-turn", {"seat": seat, "seats": task.seat})
    if type(action) not in FITS[type(task)]:
        if isinstance(task, ToMuster):
            return Refusal("moment/unplaced", {"order": tag(type(action)), "left": task.left})
        expected = ", ".join(tag(kind) for kind in FITS[type(task)])
        return Refusal("moment/wrong-phase", {"order": tag(type(action)), "expected": expected})
    return _check_rules(state, task, action)


def _check_rules(state: State, task: Task, action: Action) -> Refusal | None:  # noqa: C901, PLR0912 (a case an order)
    seat = task.seat
    match action:
        case orders.Attack():
            return assault.check_attack(state, seat, action)
        case orders.Place():
            return muster.check_place(state, seat, action)
        case orders.BackUp():
            return backup.check_back_up(state, seat, action)
        case orders.PlayCard():
            check_card = muster.check_card if isinstance(task, ToMuster) else backup.check_card
            return check_card(state, seat, action)
        case orders.RecallLeader():
            return muster.check_recall(state, seat, action)
        case orders.FlipLeader():
            return morph.check_flip(state, seat)
        case orders.Morph():
            return morph.check_morph(state, seat, action)
        case orders.Jump():
            return backup.check_jump(state, seat, action)
        case orders.Give():
            return backup.check_give(state, seat, action)
        case orders.Claim():
            return setup.check_claim(state, action)
        case orders.Spare():
            return setup.check_spare(state, seat, action)
        case orders.Defend():
            return reactions.check_defend(state, seat, action)
        case orders.Bonus():
            return reactions.check_bonus(task, action)
        case orders.Flee():
            return reactions.check_flee(task, action)
        case orders.EndTurn():
            return None
        case _:
            assert_never(action)


def apply(state: State, seat: str, action: Action, dice: Dice) -> Step:  # noqa: C901, PLR0912 (a case an order)
    """Carry out an order that `check` accepts."""
    match action:
        case orders.Attack():
            return assault.apply_attack(state, seat, action)
        case orders.Place():
            return muster.apply_place(state, seat, action)
        case orders.BackUp():
            return backup.apply_back_up(state, seat, action)
        case orders.PlayCard():
            apply_card = muster.apply_card if isinstance(state.agenda[0], ToMuster) else backup.apply_card
            return apply_card(state, seat, action)
        case orders.RecallLeader():
            return muster.apply_recall(state, seat, action)
        case orders.FlipLeader():
            return morph.apply_flip(state, seat)
        case orders.Morph():
            return morph.apply_morph(state, seat, action, dice)
        case orders.Jump():
            return backup.apply_jump(state, seat, action)
        case orders.Give():
            return backup.apply_give(state, seat, action)
        case orders.Claim():
            return setup.apply_claim(state, seat, action)
        case orders.Spare():
            return setup.apply_spare(state, seat, action)
        case orders.Defend():
            return battle.apply_defend(state, seat, action, dice)
        case orders.Bonus():
            return battle.apply_bonus(state, action, dice)
        case orders.Flee():
            return battle.apply_flee(state, seat, action, dice)
        case orders.EndTurn():
            return rounds.end_turn(state, seat, dice)
        case _:
            assert_never(action)


def answer(state: State, decision: Decision) -> Answer | None:
    """What standing orders say to what falls in another's turn, or after a roll; None where the seat is asked."""
    task = state.agenda[0]
    if not isinstance(task, (ToDefend, ToBonus, ToFlee)) or policy.is_asked(state, task):
        return None
    return Answer(policy.answer(state, task))


def give_up(state: State, decision: Decision) -> Action:
    """The order that gives a decision up, where silence is to skip the seat: nothing is added, a bonus is let go.

    What the rules leave no way out of (robots to place, a defence, a flight) is done as `default` does it.
    """
    return orders.Bonus(0) if isinstance(state.agenda[0], ToBonus) else default(state, decision)


def default(state: State, decision: Decision) -> Action:
    """The safe order when time runs out (section 7.1, Silence; section 8.4)."""
    task = state.agenda[0]
    match task:
        case ToMuster():
            return orders.Place(policy.front(state, task.seat), "rest")
        case ToMorph() | ToAttack() | ToBackUp():
            return orders.EndTurn()
        case ToClaim():
            return orders.Claim(setup.first_empty(state))
        case ToSpare():
            return orders.Spare(setup.first_own(state, task.seat))
        case ToDefend() | ToBonus() | ToFlee():
            return policy.answer(state, task)
        case _:
            assert_never(task)
