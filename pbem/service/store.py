"""A desk out of the rows, and a verdict into them.

Every function works inside a transaction that the caller opened, and decides nothing: `commit` writes all that
a verdict brought or, by raising, nothing. Who judged a desk that has changed meanwhile gets `Overtaken`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import AnyGame, decode, encode, refuse
from pbem.log.canonical import digest
from pbem.log.ledger import Ledger
from pbem.log.record import Charter as CharterRecord
from pbem.log.record import read_record
from pbem.log.seal import PrivateKey
from pbem.service import bounces, outbox
from pbem.service.clock import instant
from pbem.service.config import Host
from pbem.service.outbox import Unsent
from pbem.service.prepared import Prepared, Values
from pbem.service.tables import games, guests, holds, observers, offers, people, records
from pbem.service.tables import outbox as letters
from pbem.turn.desk import Archive, Desk, Estate, Guest, Kept, Offer, Person, Secrets, Snapshot, table_of
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.posting import Carried
from pbem.turn.tick import wake
from pbem.turn.views import phase

replace = msgspec.structs.replace

PERSON = Person.__struct_fields__
"""Columns of a row of people beside game and seat."""

_COLUMNS = ("ruleset", "version", "charter_line", "data", "secrets", "snapshot", "revision")
# Statements of every move, made once: to make one costs more than to run it.
_HELD = sa.exists().where(holds.c.game == games.c.id).label("held")
_OFFERED = sa.exists().where(offers.c.game == games.c.id).label("offered")
_WATCHED = sa.exists().where(observers.c.game == games.c.id).label("watched")
_UNSENT = sa.exists().where(letters.c.game == games.c.id, outbox.IS_UNSENT).label("unsent")
_GAME = Prepared(
    sa.select(
        *(games.c[name].label(name) for name in _COLUMNS),
        _HELD,
        _UNSENT,
        _OFFERED,
        _WATCHED,
        *(people.c[name].label(f"of_{name}") for name in ("seat", *PERSON)),
    )
    .join(people, people.c.game == games.c.id)
    .where(games.c.id == sa.bindparam("game"))
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
_FROM = (
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


class Loaded(msgspec.Struct, frozen=True):
    """A desk, the revision of the game at which it was loaded, whether the game is on hold, whether somebody watches it.

    `unsent`: the letters whose places the next reports take, as the desk knows them; None: not looked up.
    """

    desk: Desk
    revision: int
    held: bool = False
    unsent: tuple[Unsent, ...] | None = None
    watched: bool = False


class _Secrets(msgspec.Struct, frozen=True):
    """A game's secrets as they are stored, hex. The host's own key is not among them."""

    seed: str
    k_hidden: str
    mail: str


def insert_game(tx: sa.Connection, desk: Desk, lines: Sequence[bytes], now: int) -> None:
    """A new game with its first records. Refused `host/game-exists`."""
    ledger, game = desk.snapshot.ledger, desk.table.game
    if tx.execute(sa.select(games.c.id).where(games.c.id == desk.game_id)).first():
        raise refuse("host/game-exists", found=desk.game_id)
    secrets = desk.secrets
    row = {
        "id": desk.game_id,
        "ruleset": game.id,
        "version": game.version,
        "charter_line": desk.charter_line,
        "data": encode(desk.table.charter.data),
        "secrets": encode(_Secrets(secrets.seed.hex(), secrets.k_hidden.hex(), secrets.mail.hex())),
        "snapshot": encode(desk.snapshot),
        "phase": phase(ledger),
        "turn": ledger.turn,
        "created": now,
        "revision": 0,
        "wake": wake(desk),
    }
    tx.execute(games.insert().values(row))
    tx.execute(people.insert(), [_person_row(desk.game_id, seat, one) for seat, one in desk.people.items()])
    _insert_records(tx, desk.game_id, 0, lines, ())


def load_desk(tx: sa.Connection, host: Host, game_id: str, now: int) -> Loaded:
    """The desk of a game. Refused `host/no-such-game`, or `game/unknown` if its rules are not installed."""
    rows = _GAME.rows(tx, {"game": game_id})
    if not rows:
        raise refuse(
            "host/no-such-game", found=game_id[:40].encode("ascii", "backslashreplace").decode("ascii")
        )
    row = rows[0]
    charter = _charter(row.charter_line)
    data: dict[str, Any] = msgspec.json.decode(row.data)
    persons = {one.of_seat: Person(*one[-len(PERSON) :]) for one in rows}
    snapshot = decode(Snapshot, row.snapshot)
    unsent = outbox.load_unsent(tx, game_id, snapshot.journals) if row.unsent else ()
    desk = Desk(
        table=table_of(_game(host, row.ruleset, row.version), charter, data),
        charter=charter,
        charter_line=row.charter_line,
        secrets=_secrets(host, row.secrets),
        people={seat: persons[seat] for seat in charter.seats},
        post=host.post,
        snapshot=_with_held(tx, game_id, snapshot, outbox.carried_by(unsent)),
        now=instant(now),
        offers=_load_offers(tx, game_id) if row.offered else {},
    )
    if snapshot.ledger.phase == "joining" and not all(one.address for one in persons.values()):
        desk = replace(desk, guests=_load_guests(tx, game_id))
    return Loaded(desk, row.revision, bool(row.held), unsent, bool(row.watched))


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
    return None if found is None else bytes.fromhex(decode(_Secrets, found).mail)


def load_known(tx: sa.Connection, game_id: str, claims: Claims, ledger: Ledger) -> Known:
    """Where the lines that the claims name stand, and what they repeat; `ledger` is the game's as it was loaded."""
    named = sorted({str(one.payload.get("base", "")) for one in claims.envelopes})
    if named == [ledger.head] and not any(one.kind in ("take", "undo") for one in claims.envelopes):
        # what names the newest line is not in the log: it would come after the line that it names
        return Known({ledger.head: ledger.n})
    given = sorted({one.payload_digest for one in claims.envelopes})
    if not named:
        return Known()
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
    return [row.line for row in tx.execute(_FROM, {"game": game_id, "name": name})]


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
                row = _person_row(game_id, seat, person)
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


