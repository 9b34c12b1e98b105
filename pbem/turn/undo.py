"""An undo by consent of all: a wish recorded and, if it was the last that was missing, the position put back.

Law (protocol.md section 11): within the open turn only; the log goes on, nothing is taken out of it. Links that were
given stay given. The position is made again from what was kept of the game, never remembered.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import refuse
from pbem.log import record
from pbem.log.envelope import Sealed
from pbem.log.ledger import is_agreed, note_rev
from pbem.log.payloads import Undo
from pbem.log.record import read_record
from pbem.turn import course as courses
from pbem.turn.accept import Step, open_book
from pbem.turn.desk import Archive, Desk, write_position
from pbem.turn.record import public_digest, state_digest
from pbem.turn.writer import Book, keep, signed, write

replace = msgspec.structs.replace


def wish(desk: Desk, sealed: Sealed, payload: Undo, archive: Archive) -> Step:
    """A seat wishes to go back, agrees, or wishes it no more. Refused `fresh/turn`, `undo/…`."""
    ledger = desk.snapshot.ledger
    # 1. whither, and why
    if payload.turn != ledger.turn:
        raise refuse("fresh/turn", expected=ledger.turn, found=payload.turn)
    if payload.to is not None:
        places = ledger.course[:-1]
        if not places:
            raise refuse("undo/nothing")
        if payload.to not in places:
            raise refuse("undo/to", places=", ".join(str(one) for one in places), found=payload.to)
        asked = any(one.wish == payload.to for one in ledger.roster if one.seat != payload.seat)
        if not asked and not (payload.reason or "").strip():
            raise refuse("undo/reason")
    # 2. the record of the wish
    book = open_book(desk)
    said = {"to": payload.to, "reason": payload.reason}
    fields = {**signed(sealed), "turn": payload.turn}
    fields |= {name: value for name, value in said.items() if value is not None}
    book = write(book, "undo", fields, keep(book, sealed))
    book = replace(book, ledger=note_rev(book.ledger, payload.seat, "undo", payload.rev))
    after = replace(desk, snapshot=replace(desk.snapshot, ledger=book.ledger))
    step = Step("undo", payload.seat, payload.turn, book, after, position=desk.position)
    # 3. the last that was missing
    if payload.to is None or not is_agreed(book.ledger, payload.to):
        return step
    return _put_back(step, payload.to, archive)


def _put_back(step: Step, to: int, archive: Archive) -> Step:
    desk, book = step.desk, step.book
    course = courses.course_of(desk.table, desk.secrets, archive.lines, archive.kept)
    position = courses.earlier(course, to)
    fields = {
        "turn": step.turn,
        "to": to,
        "reason": _reason(archive.lines, book, to),
        "public": public_digest(desk.table.game, position),
        "state": state_digest(desk.game_id, position, book.ledger.n + 1, desk.secrets.k_hidden),
    }
    book = write(book, "undone", fields)
    snapshot = replace(desk.snapshot, ledger=book.ledger, position=write_position(position))
    return replace(step, what="undone", book=book, desk=replace(desk, snapshot=snapshot), position=position)


def _reason(lines: Sequence[bytes], book: Book, to: int) -> str:
    """Why, in the words of whoever wished it first and said so."""
    for one in _wishes(lines, book):
        if one.to == to and one.reason and one.reason.strip():
            return one.reason
    return ""


def _wishes(lines: Sequence[bytes], book: Book) -> list[record.Undo]:
    """The wishes since the position changed last, the oldest first."""
    since = book.ledger.changed
    found = [read_record(line) for line in (*lines[since + 1 :], *book.lines)]
    return [one for one in found if isinstance(one, record.Undo)]
