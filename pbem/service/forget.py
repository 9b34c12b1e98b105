"""A person is forgotten: his name and addresses vanish from the store and from archives, and every log stays whole.

Law: the log never held them, so no record changes. What is taken away: his row of each seat, letters to him and
mails from him, mails and letters that name an address of his, offers and bounces. A letter that has not gone out
goes nowhere. His seats stay, with nobody to write to; a substitute can be put on them. Of an archive only its last line
can name him, which is no part of the history: it is sealed anew without him.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import Refused, refuse
from pbem.disk import read_file, write_file
from pbem.log.canonical import LINE, read
from pbem.log.ledger import lines_of
from pbem.log.record import Charter, Names, read_record, seal_record
from pbem.log.seal import PrivateKey, public_of
from pbem.service import locks
from pbem.service.database import Database
from pbem.service.tables import (
    DONE,
    NEW,
    REPLACED,
    asked,
    bounces,
    games,
    guests,
    inbox,
    observers,
    offers,
    outbox,
    people,
    substitutes,
)

FORGOTTEN = "forgotten"
"""The outcome of a mail that was not handled before its sender was forgotten."""
_ADDRESSES = 40


class Forgotten(msgspec.Struct, frozen=True):
    """What was taken away. `seats` are pairs of game and seat; `running` are those of games that are not over."""

    seats: tuple[tuple[str, str], ...]
    running: tuple[tuple[str, str], ...]
    letters: int
    mails: int


def forget(tx: sa.Connection, who: str) -> Forgotten:
    """Forgets a person, named by his display name or an address. Refused `host/no-such-player`, `host/which-player`."""
    rows = _find(tx, who)
    addresses = {
        one.lower() for row in rows for one in (row.address, row.second, *row.wanted.split()[1:2]) if one
    }
    # everything that has an address of his is his
    rows = _with_addresses(tx, addresses) or rows
    seats = tuple(sorted((row.game, row.seat) for row in rows))
    phases = {row.id: row.phase for row in tx.execute(sa.select(games.c.id, games.c.phase))}
    for game, seat in seats:
        locks.lock_game(tx, game)
        blank = people.update().where(people.c.game == game, people.c.seat == seat)
        tx.execute(blank.values(address="", second="", name="", wanted=""))
    tx.execute(observers.delete().where(sa.func.lower(observers.c.address).in_(addresses)))
    tx.execute(substitutes.delete().where(sa.func.lower(substitutes.c.address).in_(addresses)))
    tx.execute(asked.delete().where(sa.func.lower(asked.c.address).in_(addresses)))
    tx.execute(guests.delete().where(sa.func.lower(guests.c.address).in_(addresses)))
    tx.execute(offers.delete().where(sa.func.lower(offers.c.address).in_(addresses)))
    tx.execute(bounces.delete().where(bounces.c.address.in_(addresses)))
    running = tuple(one for one in seats if phases[one[0]] != "over")
    return Forgotten(seats, running, _letters(tx, addresses), _mails(tx, addresses))


def scrub(database: Database) -> None:
    """Writes the file of a SQLite database anew, so that what was taken away does not lie in its free pages."""
    if not database.is_sqlite:
        return
    raw = database.engine.raw_connection()
    try:
        raw.cursor().execute("VACUUM")
    finally:
        raw.close()


def forget_in_archives(
    paths: Iterable[Path], seats: Iterable[tuple[str, str]], key: PrivateKey
) -> list[Path]:
    """Takes the names of these seats out of archives of this host's; gives the files that were changed."""
    wanted = set(seats)
    found = sorted({file for path in paths for file in ([path] if path.is_file() else path.rglob("*.pbem"))})
    changed: list[Path] = []
    for file in found:
        data = read_file(file)
        after = without_names(data, wanted, key)
        if after != data:
            write_file(file, after)
            changed.append(file)
    return changed


