"""Anchors of a log in time, and what is said about it: files that lie beside an archive.

| file | holds | what it shows |
| --- | --- | --- |
| `X.pbem.ots` | an OpenTimestamps proof | that a line of the log, or the file, is older than a block |
| `X.pbem.tsr` | an RFC 3161 time stamp | that it is older than the time an authority signed |
| `X.about.json` | licence and source | what whoever passed the archive on says of it; signed by nobody |

Nothing of this is in the log: a log has no place for what comes after it. Decides which record an anchor is
of (a record's digest covers all before it), and how far it is proven with what is given.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from engine import Refusal, Refused, refuse
from pbem.audit import ots, tsp
from pbem.log.canonical import ENVELOPE, digest, pretty, read
from pbem.log.payloads import Count, Hex, place
from pbem.log.record import Names, read_record

Kind = Literal["ots", "rfc3161", "about"]


class Given(msgspec.Struct, frozen=True):
    """What an auditor brings: a certificate he trusts, and instants by root of block headers he trusts."""

    certificate: bytes | None = None
    headers: dict[bytes, str] = {}


class Anchor(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one file. `record` is the newest record it covers (-1: the file as a whole), `newest` if none follows.

    `proven` with what was given; `time` if the file names one; `by` who says so: an authority, a block, a calendar.
    """

    kind: Kind
    file: str
    record: int = -1
    newest: bool = False
    proven: bool = False
    time: str = ""
    by: str = ""
    blocks: tuple[int, ...] = ()
    problem: Refusal | None = None


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is said of an archive by whoever passes it on. `head` is the digest of its newest record but names."""

    v: Literal[1]
    kind: Literal["about"]
    game: str
    head: Hex
    records: Count
    licence: str = ""
    source: str = ""


class Log(msgspec.Struct, frozen=True):
    """A log as far as anchors go: its lines without LF, names left out, and its bytes."""

    lines: tuple[bytes, ...]
    data: bytes


def log_of(data: bytes) -> Log:
    """The lines of the history in a file; whether they are sound is the audit's business."""
    lines = data.split(b"\n")[:-1]
    if lines and _is_names(lines[-1]):
        lines.pop()
    return Log(tuple(lines), data)


def look(kind: Kind, file: str, data: bytes, log: Log, given: Given) -> Anchor:
    """What a file beside the log shows. A problem with it is part of the answer and raises nothing."""
    try:
        match kind:
            case "ots":
                return _ots(file, data, log, given)
            case "rfc3161":
                return _tsr(file, data, log, given)
            case "about":
                return _about(file, data, log)
    except Refused as refused:
        return Anchor(kind, file, problem=refused.refusal)


def write_about(log: Log, game: str, licence: str, source: str) -> bytes:
    """The file that says under which licence and from where an archive is."""
    about = About(1, "about", game, digest(log.lines[-1]), len(log.lines), licence, source)
    return pretty(about)


def read_about(data: bytes) -> About:
    """What such a file says. Refused `file/…`, `about/shape`."""
    try:
        about: About = msgspec.convert(read(data, ENVELOPE), About)
    except msgspec.ValidationError as error:
        raise refuse("about/shape", where=place(error)) from None
    return about


def _tsr(file: str, data: bytes, log: Log, given: Given) -> Anchor:
    token = tsp.read_token(data)
    record, newest = _of(log, token.algorithm, token.digest)
    anchor = Anchor("rfc3161", file, record, newest, time=token.time)
    if given.certificate is None:
        return anchor
    by = tsp.verify_token(token, given.certificate)
    return msgspec.structs.replace(anchor, proven=True, by=by)


def _ots(file: str, data: bytes, log: Log, given: Given) -> Anchor:
    proof = ots.read_proof(data)
    record, newest = _of(log, proof.algorithm, proof.digest)
    blocks = [one for one in proof.attestations if one.kind == "bitcoin"]
    times = sorted(given.headers[one.root] for one in blocks if one.root in given.headers)
    calendars = sorted({one.calendar for one in proof.attestations if one.calendar})
    return Anchor(
        "ots",
        file,
        record,
        newest,
        proven=bool(times),
        time=times[0] if times else "",
        by=", ".join(calendars),
        blocks=tuple(sorted({one.height for one in blocks})),
    )


def _about(file: str, data: bytes, log: Log) -> Anchor:
    about = read_about(data)
    if not log.lines or about.head != digest(log.lines[-1]):
        raise refuse("anchor/other", digest=about.head)
    return Anchor(
        "about", file, about.records - 1, True, by=" · ".join(filter(None, (about.licence, about.source)))
    )


def _of(log: Log, algorithm: str, value: bytes) -> tuple[int, bool]:
    """The record whose digest it is, and whether that is the newest; -1 for the digest of the file."""
    if algorithm in hashlib.algorithms_guaranteed:
        for number in range(len(log.lines) - 1, -1, -1):
            if hashlib.new(algorithm, log.lines[number]).digest() == value:
                return number, number == len(log.lines) - 1
        if hashlib.new(algorithm, log.data).digest() == value:
            return -1, True
    raise refuse("anchor/other", digest=value.hex())


def _is_names(line: bytes) -> bool:
    try:
        return isinstance(read_record(line), Names)
    except Refused:
        return False
