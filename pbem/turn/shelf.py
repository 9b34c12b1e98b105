"""Moves that wait: held for a while so that their author can change his mind, or sent in advance.

Law: what waits is sealed, has no record, and is its author's to change or take back. A held move is played at its
time, at the latest when the deadline comes, and before anything else that changes the position. A move in advance
is played when its author's next turn opens, if its guards hold and the rules take it; otherwise it is dropped, and
its author is told why. Whatever is played from here is judged again as if it came now.
"""

from __future__ import annotations

import msgspec

from engine import Refused, foresee, plain, quote, refuse
from pbem.log.canonical import LINE, canonical, read
from pbem.log.envelope import Sealed, as_envelope, verify_envelope
from pbem.log.ledger import member, note_rev, owes_reveal
from pbem.log.payloads import Advance, Move, Withdraw, read_payload
from pbem.turn import accept, fresh, zones
from pbem.turn.accept import Step
from pbem.turn.desk import Desk, Snapshot, Waits
from pbem.turn.policy import policy_of
from pbem.turn.spans import later
from pbem.turn.views import awaited

replace = msgspec.structs.replace


def holds(desk: Desk, payload: object) -> bool:
    """Whether what a player sends now would wait rather than be played."""
    policy = policy_of(desk.charter.deadline)
    if isinstance(payload, Advance):
        return True
    return isinstance(payload, Move) and policy is not None and policy.hold_span is not None


def put(desk: Desk, sealed: Sealed, payload: Move | Advance, came: tuple[int, str]) -> tuple[Snapshot, Waits]:
    """Takes a move that is to wait, in the place of an older one; `came`: the number of its base, its Message-ID.

    A move that is only held is refused as if it were played; what one in advance can do, only its turn will tell.
    """
    # 1. it could be played now
    if isinstance(payload, Move):
        accept.accept(desk, sealed, payload)
    # 2. until when
    waits = Waits(
        seat=payload.seat,
        rev=payload.rev,
        base=came[0],
        envelope=sealed.id,
        payload_digest=sealed.payload_digest,
        payload_and_sig={"payload": sealed.payload, "sig": plain(sealed.sig)},
        put=desk.now,
        due="" if isinstance(payload, Advance) else _due(desk, payload.seat),
        answers=came[1],
    )
    others = tuple(
        one for one in desk.snapshot.shelf if (one.seat, not one.due) != (waits.seat, not waits.due)
    )
    ledger = note_rev(desk.snapshot.ledger, payload.seat, "move", payload.rev)
    return replace(desk.snapshot, ledger=ledger, shelf=(*others, waits)), waits


def _due(desk: Desk, seat: str) -> str:
    """When a held move is played: after the hold, but when its deadline comes at the latest."""
    policy = policy_of(desk.charter.deadline)
    if policy is None or policy.hold_span is None:
        return desk.now
    ends = zones.stamp(later(policy.hold_span, zones.seconds_of(desk.now), policy.zone))
    deadline = desk.snapshot.times.due.get(seat)
    return max(desk.now, min(ends, deadline.at)) if deadline is not None else ends


def withdraw(desk: Desk, payload: Withdraw) -> tuple[Snapshot, Waits]:
    """Takes a waiting move back. Refused `advance/withdraw`."""
    found = [one for one in desk.snapshot.shelf if (one.seat, one.rev) == (payload.seat, payload.of)]
    if not found:
        raise refuse("advance/withdraw", of=payload.of)
    left = tuple(one for one in desk.snapshot.shelf if one is not found[0])
    ledger = note_rev(desk.snapshot.ledger, payload.seat, "withdraw", payload.rev)
    return replace(desk.snapshot, ledger=ledger, shelf=left), found[0]


def without(desk: Desk, waits: Waits) -> Desk:
    """The desk when a move waits no longer."""
    left = tuple(one for one in desk.snapshot.shelf if one != waits)
    return replace(desk, snapshot=replace(desk.snapshot, shelf=left))


def cleared(desk: Desk, seat: str) -> Desk:
    """The desk without what a seat has waiting: it is no longer the author's to play."""
    left = tuple(one for one in desk.snapshot.shelf if one.seat != seat)
    return replace(desk, snapshot=replace(desk.snapshot, shelf=left))


def next_up(desk: Desk) -> Waits | None:
    """The waiting move whose time has come: the held one that is longest due, else one in advance whose turn it is."""
    held = [one for one in desk.snapshot.shelf if one.due and one.due <= desk.now]
    if held:
        return min(held, key=lambda one: (one.due, one.put))
    early = [one for one in desk.snapshot.shelf if not one.due]
    if not early:
        return None
    ledger, seats = desk.snapshot.ledger, awaited(desk)
    return next(
        (
            one
            for one in early
            if owes_reveal(ledger, one.seat) and one.seat in seats and _turn(one) < ledger.turn
        ),
        None,
    )


def first_held(desk: Desk) -> Waits | None:
    """The held move that is played before anything else changes the position."""
    held = [one for one in desk.snapshot.shelf if one.due]
    return min(held, key=lambda one: (one.put, one.due), default=None)


def perform(desk: Desk, waits: Waits) -> Step:
    """Plays a waiting move at a desk without it. Refused `…` if it cannot be played any more."""
    # 1. under the key that sits there now
    claim = as_envelope(read(canonical(waits.payload_and_sig), LINE))
    entry = member(desk.snapshot.ledger, waits.seat)
    sealed = verify_envelope(claim, bytes.fromhex(entry.public_key))
    payload = read_payload(sealed)
    assert isinstance(payload, Move | Advance)
    # 2. still the right moment
    fresh.check_waiting(payload, desk.snapshot.ledger, waits.base)
    # 3. in advance: all that it is bound to, and every order as far as its author could tell
    if isinstance(payload, Advance):
        _check_guards(desk, payload)
    return accept.accept(desk, sealed, payload)


def _check_guards(desk: Desk, payload: Advance) -> None:
    game, position = desk.table.game, desk.position
    if position is None:
        raise RuntimeError("a move in advance before the start")
    guard = msgspec.convert(payload.when, game.guard)
    failing = game.unmet(game.view(position.state, payload.seat), guard)
    if failing is not None:
        raise refuse("advance/guard", guard=failing)
    seen = foresee(game, game.view(position.state, payload.seat), payload.seat, payload.orders)
    for step in seen.steps:
        if step.refusal is not None:
            order = payload.orders[step.order - 1]
            raise Refused(replace(step.refusal, order=step.order, quote=quote(order)))


def _turn(waits: Waits) -> int:
    turn: int = waits.payload_and_sig["payload"]["turn"]
    return turn
