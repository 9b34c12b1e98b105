"""The pulse of the service: when it was last alive, and whether its clock can be believed.

Law: time in which the service was not there, or in which its clock was wrong, takes nobody's time away.

| since the last beat, by the clock  | means                                                                      |
| ---------------------------------- | -------------------------------------------------------------------------- |
| less than `outage` seconds         | all is well                                                                |
| more                               | an outage: every deadline moves by its length                              |
| LEAP or more                       | the clock has leapt: all clocks of games stop, and the host is asked       |
| less than nothing                  | the clock was set back: time stands still until it has caught up           |

After a leap the service goes on with the time that it had (`ahead` is how far the clock is ahead of it), so that
no record is dated in a year to come. When the clock is set right, or the host says that it is right, games go on.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from pbem.service.clock import Clock
from pbem.service.database import Database
from pbem.service.journal import warn
from pbem.service.tables import games, pulse, troubles

LEAP = 30 * 86_400
BACK = 3_600
"""Seconds by which a clock must be set back for the host to hear of it."""
DAY = 86_400
BEAT = 30
"""Seconds between two beats."""
_ROW = sa.select(pulse.c.raw, pulse.c.shown, pulse.c.ahead).where(pulse.c.id == 1)


class Pulse(msgspec.Struct, frozen=True):
    """The last beat: what the clock said, which time the service had, how far the clock is ahead (0: it is believed)."""

    raw: int
    shown: int
    ahead: int = 0


class Beat(msgspec.Struct, frozen=True):
    """What a beat has found: the pulse after it, and what befell the clock, if anything did."""

    pulse: Pulse
    what: str = ""


def read(tx: sa.Connection, *, lock: bool = False) -> Pulse | None:
    """The last beat; None before the first."""
    row = tx.execute(_ROW.with_for_update() if lock else _ROW).first()
    return None if row is None else Pulse(*row)


def beat(tx: sa.Connection, raw: int, outage: int) -> Beat:
    """Notes that the service is alive, and what must not count for its games. `outage` in seconds, 0 for never."""
    last = read(tx, lock=True)
    if last is None:
        first = Pulse(raw, raw)
        tx.execute(pulse.insert().values(id=1, raw=raw, shown=raw, ahead=0))
        return Beat(first)
    after, what = _judged(last, raw, outage)
    if what == "leap" or what in ("right", "outage"):
        note_trouble(tx, what, last.shown, after.shown)
    if what:
        warn(f"clock-{what}", seconds=raw - last.raw)
    _write(tx, after)
    return Beat(after, what)


def _judged(last: Pulse, raw: int, outage: int) -> tuple[Pulse, str]:
    gap = raw - last.raw
    if gap >= LEAP:
        return Pulse(raw, last.shown, last.ahead + gap), "leap"
    if gap < 0 and last.ahead and raw > last.shown - DAY:
        return Pulse(raw, max(raw, last.shown)), "right"
    shown = max(raw - last.ahead, last.shown)
    if gap < -BACK:
        return Pulse(raw, shown, last.ahead), "back"
    return Pulse(raw, shown, last.ahead), "outage" if outage and gap > outage else ""


def believe(tx: sa.Connection, raw: int) -> bool:
    """The host says that the clock is right; False if nobody doubted it."""
    last = read(tx, lock=True)
    if last is None or not (last.ahead or raw < last.shown):
        return False
    after = Pulse(raw, max(raw, last.shown))
    note_trouble(tx, "right", last.shown, after.shown)
    _write(tx, after)
    return True


def note_trouble(tx: sa.Connection, what: str, began: int, ended: int, game: str = "") -> None:
    """A time that must not count, for one game or for all that are not over."""
    wanted = sa.select(games.c.id).where(games.c.phase != "over")
    if game:
        wanted = wanted.where(games.c.id == game)
    found = list(tx.execute(wanted.order_by(games.c.id)).scalars())
    if found:
        tx.execute(
            troubles.insert(),
            [{"game": one, "what": what, "began": began, "ended": ended} for one in found],
        )
        tx.execute(games.update().where(games.c.id.in_(found)).values(wake=0))


def _write(tx: sa.Connection, after: Pulse) -> None:
    tx.execute(
        pulse.update().where(pulse.c.id == 1).values(raw=after.raw, shown=after.shown, ahead=after.ahead)
    )


def believed(database: Database, clock: Clock) -> Steady:
    """A clock for one command, corrected by what the service knows of it."""
    with database.read() as tx:
        return Steady(clock, read(tx))


def time_of(tx: sa.Connection, clock: Clock) -> int:
    """What time it is for the service, in a transaction of its own database."""
    return Steady(clock, read(tx))()


class Steady:
    """A clock that neither leaps nor goes back: the given one, corrected by the newest pulse."""

    def __init__(self, clock: Clock, known: Pulse | None = None) -> None:
        self.raw = clock
        self._known = known

    def hear(self, newest: Pulse | None) -> None:
        """A newer pulse."""
        self._known = newest

    def __call__(self) -> int:
        raw, known = self.raw(), self._known
        if known is None:
            return raw
        # a leap is for the next beat to judge; until then time stands
        if raw - known.raw >= LEAP:
            return known.shown
        return max(raw - known.ahead, known.shown)
