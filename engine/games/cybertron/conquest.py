"""What comes of a roll (FI p.12-13): a zone captured, an attack failed, stopped, or gone on with.

The law. The attackers that are left move in, more may follow, one piece stays; the leader only if he fought. Megatron's
far victory lets nobody follow (section 7, 7). A stop that was ordered is looked at before each further roll.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.cybertron import events, rounds
from engine.games.cybertron.assault import going, next_roll
from engine.games.cybertron.events import Events, Stop
from engine.games.cybertron.ground import Step, with_zone
from engine.games.cybertron.orders import MOST_ROLLS
from engine.games.cybertron.standing import has_leader, pieces
from engine.games.cybertron.state import Battle, State, map_of, with_player
from engine.kernel.dice import Dice


def results(state: State, dice: Dice) -> Step:
    """Captured, failed, stopped, or the next roll (FI p.12-13, results 1 to 3)."""
    now = going(state)
    where = map_of(state)
    if not pieces(state, where.place[now.target]):
        return _captured(state, dice)
    stop = _stop(state, now)
    if not stop:
        return Step(next_roll(state), ())
    return _over(state, stop)


def _stop(state: State, now: Battle) -> Stop | None:
    """Why the attack does not go on; None if it does."""
    left = pieces(state, map_of(state).place[now.origin])
    gone = now.far and state.players[state.seat].leader != now.origin
    if left < 2 or gone:
        return "failed"
    if now.plan.until != "captured" and now.rolls >= now.plan.until:
        return "until"
    if left <= now.plan.keep:
        return "keep"
    return "limit" if now.rolls >= MOST_ROLLS else None


def _over(state: State, how: Stop, moved: int = 0, *, leader: bool = False) -> Step:
    now = going(state)
    where = map_of(state)
    ended = events.AttackEnded(
        state.seat,
        now.number,
        now.origin,
        now.target,
        now.defender,
        how,
        now.rolls,
        now.lost,
        now.beaten,
        moved,
        leader,
        pieces(state, where.place[now.origin]),
        pieces(state, where.place[now.target]),
    )
    return Step(replace(state, battle=None), (ended,))


def followers(state: State, now: Battle, involved: int, *, leads: bool) -> int:
    """How many robots follow those that fought, as ordered and as far as one piece stays (FI p.13)."""
    if now.far:
        return 0
    origin = map_of(state).place[now.origin]
    robots = state.robots[origin] - (involved - leads)
    stays = has_leader(state, origin) and not leads
    most = robots if stays else robots - 1
    if now.plan.move_in == "least":
        return 0
    if now.plan.move_in == "all":
        return most
    return max(0, min(now.plan.move_in - involved, most))


def _captured(state: State, dice: Dice) -> Step:
    """Result 1 (FI p.13): the zone changes hands."""
    now = going(state)
    roll = now.roll
    assert roll is not None
    where = map_of(state)
    origin, target = where.place[now.origin], where.place[now.target]
    leads = roll.attacking_leader and "attacking_leader" not in [one.lost for one in roll.compared]
    moved = roll.attackers + followers(state, now, roll.attackers, leads=leads)
    robots = moved - leads
    state = with_zone(state, origin, state.seat, state.robots[origin] - robots)
    state = with_zone(state, target, state.seat, robots)
    if leads:
        state = with_player(state, state.seat, leader=now.target)
    state = replace(state, captured=(*state.captured, now.target))
    state, ended = _over(state, "captured", moved, leader=leads)
    happened: Events = ended
    state, more = rounds.eliminate(state, now.defender, state.seat, dice)
    return Step(state, (*happened, *more))
