"""Deadlines set and moved: the records about time that follow from what has just been recorded.

Decides who has how long, from the policy in the charter, the vacations, and the instant at which a decision
opened. A decision opens for a seat when the game begins to wait for it; a move that leaves the turn open gives no
more time. Vacations that were known then are added; one that is said later never moves a deadline that runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

import msgspec

from pbem.log.chain import HOST
from pbem.log.ledger import Ledger
from pbem.log.payloads import Period
from pbem.log.record import read_record
from pbem.turn import times as facts
from pbem.turn import zones
from pbem.turn.accept import Step
from pbem.turn.desk import Desk
from pbem.turn.policy import TimePolicy, policy_of
from pbem.turn.spans import Rule, due
from pbem.turn.times import NONE, OPENED, PAUSED, RESUMED, RUNNING, SILENCE, Deadline, Due, Times
from pbem.turn.views import awaited
from pbem.turn.writer import Book, write

replace = msgspec.structs.replace


class Moved(msgspec.Struct, frozen=True):
    """One record to be written: seats that share an old and a new deadline."""

    seats: tuple[str, ...]
    new: Deadline


def follow(before: Desk, step: Step) -> Step:
    """The step with the deadline records that it causes, and the facts about time after it."""
    policy = policy_of(before.charter.deadline)
    if policy is None:
        return step
    times = noted(before.snapshot.times, before.snapshot.ledger, step.book.lines, policy)
    book = step.book
    goes_on = book.ledger.phase in ("joining", "readying", "playing")
    # 1. whose silence had stopped the clocks has come back; a game that he has ended has no clocks any more
    if goes_on and times.paused and times.quiet == step.seat and step.what in ("move", "sealed", "resign"):
        book, times = resume(book, times, policy, RESUMED)
    # 2. all wish the same
    if step.what == "time":
        book, times = consent(book, times, policy, step.seat)
    # 3. decisions that have opened
    opened = _opened(before, step)
    if opened and goes_on:
        for one in first_deadlines(times, policy, opened, (book.ledger.turn, _now(book))):
            if step.what == "undone" and any(_is_later(times, seat, one.new.at) for seat in one.seats):
                continue
            book, times = put(book, times, policy, one, (HOST, OPENED))
    return with_book(step, book, times)


def _is_later(times: Times, seat: str, at: str) -> bool:
    """Whether a seat has a later deadline already: an undo takes no time away."""
    known = times.due.get(seat)
    return known is not None and known.at >= at


def with_book(step: Step, book: Book, times: Times) -> Step:
    """The step, its book grown by records about time."""
    snapshot = replace(step.desk.snapshot, ledger=book.ledger, times=times)
    return replace(step, book=book, desk=replace(step.desk, snapshot=snapshot))


def noted(times: Times, ledger: Ledger, lines: Iterable[bytes], policy: TimePolicy) -> Times:
    """The facts after some new lines; RuntimeError never: what is unsound is refused, and is a fault of ours."""
    seats = in_game(ledger)
    for line in lines:
        times = facts.note(times, read_record(line), policy, seats)
    return times


def in_game(ledger: Ledger) -> tuple[str, ...]:
    """The seats that have not resigned, in charter order."""
    return tuple(entry.seat for entry in ledger.roster if not entry.resigned)


def _opened(before: Desk, step: Step) -> dict[str, tuple[str, ...]]:
    """The seats that the game has begun to wait for, each with the names by which its rule is looked up."""
    ledger = step.desk.snapshot.ledger
    same = ledger.turn == before.snapshot.ledger.turn and stage(ledger) == stage(before.snapshot.ledger)
    # what was undone opens again, for all
    then = awaited(before) if same and step.what != "undone" else ()
    fresh = [seat for seat in awaited(step.desk, step.position) if seat not in then]
    return kinds_of(step.desk, fresh)


def stage(ledger: Ledger) -> str:
    """What is waited for: `join`, `ready`, or `move`."""
    if ledger.phase == "joining":
        return "ready" if all(entry.public_key for entry in ledger.roster) else "join"
    return "ready" if ledger.phase == "readying" else "move"


def kinds_of(desk: Desk, seats: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each seat, the names of what it must decide, the most exact first."""
    ledger, position = desk.snapshot.ledger, desk.position
    what = stage(ledger)
    if what != "move" or position is None:
        return dict.fromkeys(seats, (what,))
    asked: dict[str, str] = {}
    for decision in desk.table.game.pending(position.state):
        asked.setdefault(decision.seat, decision.kind)
    return {
        seat: (
            *((asked[seat],) if seat in asked else ()),
            "move" if seat in ledger.due else "answer",
        )
        for seat in seats
    }


def first_deadlines(
    times: Times, policy: TimePolicy, opened: Mapping[str, tuple[str, ...]], moment: tuple[int, int]
) -> list[Moved]:
    """The deadlines of decisions that open at a moment (turn, instant), those that are alike together."""
    turn, now = moment
    found: dict[Deadline, list[str]] = {}
    for seat, kinds in opened.items():
        text, rule = policy.rule(kinds)
        ends = time_up(rule, now, policy, times.away.get(seat, ()))
        if ends is None:
            continue
        known = times.due.get(seat)
        new = Deadline(
            zones.stamp(ends), text, policy.zone, kinds[-1], turn, () if known is None else (seat,)
        )
        found.setdefault(new, []).append(seat)
    return [Moved(tuple(seats), replace(new, seats=tuple(seats))) for new, seats in found.items()]


