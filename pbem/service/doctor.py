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

from engine import Say, decode, plural, say
from pbem.log.canonical import digest
from pbem.log.ledger import Ledger, verify
from pbem.service import dns, held, store
from pbem.service.archive import file_of
from pbem.service.clock import Clock, instant
from pbem.service.config import Config, Home
from pbem.service.database import HEAD, Database, revision
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
    """All that can be looked at without a network."""
    yield from clock_findings(database, clock)
    yield from disk_findings(home.path)
    yield from database_findings(database)
    yield from log_findings(home, database)
    yield from queue_findings(database, clock())


def clock_findings(database: Database, clock: Clock) -> Iterator[Finding]:
    """Records never go back in time, so a clock that was once ahead leaves its mark."""
    now = clock()
    with database.read() as tx:
        ledgers = [_ledger(row) for row in tx.execute(sa.select(games.c.snapshot)).scalars()]
        newest = max((one.at for one in ledgers if one is not None), default="")
        theirs = (
            None if database.is_sqlite else tx.execute(sa.text("SELECT extract(epoch FROM now())")).scalar()
        )
    if newest > instant(now + AHEAD):
        yield Finding(
            "clock",
            "bad",
            say("It is {now} here, but the newest record is of {at}.", now=instant(now), at=newest),
        )
    elif theirs is not None and abs(int(theirs) - now) > APART:
        yield Finding("clock", "look", say("The database's clock says {at}.", at=instant(int(theirs))))
    else:
        yield Finding("clock", "good", say("It is {now} here.", now=instant(now)))


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
    problems: list[str] = []
    if database.is_sqlite:
        with database.read() as tx:
            problems += [
                text for text in tx.execute(sa.text("PRAGMA integrity_check")).scalars() if text != "ok"
            ]
            problems += [str(row[0]) for row in tx.execute(sa.text("PRAGMA foreign_key_check"))]
    found = revision(database) or "-"
    if problems:
        what = plural(
            "One fault: {first}", "{n} faults; the first: {first}", len(problems), first=problems[0][:200]
        )
        yield Finding("database", "bad", what)
    elif found != HEAD:
        yield Finding("database", "bad", say("Its revision is {found}, not {head}.", found=found, head=HEAD))
    else:
        yield Finding("database", "good", say("Sound, at revision {head}.", head=HEAD))


def log_findings(home: Home, database: Database) -> Iterator[Finding]:
    """Every log in the rows, and every file beside it."""
    with database.read() as tx:
        ids = list(tx.execute(sa.select(games.c.id).order_by(games.c.id)).scalars())
    faults, files, behind = list[Finding](), list[Finding](), 0
    for game in ids:
        with database.read() as tx:
            lines = store.load_lines(tx, game)
            snapshot = tx.execute(sa.select(games.c.snapshot).where(games.c.id == game)).scalar_one()
        problem = _fault_in(lines, snapshot)
        if problem is not None:
            faults.append(Finding("records", "bad", say("{game}: {problem}", game=game, problem=problem)))
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
        data = path.read_bytes()
    except OSError:
        return "behind"
    if data == log:
        return "same"
    return "behind" if log.startswith(data) and data.endswith(b"\n") else "other"


def queue_findings(database: Database, now: int) -> Iterator[Finding]:
    """What waits, and for how long."""
    with database.read() as tx:
        mail = tx.execute(sa.select(sa.func.min(inbox.c.received)).where(inbox.c.state == NEW)).scalar()
        letter = tx.execute(
            sa.select(sa.func.min(outbox.c.created)).where(outbox.c.state == NEW, outbox.c.attempts == 0)
        ).scalar()
        poison = _count(tx, inbox, POISON)
        failed = _count(tx, outbox, FAILED)
        holds = held.list_held(tx)
    late = [age for age in (now - (mail or now), now - (letter or now)) if age > LATE]
    if late:
        yield Finding(
            "queues",
            "bad",
            say("Something has waited for {hours} h: does the service run?", hours=max(late) // 3600),
        )
    if poison:
        yield Finding(
            "queues", "look", say("Mails put aside because of a fault of ours: {count}.", count=poison)
        )
    if failed:
        yield Finding("queues", "look", say("Letters given up: {count}.", count=failed))
    if holds:
        yield Finding(
            "queues", "look", say("Games on hold: {count}. See `pbem host holds`.", count=len(holds))
        )
    if not (late or poison or failed or holds):
        yield Finding("queues", "good", say("Nothing waits that should not."))


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
