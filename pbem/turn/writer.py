"""Records made and appended: the only place where a line is written.

Each step takes a `Book` (secrets, ledger, lines so far) and gives the next one. The ledger judges every
line that is written here just as an auditor will; a refusal by it is a fault of ours, not of a player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine import Refused, Table, plain
from pbem.log.chain import HOST, chain_link, marked_link
from pbem.log.envelope import Sealed
from pbem.log.ledger import Ledger, append
from pbem.log.record import line_digest, sealed_record
from pbem.turn.desk import Kept, Secrets
from pbem.turn.play import Played
from pbem.turn.record import told


class Book(msgspec.Struct, frozen=True):
    """A game's log as it is being written: the ledger after the newest line, and the lines and sealed parts added."""

    secrets: Secrets
    ledger: Ledger
    now: str
    lines: tuple[bytes, ...] = ()
    kept: tuple[Kept, ...] = ()


class Change(msgspec.Struct, frozen=True):
    """What changed the position: what was played, and the envelope that asked for it, if one did."""

    played: Played
    sealed: Sealed | None = None


def write(book: Book, kind: str, fields: Mapping[str, Any], kept: Kept | None = None) -> Book:
    """One more line. RuntimeError if the ledger refuses it: the pipeline should never have come here."""
    ledger = book.ledger
    head = {"kind": kind, "n": ledger.n + 1, "at": max(book.now, ledger.at), "prev": ledger.head}
    line, record = sealed_record(book.secrets.key, {**head, **fields})
    try:
        after = append(ledger, record, line_digest(line))
    except Refused as refused:
        raise RuntimeError(f"our own {kind} record is unsound: {refused}") from refused
    more = (kept,) if kept is not None else ()
    return msgspec.structs.replace(book, ledger=after, lines=(*book.lines, line), kept=(*book.kept, *more))


def host_link(book: Book, number: int) -> bytes:
    """Link `number` of the host's chain."""
    secrets = book.secrets
    if secrets.marks:
        return marked_link(secrets.marks, book.ledger.game, HOST, number)
    return chain_link(secrets.seed, book.ledger.game, HOST, number)


def signed(sealed: Sealed) -> dict[str, Any]:
    """The fields of every record of a player's envelope."""
    return {"seat": sealed.seat, "envelope": sealed.id, "base": sealed.payload["base"]}


def keep(book: Book, sealed: Sealed | None, played: Played | None = None) -> Kept:
    """What is kept sealed of the record that comes next."""
    hidden = tuple(plain(draw) for draw in played.dice.hidden) if played else ()
    if sealed is None:
        return Kept(book.ledger.n + 1, hidden=hidden)
    whole = {"payload": sealed.payload, "sig": plain(sealed.sig)}
    return Kept(book.ledger.n + 1, sealed.payload_digest, whole, hidden)


def write_start(book: Book, table: Table, played: Played) -> Book:
    """Turn 0: the host's link 1, and who must decide first."""
    say = told(table, book.ledger.game, played, book.ledger.n + 1, book.secrets.k_hidden)
    fields = {
        "turn": 0,
        "link": host_link(book, 1).hex(),
        "next": say.next or (),
        "order": table.game.order(played.outcome.position.state),
        "events": say.events,
        "draws": say.draws,
        "public": say.public,
        "state": say.state,
    }
    return write(book, "start", fields, keep(book, None, played))


def write_change(book: Book, table: Table, kind: str, fields: Mapping[str, Any], change: Change) -> Book:
    """A move, timeout or resignation; with the host's next link if it closes the turn."""
    ledger = book.ledger
    say = told(table, ledger.game, change.played, ledger.n + 1, book.secrets.k_hidden)
    whole: dict[str, Any] = {
        **fields,
        "turn": ledger.turn,
        "events": say.events,
        "draws": say.draws,
        "auto": say.auto,
        "public": say.public,
        "state": say.state,
    }
    if say.next is not None:
        whole |= {"link": host_link(book, ledger.turn + 1).hex(), "next": say.next}
    return write(book, kind, whole, keep(book, change.sealed, change.played))


def write_end(book: Book, result: Mapping[str, Any], kept: Iterable[Kept]) -> Book:
    """The end: the result, the host's two secrets, then every envelope and every hidden draw, in order."""
    secrets = book.secrets
    fields = {"result": result, "k_hidden": secrets.k_hidden.hex(), "host_seed": secrets.seed.hex()}
    book = write(book, "end", fields)
    all_kept = list(kept)
    for one in all_kept:
        if one.payload_and_sig:
            book = write(book, "opened", {"of": one.n, "payload_and_sig": one.payload_and_sig})
    for one in all_kept:
        if one.hidden:
            book = write(book, "drawn", {"of": one.n, "draws": list(one.hidden)})
    return book
