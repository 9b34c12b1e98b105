"""The stalemate variant (FAQ, "Original Stalemate Rules"): the game goes on without a pile, to the fifth death.

The law. Drawing the last card ends nothing; with an empty pile everybody plays short-handed. A stalemate comes
by itself when nobody holds a card that can be played (v5), or by a declaration, which is judged just before the
turn of the seat that began the round, if nobody objects (v7-v9). It shuffles the cards of the lowest row that
holds any into a new pile (v10-v12), each seat draws one, and from then on a turn draws one card (v3). "vN" is a
row of the variant's table in docs/arena.md. Without the option nothing here ever does anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.games.arena import events, standing
from engine.games.arena.cards import BLANK, creature_of, seen
from engine.games.arena.events import Events
from engine.games.arena.orders import Accept, ObjectTo
from engine.games.arena.state import (
    HAND,
    State,
    ToBet,
    ToObject,
    active,
    cell_at,
    current_row,
    top,
    with_player,
)
from engine.kernel.dice import Dice
from engine.kernel.refusal import Refusal

Step = tuple[State, Events]


def is_played(state: State) -> bool:
    """Whether the game is played with the variant."""
    return bool(state.stalemate.began)


def next_seat(state: State) -> str:
    """The left neighbour of whoever's turn it is, without those who have resigned (HU p.3)."""
    at = state.order.index(state.seat)
    left = active(state)
    return next(seat for seat in (*state.order[at + 1 :], *state.order[: at + 1]) if seat in left)


def beginner(state: State) -> str:
    """The seat that began the round; once it has resigned, the next one after it (v6)."""
    at = state.order.index(state.stalemate.began)
    left = active(state)
    return next(seat for seat in (*state.order[at:], *state.order[:at]) if seat in left)


def new_round(state: State) -> State:
    """A creature has died: the next seat begins the round, and what was declared lapses (v7)."""
    if not is_played(state):
        return state
    return _with(state, began=next_seat(state), declared="")


def to_draw(state: State, seat: str) -> int:
    """How many cards phase 3 draws: up to eight, after a stalemate one at most (HU p.9, v3)."""
    room = max(0, HAND - len(state.players[seat].hand))
    return min(1, room) if state.stalemate.count else room


def row_to_shuffle(state: State) -> int:
    """The lowest row with a card; the current one last, and once a round only (v10); 0 if there is none."""
    filled = [
        any(top(cell_at(state, name, row)) for name in state.creatures)
        for row in range(1, current_row(state) + 1)
    ]
    return standing.row_for_a_pile(filled, state.stalemate.again)


def cannot_be(state: State) -> Refusal | None:
    """Why there can't be a stalemate at all: a card in the pile, or nothing to shuffle."""
    if state.deck:
        return Refusal("moment/pile-left", {"count": len(state.deck)})
    return None if row_to_shuffle(state) else Refusal("moment/nothing-to-shuffle")


def _nobody_can_play(state: State) -> bool:
    """Whether no seat holds a card that can be played, frozen ones among them (v5)."""
    cards = [card for seat in active(state) for card in _held(state, seat)]
    if any(_is_playable(state, card) for card in cards if not card.startswith(BLANK)):
        return False
    return not any(_is_playable(state, card) for card in cards)


def _held(state: State, seat: str) -> tuple[str, ...]:
    return (*state.players[seat].hand, *state.players[seat].frozen)


def _is_playable(state: State, card: str) -> bool:
    return creature_of(card) not in state.dead


def check_declare(state: State) -> Refusal | None:
    """A declaration: in one's own turn, with an empty pile, and no other one that still waits (v7)."""
    if state.stalemate.declared:
        return Refusal("moment/stalemate-declared", {"seat": state.stalemate.declared})
    return cannot_be(state)


def apply_declare(state: State, seat: str) -> Step:
    """It waits for the turn of who began the round. He himself, before anything else, is just before it (v7)."""
    state = _with(state, declared=seat)
    told = (events.StalemateDeclared(seat),)
    if seat == beginner(state) and isinstance(state.agenda[0], ToBet):
        return replace(state, agenda=(*_questions(state), *state.agenda)), told
    return state, told


def questions_before(state: State, seat: str) -> tuple[ToObject, ...]:
    """What the others are asked before a seat's turn opens, if a declaration is to be judged there (v7)."""
    if not state.stalemate.declared or seat != beginner(state) or cannot_be(state):
        return ()
    return _questions(state)


