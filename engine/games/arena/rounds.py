"""Phases 3 and 4 (HU p.9): discard, draw, elimination, the next turn; the end of the game; resigning.

The law. The last card of the pile ends the game at once (but not in the stalemate variant, stalemate.py), and so
do the fifth death, a whole cycle of turns in which nothing moves (#59), and the resignation of all but one. At
most one creature dies in a turn.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.arena import bet, events, stalemate, standing
from engine.games.arena.bet import Step
from engine.games.arena.cards import creature_of, seen, strength_of
from engine.games.arena.events import Events
from engine.games.arena.orders import ALL_DEAD, MOST_DISCARDS, Discard
from engine.games.arena.state import (
    ROUNDS,
    Cell,
    How,
    State,
    ToBet,
    ToDiscard,
    ToEnd,
    ToKeep,
    ToObject,
    ToPlay,
    active,
    cell_at,
    current_row,
    living,
    stirred,
    top,
    with_player,
)
from engine.kernel.dice import Dice
from engine.kernel.refusal import Refusal


def dead_cards(state: State, seat: str) -> tuple[str, ...]:
    """Combat cards of dead creatures in a hand, by order of the row and strength: `all_dead`."""
    dead = [card for card in state.players[seat].hand if creature_of(card) in state.dead]
    return tuple(sorted(dead, key=lambda card: (state.creatures.index(creature_of(card)), strength_of(card))))


def has_magus(state: State) -> bool:
    """Whether this turn's discards may be of living creatures too (HU p.11)."""
    return any(isinstance(task, ToDiscard) and task.magus for task in state.agenda)


def check_discard(state: State, seat: str, order: Discard) -> Refusal | None:
    """Discards of phase 3 (HU p.9): combat cards of dead creatures, or any after a Magus (#49)."""
    for card in order.cards:
        if card == ALL_DEAD:
            continue
        missing = bet.check_hand(state, seat, card)
        if missing:
            return missing
        if creature_of(card) not in state.dead and not has_magus(state):
            return Refusal("moment/not-dead", {"card": card})
    return None


def apply_discard(state: State, seat: str, order: Discard) -> Step:
    """Cards to the discards, the last listed on top; an Ettin's second card is thereby declined."""
    cards = _listed(state, seat, order.cards)
    stack = has_magus(state)
    spent = any(isinstance(task, ToDiscard) and task.secret for task in state.agenda)
    state = replace(state, agenda=(ToEnd(seat, spent),))
    if not cards:
        return state, ()
    hand = tuple(card for card in state.players[seat].hand if card not in cards)
    state = with_player(stirred(state), seat, hand=hand)
    state = replace(state, discards=(*state.discards, *cards))
    return state, (events.CardsDiscarded(seat, len(cards), cards, stack),)


def _listed(state: State, seat: str, words: tuple[str, ...]) -> tuple[str, ...]:
    others = [card for card in dead_cards(state, seat) if card not in words]
    room = MOST_DISCARDS - (len(words) - words.count(ALL_DEAD))
    cards: list[str] = []
    for word in words:
        cards.extend(others[:room] if word == ALL_DEAD else [word])
    return tuple(cards)


def draw(state: State, seat: str, count: int, *, known: bool = False) -> Step:
    """Cards from the pile (HU p.9-10); the last one ends the game (not with stalemates, v1).

    `known`: the turn goes on with them.
    """
    cards = state.deck[:count]
    if not cards:
        return state, ()
    if known:
        for card in cards:
            seen(card)
    state = replace(stirred(state), deck=state.deck[count:])
    state = with_player(state, seat, hand=(*state.players[seat].hand, *cards))
    drawn = events.CardsDrawn(seat, len(cards), cards)
    if state.deck or stalemate.is_played(state):
        return state, (drawn,)
    state, ended = finish(state, "pile")
    return state, (drawn, *ended)


def end_turn(state: State, seat: str, dice: Dice) -> Step:
    """Frozen cards return, the hand is filled, the lowest creature dies, the next turn opens (HU p.9)."""
    state, returned = _return_frozen(state, seat)
    state, drawn = draw(state, seat, stalemate.to_draw(state, seat))
    if state.ended:
        return state, (*returned, *drawn)
    state, died = _eliminate(state)
    if state.ended:
        return state, (*returned, *drawn, *died)
    state, opened = _between(replace(state, agenda=(), idle=0 if state.stirred else state.idle + 1), dice)
    return state, (*returned, *drawn, *died, *opened)


