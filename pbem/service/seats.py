"""Seats that change hands: offered to a successor, or to a player who has lost his key.

Law: the host offers, and nothing changes; who answers with the offer's token and a key of his own takes the seat. One
offer a seat: a newer one takes the place of the older. A seat that nobody has joined is simply invited anew.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.log.ledger import member
from pbem.service import bounces, held, locks, outbox, store
from pbem.service.config import Host
from pbem.service.tables import offers, people
from pbem.turn.answers import invitation_letter
from pbem.turn.desk import Desk, Offer
from pbem.turn.offer_letters import offer_letter

replace = msgspec.structs.replace
Done = Literal["offered", "invited"]


class Chair(msgspec.Struct, frozen=True):
    """A seat of a game."""

    game: str
    seat: str


def offer(tx: sa.Connection, host: Host, chair: Chair, wanted: Offer, now: int) -> Done:
    """Offers a seat. Refused `host/no-such-…`, `host/on-hold`, `fresh/over`, `fresh/resigned`, `fresh/keys-fixed`."""
    game, seat = chair.game, chair.seat
    locks.lock_game(tx, game)
    desk = store.load_desk(tx, host, game, now).desk
    _check(tx, desk, seat)
    if not member(desk.snapshot.ledger, seat).public_key:
        _invite(tx, desk, seat, wanted, now)
        return "invited"
    row = {"game": game, "seat": seat, **msgspec.structs.asdict(wanted), "made": now}
    withdraw(tx, game, seat)
    tx.execute(offers.insert().values(row))
    letter = offer_letter(replace(desk, offers={seat: wanted}), seat, store.load_lines(tx, game))
    outbox.queue(tx, game, [letter], now)
    return "offered"


def reset(tx: sa.Connection, host: Host, chair: Chair, token: str, now: int) -> Done:
    """Offers a seat to its own player, who has lost his key. Refused as `offer`."""
    people_ = store.load_desk(tx, host, chair.game, now).desk.people
    if chair.seat not in people_:
        raise _no_such_seat(tx, chair)
    person = people_[chair.seat]
    return offer(tx, host, chair, Offer(person.address, token, "reset", person.lang), now)


def withdraw(tx: sa.Connection, game: str, seat: str) -> bool:
    """Takes an offer back; whether there was one."""
    gone = tx.execute(offers.delete().where(offers.c.game == game, offers.c.seat == seat))
    return gone.rowcount > 0


def _check(tx: sa.Connection, desk: Desk, seat: str) -> None:
    ledger = desk.snapshot.ledger
    if seat not in desk.people:
        raise _no_such_seat(tx, Chair(desk.game_id, seat))
    if held.is_held(tx, desk.game_id):
        raise refuse("host/on-hold", game=desk.game_id)
    if ledger.phase in ("over", "ended"):
        raise refuse("fresh/over")
    if ledger.phase == "readying":
        raise refuse("fresh/keys-fixed")
    if member(ledger, seat).resigned:
        raise refuse("fresh/resigned", seat=seat)


def _no_such_seat(tx: sa.Connection, chair: Chair) -> Exception:
    seats = sorted(tx.execute(sa.select(people.c.seat).where(people.c.game == chair.game)).scalars())
    found = chair.seat[:40].encode("ascii", "backslashreplace").decode("ascii")
    return refuse("host/no-such-seat", seats=", ".join(seats), found=found)


def _invite(tx: sa.Connection, desk: Desk, seat: str, wanted: Offer, now: int) -> None:
    """A seat that nobody has joined: another person is invited, and the old invitation is void."""
    person = replace(
        desk.people[seat], address=wanted.address, token=wanted.token, name="", lang=wanted.lang, second=""
    )
    ours = people.update().where(people.c.game == desk.game_id, people.c.seat == seat)
    tx.execute(ours.values(msgspec.structs.asdict(person)))
    bounces.forgive(tx, wanted.address)
    outbox.withdraw(tx, desk.game_id, seat)
    letter = invitation_letter(replace(desk, people={**desk.people, seat: person}), seat)
    # the same Message-ID would be the old letter again
    outbox.queue(tx, desk.game_id, [letter], now)
