"""The inbox: a mail is taken over with one commit, and waits until it is done or has proved to be poison.

Decides the order: the oldest mail of a game first. A mail to several games is one row for each. The very same
bytes, come again while the first still wait, are one mail: that is a mail server that missed our answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.service.addresses import Place
from pbem.service.prepared import Prepared
from pbem.service.tables import DONE, DROPPED, NEW, POISON, inbox

MOST_ATTEMPTS = 3
_ERROR = 20_000
_NUMBERS = 1 << 63
"""No number that a database gives is as large; it does not even take one to look for."""


class Arrival(msgspec.Struct, frozen=True):
    """A mail as it came in: envelope sender (empty for the null sender), its recipients' places, its bytes."""

    sender: str
    places: tuple[Place, ...]
    raw: bytes
    received: int


class Waiting(msgspec.Struct, frozen=True):
    """A mail that waits to be handled. `recipient` is the address that it came to."""

    id: int
    game: str
    seat: str
    sender: str
    raw: bytes
    attempts: int
    received: int
    recipient: str = ""


def take_in(tx: sa.Connection, mail: Arrival) -> None:
    """Inserts the mail, once a game."""
    sha256 = hashlib.sha256(mail.raw).hexdigest()
    games: dict[str, Place] = {}
    for place in mail.places:
        games.setdefault(place.game, place)
    waiting = {game for (game,) in _SAME.rows(tx, {"name": sha256})}
    rows = [
        {
            "game": place.game,
            "seat": place.seat,
            "sha256": sha256,
            "sender": mail.sender,
            "recipient": place.address,
            "received": mail.received,
            "state": NEW,
            "attempts": 0,
            "outcome": "",
            "error": "",
            "raw": mail.raw,
        }
        for place in games.values()
        if place.game not in waiting
    ]
    _INSERT.run_all(tx, rows)


_SAME = Prepared(sa.select(inbox.c.game).where(inbox.c.sha256 == sa.bindparam("name"), inbox.c.state == NEW))
_INSERT = Prepared(inbox.insert(), *(column.name for column in inbox.c if column.name != "id"))
_DONE = Prepared(
    inbox.update()
    .where(inbox.c.id == sa.bindparam("mail"), inbox.c.state == NEW)
    .values(state=DONE, outcome=sa.bindparam("became"))
)


def done(tx: sa.Connection, mail: int, outcome: str) -> bool:
    """Marks a mail done; False if somebody else has done so already, and nothing may be written for it."""
    return _DONE.run(tx, {"mail": mail, "became": outcome}) == 1


def all_done(tx: sa.Connection, mails: Sequence[tuple[int, str]]) -> bool:
    """Marks mails done, each with its outcome; False if somebody else has done so with any of them."""
    return _DONE.run_all(tx, [{"mail": mail, "became": outcome} for mail, outcome in mails]) == len(mails)


def failed(tx: sa.Connection, mail: Waiting, error: str) -> bool:
    """Counts an attempt that ended in a fault of ours; True if the mail is now poison, and out of the way."""
    attempts = mail.attempts + 1
    poison = attempts >= MOST_ATTEMPTS
    tx.execute(
        inbox.update()
        .where(inbox.c.id == mail.id, inbox.c.state == NEW)
        .values(attempts=attempts, error=_storable(error[-_ERROR:]), state=POISON if poison else NEW)
    )
    return poison


class Aside(msgspec.Struct, frozen=True):
    """A mail of the inbox as the host sees it; `received` is in seconds since 1970, `error` a traceback."""

    id: int
    game: str
    seat: str
    sender: str
    received: int
    state: str
    attempts: int
    outcome: str
    error: str


_ASIDE = [inbox.c[name] for name in Aside.__struct_fields__]


def in_state(tx: sa.Connection, state: str, most: int) -> list[Aside]:
    """Mails in a state, oldest first."""
    wanted = sa.select(*_ASIDE).where(inbox.c.state == state).order_by(inbox.c.id).limit(most)
    return [Aside(*row) for row in tx.execute(wanted)]


def look_up(tx: sa.Connection, mail: int) -> tuple[Aside, bytes]:
    """One mail, and its bytes. Refused `host/no-such-mail`."""
    if not 0 < mail < _NUMBERS:
        raise refuse("host/no-such-mail", found=str(mail))
    row = tx.execute(sa.select(*_ASIDE).where(inbox.c.id == mail)).first()
    if row is None:
        raise refuse("host/no-such-mail", found=str(mail))
    raw: bytes = tx.execute(sa.select(inbox.c.raw).where(inbox.c.id == mail)).scalar_one()
    return Aside(*row), raw


def release(tx: sa.Connection, mail: int, state: Literal["new", "dropped"]) -> None:
    """A poison mail is tried anew, or dropped for good. Refused `host/no-such-mail`, `host/not-poison`."""
    found, _ = look_up(tx, mail)
    changed = tx.execute(
        inbox.update()
        .where(inbox.c.id == mail, inbox.c.state == POISON)
        .values(state=state, attempts=0, outcome=DROPPED if state == DROPPED else "")
    )
    if changed.rowcount != 1:
        raise refuse("host/not-poison", mail=str(mail), state=found.state)


def _storable(text: str) -> str:
    """Text that every database takes: no lone surrogates, no NUL."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


def counts(tx: sa.Connection) -> dict[str, int]:
    """How many mails there are in each state; those that were dropped are not counted."""
    wanted = sa.select(inbox.c.state, sa.func.count()).group_by(inbox.c.state)
    found: dict[str, int] = dict.fromkeys((NEW, DONE, POISON), 0)
    return found | {row[0]: row[1] for row in tx.execute(wanted) if row[0] != DROPPED}
