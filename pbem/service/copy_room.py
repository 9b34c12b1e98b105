"""The room in which a copy is made: a folder beside the place that the copy is for, and gone when it is there.

Law: while somebody makes a copy in it, a room is locked. One that is not was left by somebody who was killed, and goes when
the next copy is made there; so does one of an earlier release, which locked none, after a day. What is not ours, or
holds anything else, is left alone.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine import Refused
from pbem.disk import only_writer
from pbem.service.copy_place import BESIDE

PREFIX, LOCK, DATABASE, COPY = ".pbem-copy-", "lock", "copy.sqlite", "copy"
YOUNG, DAY = 60, 86_400
"""Seconds: so long a room may be without a lock because it has just been made; one of an earlier release is old."""
_OURS = re.compile("|".join([LOCK, COPY, rf"\.{COPY}\..*", *(re.escape(DATABASE + end) for end in BESIDE)]))


@contextmanager
def room_beside(file: Path) -> Generator[Path]:
    """A new folder in the same folder. OSError names the file that is to be made."""
    try:
        for one in sorted(file.parent.glob(f"{PREFIX}*")):
            _sweep(one)
        room = Path(tempfile.mkdtemp(dir=file.parent, prefix=PREFIX))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    try:
        with only_writer(room, LOCK):
            yield room
    except OSError as error:
        inside = error.filename is None or str(error.filename).startswith(str(room))
        raise OSError(error.errno, error.strerror, str(file)) if inside else error from error
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _sweep(room: Path) -> None:
    with suppress(OSError, Refused):
        seen = room.lstat()
        names = {one.name for one in room.iterdir()}
        age = time.time() - seen.st_mtime
        if seen.st_uid != os.geteuid() or room.is_symlink() or not all(map(_OURS.fullmatch, names)):
            return
        if LOCK not in names:
            if age > DAY:
                shutil.rmtree(room)
        elif age > YOUNG or COPY in names or DATABASE in names:
            with only_writer(room, LOCK):
                shutil.rmtree(room)
