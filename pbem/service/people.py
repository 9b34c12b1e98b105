"""Players as the host sees them: whether mail reaches them, and where it goes.

Decides nothing about a game. An address belongs to a seat of one game; setting it forgives what the old one did, and
what did not arrive goes out again.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.service import bounces, locks, outbox
from pbem.service.tables import FAILED, NEW, people
from pbem.service.tables import games as games_table
from pbem.turn.desk import Person
from pbem.turn.settings import with_settings

How = Literal["good", "waiting", "bouncing", "bad"]
"""All arrives as far as is known; a letter has been put off; one or two have come back; the address is marked."""


class MailHealth(msgspec.Struct, frozen=True):
    """How a player's mail fares. `bounced` counts letters that came back since the address was set."""

    game: str
    seat: str
    address: str
    second: str
    how: How
    bounced: int
    unsent: int
    failed: int


def mail_health(tx: sa.Connection) -> tuple[MailHealth, ...]:
    """All players of games that are not over, by game and seat."""
    strikes = bounces.strikes(tx)
    letters = outbox.counts_by_player(tx)
    wanted = (
        sa.select(people.c.game, people.c.seat, people.c.address, people.c.second)
        .join(games_table, games_table.c.id == people.c.game)
        .where(games_table.c.phase != "over")
        .order_by(people.c.game, people.c.seat)
    )
    return tuple(
        _health(row.game, row.seat, (row.address, row.second), strikes.get(row.address.lower(), 0), letters)
        for row in tx.execute(wanted)
    )


def _health(
    game: str, seat: str, where: tuple[str, str], bounced: int, letters: dict[tuple[str, str, str], int]
) -> MailHealth:
    unsent, failed = (letters.get((game, seat, state), 0) for state in (NEW, FAILED))
    put_off = letters.get((game, seat, outbox.PUT_OFF), 0)
    how: How = "good"
    if bounced >= bounces.STRIKES:
        how = "bad"
    elif bounced or failed:
        how = "bouncing"
    elif put_off:
        how = "waiting"
    return MailHealth(game, seat, where[0], where[1], how, bounced, unsent, failed)


def set_address(tx: sa.Connection, game: str, seat: str, address: str, now: int) -> int:
    """Where a seat's letters go from now on; gives how many go out again. Refused `host/no-such-…`."""
    _check_seat(tx, game, seat)
    locks.lock_game(tx, game)
    tx.execute(people.update().where(people.c.game == game, people.c.seat == seat).values(address=address))
    bounces.forgive(tx, address)
    return outbox.readdress(tx, game, seat, address, now)


def set_second(tx: sa.Connection, game: str, seat: str, address: str) -> None:
    """Where a player is told that his first address takes no mail; empty for nowhere. Refused `host/no-such-…`."""
    _check_seat(tx, game, seat)
    locks.lock_game(tx, game)
    tx.execute(people.update().where(people.c.game == game, people.c.seat == seat).values(second=address))


class Wanted(msgspec.Struct, frozen=True):
    """What a host sets for a player: his zone, his quiet hours, his language; None leaves one as it is."""

    zone: str | None = None
    quiet: str | None = None
    lang: str | None = None


def set_settings(tx: sa.Connection, game: str, seat: str, wanted: Wanted) -> Person:
    """A player's settings. Refused `host/no-such-…`, `time/zone`, `time/quiet`, `settings/lang`."""
    _check_seat(tx, game, seat)
    ours = sa.and_(people.c.game == game, people.c.seat == seat)
    row = tx.execute(sa.select(people).where(ours)).mappings().one()
    known = Person(**{name: row[name] for name in Person.__struct_fields__})
    after = with_settings(known, wanted.zone, wanted.quiet, wanted.lang)
    locks.lock_game(tx, game)
    tx.execute(people.update().where(ours).values(zone=after.zone, quiet=after.quiet, lang=after.lang))
    return after


def _check_seat(tx: sa.Connection, game: str, seat: str) -> None:
    """Locks the game, so that no worker writes his older idea of the person over ours."""
    locked = sa.select(games_table.c.id).where(games_table.c.id == game).with_for_update()
    if tx.execute(locked).first() is None:
        raise refuse("host/no-such-game", found=game[:40].encode("ascii", "backslashreplace").decode("ascii"))
    seats = sorted(tx.execute(sa.select(people.c.seat).where(people.c.game == game)).scalars())
    if seat not in seats:
        found = seat[:40].encode("ascii", "backslashreplace").decode("ascii")
        raise refuse("host/no-such-seat", seats=", ".join(seats), found=found)
