"""What the library keeps of one archive: enough for its lists, its players and its statistics, and no more.

Decides which figures are taken from a log. Statistics count only games that were found sound and finished by
playing; the others are listed with what was found. Free words of a log are kept as they are: whoever writes
them on a page escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

import msgspec

from engine import Draw, plain
from pbem.audit.audit import Report
from pbem.audit.collected import Collected
from pbem.lab.counting import Counted, count
from pbem.log import record
from pbem.log.canonical import digest
from pbem.site.tale import Seat, Tale

State = Literal["finished", "cancelled", "unfinished", "fault"]
UNREADABLE = "file/unreadable"
"""In the place of a code, of a file that the machine did not give."""
TOO_LONG, DIED = "archive/too-long", "archive/died"
PAGELESS = (UNREADABLE, TOO_LONG, DIED)
"""Why an archive has no page of its own."""
_MOST_ITEMS = 256


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One archive. `log` and `charter` are digests; `page` is the name of its page without ending.

    `dice` counts the faces of dice by their sides, `tops` by the number of items of a shuffle which item (in the
    order before) came to the top.
    """

    log: str
    state: State
    charter: str = ""
    game: str = ""
    title: str = ""
    ruleset: str = ""
    seats: list[Seat] = []
    at: str = ""
    records: int = 0
    turns: int = 0
    how: str = ""
    order: list[str] = []
    places: dict[str, tuple[int, int]] = {}
    line: int = 0
    code: str = ""
    times: list[tuple[str, str, str, int]] = []
    doers: list[tuple[str, str, str, list[str]]] = []
    dice: dict[int, list[int]] = {}
    tops: dict[int, list[int]] = {}

    @property
    def page(self) -> str:
        """Where its page stands; from the bytes of the log, so no two logs share one."""
        return self.log[:20]

    @property
    def counted(self) -> Counted:
        """The words of its public events."""
        times = {(kind, field, word): n for kind, field, word, n in self.times}
        return Counted(times, {(kind, field, word): tuple(who) for kind, field, word, who in self.doers})


def summary_of(log: bytes, tale: Tale, report: Report, collected: Collected) -> Summary:
    """From the audit's reading of a log."""
    if not collected.steps:
        return Summary(digest(log), "fault", line=report.line, code=report.code)
    records = [step.record for step in collected.steps]
    base = Summary(
        log=digest(log),
        state="fault" if report.verdict == "fault" else "unfinished",
        charter=collected.steps[0].digest,
        game=report.game,
        title=tale.title,
        ruleset=tale.ruleset,
        seats=tale.seats,
        at=(collected.end or records[-1]).at,
        records=report.records,
        turns=report.turns,
        line=report.line,
        code=report.code,
    )
    return _finished(base, records, report.result) if report.verdict == "sound" else base


def _finished(base: Summary, records: list[record.Record], result: Any) -> Summary:
    start = next((one for one in records if isinstance(one, record.Start)), None)
    if start is None:
        return msgspec.structs.replace(base, state="cancelled", how=_word(result, "how"))
    events = [event for one in records if isinstance(one, record.Changed) for event in one.events]
    counted = count(events, tuple(seat.id for seat in base.seats))
    dice, tops = _rolls(
        draw for one in records if isinstance(one, record.Changed | record.Drawn) for draw in one.draws
    )
    return msgspec.structs.replace(
        base,
        state="finished",
        how=_word(result, "how"),
        order=list(start.order),
        places=_places(result),
        times=[(*word, n) for word, n in counted.times.items()],
        doers=[(*word, list(who)) for word, who in counted.seats.items()],
        dice=dice,
        tops=tops,
    )


def _rolls(draws: Iterable[Draw]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    dice: dict[int, list[int]] = {}
    tops: dict[int, list[int]] = {}
    for draw in draws:
        if draw.sides is not None and 1 < draw.sides <= _MOST_ITEMS:
            faces = dice.setdefault(draw.sides, [0] * draw.sides)
            for value in draw.values:
                faces[cast(int, value) - 1] += 1
        elif draw.items is not None and 1 < len(set(draw.items)) == len(draw.items) <= _MOST_ITEMS:
            places = tops.setdefault(len(draw.items), [0] * len(draw.items))
            places[draw.items.index(cast(str, draw.values[0]))] += 1
    return dict(sorted(dice.items())), dict(sorted(tops.items()))


def _word(result: Any, field: str) -> str:
    value = cast("Mapping[str, Any]", result).get(field) if isinstance(result, Mapping) else None
    return value if isinstance(value, str) else ""


def _places(result: Any) -> dict[str, tuple[int, int]]:
    found = cast("list[dict[str, Any]]", plain(result)["places"])
    return {one["seat"]: (one["place"], one["score"]) for one in found}
