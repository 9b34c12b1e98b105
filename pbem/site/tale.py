"""A log as a tale: moment by moment, what every seat, everybody and one who sees all was shown and told.

Decides which records are moments (those that changed the position) and from whose eyes they are told: first the
public's, then each seat's in charter order. `open` is the diary with nothing left out of the news. Only a game
that was found sound has pictures and diaries: they are written from views, and views from the rules. What is
public in any case (events, draws) stands in the log, and whoever shows the tale reads it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine import GAMES, AnyGame, Lapsed, Say, say, words
from pbem.audit.audit import Report, look
from pbem.audit.collected import Collected
from pbem.audit.course import Course
from pbem.audit.level2 import Auditor
from pbem.log import record
from pbem.log.canonical import digest
from pbem.log.ledger import Step
from pbem.log.record import kind_of
from pbem.site.pool import Pool, Runs
from pbem.turn.play import Played


class Eyes(msgspec.Struct, frozen=True):
    """What one pair of eyes sees: pieces of the picture, runs of the diary's lines."""

    picture: list[int]
    diary: Runs


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record that changed the position; `eyes` as `Tale.eyes` has them, none in a log that is not sound."""

    n: int
    at: str
    kind: str
    turn: int
    seat: str = ""
    eyes: list[Eyes] = []
    open: Runs = []


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat, its name in words, and its player's display name if the log ends with names."""

    id: str
    name: str
    player: str = ""


class Tale(msgspec.Struct, frozen=True, kw_only=True):
    """The whole. `log` is the digest of the log's bytes, `lines` and `pieces` are the pool's."""

    v: int = 1
    lang: str
    log: str
    game: str
    title: str
    ruleset: str
    seats: list[Seat]
    shades: dict[str, list[str]]
    lines: list[str]
    pieces: list[Runs]
    moments: list[Moment]


class Told(msgspec.Struct, frozen=True):
    """A tale, with the audit's report and what was read on the way."""

    tale: Tale
    report: Report
    collected: Collected


def tell(log: bytes, lang: str = "en", auditor: Auditor | None = None) -> Told:
    """The tale of a log in a language. Never raises for what is in the log."""
    by = auditor or Auditor(GAMES)
    pool = Pool(lang)
    moments: list[Moment] = []

    def watch(step: Step, course: Course, played: Played) -> None:
        moments.append(_moment(pool, step, course, played))

    report, collected = look(log, by, watch)
    steps = collected.steps
    if report.verdict == "fault":
        steps = [step for step in steps if step.record.n < report.line - 1]
    if report.verdict != "sound":
        moments = [bare for step in steps if (bare := _bare(step.record)) is not None]
    tale = _tale(log, collected, report, (by, lang))
    shades = {role: [shade.light, shade.dark] for role, shade in sorted(pool.shades.items())}
    told = msgspec.structs.replace(
        tale, shades=shades, lines=list(pool.lines), pieces=pool.pieces, moments=moments
    )
    return Told(told, report, collected)


def outline(log: bytes, lang: str = "en", auditor: Auditor | None = None) -> Told:
    """The same without moments: nothing is drawn and no diary written."""
    by = auditor or Auditor(GAMES)
    report, collected = look(log, by)
    return Told(_tale(log, collected, report, (by, lang)), report, collected)


def _tale(log: bytes, collected: Collected, report: Report, how: tuple[Auditor, str]) -> Tale:
    by, lang = how
    steps = collected.steps
    charter = steps[0].record if steps else None
    names = steps[-1].record if steps else None
    return Tale(
        lang=lang,
        log=digest(log),
        game=report.game,
        ruleset=" ".join((report.ruleset, str(report.version))) if steps else "",
        title=words(_title(by, report), lang),
        seats=_seats(charter, names, _game(by, report), lang),
        shades={},
        lines=[],
        pieces=[],
        moments=[],
    )


def _moment(pool: Pool, step: Step, course: Course, played: Played) -> Moment:
    bare, position = _bare(step.record), course.position
    if bare is None or position is None:
        raise ValueError("a change of the position without one")
    game, events = course.table.game, played.outcome.events
    eyes = [_seen(pool, game, position.state, seat, events) for seat in (None, *course.table.charter.seats)]
    diary = game.report(game.view(position.state, None), events, pool.lang)
    return msgspec.structs.replace(bare, eyes=eyes, open=pool.runs(diary.splitlines()))


def _seen(pool: Pool, game: AnyGame, state: Any, seat: str | None, events: tuple[Any, ...]) -> Eyes:
    view = game.view(state, seat)
    news = tuple(heard for event in events if (heard := _heard(game, event, seat)) is not None)
    diary = game.report(view, news, pool.lang)
    return Eyes(pool.picture(game.shapes(view, news)), pool.runs(diary.splitlines()))


def _heard(game: AnyGame, event: Any, seat: str | None) -> Any:
    if isinstance(event, Lapsed):
        return event if event.seat == seat else None
    return game.hear(event, seat)


def _bare(entry: record.Record) -> Moment | None:
    if not isinstance(entry, record.Changed):
        return None
    seat = "" if isinstance(entry, record.Start) else entry.seat
    return Moment(entry.n, entry.at, kind_of(entry), entry.turn, seat)


def _game(auditor: Auditor, report: Report) -> AnyGame | None:
    key = (report.ruleset, report.version)
    return next((game for game in auditor.games if (game.id, game.version) == key), None)


def _title(auditor: Auditor, report: Report) -> Say:
    game = _game(auditor, report)
    return say("A game of unknown rules") if game is None else game.title


def _seats(
    charter: record.Record | None, last: record.Record | None, game: AnyGame | None, lang: str
) -> list[Seat]:
    if not isinstance(charter, record.Charter):
        return []
    players = last.names if isinstance(last, record.Names) else {}
    known: Mapping[str, Say] = {} if game is None else game.seat_names
    return [
        Seat(seat, words(known[seat], lang) if seat in known else seat, players.get(seat, ""))
        for seat in charter.seats
    ]
