"""Level 1 over a whole log (protocol.md section 7): one pass, no rules, also for a game still running.

Decides whether the bytes are a sound log, finished or not, or which line is the first that isn't and why.
The order of records is order.py's; added here is what needs the whole log: signatures, `base`, nothing
twice, the values of public draws. A visitor sees every record with the facts before and after it, so that
level 2 can go along in the same pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from engine import Draw, Refusal, Refused, refuse
from pbem.log.draws import LabelSource, check_draw, source
from pbem.log.facts import Ledger, is_finished
from pbem.log.order import append
from pbem.log.record import (
    Changed,
    Charter,
    Drawn,
    Enveloped,
    Opened,
    Press,
    Record,
    Undone,
    line_digest,
    read_record,
    verify_record,
)

Verdict = Literal["finished", "unfinished", "fault"]
EXIT_CODES: dict[Verdict, int] = {"finished": 0, "fault": 1, "unfinished": 3}


class Step(msgspec.Struct, frozen=True):
    """One record on its way by. `dice` is the source of its turn's public draws, once the turn is closed."""

    record: Record
    line: bytes
    digest: str
    before: Ledger | None
    after: Ledger
    dice: LabelSource | None = None


class Visitor(Protocol):
    """Goes along with the pass. May raise Refused: that is then the log's fault, at that record's line."""

    def visit(self, step: Step) -> None:
        """Called once a record, in order; records of a turn come when it is closed or the log ends."""


class Fault(msgspec.Struct, frozen=True):
    """The first check that failed: line (from 1) and reason."""

    line: int
    refusal: Refusal


class Report(msgspec.Struct, frozen=True):
    """The verdict over a log of so many sound lines; `ledger` is the newest sound position in it."""

    verdict: Verdict
    lines: int
    ledger: Ledger | None
    fault: Fault | None = None

    @property
    def exit_code(self) -> int:
        """0 sound and finished, 1 fault, 3 sound so far but unfinished."""
        return EXIT_CODES[self.verdict]


class _Pass:
    """What one pass has to remember beside the ledger; grows with the log, so it is no part of the ledger."""

    def __init__(self, visitor: Visitor | None) -> None:
        self.visitor = visitor
        self.ledger: Ledger | None = None
        self.line = 0
        self.host_key = b""
        self.lines: dict[str, int] = {}
        self.envelope_ids: set[str] = set()
        self.enveloped: list[int] = []
        self.changed: set[int] = set()
        self.labels: set[str] = set()
        self.gone: set[int] = set()
        self.open_turn: list[Step] = []


def lines_of(data: bytes) -> Iterator[bytes]:
    """The lines of a log, each with its LF; what stands after the last LF comes last, without one."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


def verify(lines: Iterable[bytes], visitor: Visitor | None = None) -> Report:
    """The verdict over the lines of a log, each with its LF (a file opened as binary, or `lines_of`)."""
    run = _Pass(visitor)
    try:
        for raw in lines:
            run.line += 1
            _step(run, raw)
        sound = run.line
        if run.ledger is None:
            run.line = 1
            raise refuse("log/empty")
        _release(run, None)
    except Refused as refused:
        return Report("fault", run.line - 1, run.ledger, Fault(run.line, refused.refusal))
    return Report("finished" if is_finished(run.ledger) else "unfinished", sound, run.ledger)


def _step(run: _Pass, raw: bytes) -> None:
    # 1. a whole line
    if not raw.endswith(b"\n"):
        raise refuse("log/no-line-end")
    line = raw[:-1]
    # 2. limits, canonical bytes, shape
    record = read_record(line)
    # 3. the host's signature
    if run.ledger is None:
        _begin(run, record)
    verify_record(record, run.host_key)
    # 4. chain and order, reveals, accumulator
    digest, before = line_digest(line), run.ledger
    after = append(before, record, digest)
    # 5. base, nothing twice
    _check_whole(run, record)
    run.ledger, run.lines[digest] = after, record.n
    # 6. public draws of a turn that is now closed
    run.open_turn.append(Step(record, line, digest, before, after))
    if before is not None and after.turn != before.turn:
        _release(run, source(bytes.fromhex(after.acc), None, after.game, before.turn))
    elif after.phase != "playing":
        _release(run, None)


def _begin(run: _Pass, record: Record) -> None:
    if not isinstance(record, Charter):
        raise refuse("log/charter-first", kind="?")
    run.host_key = bytes.fromhex(record.host_key)


def _check_whole(run: _Pass, record: Record) -> None:
    """What no ledger remembers: `base` is an earlier line, no envelope, no label twice, `of` is right."""
    if isinstance(record, Enveloped):
        if record.base not in run.lines:
            raise refuse("log/base")
        if record.envelope in run.envelope_ids:
            raise refuse("log/envelope-twice")
        run.envelope_ids.add(record.envelope)
        if not isinstance(record, Press):
            run.enveloped.append(record.n)
    if isinstance(record, Changed):
        run.changed.add(record.n)
        _check_labels(run, record.draws)
    elif isinstance(record, Drawn):
        if record.of not in run.changed:
            raise refuse("log/drawn-order", of=record.of)
        if record.of not in run.gone:
            _check_labels(run, record.draws)
    elif isinstance(record, Undone):
        _take_back(run, record.to)
    elif isinstance(record, Opened):
        _check_opened(run, record)


def _check_opened(run: _Pass, record: Opened) -> None:
    opened = run.ledger.opened if run.ledger else 0
    if record.of != run.enveloped[opened]:
        raise refuse("log/opened-order", of=record.of)


def _take_back(run: _Pass, to: int) -> None:
    """What was undone may be drawn again, under the same labels: it comes the same."""
    for step in run.open_turn:
        if isinstance(step.record, Changed) and step.record.n > to:
            run.gone.add(step.record.n)
            run.labels -= {draw.label for draw in step.record.draws}


def _check_labels(run: _Pass, draws: tuple[Draw, ...]) -> None:
    for draw in draws:
        if draw.label in run.labels:
            raise refuse("log/label-twice", label=draw.label)
        run.labels.add(draw.label)


def _release(run: _Pass, dice: LabelSource | None) -> None:
    """Draws a closed turn again and lets its records go by; a fault is at the line of the record it is in."""
    steps, run.open_turn = run.open_turn, []
    last = run.line
    if dice is not None:
        for step in steps:
            run.line = step.record.n + 1
            for draw in step.record.draws if isinstance(step.record, Changed) else ():
                check_draw(draw, dice)
    if run.visitor is not None:
        for step in steps:
            run.line = step.record.n + 1
            run.visitor.visit(msgspec.structs.replace(step, dice=dice) if dice else step)
    run.line = last
