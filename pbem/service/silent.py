"""A seat that is silent too often, or has not come: who is told, and who may take it.

Decides nothing about the game: that the limit is reached has been decided by its policy.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from engine import Say, say
from pbem.service import substitutes
from pbem.service.config import Host
from pbem.service.notices import Note, Notices, send
from pbem.service.tables import games
from pbem.turn.desk import Desk


class Silent(msgspec.Struct, frozen=True):
    """A seat whose player is silent, at the desk as it is now."""

    desk: Desk
    seat: str


def offer(tx: sa.Connection, told: Notices, host: Host, silent: Silent, now: int) -> None:
    """The seat is free for others: the first on the list of substitutes is asked, and the host is told."""
    desk, seat = silent.desk, silent.seat
    game, count = desk.game_id, desk.snapshot.times.silent.get(seat, 0)
    if substitutes.is_asking(tx, game, seat):
        return
    whom = substitutes.ask_next(tx, host, desk, seat, now)
    sentences = (
        say("The seat {seat} has not answered in time; silences in a row: {count}.", seat=seat, count=count),
        _what_now(game, seat, whom),
    )
    subject = say("[pbem {game}] the seat {seat} is silent", game=game, seat=seat)
    name = f"{game}.notice.silent-{seat}-{desk.snapshot.ledger.n}"
    send(tx, told, (told.operator, "en"), Note(game, name, subject, sentences), now)


def ask_on(tx: sa.Connection, told: Notices, host: Host, silent: Silent, now: int) -> None:
    """The one who was asked has not answered: the next is asked, and the host is told."""
    desk, seat = silent.desk, silent.seat
    game = desk.game_id
    before = desk.offers[seat].address if seat in desk.offers else ""
    whom = substitutes.ask_next(tx, host, desk, seat, now)
    sentences = (
        say("{address} has not answered the offer of {seat}.", address=before, seat=seat),
        _what_now(game, seat, whom),
    )
    subject = say("[pbem {game}] the seat {seat} is silent", game=game, seat=seat)
    name = f"{game}.notice.asked-{seat}-{now}"
    send(tx, told, (told.operator, "en"), Note(game, name, subject, sentences), now)


def _what_now(game: str, seat: str, whom: str) -> Say:
    if whom:
        return say("It has been offered to the next on the list of substitutes, {address}.", address=whom)
    return say(
        "Offer it to somebody else: pbem game seat {game} {seat} --offer ADDRESS", game=game, seat=seat
    )


def not_come(tx: sa.Connection, told: Notices, desk: Desk, seat: str, now: int) -> None:
    """A seat has not joined or not confirmed in time: the host is told. Nothing else happens by itself."""
    game = desk.game_id
    sentences = (
        say("The seat {seat} has not joined, or has not confirmed, in time.", seat=seat),
        say("The game waits. Call it off with pbem game cancel {game}, or be patient.", game=game),
    )
    subject = say("[pbem {game}] the seat {seat} has not come", game=game, seat=seat)
    name = f"{game}.notice.late-{seat}-{desk.snapshot.ledger.n}-{now}"
    send(tx, told, (told.operator, "en"), Note(game, name, subject, sentences), now)


def clock_leapt(tx: sa.Connection, told: Notices, what: str, seconds: int, now: int) -> None:
    """The service's clock has leapt or was set back: the host is told what to do."""
    hours = abs(seconds) // 3600
    if what == "leap":
        first = say("The clock of this machine has leapt forward by {hours} hours.", hours=hours)
        second = say("The clocks of all games stand. Set the clock right, and they run on by themselves.")
        third = say("If it is right, because the service was away so long: pbem host clock --right")
        sentences: tuple[Say, ...] = (first, second, third)
    else:
        first = say("The clock of this machine was set back by {hours} hours.", hours=hours)
        second = say("Time stands still for the games until the clock has caught up.")
        sentences = (first, second)
    subject = say("[pbem] the clock of the service")
    # a letter belongs to a game; any of them will do
    game = tx.execute(sa.select(games.c.id).where(games.c.phase != "over").order_by(games.c.id)).scalar()
    if game is not None:
        send(tx, told, (told.operator, "en"), Note(game, f"pbem.notice.clock-{now}", subject, sentences), now)
