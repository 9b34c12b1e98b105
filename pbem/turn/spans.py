"""Deadline rules: how long somebody has for a decision, in words that a host writes.

| rule                                          | the time is up                                                    |
| --------------------------------------------- | ----------------------------------------------------------------- |
| `90m`, `72h`                                  | after so much time                                                |
| `7d`, `2w`                                    | so many days later, when the clock on the wall shows the same time |
| `72h weekdays`, `3d weekdays`                 | the same, but Saturdays and Sundays do not count                   |
| `every Mon,Thu 20:00`                         | at the next of these moments; `every day 20:00` for all days       |
| `every Mon,Thu 20:00 notice 24h`              | the same, but not sooner than that                                 |
| `none`                                        | never                                                             |

Each may end with a zone (`Europe/Helsinki`); without one, the game's zone counts. Knows no clock and no game.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Literal

import msgspec

from engine import refuse
from pbem.turn.zones import MIDNIGHT, instant_of, local, zone

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST = 366 * 86_400
_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SPAN = re.compile(r"([1-9][0-9]{0,4})([mhdw])")
_LENGTH = re.compile(r"(?P<span>[1-9][0-9]{0,4}[mhdw])(?P<week> weekdays)?(?: (?P<zone>[A-Za-z]\S+))?")
_EVERY = re.compile(
    r"every (?P<days>[A-Za-z,]+) (?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])"
    r"(?: notice (?P<notice>[1-9][0-9]{0,4}[mhdw]))?(?: (?P<zone>[A-Za-z]\S+))?"
)
_WORKDAYS = 5


class Span(msgspec.Struct, frozen=True):
    """So much time: `days` by the clock on the wall, or `seconds`."""

    days: int = 0
    seconds: int = 0


class Rule(msgspec.Struct, frozen=True):
    """A rule that was read. `week`: weekends do not count. `zone` is empty where the rule names none."""

    kind: Literal["none", "length", "every"]
    span: Span = Span()
    week: bool = False
    days: tuple[int, ...] = ()
    hour: int = 0
    minute: int = 0
    notice: Span = Span()
    zone: str = ""


def read_rule(text: str) -> Rule:
    """A rule. Refused `time/rule`, `time/zone`."""
    words = " ".join(text.split())
    if words == "none":
        return Rule("none")
    if match := _EVERY.fullmatch(words):
        notice = read_span(match["notice"]) if match["notice"] else Span()
        hour, minute = int(match["hour"]), int(match["minute"])
        return Rule(
            "every",
            days=_days(match["days"], text),
            hour=hour,
            minute=minute,
            notice=notice,
            zone=_zone(match["zone"]),
        )
    if match := _LENGTH.fullmatch(words):
        return Rule("length", read_span(match["span"]), bool(match["week"]), zone=_zone(match["zone"]))
    raise refuse("time/rule", found=_shown(text))


def read_span(text: str) -> Span:
    """`30m`, `72h`, `7d`, `2w`. Refused `time/rule`."""
    match = _SPAN.fullmatch(text)
    if match is None or int(match[1]) * _UNITS[match[2]] > MOST:
        raise refuse("time/rule", found=_shown(text))
    number, unit = int(match[1]), match[2]
    if unit in "dw":
        return Span(days=number * (7 if unit == "w" else 1))
    return Span(seconds=number * _UNITS[unit])


def later(span: Span, start: int, name: str) -> int:
    """The instant so much later."""
    if span.days:
        return instant_of(local(start, name) + timedelta(days=span.days), name) + span.seconds
    return start + span.seconds


def due(rule: Rule, start: int, name: str) -> int | None:
    """When the time is up for what begins at an instant; `name` is the game's zone. None for never."""
    there = rule.zone or name
    match rule.kind:
        case "none":
            return None
        case "every":
            return _next(rule, later(rule.notice, start, there), there)
        case "length":
            return _on_workdays(rule.span, start, there) if rule.week else later(rule.span, start, there)


def _next(rule: Rule, after: int, name: str) -> int:
    """The first of the rule's moments that is later than `after`."""
    wall = local(after, name)
    day = datetime.combine(wall.date(), time(rule.hour, rule.minute)) - timedelta(days=1)
    while True:
        if day.weekday() in rule.days and (found := instant_of(day, name)) > after:
            return found
        day += timedelta(days=1)


def _on_workdays(span: Span, start: int, name: str) -> int:
    if span.days:
        wall = _workday(local(start, name))
        for _ in range(span.days):
            wall += timedelta(days=1)
            while wall.weekday() >= _WORKDAYS:
                wall += timedelta(days=1)
        return instant_of(wall, name)
    now, left = start, span.seconds
    while True:
        now = instant_of(_workday(local(now, name)), name) if _is_weekend(now, name) else now
        midnight = _midnight(now, name)
        if midnight - now >= left:
            return now + left
        left -= midnight - now
        now = midnight


def _is_weekend(now: int, name: str) -> bool:
    return local(now, name).weekday() >= _WORKDAYS


def _workday(wall: datetime) -> datetime:
    """The same moment, or if it is on a weekend the beginning of the Monday after it."""
    if wall.weekday() < _WORKDAYS:
        return wall
    monday = wall + timedelta(days=7 - wall.weekday())
    return datetime.combine(monday.date(), MIDNIGHT)


def _midnight(now: int, name: str) -> int:
    wall = local(now, name) + timedelta(days=1)
    return instant_of(datetime.combine(wall.date(), MIDNIGHT), name)


def _days(text: str, whole: str) -> tuple[int, ...]:
    if text.lower() == "day":
        return tuple(range(7))
    named = [day.lower()[:3] for day in text.split(",")]
    if not all(day in DAYS for day in named) or len(set(named)) != len(named):
        raise refuse("time/rule", found=_shown(whole))
    return tuple(sorted(DAYS.index(day) for day in named))


def _zone(name: str | None) -> str:
    if name:
        zone(name)
    return name or ""


def _shown(text: str) -> str:
    return text[:80].encode("ascii", "backslashreplace").decode("ascii")
