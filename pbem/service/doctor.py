"""What a host should know before his players notice: each thing looked at, and how it is.

Decides what is good, what is worth a thought and what is bad. It changes nothing but a file that it writes and
removes again, and, if asked for the round trip, one mail to itself.

| name        | looks at                                                                          |
| ----------- | --------------------------------------------------------------------------------- |
| `clock`     | the machine's clock against the newest record and the database's clock            |
| `disk`      | room left, and that a file can be written for good                                |
| `database`  | its own check of itself, foreign keys, the revision                               |
| `records`   | each log: whole, chained, sealed (level 1); each snapshot stands at its newest line |
| `logs`      | each log file against the rows; one that is only behind is caught up by the worker |
| `queues`    | mail and letters that wait too long, poison, games on hold                        |
| `relay`     | that the mail server for letters answers, and offers TLS where it is far away     |
| `dns`       | MX, SPF and DMARC of the service's name                                           |
| `roundtrip` | a mail to oneself, out through the relay and in by the door                       |
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoResultFound

from engine import Refused, Say, decode, plural, say
from pbem.disk import read_file
from pbem.log.canonical import digest
from pbem.log.ledger import Ledger, verify
from pbem.service import dns, held, store
from pbem.service.archive import file_of
from pbem.service.clock import Clock, instant
from pbem.service.config import Config, Home
from pbem.service.database import HEAD, Database, is_damaged, revision
from pbem.service.tables import FAILED, NEW, POISON, games, inbox, outbox
from pbem.turn.desk import Snapshot

How = Literal["good", "look", "bad"]
AHEAD, APART = 60, 10
"""Seconds: a record may be so far ahead of the clock, the database's clock so far apart from ours."""
SCARCE, NONE_LEFT = 1 << 30, 100 << 20
"""Bytes free on the disk: worth a thought; bad."""
LATE = 3_600
"""Seconds that a mail may wait for the worker, or a letter for its first try."""


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at."""

    name: str
    how: How
    what: Say


def examine(home: Home, database: Database, clock: Clock) -> Iterator[Finding]:
    """All that can be looked at without a network. What damage hides from one look does not stop the others."""
    yield from clock_findings(database, clock)
    yield from disk_findings(home.path)
    yield from database_findings(database)
    yield from log_findings(home, database)
    yield from queue_findings(database, clock())


def examine_shut(home: Home, shut: Finding, clock: Clock) -> Iterator[Finding]:
    """The same of a home whose database does not open, which is what `shut` says."""
    yield Finding("clock", "good", say("It is {now} here.", now=instant(clock())))
    yield from disk_findings(home.path)
    yield shut


def malformed(problem: str) -> Finding:
    """What is to be done about a file that is not as it was written."""
    what = say(
        "The file is malformed ({problem}): stop the service, keep the file, and put the newest copy into a new home with"
        " `pbem host restore`.",
        problem=problem,
    )
    return Finding("database", "bad", what)


def unseen(name: str, error: DBAPIError) -> Finding:
    """A look that could not be had."""
    return Finding(name, "bad", say("This cannot be looked at: {problem}.", problem=_problem(error)))


def _problem(error: DBAPIError) -> str:
    """SQLite's own words quote nothing that was written."""
    text = str(error.orig) if is_damaged(error) else type(error.orig).__name__
    return text.splitlines()[0][:200]


def clock_findings(database: Database, clock: Clock) -> Iterator[Finding]:
    """Records never go back in time, so a clock that was once ahead leaves its mark."""
    now = clock()
    try:
        newest, theirs = _times(database)
    except DBAPIError as error:
        what = say(
            "It is {now} here; no record can be looked at: {problem}.",
            now=instant(now),
            problem=_problem(error),
        )
        yield Finding("clock", "look", what)
        return
    if newest > instant(now + AHEAD):
        yield Finding(
            "clock",
            "bad",
            say("It is {now} here, but the newest record is of {at}.", now=instant(now), at=newest),
        )
    elif theirs is not None and abs(theirs - now) > APART:
        yield Finding("clock", "look", say("The database's clock says {at}.", at=instant(theirs)))
    else:
        yield Finding("clock", "good", say("It is {now} here.", now=instant(now)))


