"""Files that appear whole, once, and only where there was none."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pbem import deeds
from pbem.disk import make_last

PRIVATE = 0o700


def private_folder(path: Path) -> None:
    """Makes a folder that only its owner can enter, where there is none."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE)


def write_new(path: Path, data: bytes) -> None:
    """A new file, readable by its owner only, whole or not at all. FileExistsError if anything has that name.

    Steps: 1. a temporary file in the same folder, 2. its bytes on the disk, 3. its name by a hard link, which
    fails where a name is taken, 4. the folder on the disk. Where there are no hard links the name is reserved
    by an empty file, which the temporary one then replaces.
    """
    private_folder(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o600)
        _name(temporary, path)
        deeds.lasting()
    finally:
        Path(temporary).unlink(missing_ok=True)
    make_last(path.parent)


def _name(temporary: str, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.replace(temporary, path)
