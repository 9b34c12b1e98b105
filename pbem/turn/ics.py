"""A deadline as a calendar file (RFC 5545), the same bytes wherever it is made.

The event keeps its UID as long as the decision is the same, and its SEQUENCE rises whenever the deadline moves, so
that a calendar puts the newer one in the place of the older.
"""

from __future__ import annotations

import msgspec

_FOLD = 74
_ESCAPED = {"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"}


class Event(msgspec.Struct, frozen=True):
    """What a calendar shall show. Instants are `YYYY-MM-DDTHH:MM:SSZ`; `stopped`: the clock stands, so no time holds."""

    uid: str
    sequence: int
    stamp: str
    at: str
    summary: str
    description: str
    stopped: bool = False


def calendar(event: Event) -> bytes:
    """The file, with CRLF line ends."""
    rows = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"SEQUENCE:{event.sequence}",
        f"DTSTAMP:{_utc(event.stamp)}",
        f"DTSTART:{_utc(event.at)}",
        f"SUMMARY:{_escaped(event.summary)}",
        f"DESCRIPTION:{_escaped(event.description)}",
        f"STATUS:{'CANCELLED' if event.stopped else 'CONFIRMED'}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{line}\r\n" for row in rows for line in _folded(row)).encode("utf-8")


def _utc(at: str) -> str:
    return at.replace("-", "").replace(":", "")


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(char, char) for char in text)


def _folded(row: str) -> list[str]:
    """Lines of at most 75 octets, broken between characters; all but the first begin with a blank."""
    lines: list[str] = []
    line = ""
    for char in row:
        if len((line + char).encode("utf-8")) > _FOLD:
            lines.append(line)
            line = " "
        line += char
    return [*lines, line]