def plain_rows(
    before: Loaded, verdict: Verdict, now: int
) -> tuple[Values, Sequence[Values], Sequence[Values]] | None:
    """What `commit` would write for a verdict, if that is a game's row, records and new letters: see `batch`.

    None where there is more to it: people, offers, letters whose place others take, a game that is over.
    """
    desk = before.desk
    if not verdict.lines or verdict.finished or verdict.taken or verdict.people != desk.people or desk.offers:
        return None
    posted = outbox.plain_rows(desk.game_id, verdict.letters, now, before.unsent)
    if posted is None or before.watched:
        return None
    recorded = _record_rows(desk.game_id, desk.snapshot.ledger.n + 1, verdict.lines, verdict.kept)
    return _game_row(before, verdict), recorded, posted


def _taken(tx: sa.Connection, desk: Desk, seat: str) -> None:
    """The offer has done its work; what had not gone out to the one before goes nowhere."""
    tx.execute(offers.delete().where(offers.c.game == desk.game_id, offers.c.seat == seat))
    if seat in desk.offers and desk.offers[seat].how == "taken":
        outbox.withdraw(tx, desk.game_id, seat)


def _update_game(tx: sa.Connection, before: Loaded, verdict: Verdict) -> None:
    if CHANGE.run(tx, _game_row(before, verdict)) != 1:
        raise Overtaken


def _game_row(before: Loaded, verdict: Verdict) -> Values:
    snapshot, ledger = verdict.snapshot, verdict.snapshot.ledger
    after = replace(before.desk, snapshot=snapshot, people=verdict.people)
    return {
        "game": before.desk.game_id,
        "read": before.revision,
        "new_snapshot": encode(snapshot),
        "new_phase": phase(ledger),
        "new_turn": ledger.turn,
        "new_revision": before.revision + 1,
        "new_wake": wake(after),
    }


def _insert_records(
    tx: sa.Connection, game_id: str, first: int, lines: Sequence[bytes], kept: Sequence[Kept]
) -> None:
    RECORD.run_all(tx, _record_rows(game_id, first, lines, kept))


def _record_rows(
    game_id: str, first: int, lines: Sequence[bytes], kept: Sequence[Kept]
) -> list[dict[str, Any]]:
    sealed = {one.n: one for one in kept}
    rows: list[dict[str, Any]] = []
    for n, line in enumerate(lines, first):
        one = sealed.get(n)
        rows.append(
            {
                "game": game_id,
                "n": n,
                "line": line,
                "digest": digest(line),
                "payload_digest": (one.payload_digest or None) if one else None,
                "kept": encode(one) if one else None,
            }
        )
    return rows


def _person_row(game_id: str, seat: str, person: Person) -> dict[str, Any]:
    return {
        "game": game_id,
        "seat": seat,
        "address": person.address,
        "token": person.token,
        "name": person.name,
        "lang": person.lang,
        "second": person.second,
        "zone": person.zone,
        "quiet": person.quiet,
        "pictures": person.pictures,
        "wanted": person.wanted,
    }


def _secrets(host: Host, stored: bytes) -> Secrets:
    found = decode(_Secrets, stored)
    seed, k_hidden, mail = (bytes.fromhex(text) for text in (found.seed, found.k_hidden, found.mail))
    return Secrets(PrivateKey(host.key.raw), seed, k_hidden, mail)


def _game(host: Host, ruleset: str, version: int) -> AnyGame:
    for game in host.games:
        if (game.id, game.version) == (ruleset, version):
            return game
    known = ", ".join(f"{game.id} {game.version}" for game in host.games)
    raise refuse("game/unknown", id=ruleset, version=version, known=known)


@lru_cache(maxsize=256)
def _charter(line: bytes) -> CharterRecord:
    charter = read_record(line)
    assert isinstance(charter, CharterRecord)
    return charter
