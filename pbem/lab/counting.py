"""What happened in a game, counted by the words of its public events, so that nothing here knows what they mean.

Each event has a kind (`event`) and fields. Of every field that holds a word or words, each word counts once for
that event, as (kind, field, word). Where an event names a `seat`, that seat did it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import msgspec

Word = tuple[str, str, str]
"""Kind of event, field, word in it."""


class Counted(msgspec.Struct, frozen=True):
    """Of one game: how often each word, and which seats did an event with it."""

    times: dict[Word, int]
    seats: dict[Word, tuple[str, ...]]


def count(events: Iterable[Mapping[str, Any]], seats: tuple[str, ...]) -> Counted:
    """The words of a game's public events, given as plain JSON."""
    times: Counter[Word] = Counter()
    doers: dict[Word, set[str]] = {}
    for event in events:
        who = event.get("seat")
        for word in words_of(event):
            times[word] += 1
            if isinstance(who, str) and who in seats:
                doers.setdefault(word, set()).add(who)
    by = {word: tuple(seat for seat in seats if seat in doers[word]) for word in sorted(doers)}
    return Counted({word: times[word] for word in sorted(times)}, by)


def words_of(event: Mapping[str, Any]) -> Iterator[Word]:
    """The words of one event, each once; an event without words counts by its kind alone."""
    kind = event.get("event")
    if not isinstance(kind, str):
        return
    found = {(field, word) for field, value in event.items() if field != "event" for word in _in(value)}
    yield from ((kind, field, word) for field, word in sorted(found or {("", "")}))


def _in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in cast("list[object]", value) if isinstance(item, str))
