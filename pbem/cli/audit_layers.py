"""Layers told: what a file is of a whole archive, and whether a seat layer is good by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine import Say, say
from pbem.audit.layers import Relation, check_seat, compare
from pbem.cli.audit_told import harmless
from pbem.cli.say import FAULTS, OK, tell, tell_json
from pbem.log.ledger import lines_of


def layers(files: Sequence[Path], against: Path | None, *, as_json: bool) -> int:
    """One line a file. Exit code 1 if one is no part of the whole. Refused `archive/…` for a seat layer at fault."""
    whole = list(lines_of(against.read_bytes())) if against is not None else None
    fine = True
    for path in files:
        lines = list(lines_of(path.read_bytes()))
        found = compare(lines, whole) if whole is not None else Relation("seat", check_seat(lines))
        fine = fine and found.part != "none"
        if as_json:
            tell_json(
                {
                    "file": str(path),
                    "part": found.part,
                    "seat": found.seat,
                    "since": found.since,
                    "line": found.line,
                }
            )
        else:
            tell(say("{file}: {relation}", file=harmless(str(path)), relation=_words(found)))
    return OK if fine else FAULTS


def _words(found: Relation) -> Say:
    match found.part:
        case "full":
            return say("the whole archive")
        case "public":
            return say("its public layer: everything before the end")
        case "prefix":
            return say("its beginning, byte for byte")
        case "seat":
            return say("the layer of {seat}: what was public, and that seat's own envelopes", seat=found.seat)
        case "piece":
            return say("a piece of it, from record {since} on", since=found.since)
        case "none":
            return say("no part of it; line {line} is the first that does not belong there", line=found.line)
