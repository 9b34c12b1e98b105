"""Two histories of one game: the proof made of what somebody has, and the proof that somebody was sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine import Refused, refuse, say
from pbem.audit.fork import Proof, check_proof, find_fork, read_proof, write_proof
from pbem.cli.say import FAULTS, tell, tell_json
from pbem.disk import read_file, write_file
from pbem.log.record import Charter, Record, kind_of, read_record

Part = tuple[int, Sequence[bytes]]
"""The number of the first record, and lines from there on, with or without LF."""


def prove(parts: Iterable[Part], target: Path | None, *, as_json: bool) -> bool:
    """Says and writes down that the host told two histories, if these parts of logs prove it.

    False if there is no charter among them. Refused `fork/…` if they differ in a way that is not the host's doing.
    """
    one: dict[int, bytes] = {}
    other: dict[int, bytes] = {}
    for first, lines in parts:
        for number, line in enumerate((line.rstrip(b"\n") for line in lines), first):
            if one.setdefault(number, line) != line:
                other.setdefault(number, line)
    try:
        proof = find_fork(one, {**one, **other})
    except Refused as refused:
        if refused.refusal.code.startswith("fork/"):
            raise
        return False
    _tell(proof, as_json=as_json)
    if target is not None:
        write_file(target, write_proof(proof))
        if not as_json:
            tell(
                say(
                    "The proof is in {file}. It convinces anybody who knows the host's key.", file=str(target)
                )
            )
    return True


def judge(path: Path, *, as_json: bool) -> int:
    """Whether a proof proves it: exit code 1 (the host is at fault) if it does. Refused `fork/…` if not; OSError."""
    try:
        proof = read_proof(read_file(path))
        check_proof(proof)
    except Refused as refused:
        code = refused.refusal.code
        if code.startswith(("fork/", "archive/")):
            raise
        raise refuse("fork/proof", where=code) from refused  # the advice for moves and letters fits no proof
    _tell(proof, as_json=as_json)
    return FAULTS


def _tell(proof: Proof, *, as_json: bool) -> None:
    charter = read_record(proof.charter.encode("utf-8"))
    key = charter.host_key if isinstance(charter, Charter) else ""
    if as_json:
        tell_json({"verdict": "fork", "game": proof.game, "record": proof.record, "host_key": key})
        return
    tell(
        say(
            "The host of {game} told two histories: he sealed two different lines as record {record}.",
            game=proof.game,
            record=proof.record,
        )
    )
    for text in proof.lines:
        record = read_record(text.encode("utf-8"))
        tell(say("    {kind} of {at}, sealed {seal}", kind=kind_of(record), at=record.at, seal=_seal(record)))
    tell(say("The host's key: {key}", key=key))


def _seal(record: Record) -> str:
    return record.sig.val if record.sig is not None else ""
