"""The diary of a game: the notes that players wrote to themselves with their moves, sealed until the end, then open.

Decides nothing. Of a game that is not over, or of a layer, there are only the notes of what is opened.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.audit.tables import envelopes_of
from pbem.log.record import Move, Record


class Note(msgspec.Struct, frozen=True):
    """What a seat noted with a move."""

    n: int
    at: str
    turn: int
    seat: str
    text: str


def notes(records: Sequence[Record], seat: str | None = None, turn: int | None = None) -> list[Note]:
    """The notes of a log that is in order, of one seat and one turn if these are said."""
    opened = envelopes_of(records)
    found = [
        Note(one.n, one.at, one.turn, one.seat, str(text))
        for one in records
        if isinstance(one, Move) and (text := opened.get(one.n, {}).get("note"))
    ]
    return [one for one in found if seat in (None, one.seat) and turn in (None, one.turn)]
