"""A position that looks just like a view: blank cards stand where the view sees nothing.

The law: `view(imagine(v), v.me) == v`, and `check` says of the viewer's orders what it says in the real position. Blanks
are numbered `?1`, `?2` … and are all different.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from engine.games.cybertron.deck import BLANK
from engine.games.cybertron.orders import DEFAULT
from engine.games.cybertron.state import Player, State
from engine.games.cybertron.view import View, ZoneView

NOBODY = ZoneView()


def imagine(view: View) -> State:
    """The position that a view shows."""
    blanks = (f"{BLANK}{number}" for number in count(1))
    zones = [view.zones.get(id, NOBODY) for id in view.atlas.ids]
    return State(
        turn=view.turn,
        day=view.day,
        seat=view.seat,
        order=view.order,
        owner=tuple(zone.seat for zone in zones),
        robots=tuple(zone.robots for zone in zones),
        players={seat: _player(view, seat, blanks) for seat in view.order},
        agenda=view.agenda,
        opened=view.opened,
        pile=_take(blanks, view.pile),
        discards=view.discards,
        captured=view.captured,
        battles=view.battles,
        boost=view.boost,
        battle=view.battle,
        ask=view.ask,
        ended=view.ended,
        board=view.board,
        deck=view.deck,
    )


def _take(blanks: Iterator[str], number: int) -> tuple[str, ...]:
    return tuple(next(blanks) for _ in range(number))


def _player(view: View, seat: str, blanks: Iterator[str]) -> Player:
    seen = view.seats[seat]
    mine = seat == view.me
    return Player(
        hand=view.own.hand if mine else _take(blanks, seen.hand),
        leader=seen.leader,
        form=seen.form,
        spare=seen.spare,
        placed=seen.placed,
        destroyed=seen.destroyed,
        resigned=seen.resigned,
        out=seen.out,
        policy=view.own.policy if mine else DEFAULT,
    )