def _between(state: State, dice: Dice) -> Step:
    """Between two turns: stalemates that come by themselves, the question about a declared one, the next turn."""
    state, came = stalemate.come(state, dice)
    questions = stalemate.questions_before(state, stalemate.next_seat(state))
    if questions:
        return replace(state, agenda=questions), came
    state, opened = _next_turn(state)
    return state, (*came, *opened)


def answer_stalemate(state: State, seat: str, *, objects: bool, dice: Dice) -> Step:
    """An answer to a declared stalemate; with the last one the game goes on where it was (v8)."""
    if objects:
        state, happened = stalemate.apply_object(state, seat)
    else:
        state, happened = stalemate.apply_accept(state, seat, dice)
    if state.agenda:
        return state, happened
    state, more = _between(state, dice)
    return state, (*happened, *more)


def _return_frozen(state: State, seat: str) -> Step:
    player = state.players[seat]
    if not player.frozen:
        return state, ()
    state = with_player(stirred(state), seat, hand=(*player.hand, *player.frozen), frozen=())
    return state, (events.CardsReturned(seat, len(player.frozen), player.frozen),)


def _eliminate(state: State) -> Step:
    """Phase 4 (HU p.9): the creature with the one lowest card dies and a new row begins."""
    creature = standing.doomed(state)
    if not creature:
        return state, ()
    row = current_row(state)
    died = events.CreatureDied(creature, top(cell_at(state, creature, row)), row)
    state = replace(state, dead=(*state.dead, creature))
    if len(state.dead) == ROUNDS:
        state, ended = finish(state, "last_round")
        return state, (died, *ended)
    columns = dict(state.columns)
    for name in living(state):
        columns[name] = replace(columns[name], rows=(*columns[name].rows, Cell()))
    return stalemate.new_round(replace(state, columns=columns)), (died,)


def _next_turn(state: State) -> Step:
    """The next turn is the left neighbour's (HU p.3); #59 ends a game that stands still."""
    if state.idle >= len(active(state)):
        return finish(state, "no_progress")
    seat = stalemate.next_seat(state)
    state = replace(
        state,
        turn=state.turn + 1,
        seat=seat,
        stirred=False,
        agenda=(ToBet(seat), ToPlay(seat), ToDiscard(seat)),
    )
    return state, (events.TurnBegan(seat, state.turn, current_row(state)),)


def finish(state: State, how: How) -> Step:
    """The game is over at once (#22): hidden bets are revealed in turn order, and everything is counted."""
    assert how
    happened: Events = (events.GameEnded(how),)
    for seat in state.order:
        if state.players[seat].secret:
            state, revealed = bet.reveal(state, seat, "end")
            happened += revealed
    state = replace(state, agenda=(), ended=how)
    scores = (events.Scored(p.seat, p.score, p.place) for p in standing.places(state))
    return state, (*happened, *scores)


def resign(state: State, seat: str) -> Step:
    """A seat leaves (#2.1): its cards leave play, its questions lapse, its turn just ends."""
    player = state.players[seat]
    if player.resigned or state.ended:
        return state, ()
    cards = (*player.hand, *player.frozen)
    state = with_player(state, seat, hand=(), frozen=(), resigned=True)
    state = replace(state, gone=(*state.gone, *cards), idle=0)
    left = events.SeatResigned(seat, len(cards))
    asked = any(isinstance(task, ToObject) for task in state.agenda)
    tasks = tuple(
        task
        for task in state.agenda
        if task.seat != seat and not (isinstance(task, ToKeep) and task.victim == seat)
    )
    state = replace(state, agenda=tasks)
    if asked or state.stalemate.declared == seat:
        state = stalemate.after_leaving(state, seat)
    if len(active(state)) == 1:
        state, more = finish(state, "resigned")
    elif state.seat == seat or not state.agenda:
        state, more = _next_turn(state)
    else:
        more = ()
    return state, (left, *more)
