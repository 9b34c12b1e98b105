"""Audits of many archives: what is said of each, how results are written down, and what need not be done again.

A result is one line of JSON. Results are written in the order in which the files are walked, whoever
finishes first; a file whose size, time and digest stand in earlier results is not audited again. Knows no
file and no process: it works on what others have read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine import Refusal, Refused, encode, plain, refuse
from pbem.audit.audit import Report, audit
from pbem.log.canonical import digest

MOST_BYTES = 64 * 1024 * 1024
"""No archive that is audited with many others is longer than this."""
VERDICTS = ("sound", "unfinished", "fault", "unreadable")


class Stamp(msgspec.Struct, frozen=True):
    """By what a file is known again: size in bytes, time of its last change in nanoseconds, SHA-256."""

    size: int
    mtime: int
    sha256: str


class Finding(msgspec.Struct, frozen=True):
    """What is said of one file: a report, or why there is none."""

    file: str
    stamp: Stamp | None = None
    report: Report | None = None
    problem: Refusal | None = None

    @property
    def verdict(self) -> str:
        """One of VERDICTS."""
        return self.report.verdict if self.report is not None else "unreadable"


class Known(msgspec.Struct, frozen=True):
    """An earlier result, as far as it is needed: the stamp and the verdict."""

    file: str
    verdict: str
    size: int = -1
    mtime: int = 0
    sha256: str = ""

    def is_of(self, stamp: Stamp) -> bool:
        """Whether the file is still the one that was audited."""
        return (self.size, self.mtime, self.sha256) == (stamp.size, stamp.mtime, stamp.sha256)


def examine(file: str, mtime: int, data: bytes) -> Finding:
    """The finding on the bytes of a file. Whatever goes wrong on the way is a finding, too."""
    stamp = Stamp(len(data), mtime, digest(data))
    try:
        return Finding(file, stamp, audit(data))
    except Refused as refused:
        return Finding(file, stamp, None, refused.refusal)
    except (Exception, MemoryError) as error:  # noqa: BLE001  one bad file never stops the rest; it is told
        return Finding(file, stamp, None, died(type(error).__name__))


def died(problem: str) -> Refusal:
    """Why there is no report where an audit broke off."""
    return refuse("archive/died", problem=problem).refusal


def check_size(size: int) -> None:
    """Refused `archive/too-long` before anything of the file is read."""
    if size > MOST_BYTES:
        raise refuse("archive/too-long", size=size, limit=MOST_BYTES)


def line_of(finding: Finding) -> bytes:
    """The result as a line of JSON, without LF."""
    return encode(fields_of(finding))


def fields_of(finding: Finding) -> dict[str, Any]:
    """The result as plain JSON: the file, its stamp, and the report's fields or the problem."""
    stamp: dict[str, Any] = plain(finding.stamp) if finding.stamp is not None else {}
    if finding.report is not None:
        return {"file": finding.file, **stamp, **plain(finding.report)}
    return {"file": finding.file, **stamp, "verdict": "unreadable", **_problem(finding.problem)}


def _problem(refusal: Refusal | None) -> dict[str, str]:
    """The code of a problem, and what the machine said of it."""
    if refusal is None:
        return {}
    return {"code": refusal.code, "problem": str(refusal.args.get("problem", refusal.code))}


def known_from(lines: Iterable[bytes]) -> Iterator[Known]:
    """Earlier results; what is no result (a line torn by a crash, say) is passed over."""
    decoder = msgspec.json.Decoder(Known)
    for line in lines:
        try:
            known = decoder.decode(line)
        except (msgspec.MsgspecError, ValueError):
            continue
        if known.verdict in VERDICTS:
            yield known


class Tally:
    """How many files got which verdict."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = dict.fromkeys(VERDICTS, 0)
        self.skipped = 0

    def add(self, verdict: str, *, skipped: bool = False) -> None:
        """One more."""
        self.counts[verdict] += 1
        self.skipped += skipped

    @property
    def files(self) -> int:
        """All of them."""
        return sum(self.counts.values())
