"""The twelve powers (HU p.10-12): whether one can be activated, and what it does.

The law. The combat card that activates a power lies on the table when the power is judged. `source` is the
creature of that card: itself, or the Seraphim that copies a dead one; "a Troll card" and "another creature"
mean the source's (#27, #28). Who may activate a power at all is decided in play.py; what the Ettin's second
card does, too.
"""

from __future__ import annotations

from typing import assert_never

import msgspec
from msgspec.structs import replace

from engine.games.arena import bet, events, orders, preference, rounds
from engine.games.arena.bet import Step
from engine.games.arena.cards import creature_of, seen
from engine.games.arena.orders import Power
from engine.games.arena.state import (
    State,
    ToDiscard,
    ToGive,
    ToKeep,
    ToPlayAgain,
    cell_at,
    current_row,
    top,
    with_cell,
    with_column,
    with_player,
)
from engine.games.arena.table import find_visible, lift, visible
from engine.games.arena.wording import name_of
from engine.kernel.dice import Dice
from engine.kernel.refusal import Refusal

AMAZON_DRAW = 3
TITAN_DRAW = 3


class Use(msgspec.Struct, frozen=True):
    """A power about to be used: by whom, from whose card, and whether as an Ettin's second card."""

    seat: str
    source: str
    second: bool = False


def check_power(  # noqa: C901 (a case a power)
    state: State, use: Use, power: Power
) -> Refusal | None:
    """Whether a power has what it needs, its card already laid. Only the Troll's may do without (#2.1)."""
    match power:
        case orders.Amazon():
            return None if state.deck else Refusal("moment/empty-pile")
        case orders.Magus():
            return None
        case orders.Colossus():
            return _check_colossus(state, use, power.token)
        case orders.Cyclops():
            return check_victim(state, power.seat, 1)
        case orders.Daimon():
            return bet.check_cell(state, use.seat, power.creature, power.row)
        case orders.Ettin():
            return Refusal("moment/ettin-used") if use.second else None
        case orders.Gorgon():
            return check_victim(state, power.seat, 0) or check_alive(state, power.creature)
        case orders.Seraphim():
            return _check_seraphim(state, use, power)
        case orders.Titan():
            return check_victim(state, power.seat, TITAN_DRAW)
        case orders.Troll():
            return _check_troll(state, use, power)
        case orders.Unicorn():
            return next((no for card in power.swap if (no := _check_swapped(state, card))), None)
        case orders.Wyrm():
            return _check_wyrm(state, use, power)
        case _:
            assert_never(power)


def check_alive(state: State, creature: str) -> Refusal | None:
    """A creature that must be alive."""
    return Refusal("moment/creature-dead", {"creature": creature}) if creature in state.dead else None


def check_victim(state: State, seat: str, least: int) -> Refusal | None:
    """Another player with at least so many cards that are not frozen (#41, #47)."""
    player = state.players[seat]
    if player.resigned:
        return Refusal("moment/has-resigned", {"seat": seat})
    if len(player.hand) < least:
        return Refusal("moment/few-cards", {"seat": seat, "least": least, "count": len(player.hand)})
    return None


def _check_colossus(state: State, use: Use, token: orders.Token) -> Refusal | None:
    if token.secret:
        return bet.check_reveal(state, use.seat)
    if token.revealed:
        lies = use.seat in state.columns[token.revealed].revealed
    else:
        cell = cell_at(state, token.creature, token.row)
        lies = cell is not None and cell.token == use.seat
    return None if lies else Refusal("moment/not-your-token")


def _check_seraphim(state: State, use: Use, power: orders.Seraphim) -> Refusal | None:
    copied = name_of(power.as_)
    if copied not in state.dead:
        return Refusal("moment/creature-alive", {"creature": copied})
    return check_power(state, use, power.as_)


def troll_cards(state: State, source: str) -> tuple[str, ...]:
    """The visible combat cards of the source in earlier rows (HU p.12, #27)."""
    row = current_row(state)
    return tuple(card for card, name, at in visible(state) if name == source and at < row)


