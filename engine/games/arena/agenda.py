"""Which order fits which task: the one table, read by the checks, the menu, the documentation and a test.

The head of the agenda is open. An order that skips what may be skipped fits too: whoever plays a card at once
has passed phase 1, whoever discards or ends the turn has declined an Ettin's second card.
"""

from __future__ import annotations

from typing import assert_never

from engine.games.arena import bet, orders, play, powers, preference, rounds, stalemate
from engine.games.arena.bet import Step
from engine.games.arena.cards import MAGISTER, PREFECTS, creature_of, is_spectator
from engine.games.arena.orders import Action
from engine.games.arena.state import (
    State,
    Task,
    ToBet,
    ToDiscard,
    ToEnd,
    ToGive,
    ToKeep,
    ToObject,
    ToPlay,
    ToPlayAgain,
    living,
    open_tasks,
)
from engine.games.arena.table import visible
from engine.games.arena.wording import check_wording
from engine.kernel.dice import Dice
from engine.kernel.game import Answer, Decision
from engine.kernel.prose import Arg, say
from engine.kernel.refusal import Refusal

FITS: dict[type[Task], tuple[type[Action], ...]] = {
    ToBet: (
        orders.Bet,
        orders.SecretBet,
        orders.RevealBet,
        orders.Play,
        orders.ShowHand,
        orders.DeclareStalemate,
    ),
    ToPlay: (orders.Play, orders.ShowHand, orders.DeclareStalemate),
    ToPlayAgain: (orders.Play, orders.Discard, orders.EndTurn, orders.DeclareStalemate),
    ToKeep: (orders.Keep,),
    ToGive: (orders.Give, orders.ShowHand),
    ToDiscard: (orders.Discard, orders.EndTurn, orders.DeclareStalemate),
    ToEnd: (orders.EndTurn, orders.DeclareStalemate),
    ToObject: (orders.Accept, orders.ObjectTo),
}
"""With the stalemate variant; without it, `fitting` leaves its declaration out."""


def tag(kind: type[Task] | type[Action]) -> str:
    """The word for an order or a task on the wire."""
    return str(kind.__struct_config__.tag)


def pending(state: State) -> tuple[Decision, ...]:
    """Who must decide what: the head of the agenda, or all who may object; nobody once the game is over."""
    return tuple(Decision(task.seat, tag(type(task))) for task in open_tasks(state.agenda))


def task_of(state: State, seat: str) -> Task | None:
    """The open task that waits for a seat, or None."""
    return next((task for task in open_tasks(state.agenda) if task.seat == seat), None)


def fitting(state: State, task: Task) -> tuple[type[Action], ...]:
    """The orders that fit a task in this game."""
    kinds = FITS[type(task)]
    if stalemate.is_played(state):
        return kinds
    return tuple(kind for kind in kinds if kind is not orders.DeclareStalemate)


def check(state: State, seat: str, action: Action) -> Refusal | None:
    """Whether an order may be carried out now: words first, then the table, then the rules of its own."""
    refusal = check_wording(state, seat, action)
    if refusal:
        return refusal
    if not state.agenda:
        return Refusal("moment/game-over")
    task = task_of(state, seat)
    if task is None:
        asked = ", ".join(task.seat for task in open_tasks(state.agenda))
        return Refusal("moment/not-your-turn", {"seat": seat, "seats": asked})
    kinds = fitting(state, task)
    if type(action) not in kinds:
        expected = ", ".join(tag(kind) for kind in kinds)
        return Refusal("moment/not-now", {"order": _untimely(task, action), "expected": expected})
    return _check_rules(state, task, action)


def _untimely(task: Task, action: Action) -> Arg:
    """An order that does not fit now, and why not where that may surprise: a secret bet costs the card (HU p.6)."""
    order = tag(type(action))
    spent = isinstance(task, (ToDiscard, ToEnd)) and task.secret
    if spent and isinstance(action, (orders.Play, orders.ShowHand)):
        return say("{order}; but the secret bet of this turn has taken the place of the card", order=order)
    return order


def _check_rules(state: State, task: Task, action: Action) -> Refusal | None:
    seat = task.seat
    match action:
        case orders.Bet():
            return bet.check_bet(state, seat, action)
        case orders.SecretBet():
            return bet.check_secret_bet(state, seat, action)
        case orders.RevealBet():
            return bet.check_reveal(state, seat)
        case orders.Play():
            return play.check_play(state, seat, action)
        case orders.ShowHand():
            return _check_no_gift(state, task) if isinstance(task, ToGive) else play.check_pass(state, seat)
        case orders.Discard():
            return rounds.check_discard(state, seat, action)
        case orders.Keep():
            return _check_kept(task, action)
        case orders.Give():
            return _check_given(state, task, action)
        case orders.DeclareStalemate():
            return stalemate.check_declare(state)
        case orders.EndTurn() | orders.Accept() | orders.ObjectTo():
            return None
        case _:
            assert_never(action)


