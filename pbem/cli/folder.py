"""A game in a folder, for a host who mails by hand: the desk read from files and written back.

| file                    | what it is                                                      |
| ----------------------- | --------------------------------------------------------------- |
| `charter.json`          | the charter, to be read; the log's first line is what counts    |
| `host.json`             | the host's secrets for this game (owner only)                   |
| `people.json`           | who sits where: addresses, names, languages                     |
| `GAME.pbem`             | the log                                                         |
| `sealed.jsonl`          | envelopes and hidden draws until the end (owner only)           |
| `states/NNNN.state.json`| everything after record NNNN (owner only)                       |
| `letters/NNNN/`         | what to mail after record NNNN: text, view, move file, .eml     |

The log is written last, in one step. Whatever a crash leaves behind beyond it is of no account.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from engine import Refused, decode, encode, find, refuse
from pbem.disk import read_file, write_file
from pbem.log.canonical import digest, pretty
from pbem.log.ledger import lines_of
from pbem.log.record import Charter, Data, read_record
from pbem.log.seal import PrivateKey
from pbem.turn.desk import Archive, Desk, Kept, Person, Post, Secrets, Snapshot, table_of
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.posting import Letter

replace = msgspec.structs.replace


class HostFile(msgspec.Struct, frozen=True):
    """`host.json`: hex secrets, and the address that letters come from."""

    key: str
    seed: str
    k_hidden: str
    mail: str
    address: str
    domain: str


class Folder(msgspec.Struct, frozen=True):
    """An opened folder: where it is, the log's lines, the desk."""

    path: Path
    lines: tuple[bytes, ...]
    desk: Desk


def open_folder(path: Path, now: str) -> Folder:
    """The game in a folder. Refused `folder/…` if it is none, or its files do not belong together."""
    host = _read(HostFile, path / "host.json")
    logs = sorted(path.glob("*.pbem"))
    if len(logs) != 1:
        raise refuse("folder/log", folder=str(path), count=len(logs))
    lines = tuple(line.removesuffix(b"\n") for line in lines_of(read_file(logs[0])))
    charter = _charter(lines, logs[0].name)
    snapshot = _read(Snapshot, path / "states" / _state_name(len(lines) - 1))
    if snapshot.ledger.head != digest(lines[-1]):
        raise refuse("folder/state", file=_state_name(len(lines) - 1))
    desk = Desk(
        table=table_of(find(charter.ruleset.id, int(charter.ruleset.version)), charter, _data(lines)),
        charter=charter,
        charter_line=lines[0],
        secrets=_secrets(host, path / "host.json"),
        people=_read(dict[str, Person], path / "people.json"),
        post=Post(host.address, host.domain),
        snapshot=snapshot,
        now=now,
    )
    return Folder(path, lines, desk)


def new_folder(path: Path, desk: Desk, lines: tuple[bytes, ...], letters: Iterable[Letter]) -> Folder:
    """A new game's folder. Refused `folder/exists` if something is there already."""
    if path.exists() and any(path.iterdir()):
        raise refuse("folder/exists", folder=str(path))
    secrets = desk.secrets
    host = HostFile(
        secrets.key.raw.hex(),
        secrets.seed.hex(),
        secrets.k_hidden.hex(),
        secrets.mail.hex(),
        desk.post.address,
        desk.post.domain,
    )
    write_file(path / "host.json", pretty(host), secret=True)
    write_file(path / "charter.json", pretty(msgspec.json.decode(desk.charter_line)))
    folder = Folder(path, (), desk)
    return save(folder, Verdict(desk.snapshot, desk.people, lines, letters=tuple(letters)))


def known(folder: Folder, claims: Claims) -> Known:
    """Where the lines that the claims name stand, and what they repeat."""
    wanted = {str(one.payload.get("base")) for one in claims.envelopes}
    bases = {name: n for n, line in enumerate(folder.lines) if (name := digest(line)) in wanted}
    seen = {one.payload_digest: one.n for one in read_kept(folder) if one.payload_digest}
    if not any(one.kind == "undo" for one in claims.envelopes):
        return Known(bases, seen)
    return Known(bases, seen, archive=Archive(folder.lines, tuple(read_kept(folder))))


def read_kept(folder: Folder) -> list[Kept]:
    """What was kept of every record in the log, in order."""
    path = folder.path / "sealed.jsonl"
    rows = read_file(path).splitlines() if path.exists() else []
    by_number = {one.n: one for one in (_decode(Kept, row, path) for row in rows)}
    return [by_number[n] for n in sorted(by_number) if n < len(folder.lines)]


def save(folder: Folder, verdict: Verdict) -> Folder:
    """Writes what a verdict brought; the log last. A refusal writes its letter only."""
    path = folder.path
    lines = (*folder.lines, *verdict.lines)
    desk = replace(folder.desk, snapshot=verdict.snapshot, people=verdict.people)
    after = Folder(path, lines, desk)
    for letter in verdict.letters:
        save_letter(path / "letters" / _place(verdict, len(lines) - 1), letter)
    if verdict.refusal is None and verdict.lines:
        kept = [*read_kept(folder), *verdict.kept]
        write_file(path / "sealed.jsonl", b"".join(encode(one) + b"\n" for one in kept), secret=True)
        write_file(path / "people.json", pretty(dict(verdict.people)), secret=True)
        state = path / "states" / _state_name(len(lines) - 1)
        write_file(state, pretty(verdict.snapshot), secret=True)
        write_file(path / f"{desk.game_id}.pbem", b"".join(line + b"\n" for line in lines))
    return after


def save_letter(folder: Path, letter: Letter) -> None:
    """One letter as text, as mail, and its attachments as files."""
    write_file(folder / f"{letter.seat}.txt", f"{letter.subject}\n\n{letter.text}".encode())
    write_file(folder / f"{letter.seat}.eml", letter.raw)
    for file in letter.files:
        write_file(folder / file.name, file.data)


def _place(verdict: Verdict, number: int) -> str:
    return "refused" if verdict.refusal is not None else f"{number:04d}"


def _state_name(number: int) -> str:
    return f"{number:04d}.state.json"


def _data(lines: tuple[bytes, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in lines[1:]:
        record = read_record(line)
        if not isinstance(record, Data):
            break
        found[record.name] = record.value
    return found


def _charter(lines: tuple[bytes, ...], name: str) -> Charter:
    try:
        charter = read_record(lines[0]) if lines else None
    except Refused:
        charter = None
    if not isinstance(charter, Charter):
        raise refuse("folder/charter", file=name)
    return charter


def _secrets(host: HostFile, path: Path) -> Secrets:
    try:
        key, seed, k_hidden, mail = map(bytes.fromhex, (host.key, host.seed, host.k_hidden, host.mail))
        return Secrets(PrivateKey(key), seed, k_hidden, mail)
    except ValueError as error:
        raise refuse("folder/damaged", file=str(path), problem=str(error)) from None


def _read(kind: Any, path: Path) -> Any:
    try:
        data = read_file(path)
    except FileNotFoundError:
        raise refuse("folder/missing", file=str(path)) from None
    return _decode(kind, data, path)


def _decode(kind: Any, data: bytes, path: Path) -> Any:
    try:
        return decode(kind, data)
    except (msgspec.MsgspecError, ValueError) as error:
        raise refuse("folder/damaged", file=str(path), problem=str(error)) from None
