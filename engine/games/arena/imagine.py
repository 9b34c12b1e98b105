"""A position that looks just like a view: blank cards stand where the view sees nothing.

The law: `view(imagine(v), v.me) == v`, and `check` says of the viewer's orders what it says in the real
position. Blanks are numbered `?1`, `?2` … and are all different.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count, islice

from engine.games.arena.cards import BLANK, in_order
from engine.games.arena.powers import TITAN_DRAW
from engine.games.arena.state import Cell, Column, Player, State, Task, ToKeep
from engine.games.arena.view import CellView, View

Blanks = Iterator[str]


@cache
def _blank(number: int) -> str:
    return f"{BLANK}{number}"


def imagine(view: View) -> State:
    """The position that a view shows."""
    blanks = map(_blank, count(1))
    columns = {
        name: Column(tuple(_cell(cell, blanks) for cell in column.rows), column.revealed)
        for name, column in view.columns.items()
    }
    players = {seat: _player(view, seat, blanks) for seat in view.order}
    return State(
        turn=view.turn,
        seat=view.seat,
        order=view.order,
        creatures=view.creatures,
        columns=columns,
        players=players,
        agenda=tuple(_task(task, players) for task in view.agenda),
        dead=view.dead,
        deck=_take(blanks, view.deck),
        discards=(*_take(blanks, max(0, view.discards - 1)), *([view.discard] if view.discard else [])),
        gone=_take(blanks, view.gone),
        stirred=view.stirred,
        idle=view.idle,
        ask=view.ask,
        ended=view.ended,
        stalemate=view.stalemate,
    )


def _take(blanks: Blanks, number: int) -> tuple[str, ...]:
    return tuple(islice(blanks, number)) if number else ()


def _cell(cell: CellView, blanks: Blanks) -> Cell:
    return Cell((*_take(blanks, cell.covered), cell.top) if cell.top else (), cell.token)


def _player(view: View, seat: str, blanks: Blanks) -> Player:
    seen, own = view.seats[seat], view.own
    if seat == view.me:
        return Player(own.hand, own.frozen, own.secret, seen.stock, seen.resigned, own.policy)
    known = tuple(
        card
        for task in view.agenda
        if isinstance(task, ToKeep) and task.victim == seat
        for card in task.cards
    )
    return Player(
        hand=in_order((*known, *_take(blanks, seen.hand - len(known)))),
        frozen=_take(blanks, seen.frozen),
        secret=next(blanks) if seen.secret else "",
        stock=seen.stock,
        resigned=seen.resigned,
    )


def _task(task: Task, players: dict[str, Player]) -> Task:
    """A Titan's question that the viewer does not know: any three cards of the victim's."""
    if isinstance(task, ToKeep) and not task.cards:
        return ToKeep(task.seat, task.victim, players[task.victim].hand[:TITAN_DRAW])
    return task
