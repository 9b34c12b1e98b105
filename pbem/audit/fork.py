"""Two histories of one game, and the few lines that prove it to somebody who has neither (protocol.md section 6).

A host signs every line, and every line names the one before it. Whoever shows two different lines, both
sealed by the host and both naming the same line before them, has shown that the host told two histories; of
a charter, which has none before it, two that claim the same game. `names` is no part of the history and no
evidence. Decides from the lines alone; who sent them, and why they differ, no proof can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from engine import Refused, refuse
from pbem.log.canonical import LINE, Limits, pretty, read
from pbem.log.payloads import Count, place
from pbem.log.record import Charter, Names, Record, read_record, verify_record
from pbem.log.seal import check_public_key

PROOF = Limits(4 * LINE.size, 4)
"""A proof holds three lines as text, each escaped for mail."""
Lines = Mapping[int, bytes]
"""Some lines of a log by record number, without LF."""


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What convinces a third person: the charter's line, and two lines that both claim to be record `record`."""

    v: Literal[1]
    kind: Literal["fork"]
    game: str
    record: Count
    charter: str
    lines: tuple[str, str]


def numbered(lines: Sequence[bytes]) -> dict[int, bytes]:
    """Whole lines of a log, or of a piece of it, by record number. Refused `archive/not-a-log`."""
    found: dict[int, bytes] = {}
    for at, line in enumerate(lines, 1):
        try:
            found[read_record(line).n] = line
        except Refused as refused:
            raise refuse("archive/not-a-log", line=at) from refused
    return found


def find_fork(one: Lines, other: Lines) -> Proof:
    """The proof that two logs, or parts of them, contradict each other; the charter is in one of them.

    Refused `fork/none`, `fork/earlier`, `fork/other-game`, `fork/other-host`, `archive/not-a-log`.
    """
    # 1. the first record that both have and tell differently
    number = next((n for n in sorted(one.keys() & other.keys()) if _differ(one[n], other[n])), None)
    if number is None:
        raise refuse("fork/none")
    first = one.get(0) or other.get(0)
    if first is None:
        raise refuse("archive/not-a-log", line=1)
    # 2. of one game
    charter = _charter_at(0, first)
    if number == 0 and (found := _charter_at(0, other[0]).game) != charter.game:
        raise refuse("fork/other-game", one=charter.game, other=found)
    # 3. it must convince
    proof = Proof(1, "fork", charter.game, number, _text(first), (_text(one[number]), _text(other[number])))
    try:
        check_proof(proof)
    except Refused as refused:
        if refused.refusal.code.startswith("fork/"):
            raise
        raise refuse("fork/other-host", record=number) from refused  # damaged, so it is nobody's line
    return proof


def check_proof(proof: Proof) -> None:
    """Returns if the lines prove that the charter's host told two histories.

    Refused `fork/…`, `seal/…`, `file/…`, `log/…`.
    """
    # 1. the charter, whose key is sound and which its owner sealed
    charter = _charter(proof.charter.encode("utf-8"))
    key = bytes.fromhex(charter.host_key)
    check_public_key(key)
    verify_record(charter, key)
    if charter.game != proof.game:
        raise refuse("fork/proof", where="game")
    # 2. two lines, not the same, of this number, neither of them of names
    first, second = (_record(text, proof.record) for text in proof.lines)
    if proof.lines[0] == proof.lines[1]:
        raise refuse("fork/proof", where="lines")
    # 3. both sealed by the host
    for record in (first, second):
        try:
            verify_record(record, key)
        except Refused as refused:
            raise refuse("fork/other-host", record=proof.record) from refused
    # 4. both in the same place: after the same line, or at the beginning of the same game
    if first.prev != second.prev:
        raise refuse("fork/earlier", record=proof.record)
    for record in (first, second):
        if isinstance(record, Charter) and record.game != charter.game:
            raise refuse("fork/proof", where="lines")


def write_proof(proof: Proof) -> bytes:
    """The proof as a file for people and mail."""
    return pretty(proof)


def read_proof(data: bytes) -> Proof:
    """The proof in a file; a claim until `check_proof`. Refused `file/…`, `fork/proof`."""
    try:
        proof: Proof = msgspec.convert(read(data, PROOF), Proof)
    except msgspec.ValidationError as error:
        raise refuse("fork/proof", where=place(error)) from None
    return proof


def told(proof: Proof) -> dict[str, Any]:
    """The two lines as plain JSON, for readers."""
    return {str(n): msgspec.json.decode(text) for n, text in enumerate(proof.lines, 1)}


def _differ(one: bytes, other: bytes) -> bool:
    return one != other and not _is_names(one) and not _is_names(other)


def _is_names(line: bytes) -> bool:
    try:
        return isinstance(read_record(line), Names)
    except Refused:
        return False


def _charter(line: bytes) -> Charter:
    record = read_record(line)
    if not isinstance(record, Charter):
        raise refuse("fork/proof", where="charter")
    return record


def _charter_at(record: int, line: bytes) -> Charter:
    """The charter in a line of a log; a line that is none was sealed by no host."""
    try:
        return _charter(line)
    except Refused as refused:
        raise refuse("fork/other-host", record=record) from refused


def _record(text: str, number: int) -> Record:
    record = read_record(text.encode("utf-8"))
    if record.n != number or isinstance(record, Names):
        raise refuse("fork/proof", where="lines")
    return record


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
