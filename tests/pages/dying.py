"""A folder with files that are the death of whoever opens them: what a machine without memory does to a process."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path


class Deadly(type(Path())):  # type: ignore[misc]
    """As any folder, but a child that reaches for `killer.pbem` dies, the first time or every time."""

    def __truediv__(self, name: object) -> Path:
        if str(name).startswith("killer") and multiprocessing.parent_process() is not None:
            os._exit(9)
        return Path(self) / str(name)
