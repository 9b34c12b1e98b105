"""Is the opened envelope the one that its record published, and could the host accept it? (level 2)

Decides from the envelope, its record, the roster before it and the newest `rev` of its author. Knows no
rule of a game, except which payloads fit its schemas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import msgspec

from engine import AnyGame, refuse
from pbem.log import payloads, record
from pbem.log.canonical import canonical, digest
from pbem.log.envelope import as_envelope, verify_envelope
from pbem.log.ledger import Ledger, is_fresh, member
from pbem.log.payloads import Payload, shape_payload
from pbem.turn import schema

Revs = dict[tuple[str, str], int]
"""The newest `rev` by seat and kind."""


def check_id(entry: record.Enveloped, opened: record.Opened) -> None:
    """Step 1: the very bytes whose digest the record published. Refused `audit/envelope`."""
    if digest(canonical(opened.payload_and_sig)) != entry.envelope:
        raise refuse("audit/envelope", of=entry.n)


def open_envelope(
    entry: record.Enveloped, opened: record.Opened, before: Ledger, game: AnyGame | None
) -> Payload:
    """Steps 2 to 4: the payload of an envelope whose id is right. Refused `audit/…`, `seal/…`, `file/…`.

    With a game, the payload is held against its schemas.
    """
    # 2. an envelope of this record's kind, sealed by who sat there at that time
    claim = as_envelope(opened.payload_and_sig)
    if claim.kind != kind_for(entry):
        raise refuse("audit/envelope-field", field="kind")
    fact = verify_envelope(claim, bytes.fromhex(signer(entry, member(before, entry.seat).public_key)))
    # 3. its shape, and the schemas that the charter names
    payload = shape_payload(fact.payload) if game is None else schema.fitted(fact.payload, game)
    if payload is None:
        raise refuse("audit/schema", seat=entry.seat)
    # 4. the record says what the envelope says
    for field, said, recorded in _pairs(entry, payload, before.game):
        if said != recorded:
            raise refuse("audit/envelope-field", field=field)
    return payload


def kind_for(entry: record.Enveloped) -> str:
    """The kind of envelope that a record stands for."""
    if isinstance(entry, record.Key):
        return "rekey" if entry.how == "rotated" else "take"
    return record.kind_of(entry)


def signer(entry: record.Enveloped, key: str) -> str:
    """The key (hex) that must have signed a record's envelope, `key` being the seat's before the record."""
    if isinstance(entry, record.Join):
        return entry.public_key
    return entry.public_key if isinstance(entry, record.Key) and entry.how != "rotated" else key


def check_timely(entry: record.Enveloped, payload: Payload, before: Ledger, base: int, revs: Revs) -> None:
    """Steps 5 and 6: a fresh move and a rising `rev`, which is noted. Refused `audit/stale`, `audit/rev`."""
    # 5. nothing that changed the position came between
    if isinstance(payload, payloads.Move | payloads.Undo) and not is_fresh(before, entry.seat, base):
        changed = max(before.changed, member(before, entry.seat).moved)
        raise refuse("audit/stale", seat=entry.seat, base=base, changed=changed)
    # one in advance is for a later turn than the one in which it was made, and its author has not moved since
    if isinstance(payload, payloads.Advance):
        moved = member(before, entry.seat).moved
        if base < moved or payload.turn >= before.turn:
            raise refuse("audit/stale", seat=entry.seat, base=base, changed=moved)
    # 6. `rev` rises per seat and kind
    match payload:
        case (
            payloads.Ready()
            | payloads.Move()
            | payloads.Advance()
            | payloads.Standing()
            | payloads.Time()
            | payloads.Undo()
        ):
            key = (entry.seat, record.kind_of(entry))
            last = revs.get(key, -1)
            if payload.rev <= last:
                raise refuse("audit/rev", seat=entry.seat, last=last, found=payload.rev)
            revs[key] = payload.rev
        case (
            payloads.Join()
            | payloads.Resign()
            | payloads.Rekey()
            | payloads.Take()
            | payloads.Press()
            | payloads.Withdraw()
            | payloads.Settings()
        ):
            return
        case _:
            assert_never(payload)


def _pairs(entry: record.Enveloped, payload: Payload, game: str) -> Iterator[tuple[str, object, object]]:
    """Field, what the envelope says, what the record or the charter says."""
    yield "game", payload.game, game
    yield "seat", payload.seat, entry.seat
    yield "base", payload.base, entry.base
    match entry, payload:
        case record.Join(), payloads.Join():
            yield "public_key", payload.public_key, entry.public_key
            yield "tip", payload.tip, entry.tip
        case record.Key(), payloads.Rekey() | payloads.Take():
            yield "public_key", payload.public_key, entry.public_key
            yield "tip", payload.tip, entry.tip
        case record.Ready(), payloads.Ready():
            yield "reveal", payload.reveal, entry.reveal
            yield "rev", payload.rev, entry.rev
        case record.Move(), payloads.Advance():
            yield "reveal", payload.reveal, entry.reveal
        case record.Time(), payloads.Time():
            yield "ask", msgspec.to_builtins(payload.ask), entry.ask
        case record.Undo(), payloads.Undo():
            yield "turn", payload.turn, entry.turn
            yield "to", payload.to, entry.to
            yield "reason", payload.reason, entry.reason
        case record.Move(), payloads.Move():
            yield "turn", payload.turn, entry.turn
            yield "reveal", payload.reveal, entry.reveal
        case _:
            return
