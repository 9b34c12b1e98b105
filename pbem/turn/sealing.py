"""Whose words are these? Of the envelopes in a mail, the one whose signature is right.

Decides who signed, by the roster at this point of the log, and for a join by the invitation, for a seat that is taken
over by the offer. Each step is
numbered; what passes is a `Sealed`, and only that goes on.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from engine import Refusal, Refused, refuse
from pbem.log.envelope import HOST_KINDS, Envelope, Sealed, verify_envelope
from pbem.log.ledger import Member, is_key_used, member
from pbem.log.payloads import Join, Take, shape_payload
from pbem.log.seal import check_public_key
from pbem.turn import mime
from pbem.turn.desk import Desk, Guest


def choose(
    found: Sequence[Envelope], trouble: Refusal | None, desk: Desk, taken: Collection[str] = ()
) -> Sealed:
    """The one that is sound. Refused: none is (with its first reason), two that differ are, or a later one is not.

    For an older move may be what its player quotes beneath a newer one that was damaged on its way. What has been
    `taken` (payload digests, the oldest first) is quoted, too, and is meant only if nothing else is sound.
    """
    if not found:
        raise Refused(trouble or Refusal("mail/no-move"))
    facts: list[tuple[Envelope, Sealed]] = []
    unsound: list[tuple[Envelope, Refused]] = []

    def judged(one: Envelope) -> None:
        try:
            facts.append((one, verify(one, desk)))
        except Refused as refused:
            unsound.append((one, refused))
            raise

    quoted = [one for digest in reversed(tuple(taken)) for one in found if one.payload_digest == digest]
    players_first = sorted(
        (one for one in found if one.payload_digest not in taken), key=lambda one: one.kind in HOST_KINDS
    )
    try:
        chosen = mime.choose(players_first, judged)
    except Refused as none_sound:
        if none_sound.refusal.code == "mail/two-moves" or (sound := _first_sound(quoted, judged)) is None:
            if trouble is not None and none_sound.refusal.code == "seal/a-view":
                # a letter of ours that lies beside a move is not what the mail is about
                raise Refused(trouble) from None
            raise
        chosen = sound
    for one, why in unsound:
        if _is_later(one, chosen):
            raise why
    return next(fact for one, fact in facts if one is chosen)


def _first_sound(found: Sequence[Envelope], judged: Callable[[Envelope], object]) -> Envelope | None:
    for one in found:
        with suppress(Refused):
            judged(one)
            return one
    return None


def _is_later(one: Envelope, than: Envelope) -> bool:
    """Whether it says that the same player wrote it after the other; of one with the same seal it is a spoilt copy."""
    if (one.kind, one.seat, one.sig.key) != (
        than.kind,
        than.seat,
        than.sig.key,
    ) or one.sig.val == than.sig.val:
        return False
    return _when(one) > _when(than)


def _when(one: Envelope) -> tuple[int, int]:
    turn, rev = one.payload.get("turn"), one.payload.get("rev")
    return (turn if isinstance(turn, int) else 0, rev if isinstance(rev, int) else 0)


def verify(envelope: Envelope, desk: Desk) -> Sealed:
    """The fact behind a claim. Refused `seal/…`."""
    # 1. for this game, from one of its seats, of a kind that players write
    if envelope.game != desk.game_id:
        raise refuse("seal/other-game", game=desk.game_id)
    if envelope.seat not in desk.charter.seats:
        raise refuse("seal/no-such-seat", seats=", ".join(desk.charter.seats))
    if envelope.kind in HOST_KINDS:
        raise refuse("seal/a-view")
    entry = member(desk.snapshot.ledger, envelope.seat)
    if envelope.kind == "take":
        return _verify_take(envelope, entry, desk)
    # 2. once joined, the roster's key decides
    if entry.public_key:
        return verify_envelope(envelope, bytes.fromhex(entry.public_key))
    # 3. before that only a join, with the token of its invitation
    if envelope.kind != "join":
        raise refuse("seal/not-joined", seat=envelope.seat)
    payload = shape_payload(envelope.payload)
    assert isinstance(payload, Join)
    if not _is_invited(payload, desk):
        raise refuse("seal/token", seat=envelope.seat)
    # 4. under a sound key that nobody else in this game uses
    return verify_envelope(envelope, _new_key(payload.public_key, desk))


def _is_invited(payload: Join, desk: Desk) -> bool:
    """With the token of the seat's own invitation; to a seat that is kept for nobody, with any guest's."""
    token, person = payload.token.encode(), desk.people[payload.seat]
    if hmac.compare_digest(token, person.token.encode()):
        return True
    return not person.address and guest_of(desk, payload.token) is not None


def guest_of(desk: Desk, token: str) -> Guest | None:
    """Whose token this is, if he has no seat at this table yet."""
    sitting = {address.casefold() for one in desk.people.values() for address in (one.address, one.second)}
    found = [one for one in desk.guests if hmac.compare_digest(one.token.encode(), token.encode())]
    return next((one for one in found if one.address.casefold() not in sitting), None)


def _verify_take(envelope: Envelope, entry: Member, desk: Desk) -> Sealed:
    """A seat that is offered: the token of its offer, and the key that it brings."""
    payload = shape_payload(envelope.payload)
    assert isinstance(payload, Take)
    # 1. taken up already, by this very key
    if payload.public_key == entry.public_key:
        return verify_envelope(envelope, bytes.fromhex(entry.public_key))
    # 2. with the token of the newest offer
    offer = desk.offers.get(envelope.seat)
    if offer is None or not hmac.compare_digest(payload.token.encode(), offer.token.encode()):
        raise refuse("seal/offer", seat=envelope.seat)
    # 3. under a sound key that nobody in this game has or had
    return verify_envelope(envelope, _new_key(payload.public_key, desk))


def _new_key(public_key: str, desk: Desk) -> bytes:
    key = bytes.fromhex(public_key)
    check_public_key(key)
    if is_key_used(desk.snapshot.ledger, public_key):
        raise refuse("seal/key-used")
    return key
