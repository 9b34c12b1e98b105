"""A library built in a folder: archives read where they are new or changed, pages written where they differ.

Decides which archives are read again and which files the site has. What was read is remembered in one file of
the site (`.library.jsonl`: a line for each archive, in the order of their paths), which is read as a stream; so
is what the workers give back. Memory holds a short entry of each game and counts.

An archive counts as unchanged if its path, size and time of change are the remembered ones, the version of pbem
and the language too, and its page is there. The site's pages depend on the archives' bytes and paths alone.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import msgspec

from engine import decode, refuse
from pbem import __version__
from pbem.audit.bulk import MOST_BYTES
from pbem.audit.level2 import Auditor
from pbem.log.canonical import digest
from pbem.site.catalogue import Catalogue
from pbem.site.page import page
from pbem.site.shelves import Frame, shelves
from pbem.site.summary import DIED, PAGELESS, TOO_LONG, UNREADABLE, Summary, summary_of
from pbem.site.tale import outline, tell
from pbem.site.text import clean

MEMORY = ".library.jsonl"
GAMES = "games"
_MARKS = (b'<meta name="generator" content="pbem ', b"<generator>pbem library</generator>")
"""One of them stands at the head of every page and feed that a library writes."""
_HEAD = 16_384
_FORMAT = 2
_WINDOW = 4
_ENCODER = msgspec.json.Encoder()


class Order(msgspec.Struct, frozen=True):
    """What is to be built: from which folder, to which, in which language, with or without replay pages."""

    folder: Path
    site: Path
    lang: str = "en"
    pages: bool = True
    jobs: int = 1
    base_url: str = ""


class Row(msgspec.Struct, frozen=True):
    """What is remembered of an archive: where, how large, when changed (ns), by which version; what it says."""

    path: str
    size: int
    changed: int
    stamp: str
    summary: Summary


class Built(msgspec.Struct, frozen=True):
    """What a build did: archives there are, read anew, games listed, problems; files written, removed; files left out."""

    archives: int
    read: int
    games: int
    problems: int
    written: int
    removed: int
    left_out: int


Progress = Callable[[int, int], None]
"""Called with how many archives are done, of how many."""


def build(order: Order, auditor: Auditor | None = None, progress: Progress | None = None) -> Built:
    """Builds the site, or brings it up to date. With an auditor of one's own, `jobs` must be 1.

    Refused `archive/site` where the archives would lie inside the site.
    """
    if order.folder.resolve().is_relative_to(order.site.resolve()):
        raise refuse("archive/site", site=str(order.site), folder=str(order.folder))
    paths, left_out = archives(order.folder, order.site)
    order = msgspec.structs.replace(order, jobs=max(1, min(order.jobs or os.cpu_count() or 1, len(paths))))
    (order.site / GAMES).mkdir(parents=True, exist_ok=True)
    memory, fresh = order.site / MEMORY, order.site / f"{MEMORY}.new"
    catalogue, read, pages = Catalogue(), 0, set[str]()
    with fresh.open("wb") as file:
        for done, (row, is_new) in enumerate(_rows(order, paths, _remembered(memory), auditor), 1):
            file.write(_ENCODER.encode(row) + b"\n")
            catalogue.choose(row.path, row.summary)
            pages.add(f"{row.summary.page}.html")
            read += is_new
            if progress is not None:
                progress(done, len(paths))
    fresh.replace(memory)
    for row in _remembered(memory):
        catalogue.add(row.path, row.summary)
    written, kept = _write(order, catalogue)
    removed = _sweep(order.site / GAMES, pages if order.pages else set()) + _sweep_shelves(order.site, kept)
    games, problems = len(catalogue.entries), len(catalogue.problems)
    return Built(len(paths), read, games, problems, written, removed, left_out)


def archives(folder: Path, site: Path) -> tuple[list[str], int]:
    """Every `*.pbem` below a folder, as a path from there with `/`, in the order of these paths; how many are left out.

    A name that is no text cannot stand on a page, and a pipe or a link that leads nowhere has nothing to read:
    such a file is left out.
    """
    inside = site.resolve()
    names: list[str] = []
    left_out = 0
    for path in folder.rglob("*.pbem"):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or inside in path.resolve().parents:
            continue
        if path.is_file() and name == clean(name):
            names.append(name)
        else:
            left_out += 1
    return sorted(names), left_out


def read_archive(order: Order, path: str, auditor: Auditor | None = None) -> Summary:
    """Reads, audits and sums up one archive, and writes its page. Whatever it holds gets a summary."""
    if _looks(order.folder / path)[0] > MOST_BYTES:
        return nothing_of(path, TOO_LONG)
    try:
        log = (order.folder / path).read_bytes()
    except OSError:
        return nothing_of(path, UNREADABLE)
    try:
        return _read(order, log, auditor)
    except (Exception, MemoryError):  # noqa: BLE001  one bad file never stops the rest; it is listed
        return nothing_of(path, DIED)


def nothing_of(path: str, code: str) -> Summary:
    """What is kept of an archive that was not read to its end."""
    return Summary(digest(path.encode("utf-8")), "fault", code=code)


def _read(order: Order, log: bytes, auditor: Auditor | None) -> Summary:
    story = (tell if order.pages else outline)(log, order.lang, auditor)
    summary = summary_of(log, story.tale, story.report, story.collected)
    if order.pages:
        _put(order.site / GAMES / f"{summary.page}.html", page(log, story))
    return summary


def _rows(
    order: Order, paths: Iterable[str], old: Iterator[Row], auditor: Auditor | None
) -> Iterator[tuple[Row, bool]]:
    """The rows in the order of the paths, each with whether it was read anew."""
    waiting: deque[tuple[Row | None, Callable[[], Row]]] = deque()
    with _workers(order, auditor) as start:
        remembered = next(old, None)
        for path in paths:
            while remembered is not None and remembered.path < path:
                remembered = next(old, None)
            row = remembered if remembered is not None and remembered.path == path else None
            known = row if row is not None and _is_current(order, row) else None
            waiting.append((known, start(path) if known is None else _nothing))
            while len(waiting) > _WINDOW * order.jobs:
                yield _settled(*waiting.popleft())
        while waiting:
            yield _settled(*waiting.popleft())


def _settled(known: Row | None, wait: Callable[[], Row]) -> tuple[Row, bool]:
    return (known, False) if known is not None else (wait(), True)


def _nothing() -> Row:
    raise ValueError("nothing was started")


@contextmanager
def _workers(order: Order, auditor: Auditor | None) -> Generator[Callable[[str], Callable[[], Row]]]:
    """A way to start reading an archive, which gives a way to wait for its row."""
    if order.jobs == 1:
        yield lambda path: lambda: _row(order, path, auditor)
        return
    pools = [_pool(order.jobs)]

    def start(path: str) -> Callable[[], Row]:
        try:
            future = pools[-1].submit(_row, order, path)
        except BrokenProcessPool:
            pools.append(_pool(order.jobs))
            future = pools[-1].submit(_row, order, path)
        return lambda: _waited(order, path, future)

    try:
        yield start
    finally:
        for pool in pools:
            pool.shutdown(cancel_futures=True)


def _waited(order: Order, path: str, future: Future[Row]) -> Row:
    """The row; where a process died, whichever file it had, this one is read again by a process of its own."""
    try:
        return future.result()
    except BrokenProcessPool:
        with _pool(1) as alone:
            try:
                return alone.submit(_row, order, path).result()
            except BrokenProcessPool:
                return Row(path, *_looks(order.folder / path), _stamp(order), nothing_of(path, DIED))


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))


def _row(order: Order, path: str, auditor: Auditor | None = None) -> Row:
    size, changed = _looks(order.folder / path)
    return Row(path, size, changed, _stamp(order), read_archive(order, path, auditor))


def _is_current(order: Order, row: Row) -> bool:
    if (row.size, row.changed, row.stamp) != (*_looks(order.folder / row.path), _stamp(order)):
        return False
    if row.summary.code in PAGELESS:
        return False
    return not order.pages or (order.site / GAMES / f"{row.summary.page}.html").exists()


def _looks(path: Path) -> tuple[int, int]:
    """Size and time of change (ns) of a file, -1 where the machine does not tell."""
    try:
        stat = path.stat()
    except OSError:
        return -1, -1
    return stat.st_size, stat.st_mtime_ns


def _stamp(order: Order) -> str:
    return f"{_FORMAT} {__version__} {order.lang}"


def _remembered(memory: Path) -> Iterator[Row]:
    """The rows of an earlier build, one at a time; none from where the file cannot be read."""
    if not memory.exists():
        return
    with memory.open("rb") as file:
        for line in file:
            try:
                yield decode(Row, line)
            except (msgspec.MsgspecError, ValueError):
                return


def _write(order: Order, catalogue: Catalogue) -> tuple[int, set[str]]:
    """Writes the shelves; how many changed, and the names of all."""
    written, kept = 0, set[str]()
    for name, data in shelves(catalogue, Frame(order.lang, order.pages, order.base_url)):
        written += _put(order.site / name, data)
        kept.add(name)
    return written, kept


def _put(path: Path, data: bytes) -> bool:
    """Writes a file unless it holds just this; True if it was written."""
    if path.exists() and path.stat().st_size == len(data) and digest(path.read_bytes()) == digest(data):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(data)
    half.replace(path)
    return True


def _sweep(folder: Path, keep: set[str]) -> int:
    """Removes pages of archives that are gone."""
    gone = [path for path in sorted(folder.glob("*.html")) if path.name not in keep and _is_ours(path)]
    for path in gone:
        path.unlink()
    return len(gone)


def _sweep_shelves(site: Path, keep: set[str]) -> int:
    """Removes shelves that nothing stands on any more."""
    ours = [
        *site.glob("*.html"),
        *site.glob("list/*.html"),
        *site.glob("rulesets/*"),
        *site.glob("players/*"),
    ]
    gone = [path for path in ours if path.relative_to(site).as_posix() not in keep and _is_ours(path)]
    for path in gone:
        path.unlink()
    return len(gone)


def _is_ours(path: Path) -> bool:
    """Whether a file says at its head that a library wrote it: what somebody else put here stays."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return any(mark in head for mark in _MARKS)