def _questions(state: State) -> tuple[ToObject, ...]:
    """Every other seat, in turn order, whatever it holds (v8)."""
    return tuple(ToObject(seat) for seat in active(state) if seat != state.stalemate.declared)


def answer(state: State, seat: str) -> Accept | ObjectTo | None:
    """What standing orders say to a declaration; None if the seat is to be asked (v9)."""
    policy = state.players[seat].policy
    if policy.object == "ask" or (state.ask and policy.mode == "ask"):
        return None
    return silent(state, seat)


def silent(state: State, seat: str) -> Accept | ObjectTo:
    """The answer of who says nothing: his standing orders, and else no objection (v9)."""
    return ObjectTo() if state.players[seat].policy.object == "always" else Accept()


def apply_object(state: State, seat: str) -> Step:
    """One objection is enough: no stalemate, and the others need not answer any more (v8)."""
    return _with(without_questions(state), declared=""), (events.StalemateObjected(seat),)


def apply_accept(state: State, seat: str, dice: Dice) -> Step:
    """No objection; when the last one has none, it is a stalemate."""
    tasks = tuple(t for t in state.agenda if not (isinstance(t, ToObject) and t.seat == seat))
    state = replace(state, agenda=tasks)
    if any(isinstance(task, ToObject) for task in tasks):
        return state, ()
    return _shuffle_row(state, dice)


def without_questions(state: State) -> State:
    """The agenda without what was asked about a declaration."""
    return replace(state, agenda=tuple(task for task in state.agenda if not isinstance(task, ToObject)))


def after_leaving(state: State, seat: str) -> State:
    """A seat has resigned: a declaration of its own lapses, and so does one that nobody is left to judge (v13)."""
    asked = any(isinstance(task, ToObject) for task in state.agenda)
    if asked and seat not in {state.stalemate.declared, state.seat}:
        return state
    return _with(without_questions(state), declared="")


def come(state: State, dice: Dice) -> Step:
    """Stalemates that come by themselves between two turns, until somebody can play or draw (v5)."""
    happened: Events = ()
    while is_played(state) and cannot_be(state) is None and _nobody_can_play(state):
        state, more = _shuffle_row(state, dice)
        happened += more
    return state, happened


def _shuffle_row(state: State, dice: Dice) -> Step:
    """A row becomes the new pile, and each seat draws one card, the next to play first (v10-v12)."""
    _nothing_imagined(state)
    row, now = row_to_shuffle(state), current_row(state)
    state, cards = _lift_row(state, row)
    number = state.stalemate.count + 1
    deck = dice.shuffle(f"stalemate/{number}", cards, hidden=True)
    state = replace(state, deck=deck, idle=0, stirred=True)
    again = now if row == now else state.stalemate.again
    state = _with(state, declared="", count=number, again=again)
    seats = tuple(_from_the_next(state))[: len(deck)]
    happened: Events = (events.RowShuffled(row, len(deck), len(seats)),)
    for seat in seats:
        card, *rest = state.deck
        state = with_player(state, seat, hand=(*state.players[seat].hand, card))
        state = replace(state, deck=tuple(rest))
        happened += (events.CardDealt(seat, card),)
    return state, happened


def _nothing_imagined(state: State) -> None:
    """Raises Unseen for an imagined position: of seen and unseen cards shuffled together nothing can be told.

    Of 102 cards a view never shows all, so an imagined position holds a blank somewhere.
    """
    for pile in (state.deck, state.discards, state.gone):
        for card in pile:
            seen(card)
    for seat in state.order:
        for card in _held(state, seat):
            seen(card)
    for column in state.columns.values():
        for cell in column.rows:
            for card in cell.cards:
                seen(card)


def _lift_row(state: State, row: int) -> tuple[State, tuple[str, ...]]:
    """All cards of a row, covered ones and those of the dead among them; the tokens stay (v11)."""
    cards: list[str] = []
    columns = dict(state.columns)
    for name, column in state.columns.items():
        if len(column.rows) >= row:
            cell = column.rows[row - 1]
            cards += cell.cards
            rows = (*column.rows[: row - 1], replace(cell, cards=()), *column.rows[row:])
            columns[name] = replace(column, rows=rows)
    return replace(state, columns=columns), tuple(cards)


def _from_the_next(state: State) -> Iterator[str]:
    """The seats in turn order, from the one that plays next: in the midst of a turn, its own."""
    first = state.seat if state.agenda else next_seat(state)
    left = active(state)
    at = left.index(first)
    yield from (*left[at:], *left[:at])


def _with(state: State, **changes: str | int) -> State:
    return replace(state, stalemate=replace(state.stalemate, **changes))
