"""The files of a bulk audit: which there are, in which order, and what comes of one of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from engine import Refused, refuse
from pbem.audit.bulk import Finding, Known, Stamp, check_size, examine
from pbem.log.canonical import digest

SUFFIX = ".pbem"
Work = Callable[[str], Finding]


def walk(paths: Iterable[Path]) -> Iterator[str]:
    """Files as they are named, and of a folder every archive below it, in order of the names.

    A folder that cannot be read is given as itself, so that it is told of like a file that cannot be read.
    """
    for path in paths:
        if path.is_dir():
            yield from _below(str(path))
        else:
            yield str(path)


def _below(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError:
        yield folder
        return
    for name, is_folder in found:
        path = os.path.join(folder, name)
        if is_folder:
            yield from _below(path)
        elif name.endswith(SUFFIX):
            yield path


def shown(path: str) -> str:
    """A file's name as text that can be written anywhere, whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def load(path: str) -> tuple[int, bytes]:
    """Time of the last change in nanoseconds, and the bytes. OSError; Refused `archive/…` for what is no such file."""
    with open(path, "rb", opener=_opener) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise refuse("archive/not-a-file")
        check_size(state.st_size)
        return state.st_mtime_ns, file.read(state.st_size)


def _opener(path: str, flags: int) -> int:
    """Does not wait for somebody to write into a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def work(path: str) -> Finding:
    """The finding on one file; never raises for what the file is or holds."""
    name = shown(path)
    try:
        mtime, data = load(path)
    except (OSError, Refused) as error:
        return unreadable(name, error)
    return examine(name, mtime, data)


def unreadable(name: str, error: OSError | Refused) -> Finding:
    """The finding on a file that was not audited."""
    if isinstance(error, Refused):
        return Finding(name, problem=error.refusal)
    if isinstance(error, IsADirectoryError):
        return Finding(name, problem=refuse("archive/not-a-file").refusal)
    problem = error.strerror or type(error).__name__
    return Finding(name, problem=refuse("cli/file", file=name, problem=problem).refusal)


def is_done(path: str, known: Known | None) -> bool:
    """Whether an earlier result still holds: same size, same time, and then the same bytes."""
    if known is None:
        return False
    try:
        state = os.stat(path)
        if (state.st_size, state.st_mtime_ns) != (known.size, known.mtime):
            return False
        mtime, data = load(path)
    except (OSError, Refused):
        return False
    return known.is_of(Stamp(len(data), mtime, digest(data)))
