"""What of an archive is shown to whom: the layers of an export, and how each is held against the whole.

| layer | lines | checked how |
| --- | --- | --- |
| `public` | the log before `end`: what everybody knew in mid-game | a byte prefix of the whole; level 1 says unfinished |
| `seat` | that, and the `opened` lines of one seat's own envelopes | the prefix, then a selection of whole lines |
| `full` | everything | both levels |

No line is ever changed, so the host's seal on each stays good. A seat layer is a selection, not a log: `check_seat`
verifies it by itself, `compare` against the whole. `since` leaves out the records before a number, as
letters do. Level 1 has gone over the lines before they come here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from engine import Refused, refuse
from pbem.audit.sealed import check_id, open_envelope
from pbem.log import record
from pbem.log.facts import with_member
from pbem.log.ledger import Ledger, lines_of, member, verify
from pbem.log.record import End, Enveloped, Names, Opened, Record, kind_of, read_record, verify_record

Layer = Literal["public", "seat", "full"]
LAYERS: tuple[Layer, ...] = ("public", "seat", "full")


class Selection(msgspec.Struct, frozen=True):
    """Which part is wanted: a layer, of `seat` its own, and from which record on."""

    layer: Layer = "full"
    seat: str = ""
    since: int = 0


class Relation(msgspec.Struct, frozen=True):
    """What a file is of a whole archive: which layer of it, from which record on; "none" if it is no part of it.

    `line` is the first line (from 1) that does not belong there.
    """

    part: Literal["full", "public", "prefix", "seat", "piece", "none"]
    seat: str = ""
    since: int = 0
    line: int = 0


def select(lines: Sequence[bytes], wanted: Selection) -> list[bytes]:
    """The lines of a layer, of a sound log's lines with their LF. Refused `archive/…`."""
    if not 0 <= wanted.since < len(lines):
        raise refuse("archive/since", last=len(lines) - 1, found=wanted.since)
    records = read_all(lines)
    match wanted.layer:
        case "full":
            chosen = list(range(len(lines)))
        case "public":
            chosen = list(range(_public(records)))
        case "seat":
            chosen = [*range(_public(records)), *_own(records, _seat(records, wanted.seat))]
    return [lines[number] for number in chosen if number >= wanted.since]


def compare(part: Sequence[bytes], whole: Sequence[bytes]) -> Relation:
    """Which layer of the whole a file is, by its lines with their LF; `names` may be missing from either."""
    try:
        records = read_all(whole)
        first = read_all(part[:1])[0].n if part else 0
    except Refused:
        return Relation("none", line=1)
    end = _public(records)
    history = whole[:-1] if records and isinstance(records[-1], Names) else whole
    rows = part[:-1] if part and _is_names(part[-1]) else part
    at = next((i for i, line in enumerate(rows) if first + i >= len(whole) or line != whole[first + i]), None)
    if at is None:
        if first:
            return Relation("piece", since=first)
        return Relation("full" if len(rows) == len(history) else "public" if len(rows) == end else "prefix")
    for seat in record_seats(records):
        if list(rows) == [whole[n] for n in (*range(end), *_own(records, seat)) if n >= first]:
            return Relation("seat", seat, since=first)
    return Relation("none", line=at + 1)


def check_seat(lines: Sequence[bytes]) -> str:
    """The seat of a seat layer, verified by itself. Refused with what is wrong: `archive/not-sound` names the line.

    1. the part before `end` by level 1; 2. each further line by the host's seal; 3. it opens an envelope of one
    and the same seat, that this log records, in the order of the records; 4. its bytes have the recorded id; 5. that
    seat signed them, and they say what the record says. Empty for a log in which nothing is opened.
    """
    records = read_all(lines)
    count = next((i for i, entry in enumerate(records) if isinstance(entry, End | Opened)), len(records))
    report = verify(lines[:count])
    if report.fault is not None or report.ledger is None:
        code = report.fault.refusal.code if report.fault is not None else ""
        raise refuse("archive/not-sound", line=report.lines + 1, code=code)
    seats: list[str] = []
    newest = -1
    for number, entry in enumerate(records[count:], count + 1):
        try:
            seats.append(_check_opened(entry, records, report.ledger))
            if isinstance(entry, Opened) and entry.of <= newest:
                raise refuse("log/opened-order", of=entry.of)
            newest = entry.of if isinstance(entry, Opened) else newest
            if len(set(seats)) > 1:
                raise refuse("log/unknown-seat", seat=seats[-1])
        except Refused as refused:
            raise refuse("archive/not-sound", line=number, code=refused.refusal.code) from refused
    return seats[0] if seats else ""


def read_all(lines: Sequence[bytes]) -> list[Record]:
    """The records of lines with their LF. Refused `archive/not-a-log`."""
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            if not line.endswith(b"\n"):
                raise refuse("log/no-line-end")
            records.append(read_record(line[:-1]))
        except Refused as refused:
            raise refuse("archive/not-a-log", line=number) from refused
    return records


def sound_lines(data: bytes) -> list[bytes]:
    """The lines of a log that level 1 finds in order, finished or not. Refused `archive/not-sound`."""
    lines = list(lines_of(data))
    fault = verify(lines).fault
    if fault is not None:
        raise refuse("archive/not-sound", line=fault.line, code=fault.refusal.code)
    return lines


def record_seats(records: Sequence[Record]) -> tuple[str, ...]:
    """The seats of the charter."""
    first = records[0] if records else None
    return first.seats if isinstance(first, record.Charter) else ()


def _check_opened(entry: Record, records: Sequence[Record], ledger: Ledger) -> str:
    if not isinstance(entry, Opened) or entry.of >= len(records):
        raise refuse("log/order", kind=kind_of(entry), phase="ended")
    verify_record(entry, bytes.fromhex(ledger.host_key))
    of = records[entry.of]
    if not isinstance(of, Enveloped) or of.n != entry.of:
        raise refuse("log/opened-order", of=entry.of)
    check_id(of, entry)
    open_envelope(of, entry, _as_before(records, of, ledger), None)
    return of.seat


def _as_before(records: Sequence[Record], of: Enveloped, ledger: Ledger) -> Ledger:
    """The ledger with the key that the seat had at the place of its record."""
    key = ""
    for one in records[: of.n]:
        if isinstance(one, record.Join | record.Key) and one.seat == of.seat:
            key = one.public_key
    return with_member(ledger, msgspec.structs.replace(member(ledger, of.seat), public_key=key))


def _public(records: Sequence[Record]) -> int:
    """How many lines come before `end`."""
    return next((entry.n for entry in records if isinstance(entry, End)), len(records))


def _own(records: Sequence[Record], seat: str) -> list[int]:
    """The `opened` lines of a seat's own envelopes."""
    own = {entry.n for entry in records if isinstance(entry, Enveloped) and entry.seat == seat}
    return [entry.n for entry in records if isinstance(entry, Opened) and entry.of in own]


def _seat(records: Sequence[Record], seat: str) -> str:
    seats = record_seats(records)
    if seat not in seats:
        found = seat.encode("ascii", "backslashreplace").decode("ascii")
        raise refuse("archive/layer-seat", seats=", ".join(seats), seat=found)
    return seat


def _is_names(line: bytes) -> bool:
    try:
        return isinstance(read_record(line.rstrip(b"\n")), Names)
    except Refused:
        return False
