"""Lines that players hold and the store has lost: made again from their envelopes, and taken if they are the same.

Law: nothing is copied from a log. The straight line is a pure function, so the same envelope, judged at the
same desk with the record's own instant, gives the same line, seal and all; only a line made again so is
written. What it sealed and what it drew in hiding comes back with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import sqlalchemy as sa

from engine import Refused, refuse, say
from pbem.log.envelope import Envelope
from pbem.log.ledger import lines_of
from pbem.log.record import (
    Charter,
    Deadline,
    End,
    Enveloped,
    Key,
    Record,
    Ruling,
    Timeout,
    kind_of,
    read_record,
)
from pbem.service import held, store
from pbem.service.config import Host
from pbem.service.database import Database
from pbem.service.locks import lock_game
from pbem.service.tables import inbox
from pbem.service.worker import settle
from pbem.turn import host_time, pipeline
from pbem.turn.desk import Desk, Offer
from pbem.turn.pipeline import Claims, Verdict
from pbem.turn.tick import play_waiting

replace = msgspec.structs.replace


class Adopted(msgspec.Struct, frozen=True):
    """What came of it: the game, how many records it now has more, whether it still waits for players."""

    game: str
    records: int
    held: bool


class _Task(msgspec.Struct, frozen=True):
    """One adoption: inside which transaction, of which game, from which envelopes."""

    tx: sa.Connection
    host: Host
    game: str
    envelopes: dict[str, Envelope]
    now: int


def adopt(database: Database, host: Host, log: bytes, claims: Iterable[Claims], now: int) -> Adopted:
    """Brings a game up to a log. `claims` are of mails and files that hold the envelopes; the inbox is looked at too.

    Refused `host/adopt-…`, with nothing changed.
    """
    lines = [line.removesuffix(b"\n") for line in lines_of(log)]
    game = _game_of(lines)
    with database.write() as tx:
        # 1. nobody else plays it meanwhile
        if not lock_game(tx, game):
            raise refuse("host/no-such-game", found=game[:40])
        # 2. both begin alike
        have = store.load_lines(tx, game)
        if lines[: len(have)] != have:
            raise _unlike(lines, have)
        # 3. line by line
        task = _Task(tx, host, game, _envelopes(tx, game, claims), now)
        done = len(have)
        while done < len(lines):
            done += _make_again(task, lines[done:])
        held.look_again(tx, game)
        return Adopted(game, len(lines) - len(have), held.is_held(tx, game))


def _make_again(task: _Task, wanted: Sequence[bytes]) -> int:
    """One step of the game; gives how many of the wanted lines it made."""
    record = _read(wanted[0])
    loaded = store.load_desk(task.tx, task.host, task.game, task.now)
    loaded = replace(loaded, desk=replace(loaded.desk, now=record.at))
    verdict = _judged(task, loaded.desk, record)
    made = [line for one in settle(task.tx, loaded, verdict, task.now) for line in one.lines]
    if not made or list(wanted[: len(made)]) != made[: len(wanted)]:
        raise refuse("host/adopt-differs", n=record.n)
    return min(len(made), len(wanted))


def _judged(task: _Task, desk: Desk, record: Record) -> Verdict:
    if isinstance(record, Timeout):
        return pipeline.silence(desk, record.seat)
    if isinstance(record, Ruling):
        return pipeline.call_off(desk, record.reason)
    if isinstance(record, Deadline):
        fields = {"old": record.old, "new": record.new, "who": record.who, "reason": record.reason}
        return host_time.rewrite(desk, fields)
    if isinstance(record, End):
        return pipeline.finish(desk, store.load_kept(task.tx, task.game))
    if not isinstance(record, Enveloped):
        raise refuse("host/adopt-differs", n=record.n)
    envelope = task.envelopes.get(record.envelope)
    if envelope is None:
        raise refuse("host/adopt-missing", n=record.n, kind=kind_of(record), seat=record.seat)
    claims = Claims((envelope,))
    desk = replace(desk, offers=_offer(desk, record, envelope))
    known = store.load_known(task.tx, task.game, claims, desk.snapshot.ledger)
    waits = next((one for one in desk.snapshot.shelf if one.envelope == record.envelope), None)
    if waits is not None:
        return play_waiting(desk, waits)
    return pipeline.judge(claims, known, desk, hold=False)


def _offer(desk: Desk, record: Enveloped, envelope: Envelope) -> dict[str, Offer]:
    """The offer that a record was the answer to: it is not in an old copy, and the record says that it was made."""
    if not isinstance(record, Key) or record.how == "rotated":
        return dict(desk.offers)
    address, token = desk.people[record.seat].address, str(envelope.payload.get("token", ""))
    return {record.seat: Offer(address, token, record.how)}


def _envelopes(tx: sa.Connection, game: str, claims: Iterable[Claims]) -> dict[str, Envelope]:
    """Every envelope at hand, by its id; the signatures are looked at when they are judged."""
    mails = tx.execute(sa.select(inbox.c.raw).where(inbox.c.game == game)).scalars()
    every = (*claims, *(pipeline.claim_mail(raw) for raw in mails))
    return {one.id: one for claim in every for one in claim.envelopes}


def _game_of(lines: Sequence[bytes]) -> str:
    first = _read(lines[0]) if lines else None
    if not isinstance(first, Charter):
        raise refuse("host/adopt-log", problem=say("Its first line is no charter."))
    return first.game


def _read(line: bytes) -> Record:
    try:
        return read_record(line)
    except Refused:
        raise refuse("host/adopt-log", problem=say("A line of it is no record.")) from None


def _unlike(lines: Sequence[bytes], have: Sequence[bytes]) -> Refused:
    if len(lines) < len(have) and lines == have[: len(lines)]:
        return refuse("host/adopt-log", problem=say("The store holds more records than it."))
    n = next(n for n, (ours, theirs) in enumerate(zip(have, lines, strict=False)) if ours != theirs)
    return refuse("host/adopt-log", problem=say("Record {n} is not the store's.", n=n))
