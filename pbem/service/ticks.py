"""The clock at work: games whose time has come are looked at, each in a savepoint of its own.

Decides which games may be looked at, and nothing about them: a game on hold may not, nor one whose mail waits,
for a move that came in time must be handled before the silence that it prevents. What is due is done one after
the other, each at a desk loaded anew, in the order in which the log then has it.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from pbem.service import halls, locks, silent, store, substitutes
from pbem.service.clock import Clock
from pbem.service.config import Host
from pbem.service.database import TROUBLE, Database
from pbem.service.journal import fault
from pbem.service.notices import Notices
from pbem.service.store import Overtaken
from pbem.service.tables import NEW, games, holds, inbox, troubles
from pbem.service.worker import settle
from pbem.turn import host_time
from pbem.turn.host_time import Lost
from pbem.turn.pipeline import Verdict
from pbem.turn.tick import tick, wake

replace = msgspec.structs.replace

GAMES, STEPS = 20, 100
"""At most so many games a transaction, and so many things that are due in one game."""
LATER = 600
"""Seconds after which a game is looked at again whose clock has met a fault of ours."""
_WAITING = sa.exists().where(inbox.c.game == games.c.id, inbox.c.state == NEW)
_HELD = sa.exists().where(holds.c.game == games.c.id)
_DUE = (
    sa.select(games.c.id)
    .where(games.c.wake <= sa.bindparam("now"), ~_WAITING, ~_HELD)
    .order_by(games.c.wake, games.c.id)
    .limit(GAMES)
    .with_for_update(key_share=True, skip_locked=True, of=games)
)


class Ticked(msgspec.Struct, frozen=True):
    """What the clock has done to a game: how many records and letters."""

    game: str
    lines: int
    letters: int


class Keeper(msgspec.Struct, frozen=True):
    """Who looks after the clocks: the host, and how he is told of seats that do not answer."""

    host: Host
    told: Notices


def tick_some(database: Database, keeper: Keeper, clock: Clock) -> list[Ticked]:
    """Does what is due in the games whose time has come; none if there is none. Raises what is wrong with the database."""
    now = clock()
    with database.read() as tx:
        waking = tx.execute(sa.select(games.c.id).where(games.c.wake <= now).limit(1)).first()
        overdue = substitutes.overdue(tx, now)
    if overdue:
        _ask_on(database, keeper, now)
    halls.refill(database, keeper.host, now)
    if waking is None:
        return []
    with database.write() as tx:
        found = list(tx.execute(_DUE, {"now": now}).scalars())
        return [_guarded(tx, keeper, game, now) for game in found]


def _ask_on(database: Database, keeper: Keeper, now: int) -> None:
    """Substitutes who have not answered: the next ones are asked."""
    with database.write() as tx:
        for game, seat in substitutes.overdue(tx, now):
            locks.lock_game(tx, game)
            desk = store.load_desk(tx, keeper.host, game, now).desk
            silent.ask_on(tx, keeper.told, keeper.host, silent.Silent(desk, seat), now)


def _guarded(tx: sa.Connection, keeper: Keeper, game: str, now: int) -> Ticked:
    savepoint = tx.begin_nested()
    try:
        done = look_at(tx, keeper, game, now)
    except (*TROUBLE, Overtaken):
        raise
    except Exception as error:  # noqa: BLE001 - one game's fault must not stop the clocks of the others
        savepoint.rollback()
        fault("clock-fault", error, game=game)
        tx.execute(games.update().where(games.c.id == game).values(wake=now + LATER))
        return Ticked(game, 0, 0)
    savepoint.commit()
    return done


def look_at(tx: sa.Connection, keeper: Keeper, game: str, now: int) -> Ticked:
    """All that is due in one game, whose row is locked."""
    done = Ticked(game, 0, 0)
    # 1. times that must not count, before anything is called late
    for row in tx.execute(sa.select(troubles).where(troubles.c.game == game).order_by(troubles.c.id)).all():
        loaded = store.load_desk(tx, keeper.host, game, now)
        verdict = host_time.make_up(loaded.desk, Lost(row.what, row.began, row.ended or now))
        if verdict is not None:
            done = _added(done, settle(tx, loaded, verdict, now))
        tx.execute(troubles.delete().where(troubles.c.id == row.id))
    # 2. what is due, one after the other
    for _ in range(STEPS):
        loaded = store.load_desk(tx, keeper.host, game, now)
        due = tick(loaded.desk)
        if due is None:
            tx.execute(games.update().where(games.c.id == game).values(wake=wake(loaded.desk)))
            break
        done = _added(done, settle(tx, loaded, due, now))
        after = replace(loaded.desk, snapshot=due.snapshot)
        for seat in due.free:
            silent.offer(tx, keeper.told, keeper.host, silent.Silent(after, seat), now)
        for seat in due.late:
            if not after.people[seat].address:
                continue  # a seat of a table waits for whoever comes
            silent.not_come(tx, keeper.told, after, seat, now)
    return done


def _added(done: Ticked, verdicts: list[Verdict]) -> Ticked:
    lines = sum(len(verdict.lines) for verdict in verdicts)
    letters = sum(len(verdict.letters) for verdict in verdicts)
    return replace(done, lines=done.lines + lines, letters=done.letters + letters)
