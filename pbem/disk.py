"""Files that are either the old ones or the new ones, never half of either; and one writer at a time."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from engine import refuse


def write_file(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Replaces a file in one step and makes it last: temporary file, fsync, rename, fsync of the folder.

    A `secret` is readable by its owner only. OSError leaves the old file as it was.
    """
    write_parts(path, (data,), secret=secret)


def write_parts(path: Path, parts: Iterable[bytes], *, secret: bool = False) -> None:
    """The same for a file that is longer than memory should hold; whatever `parts` raises leaves the old file too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.writelines(parts)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, 0o600 if secret else 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def only_writer(folder: Path, name: str = ".lock") -> Generator[None]:
    """Holds the folder's lock, or the one of that name in it. Refused `disk/in-use` if another process holds it."""
    handle = os.open(folder / name, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refuse("disk/in-use", folder=str(folder)) from None
        yield
    finally:
        os.close(handle)
