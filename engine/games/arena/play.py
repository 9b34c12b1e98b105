"""Phase 2, play a card (HU p.7-9): combat cards with their powers, spectators, referees; passing.

The law. A combat card goes to its own column; its power may be used by the backer at that moment, unless it
was laid directly on a spectator. The rest is optional: an Ettin's second card may be declined.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from engine.games.arena import bet, events, orders, powers, standing
from engine.games.arena.bet import Step
from engine.games.arena.cards import MAGISTER, PREFECTS, creature_of, is_spectator
from engine.games.arena.events import Events
from engine.games.arena.orders import CardPlay, Power
from engine.games.arena.powers import Use
from engine.games.arena.state import (
    State,
    ToBet,
    ToDiscard,
    ToPlay,
    ToPlayAgain,
    active,
    cell_at,
    current_row,
    stirred,
    top,
    with_player,
)
from engine.games.arena.table import find_visible, lay, visible
from engine.games.arena.wording import name_of
from engine.kernel.dice import Dice
from engine.kernel.refusal import Refusal


def check_play(state: State, seat: str, play: CardPlay) -> Refusal | None:
    """Whether a card can be played now, first or second in the turn."""
    card = play.card
    missing = bet.check_hand(state, seat, card)
    if missing:
        return missing
    if card in PREFECTS:
        return _check_taken(state, play.take)
    creature = play.on or creature_of(card)
    dead = powers.check_alive(state, creature)
    if dead or play.power is UNSET:
        return dead
    second = isinstance(state.agenda[0], ToPlayAgain)
    refusal = check_backer(state, seat, creature)
    return refusal or powers.check_power(laid(state, seat, card), Use(seat, creature, second), play.power)


def laid(state: State, seat: str, card: str) -> State:
    """The position in which a combat card's power is judged: out of the hand, on the table."""
    return lay(past_phase_2(out_of_hand(state, seat, card)), creature_of(card), card)


def _check_taken(state: State, card: str) -> Refusal | None:
    """A prefect takes a visible combat card if there is one (HU p.8, #15, #16)."""
    if card:
        return None if find_visible(state, card) else Refusal("moment/not-visible", {"card": card})
    there = visible(state)
    return Refusal("moment/must-take", {"card": there[0][0]}) if there else None


def check_backer(state: State, seat: str, creature: str) -> Refusal | None:
    """Whether a combat card laid now activates the power: backer, and no spectator beneath (HU p.7-8, #6)."""
    backer = standing.backer(state.columns[creature])
    if not backer:
        return Refusal("moment/no-backer", {"creature": creature})
    if backer != seat:
        return Refusal("moment/not-backer", {"creature": creature, "backer": backer})
    beneath = top(cell_at(state, creature, current_row(state)))
    if beneath and is_spectator(beneath):
        return Refusal("moment/on-spectator", {"creature": creature, "card": beneath})
    return None


def playable(state: State, seat: str) -> tuple[str, ...]:
    """The cards that a seat could play: all but combat cards of dead creatures (HU p.9, #43)."""
    return tuple(card for card in state.players[seat].hand if creature_of(card) not in state.dead)


def check_pass(state: State, seat: str) -> Refusal | None:
    """Passing phase 2 (HU p.9): only with no playable card."""
    could = playable(state, seat)
    return Refusal("moment/can-play", {"card": could[0]}) if could else None


def apply_pass(state: State, seat: str) -> Step:
    """The hand is shown to all, and phase 3 follows."""
    state = past_phase_2(state)
    tasks = (replace(task, passed=True) if isinstance(task, ToDiscard) else task for task in state.agenda)
    return replace(state, agenda=tuple(tasks)), (events.HandShown(seat, state.players[seat].hand),)


def past_phase_2(state: State) -> State:
    """Phases 1 and 2, or an Ettin's second card, are off the agenda."""
    over = (ToBet, ToPlay, ToPlayAgain)
    return replace(state, agenda=tuple(task for task in state.agenda if not isinstance(task, over)))


def apply_play(state: State, seat: str, play: CardPlay, dice: Dice) -> Step:
    """A card from the hand to the table or, once it has done its work, to the discards."""
    second = isinstance(state.agenda[0], ToPlayAgain)
    card = play.card
    state = out_of_hand(stirred(past_phase_2(state)), seat, card)
    if card in PREFECTS or card == MAGISTER:
        return _referee(state, seat, play)
    creature = play.on or creature_of(card)
    played = events.CardPlayed(seat, card, creature, current_row(state))
    state = lay(state, creature, card)
    if play.power is UNSET:
        return state, (played,)
    state, more = _power(state, Use(seat, creature, second), play.power, dice)
    return state, (played, *more)


def out_of_hand(state: State, seat: str, card: str) -> State:
    """The state without one card of a hand."""
    return with_player(state, seat, hand=tuple(c for c in state.players[seat].hand if c != card))


def _referee(state: State, seat: str, play: CardPlay) -> Step:
    """A prefect takes a card, the magister bares secret bets in turn order; then to the discards (HU p.8).

    The hidden bet of who has resigned stays hidden until the end (#2.1).
    """
    happened: Events = (events.RefereePlayed(seat, play.card, play.on),)
    if play.take:
        state, more = powers.take_card(state, seat, play.take, by="prefect")
        happened += more
    for other in active(state) if play.card == MAGISTER else ():
        secret = state.players[other].secret
        if secret and creature_of(secret) == play.on:
            state, more = bet.reveal(state, other, "magister")
            happened += more
    return replace(state, discards=(*state.discards, play.card)), happened


def _power(state: State, use: Use, power: Power, dice: Dice) -> Step:
    copied = power.as_ if isinstance(power, orders.Seraphim) else None
    used = events.PowerUsed(use.seat, name_of(power), name_of(copied) if copied else "")
    state, happened = powers.apply_power(state, use, power, dice)
    effect = copied or power
    if not isinstance(effect, orders.Ettin):
        return state, (used, *happened)
    for play in effect.then:
        if check_play(state, use.seat, play) is None:
            state, happened = apply_play(state, use.seat, play, dice)
            break
    return state, (used, *happened)
