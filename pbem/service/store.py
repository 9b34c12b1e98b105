"""A desk out of the rows, and a verdict into them.

Every function works inside a transaction that the caller opened, and decides nothing: `commit` writes all that
a verdict brought or, by raising, nothing. Who judged a desk that has changed meanwhile gets `Overtaken`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import decode, encode, refuse
from pbem.log.ledger import Ledger
from pbem.service import bounces, outbox
from pbem.service.config import Host
from pbem.service.prepared import Prepared
from pbem.service.rows import (
    COLUMNS,
    PERSON,
    Loaded,
    StoredSecrets,
    game_row,
    known_at_once,
    lines_named,
    opened,
    person_row,
    record_rows,
    stored,
)
from pbem.service.tables import games, guests, holds, observers, offers, people, records
from pbem.service.tables import outbox as letters
from pbem.turn.desk import Archive, Desk, Estate, Guest, Kept, Offer, Snapshot
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.posting import Carried
from pbem.turn.tick import wake
from pbem.turn.views import phase

replace = msgspec.structs.replace

# Statements of every move, made once: to make one costs more than to run it.
_HELD = sa.exists().where(holds.c.game == games.c.id)
_OFFERED = sa.exists().where(offers.c.game == games.c.id)
_WATCHED = sa.exists().where(observers.c.game == games.c.id)
# of each seat, so that an index leads to the few that there may be, and not past all that a long game has had
_UNSENT = sa.exists().where(
    letters.c.game == people.c.game, letters.c.seat == people.c.seat, outbox.IS_UNSENT
)
OPENED = (
    *(games.c[name] for name in COLUMNS),
    _HELD.label("held"),
    _UNSENT.label("unsent"),
    _OFFERED.label("offered"),
    _WATCHED.label("watched"),
    *(people.c[name].label(f"of_{name}") for name in ("seat", *PERSON)),
)
"""What `rows.opened` wants to know of a game and, a row each, of its people."""
_GAME = Prepared(
    sa.select(*OPENED).join(people, people.c.game == games.c.id).where(games.c.id == sa.bindparam("game"))
)
_OFFERS = sa.select(offers).where(offers.c.game == sa.bindparam("game"))
_OURS = records.c.game == sa.bindparam("game")
_KNOWN = sa.select(records.c.digest, records.c.payload_digest, records.c.n).where(
    _OURS,
    sa.or_(
        records.c.digest.in_(sa.bindparam("named", expanding=True)),
        records.c.payload_digest.in_(sa.bindparam("given", expanding=True)),
    ),
)
_named = records.alias()
_FROM = Prepared(
    sa.select(records.c.line)
    .join(_named, sa.and_(_named.c.game == records.c.game, records.c.n >= _named.c.n))
    .where(_OURS, _named.c.digest == sa.bindparam("name"))
    .order_by(records.c.n)
)
CHANGE = Prepared(
    games.update()
    .where(games.c.id == sa.bindparam("game"), games.c.revision == sa.bindparam("read"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("snapshot", "phase", "turn", "revision", "wake")})
)
RECORD = Prepared(records.insert(), *(column.name for column in records.c))


class Overtaken(Exception):
    """The game has changed since its desk was loaded; load it anew and judge again."""


def insert_game(tx: sa.Connection, desk: Desk, lines: Sequence[bytes], now: int) -> None:
    """A new game with its first records. Refused `host/game-exists`."""
    ledger, game = desk.snapshot.ledger, desk.table.game
    if tx.execute(sa.select(games.c.id).where(games.c.id == desk.game_id)).first():
        raise refuse("host/game-exists", found=desk.game_id)
    row = {
        "id": desk.game_id,
        "ruleset": game.id,
        "version": game.version,
        "charter_line": desk.charter_line,
        "data": encode(desk.table.charter.data),
        "secrets": stored(desk.secrets, desk.game_id),
        "snapshot": encode(desk.snapshot),
        "phase": phase(ledger),
        "turn": ledger.turn,
        "created": now,
        "revision": 0,
        "wake": wake(desk),
    }
    tx.execute(games.insert().values(row))
    tx.execute(people.insert(), [person_row(desk.game_id, seat, one) for seat, one in desk.people.items()])
    _insert_records(tx, desk.game_id, 0, lines, ())


def load_desk(tx: sa.Connection, host: Host, game_id: str, now: int) -> Loaded:
    """The desk of a game. Refused `host/no-such-game`, or `game/unknown` if its rules are not installed."""
    found = _GAME.rows(tx, {"game": game_id})
    if not found:
        raise refuse(
            "host/no-such-game", found=game_id[:40].encode("ascii", "backslashreplace").decode("ascii")
        )
    return complete(tx, opened(host, found, now))


def complete(tx: sa.Connection, loaded: Loaded) -> Loaded:
    """A desk with all that its game's own row does not tell: letters that did not arrive, offers, guests."""
    desk, marks = loaded.desk, loaded.marks
    snapshot = desk.snapshot
    if marks.unsent:
        unsent = outbox.load_unsent(tx, desk.game_id, snapshot.journals)
        snapshot = _with_held(tx, desk.game_id, snapshot, outbox.carried_by(unsent))
        loaded = replace(loaded, desk=replace(desk, snapshot=snapshot), unsent=unsent)
    if marks.offered:
        loaded = replace(loaded, desk=replace(loaded.desk, offers=_load_offers(tx, desk.game_id)))
    if marks.guests:
        loaded = replace(loaded, desk=replace(loaded.desk, guests=_load_guests(tx, desk.game_id)))
    return loaded