def without_names(data: bytes, seats: set[tuple[str, str]], key: PrivateKey) -> bytes:
    """An archive whose last line does not name these seats' players; unchanged if it is not this host's."""
    lines = list(lines_of(data))
    try:
        first, last = read_record(lines[0].rstrip(b"\n")), read_record(lines[-1].rstrip(b"\n"))
    except (IndexError, Refused):
        return data
    if not isinstance(first, Charter) or not isinstance(last, Names):
        return data
    kept = {seat: name for seat, name in last.names.items() if (first.game, seat) not in seats}
    if kept == last.names or first.host_key != public_of(key).hex():
        return data
    if not kept:
        return b"".join(lines[:-1])
    fields: dict[str, Any] = read(lines[-1].rstrip(b"\n"), LINE)
    fields.pop("sig")
    return b"".join([*lines[:-1], seal_record(key, {**fields, "names": kept}) + b"\n"])


def _find(tx: sa.Connection, who: str) -> Sequence[Any]:
    """The rows of one person. Several with one name, but different addresses, are several people."""
    wanted = who.strip().casefold()
    every = tx.execute(sa.select(people).order_by(people.c.game, people.c.seat)).all()
    by_address = [
        row for row in every if wanted and wanted in (row.address.casefold(), row.second.casefold())
    ]
    rows = by_address or [row for row in every if wanted and row.name.casefold() == wanted]
    if not rows:
        raise refuse("host/no-such-player", found=_shown(who))
    addresses = sorted({row.address.lower() for row in rows if row.address})
    if not by_address and len(addresses) > 1:
        raise refuse("host/which-player", name=_shown(who), addresses=", ".join(addresses[:_ADDRESSES]))
    return rows


def _with_addresses(tx: sa.Connection, addresses: set[str]) -> Sequence[Any]:
    mine = sa.or_(
        sa.func.lower(people.c.address).in_(addresses), sa.func.lower(people.c.second).in_(addresses)
    )
    return tx.execute(sa.select(people).where(mine)).all()


def _letters(tx: sa.Connection, addresses: set[str]) -> int:
    """Letters to him, and those that name him, such as notices to the host."""
    count = 0
    columns = sa.select(outbox.c.id, outbox.c.recipient, outbox.c.raw, outbox.c.error, outbox.c.state)
    for row in tx.execute(columns).all():
        his = row.recipient.lower() in addresses
        if not his and not _names_any(row.raw, addresses) and not _names_any(row.error.encode(), addresses):
            continue
        state = REPLACED if row.state != "sent" and his else row.state
        changes: dict[str, Any] = {"error": ""}
        if his or _names_any(row.raw, addresses):
            changes |= {"raw": b"", "state": REPLACED if row.state == NEW else state}
        if his:
            changes |= {"recipient": ""}
        tx.execute(outbox.update().where(outbox.c.id == row.id).values(changes))
        count += 1
    return count


def _mails(tx: sa.Connection, addresses: set[str]) -> int:
    """Mails from him, and those that name him."""
    count = 0
    columns = sa.select(inbox.c.id, inbox.c.sender, inbox.c.raw, inbox.c.error, inbox.c.state)
    for row in tx.execute(columns).all():
        his = row.sender.lower() in addresses
        if not his and not _names_any(row.raw, addresses) and not _names_any(row.error.encode(), addresses):
            continue
        # what others wrote and nobody has read yet is read first; it goes when the next is forgotten
        if not his and row.state == NEW:
            continue
        changes: dict[str, Any] = {"raw": b"", "error": "", "sender": "" if his else row.sender}
        if row.state != DONE:
            changes |= {"state": DONE, "outcome": FORGOTTEN}
        tx.execute(inbox.update().where(inbox.c.id == row.id).values(changes))
        count += 1
    return count


def _names_any(text: bytes, addresses: set[str]) -> bool:
    lowered = text.lower()
    return any(one.encode("utf-8", "replace") in lowered for one in addresses)


def _shown(text: str) -> str:
    return text[:60].encode("ascii", "backslashreplace").decode("ascii")
