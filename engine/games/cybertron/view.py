"""What a seat may know of a position (rules 8.3); `None` is the public.

Hands and the pile are only counted, the plan of an attack is its author's, which lines of standing orders were used the
defender's. `view` looks at a State; everything
that is made of a View afterwards can't.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from engine.games.cybertron import standing
from engine.games.cybertron.board import Atlas, Board, atlas
from engine.games.cybertron.deck import Catalogue, Deck, catalogue
from engine.games.cybertron.events import Income
from engine.games.cybertron.orders import DEFAULT, Form, Policy
from engine.games.cybertron.state import NO_BOOST, NO_PLAN, Battle, Boost, How, State, Task, map_of
from engine.kernel.newest import newest_of_same


class ZoneView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a zone, with how many robots (a leader who stands there is not among them)."""

    seat: str = ""
    robots: int = 0


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody knows of a seat.

    `hand` counts cards; `leader` is the zone where the leader stands, empty for the scrapheap; `zones` and `robots`
    count what it holds; `income` is what its next turn would begin with as it stands. Place and score at the end only.
    """

    hand: int
    leader: str
    form: Form
    zones: int
    robots: int
    income: Income
    spare: int = 0
    placed: int = 0
    destroyed: int = 0
    resigned: bool = False
    out: bool = False
    place: int = 0
    score: int = 0


class Own(msgspec.Struct, frozen=True, omit_defaults=True):
    """What only the seat itself knows: its cards, its standing orders in force, the plan of its attack."""

    hand: tuple[str, ...] = ()
    policy: Policy = DEFAULT


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position as a seat, `me`, knows it (empty: the public).

    `zones` by id in board order, closed factories left out; `seats` in turn order; `pile` counts cards, `discards` from
    the bottom up; the rest as in the State. `board` and `deck` only if they are not the standard ones.
    """

    me: str
    turn: int
    day: int
    seat: str
    order: tuple[str, ...]
    zones: Mapping[str, ZoneView]
    seats: Mapping[str, SeatView]
    own: Own = Own()
    agenda: tuple[Task, ...] = ()
    opened: tuple[str, ...] = ()
    pile: int = 0
    discards: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    battles: int = 0
    boost: Boost = NO_BOOST
    battle: Battle | None = None
    ask: bool = False
    ended: How = ""
    board: Board | None = None
    deck: Deck | None = None

    @property
    def atlas(self) -> Atlas:
        """The board of this game."""
        return atlas(self.board)

    @property
    def catalogue(self) -> Catalogue:
        """The deck of this game."""
        return catalogue(self.deck)


@newest_of_same  # the same for all: for the public, of whom a record speaks, and for each seat that gets a letter
def _zones(state: State) -> Mapping[str, ZoneView]:
    where = map_of(state)
    held = zip(where.ids, state.owner, state.robots, strict=True)
    return {
        id: ZoneView(owner, robots)
        for number, (id, owner, robots) in enumerate(held)
        if owner or number < where.normal
    }


def view(state: State, seat: str | None) -> View:
    """What a seat may know now."""
    places = {one.seat: one for one in standing.places(state)} if state.ended else {}
    seats = {name: _seat(state, name) for name in state.order}
    for name, one in places.items():
        seats[name] = replace(seats[name], place=one.place, score=one.score)
    battle = state.battle
    if battle is not None and state.seat != seat:
        battle = replace(battle, plan=NO_PLAN)
    if battle is not None and battle.defender != seat:
        battle = replace(battle, lines=())
    return View(
        me=seat or "",
        turn=state.turn,
        day=state.day,
        seat=state.seat,
        order=state.order,
        zones=_zones(state),
        seats=seats,
        own=Own(state.players[seat].hand, state.players[seat].policy) if seat else Own(),
        agenda=state.agenda,
        opened=state.opened,
        pile=len(state.pile),
        discards=state.discards,
        captured=state.captured,
        battles=state.battles,
        boost=state.boost,
        battle=battle,
        ask=state.ask,
        ended=state.ended,
        board=state.board,
        deck=state.deck,
    )


def _seat(state: State, seat: str) -> SeatView:
    player = state.players[seat]
    return SeatView(
        hand=len(player.hand),
        leader=player.leader,
        form=player.form,
        zones=state.owner.count(seat),
        robots=sum(n for n, owner in zip(state.robots, state.owner, strict=True) if owner == seat),
        income=standing.income(state, seat),
        spare=player.spare,
        placed=player.placed,
        destroyed=player.destroyed,
        resigned=player.resigned,
        out=player.out,
    )
