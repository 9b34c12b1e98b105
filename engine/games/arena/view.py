"""What a seat may know of a position (rules section 3); `None` is the public.

Covered cards, hands, the pile and hidden bets are only counted. `view` looks at a State; everything that
is made of a View afterwards can't.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from engine.games.arena import standing
from engine.games.arena.orders import Policy
from engine.games.arena.state import (
    WITHOUT_STALEMATES,
    Cell,
    Column,
    How,
    Player,
    Stalemate,
    State,
    Task,
    ToKeep,
    current_row,
    top,
)
from engine.kernel.newest import newest_of_same


class CellView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The visible card, how many lie beneath it, and the seat whose token lies above."""

    top: str = ""
    covered: int = 0
    token: str = ""


class ColumnView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature's cells from row 1 on, the seats with a revealed secret bet on it, the backer of a living one."""

    rows: tuple[CellView, ...] = ()
    revealed: tuple[str, ...] = ()
    backer: str = ""


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody knows of a seat; `frozen` are not counted in `hand`; gold and place at the end only."""

    hand: int
    stock: int
    frozen: int = 0
    secret: bool = False
    resigned: bool = False
    gold: int = 0
    place: int = 0


class Own(msgspec.Struct, frozen=True, omit_defaults=True):
    """What only the seat itself knows: its cards, its hidden bet, its standing orders in force."""

    hand: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    secret: str = ""
    policy: Policy = Policy()


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position as a seat, `me`, knows it (empty: the public).

    `columns` by creature, in the order of `creatures`; `dead` in order of death; `deck` and `gone` count
    cards; `discards` counts the pile whose visible card is `discard`; `agenda` as in the State, a Titan's
    three cards for the two concerned only; `seat` is whose turn it is; `row` is the number of the round;
    `stalemate` as in the State, all of it public.
    """

    me: str
    turn: int
    row: int
    seat: str
    order: tuple[str, ...]
    creatures: tuple[str, ...]
    columns: Mapping[str, ColumnView]
    seats: Mapping[str, SeatView]
    own: Own = Own()
    agenda: tuple[Task, ...] = ()
    dead: tuple[str, ...] = ()
    deck: int = 0
    discards: int = 0
    discard: str = ""
    gone: int = 0
    stirred: bool = False
    idle: int = 0
    ask: bool = False
    ended: How = ""
    stalemate: Stalemate = WITHOUT_STALEMATES


def view(state: State, seat: str | None) -> View:
    """What a seat may know now."""
    places = {place.seat: place for place in standing.places(state)} if state.ended else {}
    seats = {name: _player(state.players[name]) for name in state.order}
    for name, place in places.items():
        seats[name] = replace(seats[name], gold=place.score, place=place.place)
    return View(
        me=seat or "",
        turn=state.turn,
        row=current_row(state),
        seat=state.seat,
        order=state.order,
        creatures=state.creatures,
        columns=_columns(state),
        seats=seats,
        own=_own(state.players[seat]) if seat else Own(),
        agenda=tuple(_task(task, seat) for task in state.agenda),
        dead=state.dead,
        deck=len(state.deck),
        discards=len(state.discards),
        discard=state.discards[-1] if state.discards else "",
        gone=len(state.gone),
        stirred=state.stirred,
        idle=state.idle,
        ask=state.ask,
        ended=state.ended,
        stalemate=state.stalemate,
    )


@newest_of_same  # the same for all: for the public, of whom a record speaks, and for each seat that gets a letter
def _columns(state: State) -> Mapping[str, ColumnView]:
    return {name: _column(state.columns[name], standing.backer_of(state, name)) for name in state.creatures}


def _column(column: Column, backer: str) -> ColumnView:
    rows = tuple(_cell(cell) for cell in column.rows)
    return ColumnView(rows, column.revealed, backer)


def _cell(cell: Cell) -> CellView:
    return CellView(top(cell), max(0, len(cell.cards) - 1), cell.token)


def _player(player: Player) -> SeatView:
    return SeatView(
        hand=len(player.hand),
        stock=player.stock,
        frozen=len(player.frozen),
        secret=bool(player.secret),
        resigned=player.resigned,
    )


def _own(player: Player) -> Own:
    return Own(player.hand, player.frozen, player.secret, player.policy)


def _task(task: Task, seat: str | None) -> Task:
    if isinstance(task, ToKeep) and seat not in {task.seat, task.victim}:
        return replace(task, cards=())
    return task
