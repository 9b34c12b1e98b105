"""Cards on the table: what lies visible, and how the top of a cell is laid or lifted (HU p.7)."""

from __future__ import annotations

from engine.games.arena import events
from engine.games.arena.cards import creature_of, seen
from engine.games.arena.events import Events
from engine.games.arena.state import State, cell_at, current_row, top, with_cell

Visible = tuple[str, str, int]
"""A visible combat card, its creature and its row."""


def visible(state: State) -> tuple[Visible, ...]:
    """Every visible combat card, by row, then in the order of the creatures; no spectator (#16, #32)."""
    found: list[Visible] = []
    for row in range(1, current_row(state) + 1):
        for name in state.creatures:
            card = top(cell_at(state, name, row))
            if card and creature_of(card):
                found.append((card, name, row))
    return tuple(found)


def find_visible(state: State, card: str) -> Visible | None:
    """Where a combat card lies visible, or None."""
    name = creature_of(card)
    for row, cell in enumerate(state.columns[name].rows, 1):
        if cell.cards and cell.cards[-1] == card:
            return card, name, row
    return None


def lay(state: State, creature: str, card: str) -> State:
    """A card on top of a living creature's cell in the current row."""
    row = current_row(state)
    cell = cell_at(state, creature, row)
    assert cell is not None
    return with_cell(state, creature, row, cards=(*cell.cards, card))


def lift(state: State, creature: str, row: int) -> tuple[State, Events]:
    """The top card of a cell away; the card beneath, if any, becomes visible (#17, #18)."""
    cell = cell_at(state, creature, row)
    assert cell is not None
    left = cell.cards[:-1]
    state = with_cell(state, creature, row, cards=left)
    return state, (events.CardUncovered(seen(left[-1]), creature, row),) if left else ()