def _with_held(tx: sa.Connection, game_id: str, snapshot: Snapshot, held: Mapping[str, Carried]) -> Snapshot:
    """The snapshot as of a desk at which letters that did not arrive were never written, their lines on it again."""
    if not held:
        return snapshot
    journals = {
        seat: replace(
            journal,
            sent=min(journal.sent, held[seat].first) if seat in held else journal.sent,
            held=(held[seat].news or ()) if seat in held else (),
        )
        for seat, journal in snapshot.journals.items()
    }
    first = min(journal.sent for journal in journals.values())
    tail, tail_from = snapshot.tail, snapshot.tail_from
    if first < tail_from:
        before = load_lines(tx, game_id, first)[: tail_from - first]
        tail, tail_from = (*(line.decode("utf-8") for line in before), *tail), first
    return replace(snapshot, journals=journals, tail=tail, tail_from=tail_from)


def _load_offers(tx: sa.Connection, game_id: str) -> dict[str, Offer]:
    rows = tx.execute(_OFFERS, {"game": game_id})
    return {row.seat: Offer(row.address, row.token, row.how, row.lang) for row in rows}


def _load_guests(tx: sa.Connection, game_id: str) -> tuple[Guest, ...]:
    rows = tx.execute(sa.select(guests).where(guests.c.game == game_id).order_by(guests.c.made))
    return tuple(Guest(row.address, row.token, row.lang) for row in rows)


def load_estate(tx: sa.Connection, game_id: str, seat: str) -> Estate:
    """What a successor of this seat is given."""
    policy: dict[str, Any] = {}
    notes: list[tuple[int, str]] = []
    for kept in load_kept(tx, game_id):
        payload: dict[str, Any] = kept.payload_and_sig.get("payload", {})
        if payload.get("seat") != seat:
            continue
        if payload["kind"] == "standing":
            policy = payload["policy"]
        elif payload["kind"] == "move" and payload.get("note"):
            notes.append((payload["turn"], payload["note"]))
    return Estate(tuple(load_lines(tx, game_id)), policy, tuple(notes))


def load_mail_key(tx: sa.Connection, game_id: str) -> bytes | None:
    """The key behind a game's mail addresses; None if there is no such game."""
    found: bytes | None = tx.execute(sa.select(games.c.secrets).where(games.c.id == game_id)).scalar()
    return None if found is None else bytes.fromhex(decode(StoredSecrets, found).mail)


def load_known(tx: sa.Connection, game_id: str, claims: Claims, ledger: Ledger) -> Known:
    """Where the lines that the claims name stand, and what they repeat."""
    if (known := known_at_once(claims, ledger)) is not None:
        return known
    named = sorted(lines_named(claims))
    given = sorted({one.payload_digest for one in claims.envelopes})
    found = tx.execute(_KNOWN, {"game": game_id, "named": named, "given": given}).all()
    bases = {row.digest: row.n for row in found if row.digest in named}
    seen = {row.payload_digest: row.n for row in found if row.payload_digest in given}
    takers = [one.seat for one in claims.envelopes if one.kind == "take"]
    estate = load_estate(tx, game_id, takers[0]) if takers else Estate()
    if not any(one.kind == "undo" for one in claims.envelopes):
        return Known(bases, seen, estate)
    return Known(bases, seen, estate, Archive(tuple(load_lines(tx, game_id)), tuple(load_kept(tx, game_id))))


