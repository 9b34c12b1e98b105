"""The hall: standing tables. One always has a game that waits for players; when it is full, the next one is laid out.

Law: whoever writes `sit` gets an invitation, at the address that he wrote from, and nothing has changed; the first who
joins with a token of the table and a key of his own has the seat. The charter is written before anybody joins, as in any
game, so the dice are nobody's to choose. A table may be closed to those who are known to be late.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import Refused, decode, encode, refuse
from pbem.log.ledger import member
from pbem.service import ratings, store
from pbem.service.addresses import is_address
from pbem.service.clock import instant
from pbem.service.codes import CODES
from pbem.service.config import Host
from pbem.service.database import Database
from pbem.service.inbox import Waiting
from pbem.service.tables import games, guests, halls
from pbem.turn.commands import Command
from pbem.turn.desk import Desk, Guest, Person, Secrets
from pbem.turn.hall_letters import Open, Stranger, invitation_to, not_now_letter, tables_letter
from pbem.turn.opening import Plan, open_game
from pbem.turn.pipeline import Claims, Verdict
from pbem.turn.posting import Letter
from pbem.turn.views import token

AGAIN = 600
"""Seconds after which the same address is sent another invitation."""
MOST_GUESTS = 500
"""Guests of one game, so that a flood of letters ends somewhere."""


class Laid(msgspec.Struct, frozen=True):
    """What is played at a table: as a plan, but with seats instead of people, and its ruleset by name."""

    ruleset: str
    version: int
    seats: tuple[str, ...]
    options: dict[str, Any] = {}
    data: dict[str, Any] = {}
    deadline: Any = "none"
    terms: dict[str, Any] = {}


class Hall(msgspec.Struct, frozen=True):
    """A standing table: its name, the game that waits at it, how punctual its guests must be (0: they need not be)."""

    table: str
    game: str
    ruleset: str
    seats: int
    on_time: int
    free: int


def lay(tx: sa.Connection, host: Host, laid: Laid, on_time: int, now: int) -> str:
    """A new table, and the first game at it; gives its name. Refused `game/…`."""
    table, game = _word(10), _new_game(tx, host, laid, now)
    tx.execute(
        halls.insert().values(id=table, plan=encode(laid), on_time=on_time, made=now, game=game, open=1)
    )
    return table


def clear(tx: sa.Connection, table: str) -> str:
    """No more games at a table; gives the one that still waits there. Refused `host/no-such-table`."""
    row = tx.execute(sa.select(halls.c.game).where(halls.c.id == table, halls.c.open == 1)).first()
    if row is None:
        raise refuse(
            "host/no-such-table", found=table[:40].encode("ascii", "backslashreplace").decode("ascii")
        )
    tx.execute(halls.update().where(halls.c.id == table).values(open=0))
    return str(row.game)


def all_open(tx: sa.Connection, host: Host) -> list[Hall]:
    """The tables, oldest first."""
    found: list[Hall] = []
    for row in tx.execute(sa.select(halls).where(halls.c.open == 1).order_by(halls.c.made, halls.c.id)).all():
        laid = decode(Laid, row.plan)
        desk = store.load_desk(tx, host, row.game, 0).desk
        name = f"{laid.ruleset}/{laid.version}"
        found.append(Hall(row.id, row.game, name, len(laid.seats), row.on_time, len(_free(desk))))
    return found


def place_for(tx: sa.Connection, command: Command) -> str | None:
    """The game at whose address somebody without a game is answered, if he asks for a table; None if there is none."""
    if command.word not in ("sit", "tables"):
        return None
    wanted = sa.select(halls.c.id, halls.c.game).where(halls.c.open == 1).order_by(halls.c.made, halls.c.id)
    rows = tx.execute(wanted).all()
    found: list[str] = [row.game for row in rows if row.id == command.game] or [row.game for row in rows]
    return found[0] if found else None


def refill(database: Database, host: Host, now: int) -> list[str]:
    """Lays out the next game at every table whose game is full or called off; gives the new games."""
    full = (
        sa.select(halls.c.id, halls.c.plan)
        .join(games, games.c.id == halls.c.game)
        .where(halls.c.open == 1, games.c.phase != "join")
    )
    with database.read() as tx:
        if tx.execute(full.limit(1)).first() is None:
            return []
    laid: list[str] = []
    with database.write() as tx:
        for row in tx.execute(full.order_by(halls.c.id).with_for_update(of=halls, skip_locked=True)).all():
            game = _new_game(tx, host, decode(Laid, row.plan), now)
            tx.execute(halls.update().where(halls.c.id == row.id).values(game=game))
            laid.append(game)
    return laid


def answer(tx: sa.Connection, host: Host, mail: Waiting, asked: tuple[Claims, Command]) -> Verdict | None:
    """The answer to somebody who asks for a table; None if he cannot be answered."""
    claims, command = asked
    if claims.auto or not is_address(claims.sender):
        return None
    stranger = Stranger(claims.sender, claims.message_id, f"{mail.id}", instant(mail.received))
    desk = store.load_desk(tx, host, mail.game, mail.received).desk
    letter = _answer(tx, host, stranger, (command, mail.received))
    return Verdict(desk.snapshot, desk.people, letters=(letter,)) if letter is not None else None


def _answer(tx: sa.Connection, host: Host, stranger: Stranger, asked: tuple[Command, int]) -> Letter | None:
    command, now = asked
    rows = tx.execute(sa.select(halls).where(halls.c.open == 1).order_by(halls.c.made, halls.c.id)).all()
    chosen = [row for row in rows if row.id == command.game or (not command.game and len(rows) == 1)]
    if command.word == "tables" or not chosen:
        return tables_letter(host.post, stranger, [_shown(tx, host, row) for row in rows])
    row = chosen[0]
    try:
        if row.on_time:
            ratings.check_entry(tx, [stranger.to], row.on_time)
    except Refused as refused:
        words = next(one for one in CODES if one.code == refused.refusal.code)
        return not_now_letter(host.post, stranger, refused.refusal, words)
    return _invite(tx, host, stranger, (row.game, now))


def _invite(tx: sa.Connection, host: Host, stranger: Stranger, where: tuple[str, int]) -> Letter | None:
    """An invitation, to the free seat whose turn it is among the guests."""
    game, now = where
    desk = store.load_desk(tx, host, game, now).desk
    free = _free(desk)
    sitting = {one.address.casefold() for one in desk.people.values()}
    if not free or stranger.to.casefold() in sitting:
        return tables_letter(host.post, stranger, [])
    same = sa.and_(guests.c.game == game, sa.func.lower(guests.c.address) == stranger.to.lower())
    known = tx.execute(sa.select(guests.c.made).where(same)).first()
    count = tx.execute(sa.select(sa.func.count()).where(guests.c.game == game)).scalar_one()
    if (known is not None and known.made > now - AGAIN) or (known is None and count >= MOST_GUESTS):
        return None
    tx.execute(guests.delete().where(same))
    parts = ("guest", game, stranger.to.lower(), str(now))
    guest = Guest(stranger.to, "".join(token(desk.secrets.mail, *parts, one) for one in "12"), stranger.lang)
    tx.execute(
        guests.insert().values(game=game, address=guest.address, token=guest.token, lang=guest.lang, made=now)
    )
    return invitation_to(desk, free[count % len(free)], guest, f"{now}")


def _shown(tx: sa.Connection, host: Host, row: Any) -> Open:
    desk = store.load_desk(tx, host, row.game, 0).desk
    return Open(row.id, desk.table.game.title, len(desk.charter.seats), len(_free(desk)))


def _free(desk: Desk) -> list[str]:
    """The seats that nobody has joined."""
    return [seat for seat in desk.charter.seats if not member(desk.snapshot.ledger, seat).public_key]


def _new_game(tx: sa.Connection, host: Host, laid: Laid, now: int) -> str:
    rules = next((one for one in host.games if (one.id, one.version) == (laid.ruleset, laid.version)), None)
    if rules is None:
        known = ", ".join(f"{one.id} {one.version}" for one in host.games)
        raise refuse("game/unknown", id=laid.ruleset, version=laid.version, known=known)
    people: Mapping[str, Person] = {seat: Person("", _word(16)) for seat in laid.seats}
    plan = Plan(_word(10), rules, laid.options, people, laid.data, laid.deadline, laid.terms)
    seed, k_hidden, mail = (secrets.token_bytes(32) for _ in range(3))
    fresh = Secrets(host.key, seed, k_hidden, mail)
    desk, lines = open_game(plan, fresh, host.post, instant(now))
    store.insert_game(tx, desk, lines, now)
    return desk.game_id


def _word(letters: int) -> str:
    """A random word for an id or a token; mail programs lower addresses anyway."""
    return base64.b32encode(secrets.token_bytes(letters)).decode("ascii").lower()[:letters]
