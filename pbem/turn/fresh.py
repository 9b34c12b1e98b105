"""Is an accepted signature also timely: the right turn, the right link, a rising `rev`, a base that is known?

Decides from the ledger alone; whether the orders make sense is the engine's business.
"""

from __future__ import annotations

from typing import assert_never

from engine import refuse
from pbem.log.chain import follows
from pbem.log.ledger import Ledger, Member, is_fresh, is_key_used, member, owes_reveal
from pbem.log.payloads import (
    Advance,
    Join,
    Move,
    Payload,
    Press,
    Ready,
    Rekey,
    Resign,
    Settings,
    Standing,
    Take,
    Time,
    Undo,
    Withdraw,
)
from pbem.log.seal import check_public_key


def check(payload: Payload, ledger: Ledger, base: int | None) -> None:
    """Refused `fresh/…`. `base` is the number of the line that the payload's `base` names, None if none does."""
    # 1. the history its author saw is this one
    if base is None:
        raise refuse("fresh/unknown-base", base=payload.base[:16])
    entry = member(ledger, payload.seat)
    # 2. the phase of the game, and what each kind demands in it
    match payload:
        case Join():
            _join(ledger, entry, base)
        case Ready():
            _ready(ledger, entry, payload)
        case Move():
            _move(ledger, entry, payload, base)
        case Advance():
            _advance(ledger, entry, payload, base)
        case Standing() | Press() | Time() | Withdraw() | Settings():
            _running(ledger, entry)
            _rises(entry, type(payload).__name__.lower(), payload.rev)
        case Undo() | Resign():
            _leaving_or_back(ledger, entry, payload, base)
        case Rekey():
            _rekey(ledger, entry, payload.public_key)
        case Take():
            _keys_may_change(ledger, entry)
        case _:
            assert_never(payload)


def _leaving_or_back(ledger: Ledger, entry: Member, payload: Undo | Resign, base: int) -> None:
    if ledger.phase != "playing":
        raise refuse("fresh/not-playing")
    _running(ledger, entry)
    if isinstance(payload, Undo):
        # whoever agrees must know the position that he gives up
        if not is_fresh(ledger, entry.seat, base):
            raise refuse("fresh/stale", base=base, changed=max(ledger.changed, entry.moved))
        _rises(entry, "undo", payload.rev)


def _rekey(ledger: Ledger, entry: Member, public_key: str) -> None:
    _keys_may_change(ledger, entry)
    check_public_key(bytes.fromhex(public_key))
    if is_key_used(ledger, public_key):
        raise refuse("seal/key-used")


def _keys_may_change(ledger: Ledger, entry: Member) -> None:
    _running(ledger, entry)
    if ledger.phase == "readying":
        raise refuse("fresh/keys-fixed")


def _join(ledger: Ledger, entry: Member, base: int) -> None:
    if ledger.phase != "joining":
        raise refuse("fresh/too-late-to-join")
    if entry.public_key:
        raise refuse("fresh/seat-taken", seat=entry.seat)
    if base != 0:
        raise refuse("fresh/join-base")


def _ready(ledger: Ledger, entry: Member, payload: Ready) -> None:
    if ledger.phase not in ("joining", "readying"):
        raise refuse("fresh/already-started")
    missing = [other.seat for other in ledger.roster if not other.public_key]
    if missing:
        raise refuse("fresh/not-all-in", seats=", ".join(missing))
    if entry.ready:
        raise refuse("fresh/already-ready", seat=entry.seat)
    _linked(ledger, entry, payload.reveal)


def _move(ledger: Ledger, entry: Member, payload: Move, base: int) -> None:
    if ledger.phase in ("joining", "readying"):
        raise refuse("fresh/not-started")
    _running(ledger, entry)
    if payload.turn != ledger.turn:
        raise refuse("fresh/turn", expected=ledger.turn, found=payload.turn)
    if not is_fresh(ledger, entry.seat, base):
        raise refuse("fresh/stale", base=base, changed=max(ledger.changed, entry.moved))
    _rises(entry, "move", payload.rev)
    owes = owes_reveal(ledger, entry.seat)
    if owes and payload.reveal is None:
        raise refuse("fresh/reveal-missing", link=entry.links + 1)
    if not owes and payload.reveal is not None:
        raise refuse("fresh/reveal-extra", turn=ledger.turn)
    if payload.reveal is not None:
        _linked(ledger, entry, payload.reveal)


def _advance(ledger: Ledger, entry: Member, payload: Advance, base: int) -> None:
    """For a later turn: nothing of this one may be open for the seat, and its link is the one that follows."""
    if ledger.phase in ("joining", "readying"):
        raise refuse("fresh/not-started")
    _running(ledger, entry)
    if owes_reveal(ledger, entry.seat):
        raise refuse("advance/not-now")
    if payload.turn != ledger.turn:
        raise refuse("advance/turn", expected=ledger.turn, found=payload.turn)
    if base < entry.moved:
        raise refuse("fresh/stale", base=base, changed=entry.moved)
    _rises(entry, "move", payload.rev)
    _linked(ledger, entry, payload.reveal)


def check_waiting(payload: Move | Advance, ledger: Ledger, base: int) -> None:
    """The same for a move that was accepted before, and waited. Refused `fresh/…`."""
    entry = member(ledger, payload.seat)
    _running(ledger, entry)
    if isinstance(payload, Advance):
        if base < entry.moved:
            raise refuse("fresh/stale", base=base, changed=entry.moved)
    else:
        if payload.turn != ledger.turn:
            raise refuse("fresh/turn", expected=ledger.turn, found=payload.turn)
        if not is_fresh(ledger, entry.seat, base):
            raise refuse("fresh/stale", base=base, changed=max(ledger.changed, entry.moved))
    if owes_reveal(ledger, entry.seat) != (payload.reveal is not None):
        raise refuse("fresh/reveal-extra", turn=ledger.turn)
    if payload.reveal is not None:
        _linked(ledger, entry, payload.reveal)


def _running(ledger: Ledger, entry: Member) -> None:
    if ledger.phase in ("over", "ended"):
        raise refuse("fresh/over")
    if not entry.public_key:
        raise refuse("fresh/not-joined", seat=entry.seat)
    if entry.resigned:
        raise refuse("fresh/resigned", seat=entry.seat)


def _rises(entry: Member, kind: str, rev: int) -> None:
    last = entry.revs.get(kind, -1)
    if rev <= last:
        raise refuse("fresh/rev", kind=kind, last=last, found=rev)


def _linked(ledger: Ledger, entry: Member, reveal: str) -> None:
    if not follows(ledger.game, entry.seat, bytes.fromhex(reveal), bytes.fromhex(entry.link)):
        raise refuse("fresh/reveal-wrong", link=entry.links + 1)
