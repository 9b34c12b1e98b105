"""The start (FI p.4-5): who begins, who claims which zones, where the spare robots go.

The law. Draws, in this order: with four players `setup/teams`, `setup/autobot` and `setup/decepticon` shuffle the teams
and the leaders in each, and they alternate; else `setup/first` is one roll, and the seat of that number begins (an
agreed first seat needs no roll, and its own team no shuffle). `setup/deal` and `setup/spread/<number of the seat>` shuffle
zones where they are dealt; `deck/0` shuffles the cards. Claims and spare robots go round by the order of turns; whoever
has left in a live setup has the first in board order.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

from msgspec.structs import replace

from engine.games.cybertron import battle, events, orders, policy, rounds, standing
from engine.games.cybertron.board import Atlas, Board, atlas
from engine.games.cybertron.deck import Deck, catalogue
from engine.games.cybertron.events import Events
from engine.games.cybertron.ground import Step, add_robots, check_own
from engine.games.cybertron.orders import Options, Setup
from engine.games.cybertron.state import (
    Player,
    State,
    Task,
    ToBonus,
    ToClaim,
    ToFlee,
    ToSpare,
    map_of,
    with_player,
)
from engine.kernel.dice import Dice
from engine.kernel.game import Charter
from engine.kernel.refusal import Refusal

FACTIONS = ("autobot", "decepticon")


def turn_order(charter: Charter, where: Atlas, dice: Dice) -> tuple[str, ...]:
    """The seats in the order of their turns (section 7, 19; section 7.1, Seating)."""
    seats, first = charter.seats, charter.options.first
    if len(seats) == standing.ALLIED:
        return _seated(charter, where, dice)
    number = seats.index(first) if first in seats else dice.roll("setup/first", len(seats), 1)[0] - 1
    return (*seats[number:], *seats[:number])


def _seated(charter: Charter, where: Atlas, dice: Dice) -> tuple[str, ...]:
    first = charter.options.first
    if first in charter.seats:
        mine = where.leaders[first].faction
        teams = (mine, *(faction for faction in FACTIONS if faction != mine))
    else:
        teams = dice.shuffle("setup/teams", FACTIONS)
    seated: list[tuple[str, ...]] = []
    for team in teams:
        members = tuple(seat for seat in charter.seats if where.leaders[seat].faction == team)
        if first in members:
            seated.append((first, *(seat for seat in members if seat != first)))
        else:
            seated.append(dice.shuffle(f"setup/{team}", members))
    return tuple(seat for pair in zip(*seated, strict=True) for seat in pair)


def opening(charter: Charter, order: tuple[str, ...], board: Board | None, deck: Deck | None) -> State:
    """Each leader with one robot on his start zone, everything else empty (FI p.4)."""
    where = atlas(board)
    supply = where.board.setup.operational_robots
    players = {
        seat: Player(leader=where.leaders[seat].start_zone, spare=supply - 1, placed=1) for seat in order
    }
    owner, robots = [""] * len(where.ids), [0] * len(where.ids)
    for seat in order:
        place = where.place[where.leaders[seat].start_zone]
        owner[place], robots[place] = seat, 1
    return State(
        turn=0,
        day=0,
        seat=order[0],
        order=order,
        owner=tuple(owner),
        robots=tuple(robots),
        players=players,
        opened=tuple(one.zone for one in where.board.spinners if one.initial == "open"),
        ask=charter.options.reactions == "ask",
        board=board,
        deck=deck,
    )


def begin(
    charter: Charter, parts: tuple[Board | None, Deck | None], setups: Mapping[str, Any], dice: Dice
) -> Step:
    """The position in which turn 1 opens: the first day, or the first claim if the setup is live."""
    board, deck = parts
    order = turn_order(charter, atlas(board), dice)
    state = opening(charter, order, board, deck)
    happened: Events = (events.SeatsOrdered(order),)
    options: Options = charter.options
    pile = dice.shuffle("deck/0", catalogue(deck).ids, hidden=True)
    state = replace(state, pile=pile)
    if options.setup == "live":
        state, opened = _open_setup(state, order[0])
        return Step(state, (*happened, *opened))
    dealt = options.setup == "dealt"
    state, claimed = _claim_all(state, None if dealt else setups, dice)
    state, spread = _spread_all(state, None if dealt else setups, dice)
    state, opened = rounds.open_turn(state, order[0], 1)
    return Step(state, (*happened, *claimed, *spread, *opened))


def _claim_all(state: State, setups: Mapping[str, Setup] | None, dice: Dice) -> Step:
    """Every empty zone, by the lists or dealt (FI p.5; section 7.1, Claim list)."""
    where = map_of(state)
    empty = [id for number, id in enumerate(where.ids[: where.normal]) if not state.owner[number]]
    if setups is None:
        empty = list(dice.shuffle("setup/deal", empty))
    wishes = {seat: list(setups[seat].claim) if setups else [] for seat in state.order}
    claims: dict[str, list[str]] = {seat: [] for seat in state.order}
    for seat in cycle(state.order):
        if not empty:
            break
        zone = next((zone for zone in wishes[seat] if zone in empty), empty[0])
        empty.remove(zone)
        claims[seat].append(zone)
        state = _put(state, seat, zone)
    happened = (events.ZonesClaimed(seat, tuple(zones), setups is None) for seat, zones in claims.items())
    return Step(state, tuple(happened))


def _spread_all(state: State, setups: Mapping[str, Setup] | None, dice: Dice) -> Step:
    """Every spare robot, one each in turn; each list over and over (section 7.1, Spread list)."""
    where = map_of(state)
    rounds_of: dict[str, Any] = {}
    for number, seat in enumerate(state.order, 1):
        mine = [id for id, owner in zip(where.ids, state.owner, strict=True) if owner == seat]
        if setups is None:
            listed = list(dice.shuffle(f"setup/spread/{number}", mine))
        else:
            listed = [zone for zone in setups[seat].spread if zone in mine] or mine[:1]
        rounds_of[seat] = cycle(listed)
    spread: dict[str, dict[str, int]] = {seat: {} for seat in state.order}
    for seat in cycle(state.order):
        if not any(player.spare for player in state.players.values()):
            break
        if state.players[seat].spare:
            zone = next(rounds_of[seat])
            spread[seat][zone] = spread[seat].get(zone, 0) + 1
            state = _put(state, seat, zone)
    return Step(state, tuple(events.SparesPlaced(seat, zones) for seat, zones in spread.items() if zones))


def _put(state: State, seat: str, zone: str) -> State:
    """One of a seat's spare robots on a zone."""
    state = add_robots(state, map_of(state).place[zone], seat, 1)
    return with_player(state, seat, spare=state.players[seat].spare - 1)


