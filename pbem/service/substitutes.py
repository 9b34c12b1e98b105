"""Substitutes: people who may be asked, one after the other, to take over a seat whose player is silent.

Law: asking changes nothing. Who is first on the list, the game's own before the host's, and neither plays in the game nor
was asked for this seat before, gets an offer; if it is not taken up in PATIENCE seconds, the next one is asked. A player
who comes back keeps his seat: the offer is void as soon as he moves, and the list begins anew the next time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import sqlalchemy as sa

from engine import Refused, refuse
from pbem.log.record import Move, Resign, read_record
from pbem.service import outbox, seats
from pbem.service.config import Host
from pbem.service.tables import asked, games, offers, substitutes
from pbem.turn.desk import Desk, Offer
from pbem.turn.views import token

PATIENCE = 3 * 86_400
"""Seconds that a substitute has to answer before the next one is asked."""
BY_HAND, BY_LIST, LAST = 0, 1, 2
"""Whose offer it is: the host's own; one of a list; that of the last on the list, who may take his time."""


class Substitute(msgspec.Struct, frozen=True):
    """Somebody who may be asked; `game` is empty for every game of the host's."""

    game: str
    address: str
    lang: str


def listed(tx: sa.Connection, game: str) -> list[Substitute]:
    """Who may be asked for a game, in order: its own list before the host's."""
    wanted = sa.select(substitutes).where(substitutes.c.game.in_((game, "")))
    rows = tx.execute(wanted.order_by(substitutes.c.game == "", substitutes.c.id))
    found: dict[str, Substitute] = {}
    for row in rows:
        found.setdefault(row.address.lower(), Substitute(row.game, row.address, row.lang))
    return list(found.values())


def add(tx: sa.Connection, one: Substitute) -> None:
    """Puts somebody at the end of a list. Refused `host/no-such-game`."""
    if one.game and tx.execute(sa.select(games.c.id).where(games.c.id == one.game)).first() is None:
        found = one.game[:40].encode("ascii", "backslashreplace").decode("ascii")
        raise refuse("host/no-such-game", found=found)
    drop(tx, one.game, one.address)
    tx.execute(substitutes.insert().values(msgspec.structs.asdict(one)))


def drop(tx: sa.Connection, game: str, address: str) -> bool:
    """Takes somebody off a list; whether he was on it."""
    same = sa.func.lower(substitutes.c.address) == address.lower()
    return tx.execute(substitutes.delete().where(substitutes.c.game == game, same)).rowcount > 0


def ask_next(tx: sa.Connection, host: Host, desk: Desk, seat: str, now: int) -> str:
    """Offers a seat to the next on the list; gives his address, empty if nobody is left or it cannot be offered."""
    game = desk.game_id
    known = tx.execute(sa.select(asked.c.address).where(asked.c.game == game, asked.c.seat == seat)).scalars()
    before = {address.lower() for address in known}
    playing = {
        address.lower() for one in desk.people.values() for address in (one.address, one.second) if address
    }
    left = [one for one in listed(tx, game) if one.address.lower() not in before | playing]
    if not left:
        return ""
    chosen = left[0]
    secret = desk.secrets.mail
    parts = ("substitute", game, seat, chosen.address, str(now))
    offer = Offer(
        chosen.address, token(secret, *parts, "1") + token(secret, *parts, "2"), "taken", chosen.lang
    )
    savepoint = tx.begin_nested()
    try:
        seats.offer(tx, host, seats.Chair(game, seat), offer, now)
    except Refused:
        # nobody may take it now: it has been given up, or keys are fixed till the start
        savepoint.rollback()
        return ""
    savepoint.commit()
    auto = BY_LIST if len(left) > 1 else LAST
    tx.execute(offers.update().where(offers.c.game == game, offers.c.seat == seat).values(auto=auto))
    tx.execute(asked.insert().values(game=game, seat=seat, address=chosen.address, at=now))
    return chosen.address


def is_asking(tx: sa.Connection, game: str, seat: str) -> bool:
    """Whether a seat is on offer already, to whomever."""
    mine = sa.and_(offers.c.game == game, offers.c.seat == seat, offers.c.how == "taken")
    return tx.execute(sa.select(offers.c.seat).where(mine)).first() is not None


def overdue(tx: sa.Connection, now: int) -> list[tuple[str, str]]:
    """Game and seat of offers that the next on the list should hear of now."""
    wanted = sa.select(offers.c.game, offers.c.seat).where(
        offers.c.auto == BY_LIST, offers.c.made <= now - PATIENCE
    )
    return [(row.game, row.seat) for row in tx.execute(wanted.order_by(offers.c.game, offers.c.seat))]


def came_back(tx: sa.Connection, desk: Desk, lines: Iterable[bytes]) -> None:
    """Void are the offers, made by a list, of seats whose own players have now moved or left."""
    if not desk.offers:
        return
    spoken = {
        record.seat for line in lines if isinstance(record := read_record(line), Move | Resign)
    } & desk.offers.keys()
    for seat in sorted(spoken):
        mine = sa.and_(offers.c.game == desk.game_id, offers.c.seat == seat, offers.c.auto != BY_HAND)
        if tx.execute(offers.delete().where(mine)).rowcount:
            tx.execute(asked.delete().where(asked.c.game == desk.game_id, asked.c.seat == seat))
            outbox.withdraw_from(tx, desk.game_id, desk.offers[seat].address)


def taken(tx: sa.Connection, game: str, taken_: Sequence[str]) -> None:
    """A seat has a new player: the list begins anew when he is silent."""
    for seat in taken_:
        tx.execute(asked.delete().where(asked.c.game == game, asked.c.seat == seat))
