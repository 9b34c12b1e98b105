"""How a player wants to be reached: his zone, hours in which he is not reminded, language and pictures of letters.

Decides what a settings envelope changes, and when a reminder goes out that falls into quiet hours.
"""

from __future__ import annotations

import re
from datetime import timedelta

import msgspec

from engine import LANGUAGES, refuse
from pbem.log.ledger import note_rev
from pbem.log.payloads import Settings
from pbem.turn import zones
from pbem.turn.desk import Desk, Person

replace = msgspec.structs.replace
_QUIET = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])")


def apply(desk: Desk, payload: Settings) -> Desk:
    """The desk with the seat's new settings; what is not said stays. Refused `time/zone`, `time/quiet`, `settings/lang`."""
    person = desk.people[payload.seat]
    known = with_settings(person, payload.zone, payload.quiet, payload.lang)
    if payload.pictures is not None:
        known = replace(known, pictures=payload.pictures)
    ledger = note_rev(desk.snapshot.ledger, payload.seat, "settings", payload.rev)
    return replace(
        desk,
        people={**desk.people, payload.seat: known},
        snapshot=replace(desk.snapshot, ledger=ledger),
    )


def with_settings(person: Person, zone: str | None, quiet: str | None, lang: str | None = None) -> Person:
    """The person with another zone, other quiet hours or another language. Refused `time/zone`, `time/quiet`,
    `settings/lang`.
    """
    if lang is not None:
        check_language(lang)
    if zone:
        zones.zone(zone)
    if quiet and _minutes(quiet) is None:
        raise refuse("time/quiet", found=quiet[:40].encode("ascii", "backslashreplace").decode("ascii"))
    return replace(
        person,
        zone=person.zone if zone is None else zone,
        quiet=person.quiet if quiet is None else quiet,
        lang=person.lang if lang is None else lang,
    )


def check_language(lang: str) -> str:
    """A language that letters are written in. Refused `settings/lang`."""
    if lang not in LANGUAGES:
        found = lang[:16].encode("ascii", "backslashreplace").decode("ascii")
        raise refuse("settings/lang", known=", ".join(LANGUAGES), found=found)
    return lang


def after_quiet(now: int, person: Person, zone: str) -> int:
    """The first instant from `now` on that is in none of the person's quiet hours; `zone` is the game's."""
    minutes = _minutes(person.quiet)
    if minutes is None:
        return now
    name = person.zone or zone
    wall = zones.local(now, name)
    begin, end = minutes
    at = wall.hour * 60 + wall.minute
    inside = begin <= at < end if begin < end else at >= begin or at < end
    if not inside:
        return now
    day = wall.replace(hour=0, minute=0, second=0, microsecond=0)
    if begin >= end and at >= begin:
        day += timedelta(days=1)
    return zones.instant_of(day + timedelta(minutes=end), name)


def _minutes(quiet: str) -> tuple[int, int] | None:
    match = _QUIET.fullmatch(quiet)
    if match is None:
        return None
    begin, end = (int(match[i]) * 60 + int(match[i + 1]) for i in (1, 3))
    return None if begin == end else (begin, end)
