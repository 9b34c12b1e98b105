"""Processes that audit side by side: each has one file at a time, so that a death is put down to the right one.

Findings come in the order of the files, whoever is done first; not more than a window of them is kept. A
process that dies costs its file a verdict and nobody else anything: another takes its place.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from pbem.audit.bulk import Finding, died
from pbem.cli.audit_work import Work, shown, work

WINDOW = 64
"""Files a process that may be under way or done before one that is not."""


class Crew:
    """At most so many processes, and which file each of them has. Owns them: `close` ends them."""

    def __init__(self, size: int, task: Work) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._task = task
        self._size = size
        self._processes: dict[Connection, BaseProcess] = {}
        self._idle: list[Connection] = []
        self.busy: dict[Connection, tuple[int, str]] = {}

    @property
    def has_room(self) -> bool:
        """Whether one more file can be given."""
        return len(self.busy) < self._size

    def give(self, number: int, path: str) -> None:
        """A file for a process that has none; one more is hired if there is none."""
        line = self._idle.pop() if self._idle else self._hire()
        self.busy[line] = (number, path)
        try:
            line.send(path)
        except (BrokenPipeError, ConnectionError):
            return  # it is dead: `collect` sees the end of its line

    def collect(self) -> list[tuple[int, Finding]]:
        """The findings of those that are done; waits till somebody is."""
        found: list[tuple[int, Finding]] = []
        for line in wait(list(self.busy)):
            assert isinstance(line, Connection)
            number, path = self.busy.pop(line)
            try:
                finding: Finding = line.recv()
                self._idle.append(line)
            except (EOFError, ConnectionError):
                finding = Finding(shown(path), problem=died(self._dismiss(line)))
            found.append((number, finding))
        return found

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        for line, process in self._processes.items():
            line.close()
            process.terminate()
        for process in self._processes.values():
            process.join()
            process.close()
        self._processes.clear()

    def _hire(self) -> Connection:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._task), daemon=True)
        process.start()
        theirs.close()
        self._processes[ours] = process
        return ours

    def _dismiss(self, line: Connection) -> str:
        process = self._processes.pop(line)
        line.close()
        process.join()
        code = process.exitcode or 0
        process.close()
        return signal.Signals(-code).name if code < 0 else str(code)


def in_processes(paths: Iterable[str], size: int, task: Work = work) -> Iterator[Finding]:
    """The finding on each file, in the order of the files, by so many processes."""
    crew = Crew(size, task)
    todo, done = enumerate(paths), dict[int, Finding]()
    given = told = 0
    try:
        while True:
            # 1. work for whoever has none, as long as the window is not full
            while crew.has_room and given - told < size * WINDOW:
                one = next(todo, None)
                if one is None:
                    break
                crew.give(*one)
                given += 1
            if given == told:
                return
            # 2. what is done
            done.update(crew.collect() if crew.busy else ())
            # 3. and whose turn it is
            while told in done:
                yield done.pop(told)
                told += 1
    finally:
        crew.close()


def _serve(line: Connection, task: Work) -> None:
    """The life of a process: a file in, a finding out, till the line is closed. Ctrl-C is its parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            path = line.recv()
        except EOFError:
            return
        line.send(task(path))
