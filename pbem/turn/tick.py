"""What the clock does at a desk: waiting moves are played, silences recorded, reminders sent.

`tick` does the first thing whose time has come, as a pure function of the desk and its `now`; whoever has the clock
calls it until nothing is left. `wake` says when it must be called again. Nothing here takes a seat's time away
that its mail could have used: whoever calls has handled all mail that had come by then.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine import Refused
from pbem.turn import accept, clocks, settings, shelf, time_letters, zones
from pbem.turn import times as facts
from pbem.turn.desk import Desk, Waits
from pbem.turn.pipeline import Verdict, told
from pbem.turn.policy import TimePolicy, policy_of
from pbem.turn.times import Due
from pbem.turn.views import awaited
from pbem.turn.writer import Book

replace = msgspec.structs.replace
DAY = 86_400
TOGETHER = 3_600
"""Two reminders that would come within an hour are one."""


class Ring(msgspec.Struct, frozen=True):
    """A reminder: when it goes out, of which seat, and the mark by which it is known to have gone out."""

    at: int
    seat: str
    mark: str


def tick(desk: Desk) -> Verdict | None:
    """The first thing whose time has come; None if there is none."""
    # 1. moves that wait, also while the clocks stand
    waits = shelf.next_up(desk)
    if waits is not None:
        return play_waiting(desk, waits)
    policy = policy_of(desk.charter.deadline)
    if policy is None or desk.snapshot.times.paused:
        return None
    # 2. silences
    now = zones.seconds_of(desk.now)
    up = next((seat for seat, at in _ends(desk, policy) if at <= now), None)
    if up is not None and desk.snapshot.ledger.phase == "playing":
        return silent(desk, up, policy)
    # 3. reminders, and seats that have not come
    return _rung(desk, policy, now)


def play_waiting(desk: Desk, waits: Waits) -> Verdict:
    """Plays a move that waits; if it cannot be played any more, its author is told why."""
    without = shelf.without(desk, waits)
    try:
        step = shelf.perform(without, waits)
    except Refused as refused:
        letter = time_letters.dropped_letter(without, waits, refused.refusal)
        return Verdict(without.snapshot, desk.people, letters=(letter,), quiet=True)
    return told(without, step)


def silent(desk: Desk, seat: str, policy: TimePolicy) -> Verdict:
    """A seat has not answered in time: what the policy says. Refused `moment/…` if nothing waits for it."""
    if policy.silence in ("pause", "substitute"):
        book, times = clocks.pause(
            accept.open_book(desk), desk.snapshot.times, policy, clocks.pause_for(seat)
        )
        free = (seat,) if policy.silence == "substitute" or _too_often(times, seat, policy) else ()
        return replace(posted(desk, book, times), free=free)
    by = policy.silence if policy.silence in ("bot", "skip") else None
    verdict = told(desk, accept.silence(desk, seat, by))
    free = (seat,) if _too_often(verdict.snapshot.times, seat, policy) else ()
    return replace(verdict, free=free)


def _too_often(times: facts.Times, seat: str, policy: TimePolicy) -> bool:
    return bool(policy.limit) and times.silent.get(seat, 0) >= policy.limit


def posted(desk: Desk, book: Book, times: facts.Times) -> Verdict:
    """The verdict of records that are all about time."""
    after = replace(desk, snapshot=replace(desk.snapshot, ledger=book.ledger, times=times))
    mailed = time_letters.post_times(after, book.lines)
    return Verdict(mailed.snapshot, desk.people, book.lines, book.kept, mailed.letters)


def _ends(desk: Desk, policy: TimePolicy) -> list[tuple[str, int]]:
    """The seats that are waited for and when their time is up, grace included; the first first."""
    due = _running(desk)
    found = [(seat, facts.last_instant(one, policy)) for seat, one in due.items()]
    return sorted(found, key=lambda one: (one[1], desk.charter.seats.index(one[0])))


def _running(desk: Desk) -> dict[str, Due]:
    """The deadlines of the seats that are waited for, and whose move is not in and held."""
    held = {one.seat for one in desk.snapshot.shelf if one.due}
    due = desk.snapshot.times.due
    return {seat: due[seat] for seat in awaited(desk) if seat in due and seat not in held}


def _rung(desk: Desk, policy: TimePolicy, now: int) -> Verdict | None:
    rings = [ring for ring in _rings(desk, policy) if ring.at <= now]
    if not rings:
        return None
    marks = {ring.mark for ring in _rings(desk, policy, all_of_them=True)}
    rung = (*(mark for mark in desk.snapshot.rung if mark in marks), *(ring.mark for ring in rings))
    snapshot = replace(desk.snapshot, rung=rung)
    late = tuple(ring.seat for ring in rings if ring.mark.startswith("late|"))
    seats = dict.fromkeys(ring.seat for ring in rings if ring.seat not in late)
    mark_of = {ring.seat: ring.mark for ring in rings}
    letters = tuple(time_letters.reminder(desk, seat, mark_of[seat]) for seat in seats)
    return Verdict(snapshot, desk.people, letters=letters, quiet=True, late=late)


def _rings(desk: Desk, policy: TimePolicy, *, all_of_them: bool = False) -> Iterator[Ring]:
    """The reminders that are still to go out; `all_of_them`: those that have gone out, too."""
    for seat, due in _running(desk).items():
        at, since, put = (zones.seconds_of(one) for one in (due.at, due.since, due.put))
        half, before = since + (at - since) // 2, at - DAY
        moments = [("half", half), ("day", before)]
        if before <= since or abs(half - before) < TOGETHER:
            moments = moments[:1]
        for name, moment in moments:
            ring = Ring(
                settings.after_quiet(moment, desk.people[seat], policy.zone), seat, f"{name}|{seat}|{due.at}"
            )
            # what lies before the deadline was last moved has been overtaken by that letter
            if put < moment and ring.at < at and (all_of_them or ring.mark not in desk.snapshot.rung):
                yield ring
        late = Ring(facts.last_instant(due, policy), seat, f"late|{seat}|{due.at}")
        if desk.snapshot.ledger.phase != "playing" and (all_of_them or late.mark not in desk.snapshot.rung):
            yield late


def wake(desk: Desk) -> int | None:
    """The next instant at which `tick` may have something to do; None for never."""
    ledger = desk.snapshot.ledger
    policy = policy_of(desk.charter.deadline)
    if ledger.phase in ("over", "ended"):
        return None
    moments = [zones.seconds_of(one.due) for one in desk.snapshot.shelf if one.due]
    if shelf.next_up(desk) is not None:
        moments.append(zones.seconds_of(desk.now))
    if policy is not None and not desk.snapshot.times.paused:
        if ledger.phase == "playing":
            moments += [at for _, at in _ends(desk, policy)]
        moments += [ring.at for ring in _rings(desk, policy)]
    return min(moments, default=None)
