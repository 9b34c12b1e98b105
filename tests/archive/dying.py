"""Work that goes wrong in ways of its own, for processes that audit: a file's name says what happens to whoever takes it."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from pbem.audit.bulk import Finding
from pbem.cli.audit_work import work


def work_or_die(path: str) -> Finding:
    """Audits, unless the file's name says otherwise."""
    match Path(path).stem.partition("-")[0]:
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "gone":
            sys.exit(7)
        case "slow":
            time.sleep(0.3)
        case _:
            pass
    return work(path)
