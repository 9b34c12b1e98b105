"""A home in the making: it is one when everything of it is there, and nothing is left of one that came to nothing.

Law: the file MARK lies in the folder from the first moment to the last, and holds the settings. To give it their name is
what makes the folder a home, in one step; so whatever was killed before has left MARK behind, and the next may begin anew.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from engine import refuse
from pbem.disk import make_last, naming, only_writer
from pbem.service.config import CONFIG, DATABASE, KEY, LOGS
from pbem.service.copy_place import BESIDE

MARK = ".restoring"
_OURS = re.compile(
    "|".join([*(re.escape(DATABASE + end) for end in BESIDE), KEY, rf"\.{re.escape(KEY)}\..*", LOGS])
)
"""What a restore makes, and what it leaves if it is killed."""


def check_empty(path: Path) -> None:
    """Refused `host/not-empty` if there is anything but what a restore left that came to nothing."""
    names = {one.name for one in path.iterdir()} if path.exists() else set[str]()
    if not names or (MARK in names and all(name == MARK or _OURS.fullmatch(name) for name in names)):
        return
    # an earlier release left the empty file of a database
    if names != {DATABASE} or (path / DATABASE).stat().st_size:
        raise refuse("host/not-empty", place=str(path))


@contextmanager
def making(path: Path, settings: bytes) -> Generator[None]:
    """The folder, and in the end the home, if nothing is raised; else there is no more in that place than before.

    Refused `host/not-empty`; `disk/in-use` while another makes one there. OSError.
    """
    check_empty(path)
    missing = [one for one in (path, *path.parents) if not one.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with only_writer(path, MARK):
            _check_again(path)
            _sweep(path)
            _write_mark(path / MARK, settings)
            try:
                yield
                os.replace(path / MARK, path / CONFIG)
            except BaseException:
                _sweep(path)
                (path / MARK).unlink(missing_ok=True)
                raise
            make_last(path)
    except BaseException:
        for folder in missing:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        raise


def _check_again(path: Path) -> None:
    """Another may have made his home here while we waited for the mark."""
    try:
        check_empty(path)
    except BaseException:
        (path / MARK).unlink(missing_ok=True)
        raise


def _write_mark(mark: Path, settings: bytes) -> None:
    """The same file that is locked: what is replaced would be locked no more."""
    with naming(mark), mark.open("wb") as out:
        out.write(settings)
        out.flush()
        os.fsync(out.fileno())


def _sweep(path: Path) -> None:
    for one in path.iterdir():
        if not _OURS.fullmatch(one.name):
            continue
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one)
        else:
            one.unlink()
