"""A game's log as a file: derived from the rows, and made again whenever it does not fit them.

Decides the bytes of an export: the lines in order, each with its LF, and at the end of a finished game one more
that says the players' names. That line is no part of the history and is not kept.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import sqlalchemy as sa

from pbem.disk import give, write_file
from pbem.log.canonical import LINE, digest
from pbem.log.ledger import is_finished
from pbem.log.record import seal_record
from pbem.service.database import Database
from pbem.service.store import load_lines, load_lines_from, load_newest
from pbem.turn.desk import Desk

USUAL = 4096
"""Bytes in which most files' last line is found."""


def file_of(lines: Sequence[bytes]) -> bytes:
    """Lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def names_line(desk: Desk) -> bytes | None:
    """The host's signed line of display names, for a finished game whose players gave any."""
    ledger = desk.snapshot.ledger
    names = {seat: person.name for seat, person in desk.people.items() if person.name}
    if not names or not is_finished(ledger):
        return None
    head = {"kind": "names", "n": ledger.n + 1, "at": ledger.at, "prev": ledger.head}
    return seal_record(desk.secrets.key, {**head, "names": names})


class Mirror:
    """Keeps the files of a folder in step with the rows. Whatever a crash or another process left is repaired.

    Remembers nothing: the last line of a file says how far it goes. Several processes may share a folder.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    def bring_up(self, *game_ids: str) -> None:
        """Appends what is new to each game's file; writes it anew if it does not end with a line of the rows."""
        if not game_ids:
            return
        with self._locked(), self._database.read() as tx:
            for game_id in game_ids:
                self._bring_up(tx, game_id)

    def repair(self) -> None:
        """Brings up every file that does not end with its game's newest line."""
        with self._database.read() as tx:
            newest = load_newest(tx)
        self.bring_up(*(game for game, _, line in newest if last_line(self._path(game)) != line))

    def _bring_up(self, tx: sa.Connection, game_id: str) -> None:
        path = self._path(game_id)
        if not _goes_on(tx, game_id, path):
            write_file(path, file_of(load_lines(tx, game_id)))
            give(path, self._folder)

    @contextmanager
    def _locked(self) -> Generator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        give(self._folder, self._folder.parent)
        with (self._folder / ".lock").open("ab") as lock:
            give(self._folder / ".lock", self._folder)
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _path(self, game_id: str) -> Path:
        return self._folder / f"{game_id}.pbem"


def _goes_on(tx: sa.Connection, game_id: str, path: Path) -> bool:
    """Whether the file ends with a line of the rows; then all lines after that one stand there too."""
    try:
        with path.open("r+b", buffering=0) as file:
            last = _last_line(file)
            lines = load_lines_from(tx, game_id, digest(last)) if last else []
            _append(file, file_of(lines[1:]))
            return bool(lines)
    except FileNotFoundError:
        return False


def last_line(path: Path) -> bytes:
    """The last line of a file, without its LF; empty if there is none, or it has no end."""
    try:
        with path.open("rb", buffering=0) as file:
            return _last_line(file)
    except FileNotFoundError:
        return b""


def _last_line(file: FileIO) -> bytes:
    size, line = file.seek(0, os.SEEK_END), b""
    for most in (USUAL, LINE.size + 2):
        file.seek(max(0, size - most))
        tail = file.read()
        if not tail.endswith(b"\n"):
            return b""
        _, end_before, line = tail[:-1].rpartition(b"\n")
        if end_before:
            break
    return line


def _append(file: FileIO, data: bytes) -> None:
    """At the file's end; a system may write less at once than it is given."""
    file.seek(0, os.SEEK_END)
    while data:
        data = data[file.write(data) :]
