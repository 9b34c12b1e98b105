"""What the log has established about time: deadlines, pauses, vacations, silences, wishes.

| record            | establishes                                                                            |
| ----------------- | -------------------------------------------------------------------------------------- |
| deadline          | the deadline of some seats; or that all clocks stand (`paused`) or run again (`running`) |
| time              | a seat's vacations; or its wish that the deadlines of the open turn move                |
| join, ready, move | that seat has spoken: its silences in a row are over, and join and ready end its deadline |
| timeout           | one more silence of the seat                                                            |
| closing a turn    | no deadline, no wish                                                                    |

`note` is used alike by whoever writes records and by whoever audits them: what it refuses, neither may do. It
does not compute deadlines: that a rule gives this instant is for the players to see, for rules of zones change.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine import Say, refuse, say
from pbem.log import payloads, record
from pbem.log.canonical import canonical
from pbem.log.chain import HOST
from pbem.log.ledger import is_time
from pbem.turn import zones
from pbem.turn.policy import TimePolicy
from pbem.turn.spans import MOST, later

Json = dict[str, Any]
NONE: Literal["none"] = "none"
PAUSED: Literal["paused"] = "paused"
RUNNING: Literal["running"] = "running"
CONSENT, OPENED, RESUMED, OUTAGE, PUT_BACK, SILENCE, CLOCK = (
    "consent",
    "opened",
    "resumed",
    "outage",
    "put-back",
    "silence",
    "clock",
)
"""Reasons that the host's program gives. Whatever else stands there was written by a person."""
replace = msgspec.structs.replace


class Due(msgspec.Struct, frozen=True):
    """A seat's deadline: the instant, the rule and zone it came from, what is to be decided in which turn.

    `since` is when it began to run, `put` when it was last moved, `seq` how often it has moved.
    """

    at: str
    rule: str
    zone: str
    kind: str
    turn: int
    since: str
    put: str
    seq: int = 0


class Wish(msgspec.Struct, frozen=True):
    """A seat wishes the deadlines of a turn to move."""

    turn: int
    until: str
    reason: str = ""