def _check_troll(state: State, use: Use, power: orders.Troll) -> Refusal | None:
    cards = troll_cards(state, use.source)
    if not power.take:
        return Refusal("moment/must-take", {"card": cards[0]}) if cards else None
    return None if power.take in cards else Refusal("moment/not-visible", {"card": power.take})


def _check_swapped(state: State, card: str) -> Refusal | None:
    return None if find_visible(state, card) else Refusal("moment/not-visible", {"card": card})


def _check_wyrm(state: State, use: Use, power: orders.Wyrm) -> Refusal | None:
    if power.creature == use.source:
        return Refusal("moment/same-creature", {"creature": power.creature})
    dead = check_alive(state, power.creature)
    if dead is None and not top(cell_at(state, power.creature, current_row(state))):
        return Refusal("moment/empty-cell", {"creature": power.creature})
    return dead


def apply_power(state: State, use: Use, power: Power, dice: Dice) -> Step:  # noqa: C901 (a case a power)
    """What a power does, once its use is announced. The Ettin's second card is left on the agenda."""
    match power:
        case orders.Amazon():
            return rounds.draw(state, use.seat, AMAZON_DRAW, known=True)
        case orders.Colossus():
            return _colossus(state, use, power.token)
        case orders.Cyclops():
            return _cyclops(state, power.seat, dice)
        case orders.Daimon():
            state = bet.put_token(state, use.seat, power.creature, power.row)
            return state, (events.BetPlaced(use.seat, power.creature, power.row, daimon=True),)
        case orders.Ettin():
            return replace(state, agenda=(ToPlayAgain(use.seat), *state.agenda)), ()
        case orders.Gorgon():
            task = ToGive(power.seat, use.seat, power.creature)
            asked = replace(state, agenda=(task, *state.agenda))
            return asked, (events.CardDemanded(use.seat, power.seat, power.creature),)
        case orders.Magus():
            tasks = (
                replace(task, magus=True) if isinstance(task, ToDiscard) else task for task in state.agenda
            )
            return replace(state, agenda=tuple(tasks)), ()
        case orders.Seraphim():
            return apply_power(state, use, power.as_, dice)
        case orders.Titan():
            return _titan(state, use, power, dice)
        case orders.Troll():
            return take_card(state, use.seat, power.take, by="troll") if power.take else (state, ())
        case orders.Unicorn():
            return _unicorn(state, use, power)
        case orders.Wyrm():
            return _wyrm(state, use, power)
        case _:
            assert_never(power)


def take_card(state: State, seat: str, card: str, *, by: events.Taker) -> Step:
    """A visible combat card from a cell into a hand (HU p.8, p.12)."""
    _, _, row = _visible(state, card)
    state, uncovered = lift(state, creature_of(card), row)
    state = with_player(state, seat, hand=(*state.players[seat].hand, card))
    return state, (events.CardTaken(seat, card, row, by), *uncovered)


def _visible(state: State, card: str) -> tuple[str, str, int]:
    found = find_visible(state, card)
    assert found is not None
    return found


def _colossus(state: State, use: Use, token: orders.Token) -> Step:
    """A token back to the stock (HU p.11, #10, #11)."""
    seat = use.seat
    player = state.players[seat]
    state = with_player(state, seat, stock=player.stock + 1)
    if token.secret:
        state = with_player(state, seat, secret="")
        state = replace(state, discards=(*state.discards, player.secret))
        return state, (events.SecretBetTakenBack(seat, player.secret),)
    if token.revealed:
        left = tuple(other for other in state.columns[token.revealed].revealed if other != seat)
        state = with_column(state, token.revealed, revealed=left)
        return state, (events.TokenTakenBack(seat, token.revealed),)
    state = with_cell(state, token.creature, token.row, token="")
    return state, (events.TokenTakenBack(seat, token.creature, token.row),)


