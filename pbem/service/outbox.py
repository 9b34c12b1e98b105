"""The outbox: a letter is sent until a mail server has taken it, always as the same bytes and Message-ID.

Decides order and patience: letters to one recipient go in the order in which they were written, a letter that is
put off holds up those behind it, and after five days it is given up. A letter queued a second time (a
receipt asked for again) is sent once more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from pbem.service.tables import FAILED, NEW, SENT, outbox
from pbem.turn.posting import Letter

FIRST_DELAY, LONGEST_DELAY, PATIENCE = 60, 8 * 3600, 5 * 86_400
"""Seconds: 1 minute, doubled up to 8 hours, for five days."""
_ERROR = 200


class Waiting(msgspec.Struct, frozen=True):
    """A letter whose turn it is."""

    id: int
    message_id: str
    game: str
    recipient: str
    created: int
    attempts: int
    raw: bytes


def delay(attempts: int) -> int:
    """Seconds to wait after so many attempts (at least one)."""
    return min(FIRST_DELAY << min(attempts - 1, 20), LONGEST_DELAY)


def queue(tx: sa.Connection, game_id: str, letters: Iterable[Letter], now: int) -> None:
    """Letters to be sent, in this order."""
    written: dict[str, dict[str, Any]] = {}
    for letter in letters:
        written[letter.message_id] = _row(game_id, letter, now)
    known = sa.select(outbox.c.message_id, outbox.c.state).where(outbox.c.message_id.in_(written))
    states = {row.message_id: row.state for row in tx.execute(known)} if written else {}
    for name, state in states.items():
        row = written.pop(name)
        if state != NEW:
            tx.execute(outbox.update().where(outbox.c.message_id == name).values(row))
    if written:
        tx.execute(outbox.insert(), list(written.values()))


def due(tx: sa.Connection, now: int, most: int) -> list[Waiting]:
    """The first unsent letter of each recipient, where its time has come; oldest first."""
    heads = sa.select(sa.func.min(outbox.c.id)).where(outbox.c.state == NEW).group_by(outbox.c.recipient)
    columns = [outbox.c[name] for name in Waiting.__struct_fields__]
    wanted = sa.select(*columns).where(outbox.c.id.in_(heads), outbox.c.next_try <= now)
    return [Waiting(*row) for row in tx.execute(wanted.order_by(outbox.c.id).limit(most))]


def sent(tx: sa.Connection, letter: int) -> None:
    """A mail server has taken it."""
    tx.execute(outbox.update().where(outbox.c.id == letter).values(state=SENT, error=""))


def put_off(tx: sa.Connection, letter: Waiting, error: str, now: int) -> bool:
    """Not taken, perhaps later; False if it is given up for its age."""
    attempts = letter.attempts + 1
    if now + delay(attempts) - letter.created > PATIENCE:
        give_up(tx, letter.id, error)
        return False
    tx.execute(
        outbox.update()
        .where(outbox.c.id == letter.id)
        .values(attempts=attempts, next_try=now + delay(attempts), error=error[:_ERROR])
    )
    return True


def give_up(tx: sa.Connection, letter: int, error: str) -> None:
    """It will never be taken."""
    tx.execute(outbox.update().where(outbox.c.id == letter).values(state=FAILED, error=error[:_ERROR]))


def counts(tx: sa.Connection) -> dict[str, int]:
    """How many letters there are in each state."""
    wanted = sa.select(outbox.c.state, sa.func.count()).group_by(outbox.c.state)
    found: dict[str, int] = dict.fromkeys((NEW, SENT, FAILED), 0)
    return found | {row[0]: row[1] for row in tx.execute(wanted)}


def counts_by_seat(tx: sa.Connection, game_id: str) -> dict[tuple[str, str], int]:
    """How many letters of a game there are, by seat and state."""
    rows = tx.execute(
        sa.select(outbox.c.seat, outbox.c.state, sa.func.count())
        .where(outbox.c.game == game_id)
        .group_by(outbox.c.seat, outbox.c.state)
    )
    return {(seat, state): count for seat, state, count in rows}


def _row(game_id: str, letter: Letter, now: int) -> dict[str, Any]:
    return {
        "message_id": letter.message_id,
        "game": game_id,
        "seat": letter.seat,
        "recipient": letter.to,
        "created": now,
        "state": NEW,
        "attempts": 0,
        "next_try": now,
        "error": "",
        "raw": letter.raw,
    }
