"""Layers told: what a file is of a whole archive, and whether a seat layer is good by itself.

Exit code 1 if one is at fault or no part of the whole, 2 if one cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine import Refused, Say, say
from pbem.audit.layers import Relation, check_seat, compare
from pbem.cli.audit_told import harmless, unread
from pbem.cli.audit_work import shown, unreadable
from pbem.cli.say import FAULTS, OK, USAGE, tell, tell_json, warn
from pbem.disk import read_file
from pbem.log.ledger import lines_of


def layers(files: Sequence[Path], against: Path | None, *, as_json: bool) -> int:
    """One line a file; one that is at fault, or cannot be read, does not stop the rest. The exit code."""
    whole = list(lines_of(read_file(against))) if against is not None else None
    codes: set[int] = set()
    for path in files:
        try:
            codes.add(_layer(path, whole, as_json=as_json))
        except (OSError, Refused) as error:
            warn(unread(unreadable(shown(str(path)), error)))
            codes.add(USAGE)
    return next((code for code in (FAULTS, USAGE) if code in codes), OK)


def _layer(path: Path, whole: Sequence[bytes] | None, *, as_json: bool) -> int:
    lines, code = list(lines_of(read_file(path))), ""
    if whole is not None:
        found = compare(lines, whole)
    else:
        try:
            seat = check_seat(lines)
            found = Relation("seat" if seat else "public", seat)
        except Refused as refused:
            args = refused.refusal.args
            found, code = (
                Relation("none", line=int(str(args["line"]))),
                str(args.get("code", refused.refusal.code)),
            )
    if as_json:
        told = {
            "file": str(path),
            "part": found.part,
            "seat": found.seat,
            "since": found.since,
            "line": found.line,
        }
        tell_json({**told, "code": code} if code else told)
    else:
        relation = say("fault in line {line}: {code}", line=found.line, code=code) if code else _words(found)
        tell(say("{file}: {relation}", file=harmless(str(path)), relation=relation))
    return FAULTS if found.part == "none" else OK


def _words(found: Relation) -> Say:
    match found.part:
        case "full":
            return say("the whole archive")
        case "public":
            return say("the public layer: everything before the end")
        case "prefix":
            return say("its beginning, byte for byte")
        case "seat":
            return say("the layer of {seat}: what was public, and that seat's own envelopes", seat=found.seat)
        case "piece":
            return say("a piece of it, from record {since} on", since=found.since)
        case "none":
            return say("no part of it; line {line} is the first that does not belong there", line=found.line)
