"""The outbox: a letter is sent until a mail server has taken it, always as the same bytes and Message-ID.

Decides order and patience: letters to one recipient go in the order in which they were written, a letter that is
put off holds up those behind it, and after five days it is given up. A letter queued a second time (a
receipt asked for again) is sent once more.

A report takes the place of the reports to the same game and seat that were not sent, and of whatever failed and
had something to tell: `load_unsent` and `carried_by` tell whoever writes it what they carried, and `queue` marks
them as replaced. The new letter inherits their age, so that a dead address is noticed however busy its game is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import encode
from pbem.service.prepared import Prepared
from pbem.service.tables import FAILED, NEW, REPLACED, SENT, outbox
from pbem.turn.posting import Carried, Letter, joined

FIRST_DELAY, LONGEST_DELAY, PATIENCE = 60, 8 * 3600, 5 * 86_400
"""Seconds: 1 minute, doubled up to 8 hours, for five days."""
PUT_OFF = "put-off"
_ERROR = 200


class Waiting(msgspec.Struct, frozen=True):
    """A letter whose turn it is. `seat` is empty for a notice."""

    id: int
    message_id: str
    game: str
    seat: str
    recipient: str
    created: int
    attempts: int


def delay(attempts: int) -> int:
    """Seconds to wait after so many attempts (at least one)."""
    return min(FIRST_DELAY << min(attempts - 1, 20), LONGEST_DELAY)


class Unsent(msgspec.Struct, frozen=True):
    """A letter that did not arrive, and whose place the next report to its seat takes."""

    id: int
    seat: str
    state: str
    created: int
    attempts: int
    next_try: int
    first: int
    news: bytes | None


def queue(
    tx: sa.Connection,
    game_id: str,
    letters: Iterable[Letter],
    now: int,
    unsent: Iterable[Unsent] | None = None,
) -> None:
    """Letters to be sent, in this order. `unsent`: what the reports among them were written with, if that is known.

    One to a person who was forgotten goes nowhere.
    """
    written = {letter.message_id: _row(game_id, letter, now) for letter in letters if letter.to}
    if not written:
        return
    reports = {row["seat"]: row for row in written.values() if row["news"] is not None}
    if reports:
        found = load_unsent(tx, game_id, reports) if unsent is None else unsent
        for seat, inherited in _take_places([one for one in found if one.seat in reports], tx, now).items():
            reports[seat] |= inherited
    # a letter with lines of the log is named by the newest of them, so that it is a new one
    again = [name for name, row in written.items() if row["first"] is None]
    for name in again:
        for (state,) in _KNOWN.rows(tx, {"name": name}):
            row = written.pop(name)
            if state != NEW:
                tx.execute(outbox.update().where(outbox.c.message_id == name).values(row))
    INSERT.run_all(tx, list(written.values()))


def load_unsent(tx: sa.Connection, game_id: str, seats: Iterable[str]) -> tuple[Unsent, ...]:
    """Letters to these seats that neither arrived nor will arrive before the next report, oldest first."""
    return tuple(Unsent(*row) for row in tx.execute(_REPLACEABLE, {"game": game_id, "seats": list(seats)}))


def carried_by(letters: Iterable[Unsent]) -> Mapping[str, Carried]:
    """What they carried, all of a seat's together."""
    held: dict[str, Carried] = {}
    for one in letters:
        news: tuple[dict[str, Any], ...] = tuple(msgspec.json.decode(one.news)) if one.news else ()
        before = held.get(one.seat, Carried(one.first, ()))
        held[one.seat] = Carried(min(before.first, one.first), joined(before.news or (), news))
    return held


def plain_rows(
    game_id: str, letters: Iterable[Letter], now: int, unsent: Iterable[Unsent] | None
) -> tuple[dict[str, Any], ...] | None:
    """The rows of letters that are new and take nobody's place; None if only `queue` can tell whether they are."""
    if unsent is None or any(unsent):
        return None
    rows = tuple(_row(game_id, letter, now) for letter in letters if letter.to)
    return None if any(row["first"] is None for row in rows) else rows


_KNOWN = Prepared(sa.select(outbox.c.state).where(outbox.c.message_id == sa.bindparam("name")))
INSERT = Prepared(outbox.insert(), *(column.name for column in outbox.c if column.name != "id"))
IS_UNSENT = sa.and_(
    sa.or_(outbox.c.state == NEW, outbox.c.state == FAILED),
    outbox.c.first.is_not(None),
    sa.or_(outbox.c.state == FAILED, outbox.c.news.is_not(None)),
)
"""True of reports that were not sent, and of whatever failed and carried something."""
_OURS = sa.and_(
    outbox.c.game == sa.bindparam("game"),
    outbox.c.seat.in_(sa.bindparam("seats", expanding=True)),
    IS_UNSENT,
)
_REPLACEABLE = (
    sa.select(*(outbox.c[name] for name in Unsent.__struct_fields__)).where(_OURS).order_by(outbox.c.id)
)