def first_empty(state: State) -> str:
    """The first empty zone in board order; there must be one."""
    return map_of(state).ids[state.owner.index("")]


def first_own(state: State, seat: str) -> str:
    """The first zone of a seat's own in board order."""
    return map_of(state).ids[state.owner.index(seat)]


def has_empty(state: State) -> bool:
    """Whether a zone is still to be claimed."""
    return "" in state.owner[: map_of(state).normal]


def _open_setup(state: State, seat: str) -> Step:
    """A turn of a live setup, or the first day; claims of who has left are made for him (section 7.1, Resigned)."""
    happened: Events = ()
    while has_empty(state) or any(player.spare for player in state.players.values()):
        claims = has_empty(state)
        if not claims and not state.players[seat].spare:
            seat = after(state, seat)
            continue
        if not state.players[seat].resigned:
            task: Task = ToClaim(seat) if claims else ToSpare(seat)
            state = replace(state, turn=state.turn + 1, seat=seat, agenda=(task,))
            return Step(state, happened)
        state, more = _claimed(state, seat) if claims else _spared(state, seat)
        happened += more
        seat = after(state, seat)
    state, opened = rounds.open_turn(state, standing.active(state)[0], 1)
    return Step(state, (*happened, *opened))


def after(state: State, seat: str) -> str:
    """The seat after another in the order of turns, whether it still plays or not."""
    return state.order[(state.order.index(seat) + 1) % len(state.order)]


def _claimed(state: State, seat: str, zone: str = "") -> Step:
    zone = zone or first_empty(state)
    return Step(_put(state, seat, zone), (events.ZonesClaimed(seat, (zone,)),))


def _spared(state: State, seat: str, zone: str = "") -> Step:
    zone = zone or first_own(state, seat)
    return Step(_put(state, seat, zone), (events.SparesPlaced(seat, {zone: 1}),))


def check_claim(state: State, order: orders.Claim) -> Refusal | None:
    """An empty zone (FI p.5)."""
    owner = state.owner[map_of(state).place[order.zone]]
    return Refusal("moment/claimed", {"zone": order.zone, "seat": owner}) if owner else None


def check_spare(state: State, seat: str, order: orders.Spare) -> Refusal | None:
    """A zone of one's own (FI p.5)."""
    return check_own(state, seat, order.zone)


def apply_claim(state: State, seat: str, order: orders.Claim) -> Step:
    """One robot there, and the next seat's turn (FI p.5)."""
    state, happened = _claimed(state, seat, order.zone)
    return _next(state, seat, happened)


def apply_spare(state: State, seat: str, order: orders.Spare) -> Step:
    """One robot more there, and the next seat's turn (FI p.5)."""
    state, happened = _spared(state, seat, order.zone)
    return _next(state, seat, happened)


def _finish_roll(state: State, seat: str, dice: Dice) -> Step:
    """What a roll of this seat's attack still asks, answered by the standing orders of whoever is asked (FI p.12-15)."""
    happened: Events = ()
    while state.seat == seat and state.agenda and isinstance(task := state.agenda[0], ToBonus | ToFlee):
        answer = policy.answer(state, task)
        if isinstance(answer, orders.Bonus):
            state, more = battle.apply_bonus(state, answer, dice)
        else:
            assert isinstance(answer, orders.Flee)
            state, more = battle.apply_flee(state, task.seat, answer, dice)
        happened = (*happened, *more)
    return Step(state, happened)


def _next(state: State, seat: str, happened: Events) -> Step:
    state, more = _open_setup(replace(state, agenda=()), after(state, seat))
    return Step(state, (*happened, *more))


def resign(state: State, seat: str, dice: Dice) -> Step:
    """A seat leaves, in the setup or later; whose turn it is has it ended (section 7.1, Resigned)."""
    asked = bool(state.agenda) and state.agenda[0].seat == seat
    # dice that lie on the table are compared to the end: nobody takes a roll back by leaving
    state, before = _finish_roll(state, seat, dice)
    if state.ended:
        return Step(state, before)
    state, happened = rounds.resign(state, seat, dice)
    happened = (*before, *happened)
    if state.ended or state.day or not asked:
        return Step(state, happened)
    task = state.agenda[0]
    state, more = _claimed(state, seat) if isinstance(task, ToClaim) else _spared(state, seat)
    return _next(state, seat, (*happened, *more))
