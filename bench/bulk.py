"""Bulk audits as a command: two processes ÷ one, many archives ÷ few, in time a game and in memory.

The archives are links to a handful of real ones, so the disk is not measured. Many are 1,000, and 5,000
with PBEM_BENCH_FULL=1, which takes ten minutes; the name of the figure says which it was. Two processes are
timed on the clock, the best of several runs each; growth in CPU seconds, which what else the machine does
changes least. Memory is the largest process of the command as the kernel counts it (`ru_maxrss`), asked of
a small process between us and it, because a new process is first charged with the memory of who started it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
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
BETWEEN = """
import resource, subprocess, sys, time
began = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
clock = time.perf_counter() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, clock, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""The small process: how its child ended, seconds, CPU seconds, kilobytes."""


class Run(msgspec.Struct, frozen=True):
    """Seconds on the clock, CPU seconds of all processes, kilobytes of the largest."""

    clock: float
    cpu: float
    kilobytes: int


def figures() -> list[Figure]:
    """Four figures."""
    many = ALL if os.environ.get("PBEM_BENCH_FULL") == "1" else MANY
    with folder(PAIR) as pair:
        runs = [(audit(pair, 1).clock, audit(pair, 2).clock) for _ in range(REPEATS)]
    one, two = min(run[0] for run in runs), min(run[1] for run in runs)
    with folder(FEW) as few, folder(many) as lots:
        small, large = [audit(few, 1) for _ in range(REPEATS)], audit(lots, 1)
        small_two, large_two = audit(few, 2), audit(lots, 2)
    start = idle()
    each_small = (median(run.cpu for run in small) - start) / FEW
    each_large = (large.cpu - start) / many
    memory, memory_two = (
        big.kilobytes / little.kilobytes for big, little in ((large, small[0]), (large_two, small_two))
    )
    return [
        figure("bulk audit by two processes ÷ by one (time)", two / one, 1 / SPEEDUP),
        figure(f"audit a game, {many:,} archives ÷ {FEW} (time)", each_large / each_small, GROWTH),
        figure(f"bulk audit, {many:,} archives ÷ {FEW} (memory)", memory, GROWTH),
        figure(f"the same by two processes, {many:,} ÷ {FEW} (memory)", memory_two, GROWTH),
    ]


@contextmanager
def folder(count: int) -> Generator[Path]:
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
    """CPU seconds that the command costs before it audits anything."""
    with tempfile.TemporaryDirectory() as name:
        return min(command("audit", name, "--jobs", "1", fine=2).cpu for _ in range(REPEATS))


def command(*arguments: str, fine: int = 0) -> Run:
    """`pbem ARGUMENTS` as a process of its own, which must end with that exit code."""
    program = [str(Path(sys.executable).with_name("pbem")), *arguments]
    asked = [sys.executable, "-S", "-c", BETWEEN, *program]
    code, *numbers = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()
    if int(code) != fine:
        raise AssertionError(arguments)
    clock, cpu, kilobytes = map(float, numbers)
    return Run(clock, cpu, int(kilobytes))