def _take_places(found: Sequence[Unsent], tx: sa.Connection, now: int) -> dict[str, dict[str, int]]:
    """Marks the letters as replaced; gives the age and the patience that each seat's report inherits."""
    if found:
        ids = outbox.c.id.in_([one.id for one in found])
        # one that was sent meanwhile stays sent
        unsent = outbox.update().where(ids, outbox.c.state.in_((NEW, FAILED)))
        tx.execute(unsent.values(state=REPLACED))
    inherited: dict[str, dict[str, int]] = {}
    for one in found:
        if one.state == NEW:
            patience = {"attempts": one.attempts, "next_try": max(one.next_try, now)}
            inherited.setdefault(one.seat, {"created": min(one.created, now), **patience})
    return inherited


def withdraw(tx: sa.Connection, game_id: str, seat: str) -> None:
    """What was not sent to a seat is not sent any more: somebody else sits there, and is told all of it."""
    ours = sa.and_(outbox.c.game == game_id, outbox.c.seat == seat, outbox.c.state.in_((NEW, FAILED)))
    tx.execute(outbox.update().where(ours).values(state=REPLACED))


def withdraw_from(tx: sa.Connection, game_id: str, address: str) -> None:
    """What was not sent to somebody without a seat is not sent any more."""
    ours = sa.and_(
        outbox.c.game == game_id,
        outbox.c.seat == "",
        sa.func.lower(outbox.c.recipient) == address.lower(),
        outbox.c.state == NEW,
    )
    tx.execute(outbox.update().where(ours).values(state=REPLACED))


def due(tx: sa.Connection, now: int, most: int) -> list[Waiting]:
    """The first unsent letter of each recipient, where its time has come; oldest first."""
    heads = sa.select(sa.func.min(outbox.c.id)).where(outbox.c.state == NEW).group_by(outbox.c.recipient)
    columns = [outbox.c[name] for name in Waiting.__struct_fields__]
    wanted = sa.select(*columns).where(outbox.c.id.in_(heads), outbox.c.next_try <= now)
    return [Waiting(*row) for row in tx.execute(wanted.order_by(outbox.c.id).limit(most))]


def load_raw(tx: sa.Connection, letter: int) -> tuple[bytes, str]:
    """A letter's bytes, and what look they are still to get; empty if they go out as they are."""
    found = tx.execute(_RAW, {"letter": letter}).one()
    return found.raw, found.look


def keep_look(tx: sa.Connection, letter: int, raw: bytes) -> None:
    """A letter's bytes as they go out, now and whenever it is sent again."""
    tx.execute(outbox.update().where(outbox.c.id == letter).values(raw=raw, look=""))


_RAW = sa.select(outbox.c.raw, outbox.c.look).where(outbox.c.id == sa.bindparam("letter"))


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
        .where(outbox.c.id == letter.id, outbox.c.state == NEW)
        .values(attempts=attempts, next_try=now + delay(attempts), error=error[:_ERROR])
    )
    return True


def give_up(tx: sa.Connection, letter: int, error: str) -> None:
    """It will never be taken."""
    ours = sa.and_(outbox.c.id == letter, outbox.c.state == NEW)
    tx.execute(outbox.update().where(ours).values(state=FAILED, error=error[:_ERROR]))


def readdress(tx: sa.Connection, game_id: str, seat: str, recipient: str, now: int) -> int:
    """What did not reach a seat goes out to another address, at once; gives how many letters."""
    changed = tx.execute(
        outbox.update()
        .where(outbox.c.game == game_id, outbox.c.seat == seat, outbox.c.state.in_((NEW, FAILED)))
        .values(recipient=recipient, state=NEW, created=now, attempts=0, next_try=now, error="")
    )
    return changed.rowcount


def counts(tx: sa.Connection) -> dict[str, int]:
    """How many letters there are in each state; those whose place another took are not counted."""
    wanted = sa.select(outbox.c.state, sa.func.count()).group_by(outbox.c.state)
    found: dict[str, int] = dict.fromkeys((NEW, SENT, FAILED), 0)
    return found | {row[0]: row[1] for row in tx.execute(wanted) if row[0] != REPLACED}


def counts_by_player(tx: sa.Connection) -> dict[tuple[str, str, str], int]:
    """How many letters wait or have failed, by game, seat and state; under PUT_OFF those that were tried in vain."""
    found: dict[tuple[str, str, str], int] = {}
    tried = sa.case((sa.and_(outbox.c.state == NEW, outbox.c.attempts > 0), 1), else_=0)
    rows = tx.execute(
        sa.select(outbox.c.game, outbox.c.seat, outbox.c.state, sa.func.count(), sa.func.sum(tried))
        .where(outbox.c.state.in_((NEW, FAILED)))
        .group_by(outbox.c.game, outbox.c.seat, outbox.c.state)
    )
    for game, seat, state, count, put_off in rows:
        found[game, seat, state] = count
        if state == NEW:
            found[game, seat, PUT_OFF] = int(put_off)
    return found


def counts_by_seat(tx: sa.Connection, game_id: str) -> dict[tuple[str, str], int]:
    """How many letters of a game there are, by seat and state."""
    rows = tx.execute(
        sa.select(outbox.c.seat, outbox.c.state, sa.func.count())
        .where(outbox.c.game == game_id)
        .group_by(outbox.c.seat, outbox.c.state)
    )
    return {(seat, state): count for seat, state, count in rows}


def _row(game_id: str, letter: Letter, now: int) -> dict[str, Any]:
    carried = letter.carried
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
        "first": carried.first if carried else None,
        "news": encode(carried.news) if carried and carried.news is not None else None,
        "look": letter.look,
    }
