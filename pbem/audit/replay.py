"""An archive read as a story: record by record, what happened and how a seat, or everybody, was told.

Decides which records are shown and from whose eyes. After the end every hand may be seen. Of a game still
running, or of a log that level 1 finds broken, there is what the records of its sound turns say in public,
and no report, because a report is written from a view and the log holds only the view's digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine import GAMES, Lapsed, refuse
from pbem.audit.audit import Report, look
from pbem.audit.course import Course, by_rules
from pbem.audit.level2 import Auditor
from pbem.log import record
from pbem.log.ledger import Step
from pbem.log.record import kind_of
from pbem.turn.play import Played
from pbem.turn.record import heard

Json = dict[str, Any]


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """One record that changed the position. `seat` is its author, empty for the start.

    `events` as plain JSON as the reader hears them, `text` the report in the reader's language.
    """

    n: int
    at: str
    kind: str
    turn: int
    seat: str = ""
    events: list[Json] = []
    text: str = ""


class Replay(msgspec.Struct, frozen=True, omit_defaults=True):
    """The pages up to the end, or up to the fault that the report names."""

    report: Report
    pages: tuple[Page, ...] = ()


class Reader(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose eyes (None: what everybody sees), which turn (None: all), in which language."""

    seat: str | None = None
    turn: int | None = None
    lang: str = "en"


def replay(
    log: bytes | Iterable[bytes], reader: Reader | None = None, auditor: Auditor | None = None
) -> Replay:
    """Audits a log and tells it on the way. Refused `log/unknown-seat` if the reader's seat is not in it."""
    eyes = reader or Reader()
    pages: list[Page] = []

    def watch(step: Step, course: Course, played: Played) -> None:
        page = _page(step, eyes, course, played)
        if page is not None:
            pages.append(page)

    report, collected = look(log, auditor or Auditor(GAMES), watch)
    if eyes.seat is not None and collected.steps and eyes.seat not in collected.charter.seats:
        raise refuse("log/unknown-seat", seat=eyes.seat.encode("ascii", "backslashreplace").decode("ascii"))
    if not pages and report.verdict != "sound":
        steps = collected.steps[: report.line - 1] if report.line else collected.steps
        pages = [page for step in steps if (page := _public_page(step, eyes)) is not None]
    return Replay(report, tuple(pages))


def _public_page(step: Step, eyes: Reader) -> Page | None:
    """What the record itself says."""
    entry = step.record
    if not isinstance(entry, record.Changed) or eyes.turn not in (None, entry.turn):
        return None
    seat = "" if isinstance(entry, record.Start) else entry.seat
    return Page(entry.n, entry.at, kind_of(entry), entry.turn, seat, entry.events)


def _page(step: Step, eyes: Reader, course: Course, played: Played) -> Page | None:
    """The same as its reader hears it, with the report."""
    page = _public_page(step, eyes)
    position = course.position
    if (
        page is None
        or position is None
        or (eyes.seat is not None and eyes.seat not in course.table.charter.seats)
    ):
        return None
    game, seat = course.table.game, eyes.seat
    events = tuple(
        part for event in played.outcome.events if (part := _as_heard(game.hear, event, seat)) is not None
    )
    text = by_rules(lambda: game.report(game.view(position.state, seat), events, eyes.lang))
    return msgspec.structs.replace(page, events=heard(game, played.outcome.events, seat), text=text)


def _as_heard(hear: Any, event: Any, seat: str | None) -> Any:
    if isinstance(event, Lapsed):
        return event if event.seat == seat else None
    return hear(event, seat)