class Times(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts by seat. `paused` is when the clocks were stopped, empty while they run; `why` its reason, and
    `quiet` the seat whose silence stopped them. `silent` counts silences in a row, `silences` all of them.
    """

    due: dict[str, Due] = {}
    paused: str = ""
    why: str = ""
    quiet: str = ""
    away: dict[str, tuple[payloads.Period, ...]] = {}
    wishes: dict[str, Wish] = {}
    silent: dict[str, int] = {}
    silences: dict[str, int] = {}


class Deadline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a deadline record says under `old` and `new`; `seats` share it."""

    at: str
    rule: str
    zone: str
    kind: str
    turn: int
    seats: tuple[str, ...]


def plain_due(due: Due, seats: tuple[str, ...]) -> Json:
    """A deadline as a record has it."""
    said: Json = msgspec.to_builtins(Deadline(due.at, due.rule, due.zone, due.kind, due.turn, seats))
    return said


def note(times: Times, entry: record.Record, policy: TimePolicy, seats: tuple[str, ...]) -> Times:
    """The facts after one more record; `seats` are those still in the game. Refused `time/unsound`."""
    match entry:
        case record.Deadline():
            return _deadline(times, entry, policy, seats)
        case record.Time():
            return _said(times, entry, policy)
        case record.Join() | record.Ready():
            return _spoken(_without(times, entry.seat), entry.seat)
        case record.Start():
            return replace(times, due={}, wishes={})
        case record.Move():
            return _closed(_spoken(times, entry.seat), entry.next)
        case record.Timeout():
            return _closed(_unspoken(times, entry.seat), entry.next)
        case record.Resign():
            return _closed(_without(times, entry.seat), entry.next)
        case _:
            return times


def check_timeout(times: Times, entry: record.Timeout, policy: TimePolicy) -> None:
    """A silence is not recorded before the time is up, or while the clocks stand. Refused `time/unsound`.

    A seat without a deadline may be timed out at any time: the host's own word.
    """
    if times.paused:
        raise _unsound(say("a silence while the clocks stand"))
    due = times.due.get(entry.seat)
    if due is not None and entry.at < zones.stamp(_last(due, policy)):
        raise _unsound(say("a silence before the deadline {at}", at=due.at))
    if (entry.by or "default") not in {"default", policy.silence}:
        raise _unsound(say("a silence that is answered otherwise than the charter says"))


def _last(due: Due, policy: TimePolicy) -> int:
    return later(policy.grace_span, zones.seconds_of(due.at), due.zone)


def last_instant(due: Due, policy: TimePolicy) -> int:
    """When a deadline and its grace are over."""
    return _last(due, policy)


def away_days(periods: tuple[payloads.Period, ...]) -> int:
    """How many days of vacation."""
    return sum(zones.days_between(one.first, one.last) + 1 for one in periods)


def vacations(times: Times, entry: record.Time, ask: payloads.Away, policy: TimePolicy) -> Times:
    """The seat's vacations after it has said new ones: those that have begun stay. Refused `time/away`."""
    today = zones.local(zones.seconds_of(entry.at), policy.zone).strftime("%Y-%m-%d")
    begun = tuple(one for one in times.away.get(entry.seat, ()) if one.first <= today)
    said = tuple(sorted(ask.periods, key=lambda one: one.first))
    check_periods(begun, said, today, policy)
    return replace(times, away={**times.away, entry.seat: (*begun, *said)})


def check_periods(
    begun: tuple[payloads.Period, ...], said: tuple[payloads.Period, ...], today: str, policy: TimePolicy
) -> None:
    """Refused `time/away`: days that do not exist, that have begun, that overlap, or too many of them."""
    last = max((one.last for one in begun), default="")
    for one in said:
        if not _is_day(one.first) or not _is_day(one.last) or one.last < one.first:
            raise refuse("time/away-days", first=one.first, last=one.last)
        if one.first <= today:
            raise refuse("time/away-begun", first=one.first, today=today)
        if one.first <= last:
            raise refuse("time/away-overlap", first=one.first, last=last)
        last = one.last
    found = away_days((*begun, *said))
    if found > policy.vacation:
        raise refuse("time/away-limit", most=policy.vacation, found=found)


def _is_day(text: str) -> bool:
    return is_time(f"{text}T00:00:00Z")


def _said(times: Times, entry: record.Time, policy: TimePolicy) -> Times:
    try:
        ask = msgspec.convert(entry.ask, payloads.Away | payloads.Extend)
    except msgspec.ValidationError:
        raise _unsound(say("a word about time that is none")) from None
    if isinstance(ask, payloads.Away):
        return vacations(times, entry, ask, policy)
    if not is_time(ask.until):
        raise _unsound(say("a wish without an instant"))
    return replace(times, wishes={**times.wishes, entry.seat: Wish(ask.turn, ask.until, ask.reason)})


def _deadline(times: Times, entry: record.Deadline, policy: TimePolicy, seats: tuple[str, ...]) -> Times:
    if entry.new in (PAUSED, RUNNING):
        return _stopped(times, entry, seats)
    try:
        new = msgspec.convert(entry.new, Deadline)
    except msgspec.ValidationError:
        raise _unsound(say("a deadline that is none")) from None
    # 1. an instant to come, by a rule of the charter, for seats of the game
    if not is_time(new.at) or new.at < entry.at:
        raise _unsound(say("a deadline that is no instant to come"))
    if new.zone != policy.zone or new.rule not in policy.rules.values():
        raise _unsound(say("a deadline by a rule that the charter has not"))
    if not new.seats or len(set(new.seats)) != len(new.seats) or not set(new.seats) <= set(seats):
        raise _unsound(say("a deadline for others than the seats in the game"))
    # 2. what stood before is what is said to have stood
    for seat in new.seats:
        known = times.due.get(seat)
        wanted = NONE if known is None else plain_due(known, new.seats)
        if canonical(wanted) != canonical(entry.old):
            raise _unsound(say("another deadline before it than the one that stood"))
    return _moved(times, entry, new, seats)


def _moved(times: Times, entry: record.Deadline, new: Deadline, seats: tuple[str, ...]) -> Times:
    due = dict(times.due)
    for seat in new.seats:
        known = due.get(seat)
        fresh = known is None or entry.reason == OPENED
        # 3. an earlier deadline is no extension
        if known is not None and not fresh and new.at < known.at:
            raise _unsound(say("a deadline that is earlier than before"))
        since = entry.at if known is None or fresh else known.since
        seq = 0 if known is None or fresh else known.seq + 1
        due[seat] = Due(new.at, new.rule, new.zone, new.kind, new.turn, since, entry.at, seq)
    # 4. a seat moves a deadline only if all wish it
    if entry.who != HOST and not agreed(times, entry.who, new, seats):
        raise _unsound(say("a deadline moved by {seat}, and not all seats wished it", seat=entry.who))
    return replace(times, due=due)


def check_wish(times: Times, ask: payloads.Extend, moment: tuple[int, str]) -> None:
    """A wish is for the open turn, and for later than any deadline that runs; `moment`: the open turn, and now.

    Refused `fresh/turn`, `time/instant`, `time/nothing-due`, `time/until`.
    """
    turn, now = moment
    if ask.turn != turn:
        raise refuse("fresh/turn", expected=turn, found=ask.turn)
    if not is_time(ask.until):
        raise refuse("time/instant", found=ask.until)
    if not times.due:
        raise refuse("time/nothing-due")
    latest = max(due.at for due in times.due.values())
    if not max(latest, now) < ask.until <= zones.stamp(zones.seconds_of(now) + MOST):
        raise refuse("time/until", latest=latest, found=ask.until)


def agreed(times: Times, who: str, new: Deadline, seats: tuple[str, ...]) -> bool:
    """Whether all seats in the game wish this deadline."""
    wished = [times.wishes.get(seat) for seat in seats]
    return who in seats and all(
        one is not None and (one.turn, one.until) == (new.turn, new.at) for one in wished
    )


def _stopped(times: Times, entry: record.Deadline, seats: tuple[str, ...]) -> Times:
    if entry.who != HOST:
        raise _unsound(say("clocks stopped or started by another than the host"))
    stands = bool(times.paused)
    if (entry.old, entry.new) != ((PAUSED, RUNNING) if stands else (RUNNING, PAUSED)):
        raise _unsound(say("clocks stopped twice, or started while they ran"))
    if stands:
        return replace(times, paused="", why="", quiet="")
    quiet = entry.reason.partition(":")[2] if entry.reason.startswith(f"{SILENCE}:") else ""
    if quiet and quiet not in seats:
        raise _unsound(say("a silence of no seat in the game"))
    stopped = replace(times, paused=entry.at, why=entry.reason, quiet=quiet)
    return _counted(stopped, quiet) if quiet else stopped


def _spoken(times: Times, seat: str) -> Times:
    if not times.silent.get(seat):
        return times
    return replace(times, silent={name: n for name, n in times.silent.items() if name != seat})


def _unspoken(times: Times, seat: str) -> Times:
    return _counted(_without(times, seat), seat)


def _counted(times: Times, seat: str) -> Times:
    silent = {**times.silent, seat: times.silent.get(seat, 0) + 1}
    return replace(times, silent=silent, silences={**times.silences, seat: times.silences.get(seat, 0) + 1})


def _without(times: Times, seat: str) -> Times:
    if seat not in times.due and seat not in times.wishes:
        return times
    return replace(
        times,
        due={name: due for name, due in times.due.items() if name != seat},
        wishes={name: wish for name, wish in times.wishes.items() if name != seat},
    )


def _closed(times: Times, following: tuple[str, ...] | None) -> Times:
    return times if following is None else replace(times, due={}, wishes={})


def _unsound(problem: Say) -> Exception:
    return refuse("time/unsound", problem=problem)
