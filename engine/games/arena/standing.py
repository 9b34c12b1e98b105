"""How things stand, worked out from a position and never stored: backers, who dies, gold, places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.games.arena.cards import strength_of
from engine.games.arena.state import Column, State, active, cell_at, current_row, living, top
from engine.kernel.game import Place

ROW_VALUES = (4, 3, 2, 1, 0)
"""Gold for a token in row 1 … 5 (HU p.4)."""
SECRET_VALUE = 5
"""Gold for a secret bet, hidden or revealed (HU p.6)."""


@lru_cache(maxsize=1024)
def backer(column: Column) -> str:
    """The seat with the greatest total of public tokens on a creature; empty if none or tied (HU p.4).

    Only seats with a public token are compared, so a lone token in row 5 makes a backer (#5).
    """
    totals: dict[str, int] = {}
    for cell, value in zip(column.rows, ROW_VALUES, strict=False):
        if cell.token:
            totals[cell.token] = totals.get(cell.token, 0) + value
    for seat in column.revealed:
        totals[seat] = totals.get(seat, 0) + SECRET_VALUE
    best = max(totals.values(), default=0)
    leaders = [seat for seat, total in totals.items() if total == best]
    return leaders[0] if len(leaders) == 1 else ""


def backer_of(state: State, creature: str) -> str:
    """The backer of a living creature; the dead have none, for nobody can use their power (HU p.4)."""
    return "" if creature in state.dead else backer(state.columns[creature])


def doomed(state: State) -> str:
    """The living creature that dies now (HU p.9): all have a card in the row, and its is the one lowest."""
    tops = [(top(cell_at(state, name, current_row(state))), name) for name in living(state)]
    if not all(card for card, _ in tops):
        return ""
    strengths = [strength_of(card) for card, _ in tops]
    low = min(strengths)
    return tops[strengths.index(low)][1] if strengths.count(low) == 1 else ""


def row_for_a_pile(filled: Sequence[bool], again: int) -> int:
    """The row that a stalemate shuffles (FAQ): the lowest that holds a card, `filled` up to the current row.

    The current row comes last, and not if `again` says that it was shuffled already; 0 if there is none (v10).
    """
    now = len(filled)
    return next((row for row, full in enumerate(filled, 1) if full and not row == now == again), 0)


def gold(state: State, seat: str) -> int:
    """The worth of a seat's public tokens on the living creatures (HU p.9); at the end all are public."""
    total = 0
    for name in living(state):
        column = state.columns[name]
        total += sum(
            value for cell, value in zip(column.rows, ROW_VALUES, strict=False) if cell.token == seat
        )
        total += SECRET_VALUE * column.revealed.count(seat)
    return total


def places(state: State) -> tuple[Place, ...]:
    """Final places, best first: most gold; of equals, who had a turn most recently (HU p.9, #57).

    Who has resigned can't win and comes after the others, by the same measures. No place is shared.
    """
    turn = state.order.index(state.seat)
    recent = [*reversed(state.order[: turn + 1]), *reversed(state.order[turn + 1 :])]
    left = active(state)
    worth = {seat: gold(state, seat) for seat in state.order}
    ranked = sorted(recent, key=lambda seat: (seat not in left, -worth[seat]))
    return tuple(Place(seat, place, worth[seat]) for place, seat in enumerate(ranked, 1))
