"""Phase 1, bet (HU p.5-6): a token in the current row, a secret bet, the reveal of one.

The law. A cell holds one token. Secret bets are made in round 1, one a player; taken back by a Colossus
they count as never made (#9). Revealed ones lie above the creature and take up no cell (#2).
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.arena import events
from engine.games.arena.cards import creature_of
from engine.games.arena.events import Events
from engine.games.arena.orders import Bet, SecretBet
from engine.games.arena.state import (
    State,
    ToBet,
    ToDiscard,
    ToPlay,
    cell_at,
    current_row,
    stirred,
    with_cell,
    with_column,
    with_player,
)
from engine.kernel.refusal import Refusal

Step = tuple[State, Events]


def check_cell(state: State, seat: str, creature: str, row: int) -> Refusal | None:
    """Whether a seat may put a token into a cell that has begun (HU p.5)."""
    if not state.players[seat].stock:
        return Refusal("moment/no-token")
    if creature in state.dead:
        return Refusal("moment/creature-dead", {"creature": creature})
    cell = cell_at(state, creature, row)
    if cell is None:
        return Refusal("moment/no-row", {"creature": creature, "row": row})
    if cell.token:
        return Refusal("moment/cell-taken", {"creature": creature, "row": row})
    return None


def put_token(state: State, seat: str, creature: str, row: int) -> State:
    """A token from the stock into a cell."""
    state = with_player(state, seat, stock=state.players[seat].stock - 1)
    return with_cell(state, creature, row, token=seat)


def check_bet(state: State, seat: str, order: Bet) -> Refusal | None:
    """A normal bet (HU p.5)."""
    return check_cell(state, seat, order.creature, current_row(state))


def apply_bet(state: State, seat: str, order: Bet) -> Step:
    """A normal bet; phase 2 follows."""
    row = current_row(state)
    state = put_token(_past_phase_1(state), seat, order.creature, row)
    return state, (events.BetPlaced(seat, order.creature, row),)


def _past_phase_1(state: State) -> State:
    return stirred(replace(state, agenda=tuple(t for t in state.agenda if not isinstance(t, ToBet))))


def has_made_secret(state: State, seat: str) -> bool:
    """Whether a seat has a secret bet that counts, hidden or revealed (HU p.5, #9)."""
    return bool(state.players[seat].secret) or any(seat in col.revealed for col in state.columns.values())


def check_secret_bet(state: State, seat: str, order: SecretBet | None) -> Refusal | None:
    """A secret bet (HU p.5-6); without an order: whether the seat could make one with a combat card."""
    if state.dead:
        return Refusal("moment/secret-late", {"round": current_row(state)})
    if has_made_secret(state, seat):
        return Refusal("moment/secret-made")
    if not state.players[seat].stock:
        return Refusal("moment/no-token")
    return check_hand(state, seat, order.card) if order else None


def check_hand(state: State, seat: str, card: str) -> Refusal | None:
    """Whether a seat holds a card that it may use now."""
    player = state.players[seat]
    if card in player.hand:
        return None
    return Refusal("moment/frozen" if card in player.frozen else "moment/not-in-hand", {"card": card})


def apply_secret_bet(state: State, seat: str, order: SecretBet) -> Step:
    """A secret bet; phase 2 is skipped."""
    state = _past_phase_1(state)
    left = (t for t in state.agenda if not isinstance(t, ToPlay))
    tasks = tuple(replace(task, secret=True) if isinstance(task, ToDiscard) else task for task in left)
    state = replace(state, agenda=tasks)
    player = state.players[seat]
    hand = tuple(card for card in player.hand if card != order.card)
    state = with_player(state, seat, hand=hand, secret=order.card, stock=player.stock - 1)
    return state, (events.SecretBetPlaced(seat, order.card),)


def check_reveal(state: State, seat: str) -> Refusal | None:
    """The reveal of one's own secret bet, in any round, even on a dead creature (HU p.6, #13)."""
    return None if state.players[seat].secret else Refusal("moment/no-secret")


def apply_reveal(state: State, seat: str) -> Step:
    """The reveal of one's own secret bet; phase 2 follows."""
    return reveal(_past_phase_1(state), seat, "owner")


def reveal(state: State, seat: str, cause: events.Cause) -> Step:
    """The card to the discards, the token above the creature (HU p.6)."""
    card = state.players[seat].secret
    creature = creature_of(card)
    state = with_player(state, seat, secret="")
    state = with_column(state, creature, revealed=(*state.columns[creature].revealed, seat))
    state = replace(state, discards=(*state.discards, card))
    return state, (events.SecretBetRevealed(seat, card, creature, cause),)
