"""Time zones: local time to an instant and back, the same on every machine.

Law: an instant is seconds since 1970, UTC. The rules of zones come from the `tzdata` package and never from the
machine. A local time that a night leaves out is that much later (02:30 becomes 03:30); one that comes twice
means the second: of two readings of a deadline, the later. Knows no clock.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from engine import Say, refuse, say

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}")
_LONGEST = 80
MIDNIGHT = time()
"""What a clock on the wall shows as a day begins."""


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of a name such as `Europe/Helsinki`. Refused `time/zone`."""
    if not _NAME.fullmatch(name):
        raise refuse("time/zone", found=_shown(name))
    *folders, last = name.split("/")
    package = ".".join(["tzdata.zoneinfo", *folders])
    try:
        with (resources.files(package) / last).open("rb") as data:
            return ZoneInfo.from_file(data, key=name)
    except (OSError, ModuleNotFoundError, ValueError, TypeError):
        raise refuse("time/zone", found=_shown(name)) from None


def local(seconds: int, name: str) -> datetime:
    """What the clock on the wall of a zone shows at an instant, without a zone attached."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone(name)).replace(tzinfo=None, fold=0)


def instant_of(wall: datetime, name: str) -> int:
    """The instant at which a zone's clock on the wall shows this; the later one, where there are two readings."""
    there = zone(name)
    readings = [wall.replace(tzinfo=there, fold=fold).astimezone(UTC) for fold in (0, 1)]
    latest = max(readings)
    return int(latest.timestamp())


def seconds_of(at: str) -> int:
    """`YYYY-MM-DDTHH:MM:SSZ` as seconds since 1970."""
    return int(datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def stamp(seconds: int) -> str:
    """Seconds since 1970 as `YYYY-MM-DDTHH:MM:SSZ`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_begins(day: str, name: str) -> int:
    """The first instant of a day `YYYY-MM-DD` in a zone. ValueError if there is no such day."""
    return instant_of(datetime.combine(date.fromisoformat(day), MIDNIGHT), name)


def next_day(day: str) -> str:
    """The day after `YYYY-MM-DD`."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def days_between(first: str, after: str) -> int:
    """How many days from one `YYYY-MM-DD` to another."""
    return (date.fromisoformat(after) - date.fromisoformat(first)).days


def spoken(seconds: int, name: str) -> Say:
    """An instant for a reader: weekday, day, time in his zone, and UTC."""
    wall = local(seconds, name)
    utc = datetime.fromtimestamp(seconds, UTC)
    if name == "UTC":
        return say("{day}, {time} UTC", day=day_said(wall), time=wall.strftime("%H:%M"))
    if utc.date() == wall.date():
        return say(
            "{day}, {time} {zone} time ({utc} UTC)",
            day=day_said(wall),
            time=wall.strftime("%H:%M"),
            zone=name,
            utc=utc.strftime("%H:%M"),
        )
    return say(
        "{day}, {time} {zone} time ({utc_day}, {utc} UTC)",
        day=day_said(wall),
        time=wall.strftime("%H:%M"),
        zone=name,
        utc_day=day_said(utc),
        utc=utc.strftime("%H:%M"),
    )


def day_said(wall: datetime) -> Say:
    """A date in words: weekday, day, month, year."""
    weekdays = (
        say("Monday {date}", date=_date(wall)),
        say("Tuesday {date}", date=_date(wall)),
        say("Wednesday {date}", date=_date(wall)),
        say("Thursday {date}", date=_date(wall)),
        say("Friday {date}", date=_date(wall)),
        say("Saturday {date}", date=_date(wall)),
        say("Sunday {date}", date=_date(wall)),
    )
    return weekdays[wall.weekday()]


def _date(wall: datetime) -> Say:
    day, year = wall.day, wall.strftime("%Y")
    months = (
        say("{day} January {year}", day=day, year=year),
        say("{day} February {year}", day=day, year=year),
        say("{day} March {year}", day=day, year=year),
        say("{day} April {year}", day=day, year=year),
        say("{day} May {year}", day=day, year=year),
        say("{day} June {year}", day=day, year=year),
        say("{day} July {year}", day=day, year=year),
        say("{day} August {year}", day=day, year=year),
        say("{day} September {year}", day=day, year=year),
        say("{day} October {year}", day=day, year=year),
        say("{day} November {year}", day=day, year=year),
        say("{day} December {year}", day=day, year=year),
    )
    return months[wall.month - 1]


def _shown(text: str) -> str:
    return text[:_LONGEST].encode("ascii", "backslashreplace").decode("ascii")
