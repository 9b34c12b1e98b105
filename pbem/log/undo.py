"""Going back within the open turn: wishes, and what it does to the facts when all have the same (protocol.md section 11).

Law: only back to a record of the open turn through which the position came, never behind a resignation, and only if
every seat still in the game wishes that very record, with the position as it is now. Links stay given, so the
accumulator of the turn stays, and whatever label is drawn again draws the same.
"""

from __future__ import annotations

import msgspec

from engine import refuse
from pbem.log.facts import Ledger, is_agreed, playing_member, with_member
from pbem.log.record import Undo, Undone

replace = msgspec.structs.replace


def establish(ledger: Ledger, record: Undo | Undone) -> Ledger:
    """The facts after a wish, or after its fulfilment. Raises Refused `log/…`."""
    # 1. of the open turn, to a place on the way that the position came
    if record.turn != ledger.turn:
        raise refuse("log/turn", expected=ledger.turn, found=record.turn)
    if record.to is not None and record.to not in ledger.course[:-1]:
        raise refuse("log/undo-to", to=record.to)
    # 2. a wish, or no wish any more
    if isinstance(record, Undo):
        return with_member(ledger, replace(playing_member(ledger, record.seat), wish=record.to or 0))
    # 3. all wish it
    if not is_agreed(ledger, record.to):
        raise refuse("log/undo-alone", to=record.to)
    # 4. whoever came in later is waited for again
    roster = [
        replace(entry, came=0, back=True) if entry.came > record.to and not entry.resigned else entry
        for entry in ledger.roster
    ]
    course = tuple(n for n in ledger.course if n <= record.to)
    return without_wishes(replace(ledger, changed=record.n, roster=tuple(roster), course=course))


def without_wishes(ledger: Ledger) -> Ledger:
    """The same, with nobody wishing to go back: the position has changed."""
    if not any(entry.wish for entry in ledger.roster):
        return ledger
    return replace(ledger, roster=tuple([replace(entry, wish=0) for entry in ledger.roster]))
