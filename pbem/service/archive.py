"""A game's log as a file: derived from the rows, and made again whenever it does not fit them.

Decides the bytes of an export: the lines in order, each with its LF, and at the end of a finished game one more
that says the players' names. That line is no part of the history and is not kept.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from pbem.disk import write_file
from pbem.log.canonical import LINE, digest
from pbem.log.ledger import is_finished
from pbem.log.record import seal_record
from pbem.service.database import Database
from pbem.service.store import load_lines, load_lines_from, load_newest
from pbem.turn.desk import Desk


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
        last = last_line(path)
        lines = load_lines_from(tx, game_id, digest(last)) if last else []
        if not lines:
            write_file(path, file_of(load_lines(tx, game_id)))
        elif len(lines) > 1:
            with path.open("ab") as out:
                out.write(file_of(lines[1:]))

    @contextmanager
    def _locked(self) -> Generator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / ".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _path(self, game_id: str) -> Path:
        return self._folder / f"{game_id}.pbem"


def last_line(path: Path) -> bytes:
    """The last line of a file, without its LF; empty if there is none, or it has no end."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LINE.size - 2))
            tail = file.read()
    except FileNotFoundError:
        return b""
    return tail.removesuffix(b"\n").rpartition(b"\n")[2] if tail.endswith(b"\n") else b""
