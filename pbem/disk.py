"""Files that are either the old ones or the new ones, never half of either; one writer at a time; no read without end."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from engine import refuse

_OPENED = re.compile(r"/dev/fd/\d+|/proc/\d+/fd/pipe:.*")
"""What a pipe is called that is open already: `/dev/stdin`, or `<(zcat game.pbem.gz)` in a shell."""


@contextmanager
def opened(path: Path) -> Generator[BinaryIO]:
    """A regular file, or a pipe that the shell has opened for us, to be read.

    OSError; Refused `archive/not-a-file` for anything that might never end, or never begin.
    """
    if _OPENED.fullmatch(os.path.realpath(path)):
        with path.open("rb") as pipe:
            yield pipe
        return
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise refuse("archive/not-a-file")
        yield file


def read_file(path: Path) -> bytes:
    """All bytes of what `opened` opens."""
    with opened(path) as file:
        return file.read()


def _at_once(path: str, flags: int) -> int:
    """Does not wait for somebody to write into a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def write_file(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Replaces a file in one step and makes it last: temporary file, fsync, rename, fsync of the folder.

    A `secret` is readable by its owner only. OSError names the file and leaves the old one as it was. What is no
    file, such as /dev/stdout or a pipe, is written to and stays what it is.
    """
    write_parts(path, (data,), secret=secret)


def write_parts(path: Path, parts: Iterable[bytes], *, secret: bool = False) -> None:
    """The same for a file that is longer than memory should hold; whatever `parts` raises leaves the old file too."""
    if _is_stream(path):
        with naming(path), path.open("wb") as stream:
            stream.writelines(parts)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = _beside(path)
    try:
        with os.fdopen(handle, "wb") as out:
            out.writelines(parts)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, 0o600 if secret else 0o644)
        os.replace(name, path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, name):
            raise _named(error, path) from error
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def naming(path: Path) -> Generator[None]:
    """An OSError in here that names no file (a full disk, a device that takes nothing) names this one."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise _named(error, path) from error


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _beside(path: Path) -> tuple[int, str]:
    """A new file in the same folder; its name is cut where the folder takes no longer one."""
    try:
        return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    except OSError as error:
        raise _named(error, path) from error


def _named(error: OSError, path: Path) -> OSError:
    """The same error told of the file that was asked for, not of the one beside it."""
    return OSError(error.errno, error.strerror or type(error).__name__, str(path))


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