def _check_kept(task: Task, action: orders.Keep) -> Refusal | None:
    assert isinstance(task, ToKeep)
    if action.card in task.cards:
        return None
    return Refusal("moment/not-drawn", {"card": action.card, "cards": ", ".join(task.cards)})


def gifts(state: State, task: ToGive) -> tuple[str, ...]:
    """The cards that a victim could give to a Gorgon (HU p.11, #37)."""
    return tuple(card for card in state.players[task.seat].hand if creature_of(card) == task.creature)


def _check_given(state: State, task: Task, action: orders.Give) -> Refusal | None:
    assert isinstance(task, ToGive)
    if creature_of(action.card) != task.creature:
        return Refusal("moment/other-creature", {"card": action.card, "creature": task.creature})
    return bet.check_hand(state, task.seat, action.card)


def _check_no_gift(state: State, task: ToGive) -> Refusal | None:
    return Refusal("moment/must-give", {"creature": task.creature}) if gifts(state, task) else None


def apply(state: State, seat: str, action: Action, dice: Dice) -> Step:
    """Carry out an order that `check` accepts."""
    task = state.agenda[0]
    match action:
        case orders.Bet():
            return bet.apply_bet(state, seat, action)
        case orders.SecretBet():
            return bet.apply_secret_bet(state, seat, action)
        case orders.RevealBet():
            return bet.apply_reveal(state, seat)
        case orders.Play():
            return play.apply_play(state, seat, action, dice)
        case orders.ShowHand():
            return (
                powers.show_to_gorgon(state, task)
                if isinstance(task, ToGive)
                else play.apply_pass(state, seat)
            )
        case orders.Discard():
            return rounds.apply_discard(state, seat, action)
        case orders.Keep():
            assert isinstance(task, ToKeep)
            return powers.keep_card(state, task, action.card)
        case orders.Give():
            assert isinstance(task, ToGive)
            return powers.give_card(state, task, action.card)
        case orders.EndTurn():
            return rounds.end_turn(state, seat, dice)
        case orders.DeclareStalemate():
            return stalemate.apply_declare(state, seat)
        case orders.Accept() | orders.ObjectTo():
            objects = isinstance(action, orders.ObjectTo)
            return rounds.answer_stalemate(state, seat, objects=objects, dice=dice)
        case _:
            assert_never(action)


def answer(state: State, decision: Decision) -> Answer | None:
    """What falls in another's turn is answered by standing orders, unless the seat is to be asked (rules 4.3)."""
    task = task_of(state, decision.seat)
    if isinstance(task, ToObject):
        said = stalemate.answer(state, task.seat)
        return None if said is None else Answer(said, shown=isinstance(said, orders.ObjectTo))
    if not isinstance(task, ToGive):
        return None
    if state.ask and state.players[task.seat].policy.mode == "ask":
        return None
    return Answer(_gift(state, task))


def _gift(state: State, task: ToGive) -> Action:
    player = state.players[task.seat]
    card = preference.gorgon_gift(player.policy, task.creature, player.hand)
    return orders.Give(card) if card else orders.ShowHand()


def default(state: State, decision: Decision) -> Action:
    """The safe order when time runs out (#2.1, Silence)."""
    task = task_of(state, decision.seat)
    assert task is not None
    match task:
        case ToBet() | ToPlay():
            return _silent_play(state, task.seat)
        case ToPlayAgain() | ToEnd():
            return orders.EndTurn()
        case ToKeep():
            return orders.Keep(preference.highest(state, task.cards))
        case ToGive():
            return _gift(state, task)
        case ToDiscard():
            wanted = task.passed and rounds.dead_cards(state, task.seat)
            return orders.Discard((orders.ALL_DEAD,)) if wanted else orders.EndTurn()
        case ToObject():
            return stalemate.silent(state, task.seat)
        case _:
            assert_never(task)


def give_up(state: State, decision: Decision) -> Action:
    """The order that gives a decision up, where silence is to skip the seat: dead cards stay in the hand (HU p.9).

    What the rules leave no way out of (a card to play, to keep or to give) is done as `default` does it.
    """
    task = task_of(state, decision.seat)
    return orders.EndTurn() if isinstance(task, ToDiscard) else default(state, decision)


def _silent_play(state: State, seat: str) -> Action:
    cards = play.playable(state, seat)
    fighters = [card for card in cards if creature_of(card)]
    spectators = [card for card in cards if is_spectator(card)]
    first = living(state)[0]
    if fighters:
        return orders.Play(preference.lowest(state, fighters))
    if spectators:
        return orders.Play(preference.lowest(state, spectators), on=first)
    for card in PREFECTS:
        if card in cards:
            there = visible(state)
            return orders.Play(card, take=there[0][0] if there else "")
    return orders.Play(MAGISTER, on=first) if cards else orders.ShowHand()
