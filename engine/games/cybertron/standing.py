"""Who stands with whom, what a turn gives, and who wins (FI p.4, p.7-8, p.13, p.18).

The law. With four players the two Autobots are a team, and so are the two Decepticons; else every seat is a side of its
own. Zones decide at the end, open factories among them; the Launch Pad decides a tie, whoever holds it.
"""

from __future__ import annotations

from engine.games.cybertron.events import Income
from engine.games.cybertron.state import How, State, map_of
from engine.kernel.game import Place

ALLIED = 4
"""So many players make two teams (FI p.4)."""
MOST_FROM_FACTORY = 3


def is_allied(state: State) -> bool:
    """Whether the seats play in two teams."""
    return len(state.order) == ALLIED


def mate(state: State, seat: str) -> str:
    """The team-mate of a seat, resigned or out or not; empty without teams."""
    if not is_allied(state):
        return ""
    leaders = map_of(state).leaders
    return next(
        other for other in state.order if other != seat and leaders[other].faction == leaders[seat].faction
    )


def side(state: State, seat: str) -> tuple[str, ...]:
    """The seats of a side in turn order: a team, or the seat alone."""
    return tuple(other for other in state.order if other in (seat, mate(state, seat)))


def is_enemy(state: State, seat: str, other: str) -> bool:
    """Whether a seat may attack what another one holds."""
    return bool(other) and other != seat and other != mate(state, seat)


def active(state: State) -> tuple[str, ...]:
    """The seats that still play, in turn order."""
    return tuple(
        seat for seat in state.order if not (state.players[seat].resigned or state.players[seat].out)
    )


def sides_left(state: State) -> tuple[tuple[str, ...], ...]:
    """The sides of which somebody still plays, in turn order."""
    found: list[tuple[str, ...]] = []
    for seat in active(state):
        one = side(state, seat)
        if one not in found:
            found.append(one)
    return tuple(found)


def pieces(state: State, place: int) -> int:
    """How many pieces stand in a zone: robots, and the leader as one (FI p.6)."""
    owner = state.owner[place]
    here = bool(owner) and state.players[owner].leader == map_of(state).ids[place]
    return state.robots[place] + here


def has_leader(state: State, place: int) -> bool:
    """Whether its owner's leader stands in a zone."""
    owner = state.owner[place]
    return bool(owner) and state.players[owner].leader == map_of(state).ids[place]


def income(state: State, seat: str) -> Income:
    """What a turn of this seat would begin with as the board stands (FI p.7-8, steps A, C, D)."""
    where = map_of(state)
    owner = state.owner
    zones = owner.count(seat)
    if not zones:
        return Income(0, 0)
    robots = where.robots_for(zones)
    sectors: list[str] = []
    bonus = 0
    for sector in where.board.sectors:
        for place in where.sectors[sector.id]:
            if owner[place] != seat and (owner[place] or place < where.normal):
                break
        else:
            sectors.append(sector.id)
            bonus += sector.bonus
    yields = {
        where.ids[place]: min(MOST_FROM_FACTORY, pieces(state, place))
        for place in range(where.normal, len(owner))
        if owner[place] == seat
    }
    total = robots + bonus + sum(yields.values())
    return Income(zones, robots, tuple(sectors), bonus, yields, total)


def side_zones(state: State, seat: str) -> int:
    """How many zones a seat's side holds, also those of a mate who has resigned (FI p.18)."""
    return sum(state.owner.count(one) for one in side(state, seat))


def pad_holder(state: State) -> str:
    """The seat that controls the Launch Pad."""
    return state.owner[map_of(state).place[map_of(state).board.launch_pad]]


def final(state: State) -> tuple[How, tuple[str, ...]]:
    """How the sixth day ends, and the seats that share the first place (FI p.18; sections 1.2, 7.1).

    Of the sides that still play, the one with most zones; in a tie who holds the Launch Pad, even if he is not among
    the tied; if that is a side of which nobody plays any more, the tied share.
    """
    sides = sides_left(state)
    most = max(side_zones(state, one[0]) for one in sides)
    best = [one for one in sides if side_zones(state, one[0]) == most]
    if len(best) == 1:
        return "days", best[0]
    holder = side(state, pad_holder(state))
    if holder in sides:
        return "launch_pad", holder
    return "shared", tuple(seat for one in best for seat in one)


def places(state: State) -> tuple[Place, ...]:
    """Final places, best first: the winners, then by zones of the side; equal zones share a place (section 7.1)."""
    if state.ended in ("conquest", "resigned"):
        winners = sides_left(state)[0] if sides_left(state) else ()
    else:
        winners = final(state)[1]
    worth = {seat: side_zones(state, seat) for seat in state.order}
    rank = {seat: (seat not in winners, 0 if seat in winners else -worth[seat]) for seat in state.order}
    ranked = sorted(state.order, key=lambda seat: rank[seat])
    return tuple(
        Place(seat, 1 + sum(rank[other] < rank[seat] for other in state.order), worth[seat])
        for seat in ranked
    )