def _times(database: Database) -> tuple[str, int | None]:
    """The instant of the newest record, and what the database's own clock says, if it has one."""
    with database.read() as tx:
        ledgers = [_ledger(row) for row in tx.execute(sa.select(games.c.snapshot)).scalars()]
        newest = max((one.at for one in ledgers if one is not None), default="")
        if database.is_sqlite:
            return newest, None
        return newest, int(tx.execute(sa.text("SELECT extract(epoch FROM now())")).scalar_one())


def disk_findings(folder: Path) -> Iterator[Finding]:
    """Room, and whether what is written stays."""
    free = shutil.disk_usage(folder).free
    how: How = "bad" if free < NONE_LEFT else "look" if free < SCARCE else "good"
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(b"\0" * 4_096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        problem = error.strerror or type(error).__name__
        yield Finding("disk", "bad", say("Nothing can be written in the home: {problem}.", problem=problem))
        return
    yield Finding("disk", how, say("{free} MiB are free.", free=free >> 20))


def database_findings(database: Database) -> Iterator[Finding]:
    """What the database says of itself."""
    damaged, problems, found = list[str](), list[str](), "-"
    try:
        if database.is_sqlite:
            damaged = _pragma(database, "integrity_check")
            problems = _pragma(database, "foreign_key_check")
        found = revision(database) or "-"
    except DBAPIError as error:
        if not is_damaged(error):
            yield unseen("database", error)
            return
        damaged.append(_problem(error))
    if damaged:
        yield malformed(" ".join(damaged[0].split())[:200])
    elif problems:
        what = plural(
            "One fault: {first}", "{n} faults; the first: {first}", len(problems), first=problems[0][:200]
        )
        yield Finding("database", "bad", what)
    elif found != HEAD:
        yield Finding("database", "bad", say("Its revision is {found}, not {head}.", found=found, head=HEAD))
    else:
        yield Finding("database", "good", say("Sound, at revision {head}.", head=HEAD))


def _pragma(database: Database, name: str) -> list[str]:
    """What one of SQLite's own checks finds."""
    with database.read() as tx:
        return [str(row[0]) for row in tx.execute(sa.text(f"PRAGMA {name}")) if row[0] != "ok"]


def log_findings(home: Home, database: Database) -> Iterator[Finding]:
    """Every log in the rows, and every file beside it."""
    try:
        with database.read() as tx:
            ids = list(tx.execute(sa.select(games.c.id).order_by(games.c.id)).scalars())
    except DBAPIError as error:
        yield unseen("records", error)
        yield unseen("logs", error)
        return
    faults, files, behind = list[Finding](), list[Finding](), 0
    for game in ids:
        try:
            with database.read() as tx:
                lines = store.load_lines(tx, game)
                snapshot = tx.execute(sa.select(games.c.snapshot).where(games.c.id == game)).scalar_one()
        except (DBAPIError, NoResultFound) as error:
            # an index may still name a game whose row is gone
            problem = _problem(error) if isinstance(error, DBAPIError) else type(error).__name__
            what = say("{game}: its rows cannot be read: {problem}.", game=game, problem=problem)
            faults.append(Finding("records", "bad", what))
            files.append(Finding("logs", "bad", say("{game}: nothing to hold its file against.", game=game)))
            continue
        fault = _fault_in(lines, snapshot)
        if fault is not None:
            faults.append(Finding("records", "bad", say("{game}: {problem}", game=game, problem=fault)))
        state = _compared(home.logs / f"{game}.pbem", file_of(lines))
        behind += state == "behind"
        if state == "other":
            files.append(Finding("logs", "bad", say("{game}: its file is not its log.", game=game)))
    yield from faults or [Finding("records", "good", say("Logs that are sound: {count}.", count=len(ids)))]
    if behind:
        files.append(Finding("logs", "look", say("Files that are behind their logs: {count}.", count=behind)))
    yield from files or [Finding("logs", "good", say("Every file is its log."))]


def _fault_in(lines: list[bytes], snapshot: bytes) -> Say | None:
    report = verify(line + b"\n" for line in lines)
    if report.fault is not None:
        return say("line {line}: {code}", line=report.fault.line, code=report.fault.refusal.code)
    ledger = _ledger(snapshot)
    if ledger is None:
        return say("the position cannot be read")
    if not lines or ledger.head != digest(lines[-1]):
        return say("the position is not that of the newest record")
    return None


def _compared(path: Path, log: bytes) -> Literal["same", "behind", "other"]:
    try:
        data = read_file(path)
    except OSError:
        return "behind"
    except Refused:
        return "other"
    if data == log:
        return "same"
    return "behind" if log.startswith(data) and data.endswith(b"\n") else "other"


def queue_findings(database: Database, now: int) -> Iterator[Finding]:
    """What waits, and for how long."""
    told, late = list[Finding](), list[int]()
    for look in (_mails, _letters, _holds):
        try:
            with database.read() as tx:
                oldest, found = look(tx)
        except DBAPIError as error:
            told.append(unseen("queues", error))
            continue
        late += [] if oldest is None else [now - oldest]
        told += [] if found is None else [Finding("queues", "look", found)]
    if max(late, default=0) > LATE:
        what = say("Something has waited for {hours} h: does the service run?", hours=max(late) // 3600)
        told.insert(0, Finding("queues", "bad", what))
    yield from told or [Finding("queues", "good", say("Nothing waits that should not."))]


def _mails(tx: sa.Connection) -> tuple[int | None, Say | None]:
    oldest = tx.execute(sa.select(sa.func.min(inbox.c.received)).where(inbox.c.state == NEW)).scalar()
    poison = _count(tx, inbox, POISON)
    said = say("Mails put aside because of a fault of ours: {count}.", count=poison)
    return oldest, said if poison else None


def _letters(tx: sa.Connection) -> tuple[int | None, Say | None]:
    untried = outbox.c.state == NEW, outbox.c.attempts == 0
    oldest = tx.execute(sa.select(sa.func.min(outbox.c.created)).where(*untried)).scalar()
    failed = _count(tx, outbox, FAILED)
    return oldest, say("Letters given up: {count}.", count=failed) if failed else None


def _holds(tx: sa.Connection) -> tuple[int | None, Say | None]:
    holds = held.list_held(tx)
    return None, say("Games on hold: {count}. See `pbem host holds`.", count=len(holds)) if holds else None


def dns_findings(config: Config, server: tuple[str, int], number: Callable[[], int]) -> Iterator[Finding]:
    """Hints: what the world needs to know to send us mail, and to take ours."""
    domain = config.domain
    wanted: tuple[tuple[str, dns.Kind, str, Say], ...] = (
        (domain, "MX", "", say("{name} has no MX record: mail servers may not find it.", name=domain)),
        (
            domain,
            "TXT",
            "v=spf1",
            say("{name} has no SPF record: letters may be taken for spam.", name=domain),
        ),
        (
            f"_dmarc.{domain}",
            "TXT",
            "v=DMARC1",
            say("{name} has no DMARC record: some mail servers want one.", name=domain),
        ),
    )
    missing = 0
    for name, kind, begin, lack in wanted:
        try:
            found = dns.ask(server, name, kind, number())
        except dns.Unanswered as error:
            yield Finding(
                "dns", "look", say("The name server does not answer: {problem}.", problem=str(error))
            )
            return
        if not any(text.startswith(begin) for text in found):
            missing += 1
            yield Finding("dns", "look", lack)
    if not missing:
        yield Finding("dns", "good", say("{name} has MX, SPF and DMARC records.", name=domain))


def _count(tx: sa.Connection, table: sa.Table, state: str) -> int:
    return int(tx.execute(sa.select(sa.func.count()).where(table.c.state == state)).scalar_one())


def _ledger(snapshot: bytes) -> Ledger | None:
    """The ledger in a row of a game; None if the row is damaged."""
    try:
        found: Snapshot = decode(Snapshot, snapshot)
    except (msgspec.DecodeError, UnicodeError):
        return None
    return found.ledger
