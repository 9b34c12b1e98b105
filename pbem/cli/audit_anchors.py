"""The files beside an archive, read and put into words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from engine import Refused, Say, say, sentences
from pbem.audit.anchors import Anchor, Given, Kind, Log, log_of, look
from pbem.audit.bulk import Finding
from pbem.cli.audit_told import unread
from pbem.cli.audit_work import unreadable
from pbem.cli.codes import table
from pbem.disk import read_file

KINDS: tuple[tuple[Kind, str], ...] = (("ots", ".ots"), ("rfc3161", ".tsr"))


class Anchored(msgspec.Struct, frozen=True):
    """One file beside the archive, and what is said of it."""

    found: Anchor
    said: Say


def anchored(finding: Finding, certificate: Path | None, headers: Path | None) -> tuple[Anchored, ...]:
    """Every file beside the archive that anchors it or speaks of it. Refused `anchor/header`; OSError."""
    given = _given(certificate, headers)  # looked at even if nothing needs it: a name that is wrong is told
    path = Path(finding.file)
    there: list[tuple[Kind, Path]] = [(kind, file) for kind, file in _beside(path) if os.path.lexists(file)]
    if not there or finding.report is None:
        return ()
    log = log_of(read_file(path))
    return tuple(_one(kind, file, log, given) for kind, file in there)


def _beside(path: Path) -> Iterator[tuple[Kind, Path]]:
    for kind, suffix in KINDS:
        yield kind, path.with_name(path.name + suffix)
    yield "about", about_path(path)


def about_path(path: Path) -> Path:
    """Where licence and source of an archive stand."""
    return path.with_name(path.name.removesuffix(".pbem") + ".about.json")


@cache
def _given(certificate: Path | None, headers: Path | None) -> Given:
    from pbem.audit.ots import read_headers

    return Given(
        read_file(certificate) if certificate is not None else None,
        read_headers(read_file(headers).decode("ascii", "replace")) if headers is not None else {},
    )


def _one(kind: Kind, file: Path, log: Log, given: Given) -> Anchored:
    try:
        anchor = look(kind, file.name, read_file(file), log, given)
    except (OSError, Refused) as error:
        problem = unreadable(str(file), error).problem
        return Anchored(Anchor(kind, file.name, problem=problem), unread(unreadable(file.name, error)))
    return Anchored(anchor, _words(anchor))


def _words(anchor: Anchor) -> Say:
    if anchor.problem is not None:
        return say("{file}: {problem}", file=anchor.file, problem=sentences(anchor.problem, table())[1])
    what = _what(anchor)
    match anchor.kind:
        case "about":
            return say("{file} says: {text}", file=anchor.file, text=anchor.by)
        case "rfc3161" if anchor.proven:
            return say(
                "{what} is older than {time}; signed by {by}.", what=what, time=anchor.time, by=anchor.by
            )
        case "rfc3161":
            return say(
                "{what} is said to be older than {time}; not proven without the authority's certificate.",
                what=what,
                time=anchor.time,
            )
        case "ots" if anchor.proven:
            return say(
                "{what} is older than a block of {time} whose header you gave.", what=what, time=anchor.time
            )
        case "ots" if anchor.blocks:
            blocks = tuple(say("{height}", height=height) for height in anchor.blocks)
            return say(
                "{what} is said to be in Bitcoin block {blocks}; not proven without its header.",
                what=what,
                blocks=blocks,
            )
        case "ots":
            return say(
                "{what} is known to a calendar, {by}, and in no block yet; not proven.",
                what=what,
                by=anchor.by,
            )


def _what(anchor: Anchor) -> Say:
    if anchor.record < 0:
        return say("This file")
    if anchor.newest:
        return say("The whole log")
    return say("The log up to record {n}", n=anchor.record)
