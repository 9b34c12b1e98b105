"""Logs as players hold them: pieces from many letters, put together again and verified (protocol.md section 7).

Decides whether pieces tell one history without gaps; what level 1 then finds, and how much of it there was to
check, is counted for the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine import Draw, Refused, refuse
from pbem.log.canonical import digest
from pbem.log.ledger import Ledger, lines_of, verify
from pbem.log.record import Changed, Enveloped, Move, Names, Ready, Start, read_record
from pbem.log.verify import Fault, Step, Verdict
from pbem.player.opening import first_number


class Piece(msgspec.Struct, frozen=True):
    """Lines of a log with their LF, from record `first` on."""

    first: int
    lines: tuple[bytes, ...]


class Rolls(msgspec.Struct, frozen=True):
    """How many public draws a turn had; `checked` once the turn is closed and its links are known."""

    turn: int
    draws: int
    checked: bool


class Summary(msgspec.Struct, frozen=True):
    """What level 1 said of a log, and what it had to look at.

    `links`: of the host and of all seats. `own`: for each record of the seat asked about, its envelope's id.
    """

    verdict: Verdict
    lines: int
    fault: Fault | None
    ledger: Ledger | None
    links: int
    rolls: tuple[Rolls, ...]
    own: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 sound and finished, 1 fault, 3 sound so far but unfinished."""
        return {"finished": 0, "fault": 1, "unfinished": 3}[self.verdict]


def cut(data: bytes, name: str) -> Piece:
    """A log or a piece of one. Refused `kit/not-a-log`."""
    first = first_number(data)
    if first is None or first < 0:
        raise refuse("kit/not-a-log", file=name)
    return Piece(first, tuple(lines_of(data)))


def stitch(pieces: Iterable[Piece]) -> tuple[bytes, ...]:
    """All lines from record 0 on. Refused: `kit/gap`, `kit/fork` where two pieces differ.

    The line of names is no part of the history: it differs from nothing, and gives way to any other.
    """
    found: dict[int, bytes] = {}
    for piece in sorted(pieces, key=lambda one: one.first):
        for number, line in enumerate(piece.lines, piece.first):
            known = found.get(number)
            if known is None or _is_names(known) or _ends_later(known, line):
                found[number] = line
            elif known.rstrip(b"\n") != line.rstrip(b"\n") and not _is_names(line):
                raise refuse("kit/fork", record=number)
    last = max(found, default=-1)
    missing = next((number for number in range(last + 1) if number not in found), None)
    if missing is not None:
        after = next(number for number in sorted(found) if number > missing)
        raise refuse("kit/gap", first=missing, last=after - 1)
    return tuple(found[number] for number in range(last + 1))


def continues(lines: Sequence[bytes], piece: Piece) -> bool:
    """Whether a piece's first line follows one of these lines (with their LF), by the digest it names."""
    if not 0 < piece.first <= len(lines):
        return False
    try:
        before = read_record(piece.lines[0].rstrip(b"\n")).prev
    except Refused:
        return False
    return before == digest(lines[piece.first - 1].rstrip(b"\n"))


def verify_log(lines: Sequence[bytes], public_key: str = "") -> Summary:
    """Level 1 over whole lines (each with its LF); `public_key` (hex) is that of a seat to look out for."""
    tally = _Tally(public_key)
    report = verify(lines, tally)
    return Summary(
        report.verdict,
        report.lines,
        report.fault,
        report.ledger,
        tally.links,
        tuple(tally.rolls.values()),
        tuple(tally.own),
    )


def known_seat(ledger: Ledger | None, public_key: str) -> str:
    """The seat that a public key (hex) has taken, or ""."""
    roster = ledger.roster if ledger is not None else ()
    return next((entry.seat for entry in roster if entry.public_key == public_key), "")


class _Tally:
    """Counts along with level 1."""

    def __init__(self, public_key: str) -> None:
        self.public_key = public_key
        self.links = 0
        self.rolls: dict[int, Rolls] = {}
        self.own: list[str] = []

    def visit(self, step: Step) -> None:
        """One sound record."""
        record = step.record
        if isinstance(record, Ready) or (isinstance(record, Move) and record.reveal is not None):
            self.links += 1
        if isinstance(record, Changed):
            self.links += record.link is not None
            turn = 0 if isinstance(record, Start) else record.turn
            self._count(turn, record.draws, step.dice is not None)
        holds = {known_seat(ledger, self.public_key) for ledger in (step.before, step.after)}
        if isinstance(record, Enveloped) and record.seat in holds:
            self.own.append(record.envelope)

    def _count(self, turn: int, draws: Sequence[Draw], checked: bool) -> None:
        before = self.rolls.get(turn, Rolls(turn, 0, checked))
        self.rolls[turn] = Rolls(turn, before.draws + len(draws), checked)


def _is_names(line: bytes) -> bool:
    try:
        return isinstance(read_record(line.rstrip(b"\n")), Names)
    except Refused:
        return False


def _ends_later(known: bytes, line: bytes) -> bool:
    """The same line, cut off before its LF in the file read first."""
    return line == known + b"\n"