def time_up(rule: Rule, start: int, policy: TimePolicy, away: tuple[Period, ...]) -> int | None:
    """When the time is up for what opens at an instant: vacations do not count. None for never."""
    ends = due(rule, start, policy.zone)
    for period in sorted(away, key=lambda one: one.first):
        if ends is None:
            break
        begins, over = (
            zones.day_begins(period.first, policy.zone),
            zones.day_begins(zones.next_day(period.last), policy.zone),
        )
        if over <= start or begins >= ends:
            continue
        if begins <= start or rule.kind == "every":
            ends = due(rule, max(over, start), policy.zone)
        else:
            ends = _later_by(ends, (begins, over), policy.zone)
    return ends


def _later_by(ends: int, away: tuple[int, int], name: str) -> int:
    """Later by whole days of vacation, at the same time of day."""
    begins, over = (zones.local(one, name) for one in away)
    return zones.instant_of(
        zones.local(ends, name) + timedelta(days=round((over - begins).total_seconds() / 86_400)), name
    )


def put(
    book: Book, times: Times, policy: TimePolicy, moved: Moved, why: tuple[str, str]
) -> tuple[Book, Times]:
    """Writes a deadline; `why` is who moves it, and the reason."""
    known = times.due.get(moved.seats[0])
    old = NONE if known is None else facts.plain_due(known, moved.seats)
    fields = {"old": old, "new": msgspec.to_builtins(moved.new), "who": why[0], "reason": why[1]}
    return written(book, times, policy, fields)


def pause(book: Book, times: Times, policy: TimePolicy, reason: str) -> tuple[Book, Times]:
    """Stops all clocks."""
    fields = {"old": RUNNING, "new": PAUSED, "who": HOST, "reason": reason}
    return written(book, times, policy, fields)


def pause_for(seat: str) -> str:
    """The reason of a pause for a silent seat."""
    return f"{SILENCE}:{seat}"


def resume(book: Book, times: Times, policy: TimePolicy, reason: str) -> tuple[Book, Times]:
    """Lets all clocks run again: every deadline is later by as long as it stood."""
    stood = zones.seconds_of(times.paused)
    fields = {"old": PAUSED, "new": RUNNING, "who": HOST, "reason": reason}
    book, times = written(book, times, policy, fields)
    now = _now(book)
    by = {seat: now - max(stood, zones.seconds_of(one.since)) for seat, one in times.due.items()}
    return shift(book, times, policy, (by, RESUMED))


def shift(
    book: Book, times: Times, policy: TimePolicy, lengths: tuple[Mapping[str, int], str]
) -> tuple[Book, Times]:
    """Moves the deadlines of seats by so many seconds each, for one reason."""
    by, reason = lengths
    groups: dict[tuple[Due, int], list[str]] = {}
    for seat, seconds in by.items():
        known = times.due.get(seat)
        if known is not None and seconds > 0:
            groups.setdefault((known, seconds), []).append(seat)
    for (known, seconds), seats in groups.items():
        ends = zones.seconds_of(known.at) + seconds
        book, times = put(book, times, policy, move_to(known, seats, max(ends, _now(book))), (HOST, reason))
    return book, times


def move_to(known: Due, seats: Iterable[str], ends: int) -> Moved:
    """A known deadline at another instant."""
    named = tuple(seats)
    return Moved(named, Deadline(zones.stamp(ends), known.rule, known.zone, known.kind, known.turn, named))


def extend(
    book: Book, times: Times, policy: TimePolicy, until: int, why: tuple[str, str]
) -> tuple[Book, Times]:
    """Moves every deadline of the open turn that is earlier to one instant; `why` is who moves it, and the reason."""
    for known, seats in _earlier(times, until).items():
        book, times = put(book, times, policy, move_to(known, seats, until), why)
    return book, times


def _earlier(times: Times, until: int) -> dict[Due, list[str]]:
    groups: dict[Due, list[str]] = {}
    for seat, known in times.due.items():
        if zones.seconds_of(known.at) < until:
            groups.setdefault(known, []).append(seat)
    return groups


def consent(book: Book, times: Times, policy: TimePolicy, seat: str) -> tuple[Book, Times]:
    """Moves the deadlines if all seats in the game wish the same instant; who wished it last is named."""
    wish, seats = times.wishes.get(seat), in_game(book.ledger)
    if wish is None or any(times.wishes.get(one) is None for one in seats):
        return book, times
    if any((times.wishes[one].turn, times.wishes[one].until) != (wish.turn, wish.until) for one in seats):
        return book, times
    return extend(book, times, policy, zones.seconds_of(wish.until), (seat, facts.CONSENT))


def written(book: Book, times: Times, policy: TimePolicy, fields: Mapping[str, object]) -> tuple[Book, Times]:
    """A deadline record written and noted. Refused `time/unsound`."""
    book = write(book, "deadline", fields)
    return book, facts.note(times, read_record(book.lines[-1]), policy, in_game(book.ledger))


def _now(book: Book) -> int:
    """The instant of the newest record, or of the next one if that is later."""
    return zones.seconds_of(max(book.now, book.ledger.at))
