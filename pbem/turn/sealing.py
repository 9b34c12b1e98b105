"""Whose words are these? Of the envelopes in a mail, the one whose signature is right.

Decides who signed, by the roster at this point of the log, and for a join by the invitation. Each step is
numbered; what passes is a `Sealed`, and only that goes on.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from engine import Refusal, Refused, refuse
from pbem.log.envelope import Envelope, Sealed, verify_envelope
from pbem.log.ledger import member
from pbem.log.payloads import Join, shape_payload
from pbem.log.seal import check_public_key
from pbem.turn import mime
from pbem.turn.desk import Desk


def choose(found: Sequence[Envelope], trouble: Refusal | None, desk: Desk) -> Sealed:
    """The one that is sound. Refused: none is (with its first reason), or two that differ are."""
    if not found:
        raise Refused(trouble or Refusal("mail/no-move"))
    players_first = sorted(found, key=lambda one: one.kind == "view")
    facts: list[tuple[Envelope, Sealed]] = []
    chosen = mime.choose(players_first, lambda one: facts.append((one, verify(one, desk))))
    return next(fact for one, fact in facts if one is chosen)


def verify(envelope: Envelope, desk: Desk) -> Sealed:
    """The fact behind a claim. Refused `seal/…`."""
    # 1. for this game, from one of its seats, of a kind that players write
    if envelope.game != desk.game_id:
        raise refuse("seal/other-game", game=desk.game_id)
    if envelope.seat not in desk.charter.seats:
        raise refuse("seal/no-such-seat", seats=", ".join(desk.charter.seats))
    if envelope.kind == "view":
        raise refuse("seal/a-view")
    entry = member(desk.snapshot.ledger, envelope.seat)
    # 2. once joined, the roster's key decides
    if entry.public_key:
        return verify_envelope(envelope, bytes.fromhex(entry.public_key))
    # 3. before that only a join, with the token of its invitation
    if envelope.kind != "join":
        raise refuse("seal/not-joined", seat=envelope.seat)
    payload = shape_payload(envelope.payload)
    assert isinstance(payload, Join)
    if not hmac.compare_digest(payload.token.encode(), desk.people[envelope.seat].token.encode()):
        raise refuse("seal/token", seat=envelope.seat)
    # 4. under a sound key that nobody else in this game uses
    key = bytes.fromhex(payload.public_key)
    check_public_key(key)
    ledger = desk.snapshot.ledger
    if payload.public_key == ledger.host_key or any(
        m.public_key == payload.public_key for m in ledger.roster
    ):
        raise refuse("seal/key-used")
    return verify_envelope(envelope, key)
