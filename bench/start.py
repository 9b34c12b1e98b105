"""How long `pbem --version` takes ÷ `python -c pass`: programs on this machine, from start to end, on the clock."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from bench.measure import Figure, figure, ratio

BOUND, REPEATS = 6.0, 25


def figures() -> list[Figure]:
    """One figure."""
    pbem = [str(Path(sys.executable).with_name("pbem")), "--version"]
    nothing = [sys.executable, "-c", "pass"]
    value = ratio(lambda: _run(pbem), lambda: _run(nothing), REPEATS, time.perf_counter)
    return [figure("pbem --version ÷ python -c pass", value, BOUND)]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)
