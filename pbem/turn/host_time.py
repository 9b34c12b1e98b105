"""What a host does to the time of a game: stops and starts its clocks, moves its deadlines, makes up for an outage.

Each is a record with who and why, and a letter to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine import refuse
from pbem.log.chain import HOST
from pbem.log.ledger import is_time
from pbem.turn import accept, clocks, tick, zones
from pbem.turn import times as facts
from pbem.turn.desk import Desk
from pbem.turn.pipeline import Verdict
from pbem.turn.policy import TimePolicy, policy_of
from pbem.turn.spans import MOST, Span, later
from pbem.turn.views import awaited

Trouble = Literal["outage", "put-back", "leap", "right"]
LONGEST_REASON = 200


class Lost(msgspec.Struct, frozen=True):
    """A time that shall not count: from when to when, in seconds since 1970, and why."""

    what: Trouble
    began: int
    ended: int


def pause(desk: Desk, reason: str) -> Verdict:
    """Stops all clocks; moves are still taken. Refused `time/…`, `fresh/over`."""
    policy = _policy(desk)
    if desk.snapshot.times.paused:
        raise refuse("time/paused")
    return tick.posted(
        desk, *clocks.pause(accept.open_book(desk), desk.snapshot.times, policy, _clean(reason))
    )


def resume(desk: Desk, reason: str) -> Verdict:
    """Lets the clocks run again; every deadline is later by as long as it stood. Refused `time/…`, `fresh/over`."""
    policy = _policy(desk)
    if not desk.snapshot.times.paused:
        raise refuse("time/not-paused")
    reason = _clean(reason) or facts.RESUMED
    return tick.posted(desk, *clocks.resume(accept.open_book(desk), desk.snapshot.times, policy, reason))


def extend_by(desk: Desk, span: Span, reason: str) -> Verdict:
    """Moves every deadline that runs by a length of time. Refused `time/…`, `fresh/over`."""
    policy = _policy(desk)
    latest = _latest(desk)
    return extend_to(desk, later(span, latest, policy.zone), reason)


def extend_to(desk: Desk, until: int, reason: str) -> Verdict:
    """Moves every deadline that runs to an instant, if it is earlier. Refused `time/…`, `fresh/over`."""
    policy = _policy(desk)
    check_until(desk, until)
    book = accept.open_book(desk)
    moved = clocks.extend(book, desk.snapshot.times, policy, until, (HOST, _clean(reason)))
    return tick.posted(desk, *moved)


def read_until(text: str) -> int:
    """An instant `YYYY-MM-DDTHH:MM:SSZ`. Refused `time/instant`."""
    if not is_time(text):
        raise refuse("time/instant", found=text[:40].encode("ascii", "backslashreplace").decode("ascii"))
    return zones.seconds_of(text)


def check_until(desk: Desk, until: int) -> None:
    """Refused `time/nothing-due`, `time/until` unless it is later than the deadlines that run."""
    latest = _latest(desk)
    now = zones.seconds_of(desk.now)
    if not max(latest, now) < until <= now + MOST:
        raise refuse("time/until", latest=zones.stamp(latest), found=zones.stamp(until))


def make_up(desk: Desk, lost: Lost) -> Verdict | None:
    """Makes up for a time that shall not count; None if nothing has to be done."""
    policy, times, ledger = policy_of(desk.charter.deadline), desk.snapshot.times, desk.snapshot.ledger
    if policy is None or ledger.phase not in ("joining", "readying", "playing"):
        return None
    book = accept.open_book(desk)
    match lost.what:
        case "leap":
            if times.paused:
                return None
            return tick.posted(desk, *clocks.pause(book, times, policy, facts.CLOCK))
        case "right":
            if not times.paused or times.why != facts.CLOCK:
                return None
            return tick.posted(desk, *clocks.resume(book, times, policy, facts.CLOCK))
        case "outage" | "put-back":
            # a pause makes up for itself when it ends
            if times.paused or not times.due:
                return None
            by = {
                seat: lost.ended - max(lost.began, zones.seconds_of(due.since))
                for seat, due in times.due.items()
            }
            book, times = clocks.shift(book, times, policy, (by, lost.what))
            return tick.posted(desk, book, times) if book.lines else None


def rewrite(desk: Desk, fields: Mapping[str, object]) -> Verdict:
    """A deadline record made again from its own fields, for a log that is brought up to date. Refused `time/unsound`."""
    policy = _policy(desk)
    return tick.posted(desk, *clocks.written(accept.open_book(desk), desk.snapshot.times, policy, fields))


def _latest(desk: Desk) -> int:
    waits = awaited(desk)
    found = [one.at for seat, one in desk.snapshot.times.due.items() if seat in waits]
    if not found:
        raise refuse("time/nothing-due")
    return zones.seconds_of(max(found))


def _policy(desk: Desk) -> TimePolicy:
    policy = policy_of(desk.charter.deadline)
    if desk.snapshot.ledger.phase not in ("joining", "readying", "playing"):
        raise refuse("fresh/over")
    if policy is None:
        raise refuse("time/no-policy")
    return policy


def _clean(reason: str) -> str:
    """A reason on one line, and not one of the words that the program itself gives."""
    text = " ".join("".join(char if char.isprintable() else " " for char in reason).split())[:LONGEST_REASON]
    reserved = (facts.OPENED, facts.CONSENT, facts.OUTAGE, facts.PUT_BACK, facts.CLOCK)
    return f"{text}." if text in reserved or text.startswith(f"{facts.SILENCE}:") else text
