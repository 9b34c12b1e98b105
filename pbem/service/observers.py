"""Observers of games: who watches, and what he is mailed, at once or so much later.

Law: what an observer is told is made from the public log alone (`turn.observer_letters`); a delay holds his letters back
in the outbox. He has no seat, and nothing that he mails is answered.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.service import locks, outbox, store
from pbem.service.config import Host
from pbem.service.tables import observers, people
from pbem.turn.desk import Desk
from pbem.turn.observer_letters import Observer, observer_letter
from pbem.turn.pipeline import Verdict

replace = msgspec.structs.replace
MOST = 200
_WATCHING = (
    sa.select(observers.c.address, observers.c.lang, observers.c.delay)
    .where(observers.c.game == sa.bindparam("game"))
    .order_by(observers.c.address)
)


def watch(tx: sa.Connection, host: Host, game: str, observer: Observer, now: int) -> None:
    """Adds an observer, and mails him the log so far. Refused `host/no-such-game`, `host/is-player`, `host/observers`."""
    locks.lock_game(tx, game)
    desk = store.load_desk(tx, host, game, now).desk
    playing = sa.select(people.c.seat).where(
        people.c.game == game,
        sa.or_(
            sa.func.lower(people.c.address) == observer.address.lower(),
            sa.func.lower(people.c.second) == observer.address.lower(),
        ),
    )
    if seat := tx.execute(playing).scalar():
        raise refuse("host/is-player", seat=seat)
    stop(tx, game, observer.address)
    if len(list_observers(tx, game)) >= MOST:
        raise refuse("host/observers", most=MOST)
    tx.execute(observers.insert().values(game=game, made=now, **msgspec.structs.asdict(observer)))
    letter = observer_letter(desk, observer, store.load_lines(tx, game), first=True)
    outbox.queue(tx, game, [letter], now + observer.delay)


def stop(tx: sa.Connection, game: str, address: str) -> bool:
    """He is told no more, nor what still waits for its time; whether he was an observer."""
    ours = sa.and_(observers.c.game == game, sa.func.lower(observers.c.address) == address.lower())
    gone = tx.execute(observers.delete().where(ours)).rowcount > 0
    if gone:
        outbox.withdraw_from(tx, game, address)
    return gone


def list_observers(tx: sa.Connection, game: str) -> list[Observer]:
    """Who watches a game."""
    return [Observer(row.address, row.lang, row.delay) for row in tx.execute(_WATCHING, {"game": game})]


def tell(tx: sa.Connection, desk: Desk, verdicts: Sequence[Verdict], now: int) -> None:
    """What verdicts have recorded, to everybody who watches; `desk` is the one they were judged at."""
    lines = [line for verdict in verdicts for line in verdict.lines]
    watching = list_observers(tx, desk.game_id) if lines else []
    if not watching:
        return
    after = replace(desk, snapshot=verdicts[-1].snapshot, people=verdicts[-1].people)
    for observer in watching:
        outbox.queue(tx, desk.game_id, [observer_letter(after, observer, lines)], now + observer.delay)
