"""Bulk audits as a command: two processes ÷ one, many archives ÷ few, in time a game and in memory.

The archives are links to a handful of real ones, so the disk is not measured. Many are 1,000, and 5,000
with PBEM_BENCH_FULL=1, which takes ten minutes; the name of the figure says which it was. Memory is the
largest process of the command, as the kernel counts it (`ru_maxrss`).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import msgspec

from bench.games import archives
from bench.measure import Figure, figure

FEW, MANY, ALL = 50, 1_000, 5_000
PAIR = 200
SPEEDUP, GROWTH = 1.7, 1.1
REPEATS = 3


class Run(msgspec.Struct, frozen=True):
    """Seconds on the clock, and kilobytes of the largest process."""

    seconds: float
    kilobytes: int


def figures() -> list[Figure]:
    """Four figures."""
    many = ALL if os.environ.get("PBEM_BENCH_FULL") == "1" else MANY
    with folder(PAIR) as pair:
        one = median(audit(pair, 1).seconds for _ in range(REPEATS))
        two = median(audit(pair, 2).seconds for _ in range(REPEATS))
    with folder(FEW) as few, folder(many) as lots:
        audit(few, 1)
        small = [audit(few, 1) for _ in range(REPEATS)]
        large = audit(lots, 1)
        small_two, large_two = audit(few, 2), audit(lots, 2)
    start = idle()
    each_small = (median(run.seconds for run in small) - start) / FEW
    each_large = (large.seconds - start) / many
    return [
        figure("bulk audit by two processes ÷ by one (time)", two / one, 1 / SPEEDUP),
        figure(f"audit a game, {many:,} archives ÷ {FEW} (time)", each_large / each_small, GROWTH),
        figure(f"bulk audit, {many:,} archives ÷ {FEW} (memory)", _memory(large, small[0]), GROWTH),
        figure(f"the same by two processes, {many:,} ÷ {FEW} (memory)", _memory(large_two, small_two), GROWTH),
    ]


@contextmanager
def folder(count: int) -> Iterator[Path]:
    """A folder of so many archives, which takes no more room than the few that they are links to."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for number, archive in enumerate(archives()):
            (home / f"{number}.source").write_bytes(archive)
        for number in range(count):
            os.link(home / f"{number % len(archives())}.source", home / f"{number:05d}.pbem")
        yield home


def audit(home: Path, jobs: int) -> Run:
    """The command over a folder, which must find everything sound."""
    return command("audit", str(home), "--jobs", str(jobs), "--jsonl", str(home / "results.jsonl"))


def idle() -> float:
    """What the command costs before it audits anything."""
    with tempfile.TemporaryDirectory() as name:
        return min(command("audit", name, "--jobs", "1", fine=2).seconds for _ in range(REPEATS))


def command(*arguments: str, fine: int = 0) -> Run:
    """`pbem ARGUMENTS` as a process of its own."""
    program = str(Path(sys.executable).with_name("pbem"))
    began = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(program, [program, *arguments], os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status) != fine:
        raise AssertionError(arguments)
    return Run(seconds, usage.ru_maxrss)


def _memory(large: Run, small: Run) -> float:
    return large.kilobytes / small.kilobytes
