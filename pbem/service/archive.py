"""A game's log as a file: derived from the rows, and made again whenever it does not fit them.

Decides the bytes of an export: the lines in order, each with its LF, and at the end of a finished game one more
that says the players' names. That line is no part of the history and is not kept.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

from pbem.disk import write_file
from pbem.log.ledger import is_finished
from pbem.log.record import seal_record
from pbem.service.database import Database
from pbem.service.store import load_lines, load_newest
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
    """Keeps the files of a folder in step with the rows. Whatever a crash or another process left is repaired."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._lock = threading.Lock()
        self._written: dict[str, tuple[int, int]] = {}

    def bring_up(self, game_id: str) -> None:
        """Appends what is new to the game's file; writes it anew if it is not the file that was left here."""
        path = self._path(game_id)
        with self._lock:
            count, size = self._written.get(game_id, (0, -1))
            ours = size >= 0 and path.exists() and path.stat().st_size == size
            first, size = (count, size) if ours else (0, 0)
            with self._database.read() as tx:
                lines = load_lines(tx, game_id, first)
            data = file_of(lines)
            if ours:
                with path.open("ab") as out:
                    out.write(data)
            else:
                write_file(path, data)
            self._written[game_id] = (first + len(lines), size + len(data))

    def repair(self) -> None:
        """Brings up every file that does not end with its game's newest line."""
        with self._database.read() as tx:
            newest = load_newest(tx)
        for game_id, n, line in newest:
            path = self._path(game_id)
            if _ends_with(path, line + b"\n"):
                self._written[game_id] = (n + 1, path.stat().st_size)
            else:
                self.bring_up(game_id)

    def _path(self, game_id: str) -> Path:
        return self._folder / f"{game_id}.pbem"


def _ends_with(path: Path, tail: bytes) -> bool:
    if not path.exists() or path.stat().st_size < len(tail):
        return False
    with path.open("rb") as file:
        file.seek(-len(tail), os.SEEK_END)
        return file.read() == tail
