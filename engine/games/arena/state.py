"""A position: everything the rules know between two orders, as frozen data without derived values.

Rows count from 1. A column has one cell for every row that has begun while its creature lived; the round
is the number of the dead plus one. Hands are kept in catalogue order. The head of the agenda says who must
decide what. The functions at the end change one part and copy the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from engine.games.arena.cards import in_order
from engine.games.arena.orders import Policy

HAND = 8
TOKENS = 5
ROUNDS = 5

How = Literal["", "last_round", "pile", "no_progress", "resigned"]


class _Task(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="task"):
    seat: str


class ToBet(_Task, frozen=True, tag="bet"):
    """Phase 1 is open (HU p.5-6)."""


class ToPlay(_Task, frozen=True, tag="play"):
    """Phase 2 is open (HU p.7-9)."""


class ToPlayAgain(_Task, frozen=True, tag="ettin"):
    """The second card of an Ettin may be played (HU p.11)."""


class ToKeep(_Task, frozen=True, tag="titan"):
    """A Titan's player must keep one of three cards, which are still in the victim's hand (HU p.12)."""

    victim: str
    cards: tuple[str, ...] = ()


class ToGive(_Task, frozen=True, tag="gorgon"):
    """The victim, `seat`, must give `taker` a card of the creature, or show him his hand (HU p.11)."""

    taker: str
    creature: str


class ToDiscard(_Task, frozen=True, tag="discard"):
    """Phase 3 is open (HU p.9). `magus`: living creatures' cards too; `passed`: phase 2 was passed; `secret`:
    a secret bet of this turn has taken its place (HU p.6).
    """

    magus: bool = False
    passed: bool = False
    secret: bool = False


class ToEnd(_Task, frozen=True, tag="end"):
    """The discards are made; the turn may be ended. `secret` as in phase 3."""

    secret: bool = False


class ToObject(_Task, frozen=True, tag="stalemate"):
    """A seat may object to the stalemate that another one has declared (FAQ). Several are open at once."""


Task: TypeAlias = ToBet | ToPlay | ToPlayAgain | ToKeep | ToGive | ToDiscard | ToEnd | ToObject


class Cell(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Cards from the bottom up, and the seat whose token lies above them, if any."""

    cards: tuple[str, ...] = ()
    token: str = ""


class Column(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A creature's cells from row 1 on, and the seats whose revealed secret bets lie above its card."""

    rows: tuple[Cell, ...] = ()
    revealed: tuple[str, ...] = ()


class Player(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat's belongings: cards in hand and frozen, the card of a hidden secret bet, tokens in stock."""

    hand: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    secret: str = ""
    stock: int = TOKENS
    resigned: bool = False
    policy: Policy = Policy()


class Stalemate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The stalemate variant (FAQ); `began` is empty in a game without it.

    `began` = who began the round, `declared` = who has declared a stalemate that is still to be judged,
    `count` = stalemates so far, `again` = the last round in which the current row itself was shuffled.
    """

    began: str = ""
    declared: str = ""
    count: int = 0
    again: int = 0


WITHOUT_STALEMATES = Stalemate()
"""The one value of a game without the variant: being the default itself, it is left out on the wire."""


class State(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position. `order` = seats in turn order, `seat` = whose turn it is, `deck` from the top down,
    `discards` from the bottom up, `gone` = cards that resigned players took out of play, `dead` in order of
    death, `stirred` = something has moved in this turn, `idle` = turns in a row in which nothing did.
    """

    turn: int
    seat: str
    order: tuple[str, ...]
    creatures: tuple[str, ...]
    columns: Mapping[str, Column]
    players: Mapping[str, Player]
    agenda: tuple[Task, ...] = ()
    dead: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    stirred: bool = False
    idle: int = 0
    ask: bool = False
    ended: How = ""
    stalemate: Stalemate = WITHOUT_STALEMATES


def current_row(state: State) -> int:
    """The current row, which is the number of the round: 1 … 5."""
    return min(len(state.dead) + 1, ROUNDS)


def living(state: State) -> tuple[str, ...]:
    """The living creatures in the order of the row."""
    return tuple(name for name in state.creatures if name not in state.dead)


def active(state: State) -> tuple[str, ...]:
    """The seats that have not resigned, in turn order."""
    return tuple(seat for seat in state.order if not state.players[seat].resigned)


def cell_at(state: State, creature: str, row: int) -> Cell | None:
    """The cell of a column in a row, or None if that row has not begun there."""
    rows = state.columns[creature].rows
    return rows[row - 1] if 1 <= row <= len(rows) else None


def open_tasks(agenda: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks that wait for an answer now: the head of the agenda, or all questions about a stalemate."""
    asked = tuple(task for task in agenda if isinstance(task, ToObject))
    return asked or agenda[:1]


def top(cell: Cell | None) -> str:
    """The visible card of a cell; empty if there is none."""
    return cell.cards[-1] if cell is not None and cell.cards else ""


def with_player(state: State, seat: str, /, **changes: Any) -> State:
    """The state with one player changed; a new hand is put in order."""
    if "hand" in changes:
        changes["hand"] = in_order(changes["hand"])
    return replace(state, players={**state.players, seat: replace(state.players[seat], **changes)})


def with_column(state: State, creature: str, /, **changes: Any) -> State:
    """The state with one column changed."""
    columns = {**state.columns, creature: replace(state.columns[creature], **changes)}
    return replace(state, columns=columns)


def with_cell(state: State, creature: str, row: int, /, **changes: Any) -> State:
    """The state with one cell changed."""
    rows = state.columns[creature].rows
    cell = replace(rows[row - 1], **changes)
    return with_column(state, creature, rows=(*rows[: row - 1], cell, *rows[row:]))


def stirred(state: State) -> State:
    """The state with the note that something has moved in this turn."""
    return state if state.stirred else replace(state, stirred=True)
