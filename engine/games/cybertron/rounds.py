"""Turns, days and the end (FI p.6, p.13, p.17, p.18): drawing, the AllSpark, who is out, who leaves, who wins.

The law. A day ends after the last seat that still plays. Who has no piece left is out, and his cards go back into the
pile, which is shuffled; so do those of a seat that leaves, at the end of the turn. One side left ends the game at once.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.cybertron import events, standing
from engine.games.cybertron.deck import BLANK
from engine.games.cybertron.events import Events
from engine.games.cybertron.ground import Step, add_robots
from engine.games.cybertron.state import (
    ALLSPARK,
    DAYS,
    NO_BOOST,
    How,
    State,
    Task,
    ToAttack,
    ToBackUp,
    ToMorph,
    ToMuster,
    cards_of,
    map_of,
    with_player,
)
from engine.kernel.dice import Dice
from engine.kernel.game import Unseen


def eliminate(state: State, seat: str, by: str, dice: Dice) -> Step:
    """If a seat has no piece left it is out (FI p.13); if only one side is left the game is over."""
    if state.owner.count(seat):
        return Step(state, ())
    count = len(state.players[seat].hand)
    state = reshuffle(with_player(state, seat, out=True), seat, dice)
    happened: Events = (events.SeatEliminated(seat, by, count),)
    if len(standing.sides_left(state)) == 1:
        state, ended = finish(state, "conquest")
        happened += ended
    return Step(state, happened)


def reshuffle(state: State, seat: str, dice: Dice) -> State:
    """A hand back into the pile, which is shuffled if that changes it (rules 8.2); the discards stay out."""
    hand = state.players[seat].hand
    if not hand:
        return state
    label = f"deck/{1 + state.order.index(seat)}"
    pile = dice.shuffle(label, cards_of(state).in_order((*state.pile, *hand)), hidden=True)
    return replace(with_player(state, seat, hand=()), pile=pile)


def end_turn(state: State, seat: str, dice: Dice) -> Step:
    """Phase 5 (FI p.17), then the next turn, or the day's end."""
    for other in state.order:
        if state.players[other].resigned:
            state = reshuffle(state, other, dice)
    happened: Events = ()
    if state.captured and state.pile and not state.players[seat].resigned:
        card = state.pile[0]
        hand = (*state.players[seat].hand, card)
        state = with_player(replace(state, pile=state.pile[1:]), seat, hand=hand)
        happened = (events.CardDrawn(seat, card),)
    state, more = next_turn(state)
    return Step(state, (*happened, *more))


def next_turn(state: State) -> Step:
    """The next seat in the order of turns; after the last one the day ends (section 7.1)."""
    plays = standing.active(state)
    after = [seat for seat in state.order[state.order.index(state.seat) + 1 :] if seat in plays]
    if after:
        return open_turn(state, after[0], state.day)
    state, happened = _end_day(state)
    if state.day == DAYS:
        state, ended = finish(state, standing.final(state)[0])
        return Step(state, (*happened, *ended))
    state, opened = open_turn(state, plays[0], state.day + 1)
    return Step(state, (*happened, *opened))


def _end_day(state: State) -> Step:
    """The AllSpark (FI p.18): the top card is turned up, and the holder of its zone gets three robots there."""
    if not state.pile:
        return Step(state, ())
    card = state.pile[0]
    if card.startswith(BLANK):
        raise Unseen("hidden")
    zone = cards_of(state).card(card).zone
    place = map_of(state).place[zone]
    holder = state.owner[place]
    state = replace(state, pile=state.pile[1:], discards=(*state.discards, card))
    state = add_robots(state, place, holder, ALLSPARK)
    return Step(state, (events.AllSparkTurned(state.day, card, zone, holder, ALLSPARK),))


def open_turn(state: State, seat: str, day: int) -> Step:
    """A turn with all its phases (FI p.6); its income is counted now."""
    income = standing.income(state, seat)
    state = replace(
        state,
        turn=state.turn + 1,
        day=day,
        seat=seat,
        agenda=phases(seat, income),
        captured=(),
        battles=0,
        boost=NO_BOOST,
        battle=None,
    )
    return Step(state, (events.TurnBegan(seat, state.turn, day, income),))


def phases(seat: str, income: events.Income) -> tuple[Task, ...]:
    """The agenda of a turn that opens."""
    return (ToMuster(seat, income.total, income.bonus), ToMorph(seat), ToAttack(seat), ToBackUp(seat))


def finish(state: State, how: How) -> Step:
    """The game is over at once."""
    assert how
    state = replace(state, agenda=(), battle=None, ended=how)
    scores = (events.Scored(one.seat, one.score, one.place) for one in standing.places(state))
    return Step(state, (events.GameEnded(how), *scores))


def resign(state: State, seat: str, dice: Dice) -> Step:
    """A seat leaves (section 7.1): its pieces stay and defend; its hand goes back when the turn ends."""
    player = state.players[seat]
    if player.resigned or player.out or state.ended:
        return Step(state, ())
    state = with_player(state, seat, resigned=True)
    left: Events = (events.SeatResigned(seat, len(player.hand)),)
    if len(standing.sides_left(state)) == 1:
        state, ended = finish(state, "resigned")
        return Step(state, (*left, *ended))
    if state.seat != seat or not state.day:
        return Step(state, left)
    battle = state.battle
    if battle is not None:
        where = map_of(state)
        left += (
            events.AttackEnded(
                seat,
                battle.number,
                battle.origin,
                battle.target,
                battle.defender,
                "resigned",
                battle.rolls,
                battle.lost,
                battle.beaten,
                left=standing.pieces(state, where.place[battle.origin]),
                garrison=standing.pieces(state, where.place[battle.target]),
            ),
        )
    state, more = end_turn(replace(state, battle=None), seat, dice)
    return Step(state, (*left, *more))