def _cyclops(state: State, victim: str, dice: Dice) -> Step:
    """Half a hand, rounded up, face down (HU p.11). A turn has room for one such draw."""
    player = state.players[victim]
    mixed = dice.shuffle(f"cyclops/{state.turn}/1", player.hand, hidden=True)
    half = (len(mixed) + 1) // 2
    taken = in_hand_order(player.hand, mixed[:half])
    left = tuple(card for card in player.hand if card not in taken)
    frozen = (*player.frozen, *taken)
    state = with_player(state, victim, hand=left, frozen=frozen)
    return state, (events.CardsFrozen(victim, half, taken),)


def in_hand_order(hand: tuple[str, ...], some: tuple[str, ...]) -> tuple[str, ...]:
    """Some cards of a hand, in the hand's own order, so that the order of a draw tells nothing."""
    return tuple(card for card in hand if card in some)


def _titan(state: State, use: Use, power: orders.Titan, dice: Dice) -> Step:
    """Three cards at random, one kept (HU p.12). A turn has room for one such draw."""
    hand = state.players[power.seat].hand
    mixed = dice.shuffle(f"titan/{state.turn}/1", hand, hidden=True)
    cards = in_hand_order(hand, mixed[:TITAN_DRAW])
    for card in cards:
        seen(card)
    task = ToKeep(use.seat, power.seat, cards)
    state = replace(state, agenda=(task, *state.agenda))
    sampled = events.CardsSampled(use.seat, power.seat, cards)
    kept = preference.choose(state, use.seat, power.keep, cards)
    if not kept:
        return state, (sampled,)
    state, more = keep_card(state, task, kept)
    return state, (sampled, *more)


def keep_card(state: State, task: ToKeep, card: str) -> Step:
    """One card from the victim's hand to the Titan's player; the question is answered."""
    victim, taker = state.players[task.victim], state.players[task.seat]
    state = replace(state, agenda=state.agenda[1:])
    state = with_player(state, task.victim, hand=tuple(c for c in victim.hand if c != card))
    state = with_player(state, task.seat, hand=(*taker.hand, card))
    return state, (events.CardKept(task.seat, task.victim, card),)


def give_card(state: State, task: ToGive, card: str) -> Step:
    """One card from the victim's hand to the Gorgon's player; the question is answered (HU p.11)."""
    victim, taker = state.players[task.seat], state.players[task.taker]
    state = replace(state, agenda=state.agenda[1:])
    state = with_player(state, task.seat, hand=tuple(c for c in victim.hand if c != card))
    state = with_player(state, task.taker, hand=(*taker.hand, card))
    return state, (events.CardGiven(task.seat, task.taker, task.creature, card),)


def show_to_gorgon(state: State, task: ToGive) -> Step:
    """The victim's hand, without frozen cards, to the Gorgon's player alone (HU p.11, #47)."""
    seen_hand = events.HandSeen(task.seat, task.taker, state.players[task.seat].hand)
    return replace(state, agenda=state.agenda[1:]), (seen_hand,)


def _unicorn(state: State, use: Use, power: orders.Unicorn) -> Step:
    """The tops of two cells of one creature change places (HU p.12, #31)."""
    (first, creature, low), (second, _, high) = (_visible(state, card) for card in power.swap)
    for card, row in ((second, low), (first, high)):
        cell = cell_at(state, creature, row)
        assert cell is not None
        state = with_cell(state, creature, row, cards=(*cell.cards[:-1], card))
    return state, (events.CardsSwapped(use.seat, creature, (first, second), (low, high)),)


def _wyrm(state: State, use: Use, power: orders.Wyrm) -> Step:
    """The top card of a cell of the current row to the discards (HU p.12)."""
    row = current_row(state)
    card = top(cell_at(state, power.creature, row))
    state, uncovered = lift(state, power.creature, row)
    state = replace(state, discards=(*state.discards, card))
    return state, (events.CardLifted(use.seat, card, power.creature, row), *uncovered)
