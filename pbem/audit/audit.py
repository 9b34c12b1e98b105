"""The audit of one archive: both levels in one reading, and the verdict in words (protocol.md section 7).

Decides how the two levels make one verdict: level 1 over the whole log first; level 2 only if that found it
sound and finished. Takes bytes: whoever reads the file answers for a file that cannot be read (exit 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

import engine
from engine import GAMES, Code, Refusal, Say, plural, say, sentences
from pbem.audit.codes import CODES
from pbem.audit.collected import Collected
from pbem.audit.level2 import Auditor, Watch, judge
from pbem.log import codes as log_codes
from pbem.log import record
from pbem.log.ledger import Fault, lines_of, verify

Verdict = Literal["sound", "unfinished", "fault"]
EXIT_CODES: dict[Verdict, int] = {"sound": 0, "fault": 1, "unfinished": 3}


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an audit found. `line` (from 1), `code` and `refusal` with a fault only.

    `host_key` is the raw public key in hex.
    `records` counts sound lines, `draws` the draws that were drawn again at level 2, `turns` those closed;
    `result` is the recorded one, as plain JSON, of a sound and finished game.
    """

    verdict: Verdict
    game: str = ""
    host_key: str = ""
    ruleset: str = ""
    version: int | str = 0
    records: int = 0
    turns: int = 0
    envelopes: int = 0
    draws: int = 0
    result: Any = None
    line: int = 0
    code: str = ""
    refusal: Refusal | None = None

    @property
    def exit_code(self) -> int:
        """0 sound and finished, 1 fault, 3 sound so far but unfinished."""
        return EXIT_CODES[self.verdict]


def audit(log: bytes | Iterable[bytes], auditor: Auditor | None = None) -> Report:
    """The verdict on a log, given as its bytes or as lines with their LF (a file opened as binary)."""
    report, _ = look(log, auditor or Auditor(GAMES))
    return report


def look(
    log: bytes | Iterable[bytes], auditor: Auditor, watch: Watch | None = None
) -> tuple[Report, Collected]:
    """The same, with what was collected on the way."""
    collected = Collected()
    first = verify(lines_of(log) if isinstance(log, bytes) else log, collected)
    report = _counted(collected, first.lines)
    if first.verdict == "fault":
        return _with_fault(report, first.fault), collected
    if first.verdict == "unfinished":
        return msgspec.structs.replace(report, verdict="unfinished"), collected
    second = judge(collected, auditor, watch)
    report = msgspec.structs.replace(report, draws=second.draws)
    if second.fault is not None:
        return _with_fault(report, second.fault), collected
    if not second.complete or collected.end is None:
        return msgspec.structs.replace(report, verdict="unfinished"), collected
    return msgspec.structs.replace(report, verdict="sound", result=collected.end.result), collected


def headline(report: Report) -> Say:
    """The one line that an audit says of a file."""
    match report.verdict:
        case "sound":
            return say(
                "sound: {game}, {ruleset} {version}, {records}, {turns}, {envelopes}, {draws}",
                game=report.game,
                ruleset=report.ruleset,
                version=report.version,
                records=plural("one record", "{n} records", report.records),
                turns=plural("one turn", "{n} turns", report.turns),
                envelopes=plural("one signed envelope", "{n} signed envelopes", report.envelopes),
                draws=plural("one draw made again", "{n} draws made again", report.draws),
            )
        case "unfinished":
            return say(
                "sound so far, but unfinished: {records}, {turns}",
                records=plural("one record", "{n} records", report.records),
                turns=plural("one turn closed", "{n} turns closed", report.turns),
            )
        case _:
            return say("fault in line {line}: {code}", line=report.line, code=report.code)


_JUDGED = ("log", "audit")
"""Areas whose advice is meant for who audits. That of the others is for whoever writes a file or a move."""
_COMPARE = say("Compare this file with another copy of it. If they are alike, keep it: it is evidence.")


def sentences_of(report: Report) -> tuple[Say, ...]:
    """The headline; for a fault also what was expected, what was found and what to do next."""
    if report.refusal is None:
        return (headline(report),)
    return (headline(report), *advised(report.refusal, _table()))


def advised(refusal: Refusal, table: dict[str, Code]) -> tuple[Say, Say, Say]:
    """Expected, found and what to do next, for who audits."""
    expected, found, todo = sentences(refusal, table)
    return expected, found, todo if refusal.area in _JUDGED else _COMPARE


def _table() -> dict[str, Code]:
    all_codes = (*log_codes.CODES, *engine.CODES, *CODES)
    return {entry.code: entry for entry in all_codes}


def _counted(log: Collected, records: int) -> Report:
    if not log.steps:
        return Report("fault", records=records)
    charter, newest = log.charter, log.steps[-1].after
    closed = [step.record for step in log.steps if isinstance(step.record, record.Changed | record.Ruling)]
    return Report(
        "fault",
        game=charter.game,
        host_key=charter.host_key,
        ruleset=charter.ruleset.id,
        version=charter.ruleset.version,
        records=records,
        turns=sum(entry.link is not None for entry in closed if not isinstance(entry, record.Start)),
        envelopes=newest.envelopes,
    )


def _with_fault(report: Report, fault: Fault | None) -> Report:
    if fault is None:
        raise ValueError("a fault without a line")
    return msgspec.structs.replace(
        report, verdict="fault", line=fault.line, code=fault.refusal.code, refusal=fault.refusal
    )