def line_number(tx: sa.Connection, game_id: str, name: str) -> int | None:
    """The number of the record whose line has this digest; None if there is none."""
    wanted = sa.select(records.c.n).where(records.c.game == game_id, records.c.digest == name)
    found: int | None = tx.execute(wanted).scalar()
    return found


def load_kept(tx: sa.Connection, game_id: str) -> list[Kept]:
    """What was kept sealed of the records, in order."""
    wanted = sa.select(records.c.kept).where(records.c.game == game_id, records.c.kept.is_not(None))
    return [decode(Kept, row.kept) for row in tx.execute(wanted.order_by(records.c.n))]


def load_lines(tx: sa.Connection, game_id: str, first: int = 0) -> list[bytes]:
    """The lines of a game's log from a number on, without their LF."""
    wanted = sa.select(records.c.line).where(records.c.game == game_id, records.c.n >= first)
    return [row.line for row in tx.execute(wanted.order_by(records.c.n))]


def load_lines_from(tx: sa.Connection, game_id: str, name: str) -> list[bytes]:
    """The line of that digest and all after it; none if the log has no such line."""
    return [line for (line,) in _FROM.rows(tx, {"game": game_id, "name": name})]


def load_newest(tx: sa.Connection) -> list[tuple[str, int, bytes]]:
    """The newest line of every game, with its number."""
    newest = (
        sa.select(records.c.game, sa.func.max(records.c.n).label("n")).group_by(records.c.game).subquery()
    )
    wanted = sa.select(records.c.game, records.c.n, records.c.line).join(
        newest, sa.and_(records.c.game == newest.c.game, records.c.n == newest.c.n)
    )
    return [(row.game, row.n, row.line) for row in tx.execute(wanted)]


def commit(tx: sa.Connection, before: Loaded, verdicts: Sequence[Verdict], now: int) -> None:
    """All that verdicts brought, one after the other, to the game as it was loaded. Raises Overtaken.

    Letters alone (a refusal's, a receipt once more) change no game, and so are never overtaken.
    """
    desk, game_id = before.desk, before.desk.game_id
    if any(verdict.lines or verdict.quiet for verdict in verdicts):
        # 1. the game, if it is still as it was when it was judged
        _update_game(tx, before, verdicts[-1])
        # 2. records, with what is kept sealed of them
        n = desk.snapshot.ledger.n + 1
        for verdict in verdicts:
            _insert_records(tx, game_id, n, verdict.lines, verdict.kept)
            n += len(verdict.lines)
        # 3. what a join said of its person
        for seat, person in verdicts[-1].people.items():
            if person != desk.people[seat]:
                row = person_row(game_id, seat, person)
                tx.execute(people.update().where(people.c.game == game_id, people.c.seat == seat).values(row))
                if person.address != desk.people[seat].address and verdicts[-1].moved:
                    # he has confirmed another address: what did not reach him goes there
                    bounces.forgive(tx, person.address)
                    outbox.readdress(tx, game_id, seat, person.address, now)
        for seat in [verdict.taken for verdict in verdicts if verdict.taken]:
            _taken(tx, desk, seat)
    # 4. letters, rendered
    outbox.queue(
        tx, game_id, [letter for verdict in verdicts for letter in verdict.letters], now, before.unsent
    )


def _taken(tx: sa.Connection, desk: Desk, seat: str) -> None:
    """The offer has done its work; what had not gone out to the one before goes nowhere."""
    tx.execute(offers.delete().where(offers.c.game == desk.game_id, offers.c.seat == seat))
    if seat in desk.offers and desk.offers[seat].how == "taken":
        outbox.withdraw(tx, desk.game_id, seat)


def _update_game(tx: sa.Connection, before: Loaded, verdict: Verdict) -> None:
    if CHANGE.run(tx, game_row(before, verdict)) != 1:
        raise Overtaken


def _insert_records(
    tx: sa.Connection, game_id: str, first: int, lines: Sequence[bytes], kept: Sequence[Kept]
) -> None:
    RECORD.run_all(tx, record_rows(game_id, first, lines, kept))
