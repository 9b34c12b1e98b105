"""Phase 4, call for back-up (FI p.16), and the same move by a card in phase 2; Optimus' jump; a zone as a gift.

The law. A move goes from one zone along one's own zones, with four players also the team-mate's, to a zone of one's
own, and leaves a piece behind. Once a turn a move or a gift, and beside it the jump.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from engine.games.cybertron import events, orders
from engine.games.cybertron.ground import Step, add_robots, check_hand, check_own, spend_card, with_zone
from engine.games.cybertron.standing import has_leader, mate, pieces
from engine.games.cybertron.state import State, ToBackUp, cards_of, map_of, with_player
from engine.kernel.refusal import Refusal

JUMPER = "optimus_prime"


def reached(state: State, place: int, passes: Callable[[str], bool]) -> frozenset[int]:
    """The zones that can be reached from one, through zones of owners that let pass."""
    links = map_of(state).links(state.opened)
    owner = state.owner
    found, edge = {place}, [place]
    while edge:
        for other in links[edge.pop()]:
            if other not in found and passes(owner[other]):
                found.add(other)
                edge.append(other)
    return frozenset(found)


def connected(state: State, seat: str, origin: int) -> frozenset[int]:
    """The zones to which a seat can move from a zone of its own, that zone among them (FI p.16)."""
    friend = mate(state, seat)
    found = reached(state, origin, lambda owner: owner == seat or (owner == friend and bool(owner)))
    return frozenset(place for place in found if state.owner[place] == seat)


def check_move(state: State, seat: str, move: orders.BackUp) -> Refusal | None:
    """Whether the pieces are there, one stays, and the way is open (FI p.16)."""
    refusal = check_own(state, seat, move.origin) or check_own(state, seat, move.target)
    if refusal:
        return refusal
    origin, target = map_of(state).place[move.origin], map_of(state).place[move.target]
    if move.leader and not has_leader(state, origin):
        return Refusal("moment/leader-elsewhere", {"zone": move.origin})
    if move.robots > state.robots[origin] or move.robots + move.leader >= pieces(state, origin):
        most = min(state.robots[origin], pieces(state, origin) - 1 - move.leader)
        return Refusal("moment/too-many-move", {"zone": move.origin, "robots": move.robots, "most": most})
    if target not in connected(state, seat, origin):
        return Refusal("moment/not-connected", {"zone": move.origin, "to": move.target})
    return None


def move_pieces(state: State, seat: str, move: orders.BackUp, card: str = "") -> Step:
    """The pieces stand in the other zone."""
    origin, target = map_of(state).place[move.origin], map_of(state).place[move.target]
    state = with_zone(state, origin, seat, state.robots[origin] - move.robots)
    state = with_zone(state, target, seat, state.robots[target] + move.robots)
    if move.leader:
        state = with_player(state, seat, leader=move.target)
    moved = events.BackUpMoved(seat, move.origin, move.target, move.robots, move.leader, card)
    return Step(state, (moved,))


def check_back_up(state: State, seat: str, order: orders.BackUp) -> Refusal | None:
    """The one move of phase 4 (FI p.16)."""
    return _check_unmoved(state) or check_move(state, seat, order)


def apply_back_up(state: State, seat: str, order: orders.BackUp) -> Step:
    """The move of phase 4."""
    return move_pieces(_done(state, moved=True), seat, order)


def of_card(order: orders.PlayCard) -> orders.BackUp:
    """The move that a card makes in phase 2 (FI p.16)."""
    robots = 0 if order.robots is UNSET else order.robots
    return orders.BackUp(order.origin, order.target, robots, order.leader)


def check_card(state: State, seat: str, order: orders.PlayCard) -> Refusal | None:
    """A card for a move in phase 2: one's own hand, then the rules of phase 4 (FI p.9, p.16)."""
    missing = check_hand(state, seat, order.card)
    if missing:
        return missing
    upgrade = cards_of(state).upgrade(order.card)
    if upgrade.when != "morph":
        return Refusal("moment/card-phase", {"card": order.card, "upgrade": upgrade.id})
    return check_move(state, seat, of_card(order))


def apply_card(state: State, seat: str, order: orders.PlayCard) -> Step:
    """The card to the discards, and the move."""
    played = events.CardPlayed(seat, order.card, cards_of(state).upgrade(order.card).id)
    state, moved = move_pieces(spend_card(state, seat, order.card), seat, of_card(order), order.card)
    return Step(state, (played, *moved))


def check_jump(state: State, seat: str, order: orders.Jump) -> Refusal | None:
    """Optimus, as a truck, leaves nobody's zone empty (FI p.14; section 7, 9)."""
    player = state.players[seat]
    if _open(state).jumped:
        return Refusal("moment/jumped")
    if not player.leader or player.form != "vehicle":
        return Refusal("moment/not-a-truck")
    refusal = check_own(state, seat, order.target)
    if refusal:
        return refusal
    if player.leader == order.target:
        return Refusal("moment/same-zone", {"zone": order.target})
    if pieces(state, map_of(state).place[player.leader]) < 2:
        return Refusal("moment/leaves-empty", {"zone": player.leader})
    return None


def apply_jump(state: State, seat: str, order: orders.Jump) -> Step:
    """Optimus stands in the other zone."""
    origin = state.players[seat].leader
    state = with_player(_done(state, jumped=True), seat, leader=order.target)
    return Step(state, (events.LeaderJumped(seat, origin, order.target),))


def check_give(state: State, seat: str, order: orders.Give) -> Refusal | None:
    """A zone for a team-mate who still plays, instead of the move, and never the last one (FI p.16)."""
    friend = state.players[mate(state, seat)]
    refusal = _check_unmoved(state) or check_own(state, seat, order.zone)
    if refusal:
        return refusal
    if friend.out or friend.resigned:
        return Refusal("moment/mate-gone", {"seat": mate(state, seat)})
    return Refusal("moment/last-zone", {"zone": order.zone}) if state.owner.count(seat) == 1 else None


def apply_give(state: State, seat: str, order: orders.Give) -> Step:
    """All pieces there to the scrapheap, the leader too; one robot of the team-mate's comes (FI p.16)."""
    place = map_of(state).place[order.zone]
    friend = mate(state, seat)
    robots, leader = state.robots[place], has_leader(state, place)
    state = _done(state, moved=True)
    player = state.players[seat]
    state = with_player(state, seat, destroyed=player.destroyed + robots)
    if leader:
        state = with_player(state, seat, leader="")
    state = add_robots(with_zone(state, place, "", 0), place, friend, 1)
    return Step(state, (events.ZoneGiven(seat, friend, order.zone, robots, leader),))


def _open(state: State) -> ToBackUp:
    task = state.agenda[-1]
    assert isinstance(task, ToBackUp)
    return task


def _check_unmoved(state: State) -> Refusal | None:
    return Refusal("moment/moved") if _open(state).moved else None


def _done(state: State, *, moved: bool = False, jumped: bool = False) -> State:
    """Phase 4 is open, and this much of it done."""
    task = _open(state)
    task = replace(task, moved=task.moved or moved, jumped=task.jumped or jumped)
    return replace(state, agenda=(task,))
