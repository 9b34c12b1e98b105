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
from typing import BinaryIO, NoReturn

from engine import refuse
from pbem import deeds

ARCHIVE, INPUT, SETTINGS = 1 << 30, 64 << 20, 1 << 20
"""Bytes that are read at most: of a file that may be an archive, of any other that is given in, of one of a home."""
_OPENED = re.compile(r"/dev/fd/\d+|/proc/\d+/fd/pipe:.*")
"""What a pipe is called that is open already: `/dev/stdin`, or `<(zcat game.pbem.gz)` in a shell."""
_NUMBERED, _MOST_LINKS = re.compile(r"(?:/dev|/proc/self|/proc/thread-self)/fd/(\d{1,9})"), 8


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


def read_file(path: Path, most: int = ARCHIVE) -> bytes:
    """All bytes of what `opened` opens. Refused `disk/too-large` for more than `most` of them."""
    with opened(path) as file:
        # a pipe has no size
        size = os.fstat(file.fileno()).st_size
        return read_stream(file, most, str(path)) if size <= most else _too_large(str(path), most)


def read_stream(stream: BinaryIO, most: int, name: str) -> bytes:
    """What there is to be read of a stream, which may have no end. Refused `disk/too-large`."""
    data = stream.read(most + 1)
    return data if len(data) <= most else _too_large(name, most)


def _too_large(name: str, most: int) -> NoReturn:
    raise refuse("disk/too-large", file=name, limit=most)


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
    handle = descriptor(path)
    if handle is not None or _is_stream(path):
        with naming(path), path.open("wb") if handle is None else os.fdopen(os.dup(handle), "wb") as stream:
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
        deeds.lasting()
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, name):
            raise _named(error, path) from error
        raise
    make_last(path.parent)


def give(path: Path, like: Path) -> None:
    """What root has made in somebody's folder is his: he could not write it, or not even read it, else."""
    if os.geteuid() == 0:
        found = like.stat()
        os.chown(path, found.st_uid, found.st_gid, follow_symlinks=False)


def make_last(folder: Path) -> None:
    """The names in a folder, as they are now."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def naming(path: Path) -> Generator[None]:
    """An OSError in here that names no file (a full disk, a device that takes nothing) names this one."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise _named(error, path) from error


def descriptor(path: Path) -> int | None:
    """The number of what is open already, if a path such as /dev/stdout is a name for that; it may be a regular file."""
    name = str(path)
    for _ in range(_MOST_LINKS):
        if match := _NUMBERED.fullmatch(name):
            return int(match[1])
        try:
            name = os.path.join(os.path.dirname(name), os.readlink(name))
        except OSError:
            return None
    return None


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
        give(folder / name, folder)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refuse("disk/in-use", folder=str(folder)) from None
        yield
    finally:
        os.close(handle)
