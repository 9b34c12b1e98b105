"""Rows and desks, one made of the other, without a database.

Decides nothing. A desk that was opened here lacks what other rows than its game's tell (`Marks`); `store.complete` adds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from engine import AnyGame, decode, encode, refuse
from pbem.log.canonical import digest
from pbem.log.chain import HOST, marks_of
from pbem.log.ledger import Ledger
from pbem.log.record import Charter as CharterRecord
from pbem.log.record import read_record
from pbem.log.seal import PrivateKey, public_of
from pbem.service import outbox
from pbem.service.clock import instant
from pbem.service.config import Host
from pbem.service.outbox import Unsent
from pbem.service.prepared import Values
from pbem.turn.desk import Desk, Kept, Person, Secrets, Snapshot, table_of
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.tick import wake
from pbem.turn.views import phase

replace = msgspec.structs.replace

PERSON = Person.__struct_fields__
"""Columns of a row of people beside game and seat."""

COLUMNS = ("ruleset", "version", "charter_line", "data", "secrets", "snapshot", "revision")
"""Columns of a game's row that its desk is made of."""
LINK = 32
"""Bytes of a link of a chain."""
_MARKS = len(COLUMNS)
_UNSENT = _MARKS + 1
_SEAT = _MARKS + 4


class Marks(msgspec.Struct, frozen=True):
    """What else there is of a game, in other rows: a hold, letters that did not arrive, offers, observers, guests."""

    held: bool = False
    unsent: bool = False
    offered: bool = False
    watched: bool = False
    guests: bool = False


NO_MARKS = Marks()


class Loaded(msgspec.Struct, frozen=True):
    """A desk, the revision of the game at which it was loaded, and what else there is of the game.

    `unsent`: the letters whose places the next reports take, as the desk knows them; None: not looked up.
    """

    desk: Desk
    revision: int
    marks: Marks = NO_MARKS
    unsent: tuple[Unsent, ...] | None = None

    @property
    def held(self) -> bool:
        """Whether the game is on hold."""
        return self.marks.held

    @property
    def watched(self) -> bool:
        """Whether somebody watches it."""
        return self.marks.watched


class StoredSecrets(msgspec.Struct, frozen=True):
    """A game's secrets as they are stored, hex. The host's own key is not among them.

    `marks`: links of its chain in a row, 32 bytes each; empty in a game that was made before there were any.
    """

    seed: str
    k_hidden: str
    mail: str
    marks: str = ""


def stored(secrets: Secrets, game_id: str) -> bytes:
    """The secrets as they are stored."""
    marks = b"".join(marks_of(secrets.seed, game_id, HOST))
    texts = (one.hex() for one in (secrets.seed, secrets.k_hidden, secrets.mail, marks))
    return encode(StoredSecrets(*texts))


def opened(host: Host, found: Sequence[Sequence[Any]], now: int) -> Loaded:
    """The desk of a game, from its row with each of its people. Refused `game/unknown` if its rules are not installed."""
    ruleset, version, line, data, secrets, position, revision = found[0][:_MARKS]
    charter = _charter(line)
    if not is_of_host(line, host.key):
        raise refuse("host/other-key")
    persons = {row[_SEAT]: Person(*row[_SEAT + 1 :]) for row in found}
    snapshot = decode(Snapshot, position)
    desk = Desk(
        table=table_of(_game(host, ruleset, version), charter, msgspec.json.decode(data)),
        charter=charter,
        charter_line=line,
        secrets=_secrets(host.key.raw, secrets),
        people={seat: persons[seat] for seat in charter.seats},
        post=host.post,
        snapshot=snapshot,
        now=instant(now),
    )
    held, _, offered, watched = map(bool, found[0][_MARKS:_SEAT])
    # of all these, this one is each seat's own
    unsent = any(row[_UNSENT] for row in found)
    guests = snapshot.ledger.phase == "joining" and not all(one.address for one in persons.values())
    marks = Marks(held, unsent, offered, watched, guests)
    return Loaded(desk, revision, marks, None if marks.unsent else ())


def is_of_host(charter_line: bytes, key: PrivateKey) -> bool:
    """Whether the charter names this key as its host's: what another signs can never be part of the game."""
    return _charter(charter_line).host_key == _public(key)


@lru_cache(maxsize=16)
def _public(key: PrivateKey) -> str:
    return public_of(key).hex()


def known_at_once(claims: Claims, ledger: Ledger) -> Known | None:
    """Where the lines stand that the claims name, if that is the newest one: nothing that names it is in the log yet."""
    if not claims.envelopes:
        return Known()
    named = lines_named(claims)
    if named == {ledger.head} and not any(one.kind in ("take", "undo") for one in claims.envelopes):
        return Known({ledger.head: ledger.n})
    return None


def lines_named(claims: Claims) -> set[str]:
    """The digests of the lines that a claim names."""
    return {
        *(str(one.payload.get("base", "")) for one in claims.envelopes),
        *(one.base for one in claims.torn),
    }


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
    recorded = record_rows(desk.game_id, desk.snapshot.ledger.n + 1, verdict.lines, verdict.kept)
    return game_row(before, verdict), recorded, posted


def game_row(before: Loaded, verdict: Verdict) -> Values:
    """The game's row after a verdict."""
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


def record_rows(
    game_id: str, first: int, lines: Sequence[bytes], kept: Sequence[Kept]
) -> list[dict[str, Any]]:
    """New lines of a log, from number `first` on, with what is kept sealed of them."""
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


def person_row(game_id: str, seat: str, person: Person) -> dict[str, Any]:
    """A player's row."""
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


@lru_cache(maxsize=256)
def _secrets(key: bytes, kept: bytes) -> Secrets:
    found = decode(StoredSecrets, kept)
    seed, k_hidden, mail, marks = (
        bytes.fromhex(text) for text in (found.seed, found.k_hidden, found.mail, found.marks)
    )
    links = tuple(marks[at : at + LINK] for at in range(0, len(marks), LINK))
    return Secrets(PrivateKey(key), seed, k_hidden, mail, links)


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
