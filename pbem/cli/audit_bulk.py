"""Audits of many files: results written as they come, taken up again where they stopped, with a bar for who watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine import Say, plural, refuse, say, words
from pbem.audit.bulk import Finding, Known, Tally, known_from, line_of
from pbem.cli.audit_work import is_done, shown, walk, work
from pbem.cli.say import lang
from pbem.disk import naming

Tell = Callable[[Finding], None]
Step = Callable[[], None]


class Plan(msgspec.Struct, frozen=True):
    """What is to be audited, by how many processes (0: one a core) or on which cluster, and where results go."""

    paths: tuple[Path, ...]
    jobs: int = 1
    jsonl: Path | None = None
    resume: bool = False
    scheduler: str = ""


def run(plan: Plan, tell: Tell) -> Tally:
    """Audits everything there is, tells each finding in the order of the files, and counts."""
    tally = Tally()
    with _results(plan) as (known, write), _bar(plan) as step:
        todo = _todo(plan, known, tally, step)
        for finding in _findings(plan, todo):
            write(finding)
            tell(finding)
            tally.add(finding.verdict)
            step()
    return tally


def summary(tally: Tally) -> Say:
    """All files in one sentence."""
    counts = tally.counts
    return say(
        "{files}: {sound} sound, {unfinished} unfinished, {faults} with faults, {unreadable} not audited; {skipped}"
        " as they were at the last audit.",
        files=plural("One file", "{n} files", tally.files),
        sound=counts["sound"],
        unfinished=counts["unfinished"],
        faults=counts["fault"],
        unreadable=counts["unreadable"],
        skipped=tally.skipped,
    )


def _findings(plan: Plan, todo: Iterator[str]) -> Iterable[Finding]:
    if plan.scheduler:
        from pbem.cli.audit_cluster import on_cluster

        return on_cluster(todo, plan.scheduler)
    jobs = plan.jobs or os.cpu_count() or 1
    if jobs > 1:
        from pbem.cli.audit_crew import in_processes

        return in_processes(todo, jobs)
    return map(work, todo)


def _todo(plan: Plan, known: dict[str, Known], tally: Tally, step: Step) -> Iterator[str]:
    """The files that are to be audited; the others are counted by what was said of them."""
    for path in walk(plan.paths):
        earlier = known.get(shown(path))
        if earlier is not None and is_done(path, earlier):
            tally.add(earlier.verdict, skipped=True)
            step()
        else:
            yield path


@contextmanager
def _results(plan: Plan) -> Generator[tuple[dict[str, Known], Tell]]:
    """Earlier results by file, and where to write new ones: each is on its way to the disk before the next is made."""
    if plan.jsonl is None:
        if plan.resume:
            raise refuse("archive/resume")
        yield {}, _nowhere
        return
    path = plan.jsonl
    with path.open("r+b" if plan.resume and path.exists() else "w+b") as file:
        known = {one.file: one for one in known_from(file)} if plan.resume else {}
        with naming(path):
            _cut_torn_line(file)

        def write(finding: Finding) -> None:
            with naming(path):
                file.write(line_of(finding) + b"\n")
                file.flush()

        yield known, write


def _cut_torn_line(file: BinaryIO) -> None:
    """Goes to the end of the file, or back to the end of its last whole line."""
    end = file.seek(0, os.SEEK_END)
    at = end
    while at > 0:
        start = max(0, at - 65_536)
        file.seek(start)
        found = file.read(at - start).rfind(b"\n")
        at = start
        if found >= 0:
            at = start + found + 1
            break
    file.seek(at)
    file.truncate()


@contextmanager
def _bar(plan: Plan) -> Generator[Step]:
    """A bar on standard error, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield _no_step
        return
    from rich.console import Console
    from rich.progress import Progress

    total = sum(1 for _ in walk(plan.paths))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(words(say("auditing"), lang()), total=total)
        yield lambda: progress.advance(task)


def _nowhere(_finding: Finding) -> None:
    return


def _no_step() -> None:
    return
