"""A live turn: what it costs beside what must be done in any case, beside a refusal, and late in a game.

All in CPU seconds of this process. A live turn is a mail in the inbox → parsed, verified, checked, played,
recorded, letters written and queued, up to the commit; the store is a SQLite file. The audit of a turn is that of a
whole game, divided by its moves: a game that is over, for of one that is not the audit plays nothing again. Its rounds
and the parsing are spread among the turns, so that whatever else the machine does falls on all of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from time import process_time

from sqlalchemy import event

from bench.audit_floor import forget
from bench.mails import HOST, NOW, WHOLE, Script, deliver, fill, hand_in, scripts
from bench.measure import Figure, figure
from pbem.audit import audit
from pbem.service.database import Database, open_database
from pbem.service.store import load_lines
from pbem.service.worker import handle_next
from pbem.turn import pipeline

LIVE, REFUSED, LONG = 2.5, 0.5, 1.1
MOVES, EARLY, LATE = 60, 20, 1_000
BETWEEN = 6
"""Moves between two rounds of the audit."""


def figures() -> list[Figure]:
    """Three figures."""
    with _store(scripts(2, WHOLE)) as (database, (first, second)):
        _play(database, first)
        with database.read() as tx:
            log = b"".join(line + b"\n" for line in load_lines(tx, first.desk.game_id))
        accepted, refused, audited, parsed = _costs(database, second, log)
    floor = audited / len(first.moves) + parsed
    return [
        figure("live turn to its commit ÷ its audit + MIME parse", accepted / floor, LIVE),
        figure("a bad signature refused ÷ a move accepted", refused / accepted, REFUSED),
        figure(f"a turn after {LATE} records ÷ after {EARLY}, store included", _late(), LONG),
    ]


@contextmanager
def _store(written: tuple[Script, ...]) -> Generator[tuple[Database, tuple[Script, ...]]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_database(f"sqlite:///{Path(folder) / 'db'}")) as made,
    ):
        fill(made, written)
        yield made, written


def _play(database: Database, script: Script) -> None:
    for raw in script.moves:
        hand_in(database, script, (raw,))
        _handled(database, "taken")


def _costs(database: Database, script: Script, log: bytes) -> tuple[float, float, float, float]:
    """Of accepted moves, of the same with a signature that is wrong, of an audit of the log, of parsing; in turns."""
    accepted, refused, audited, parsed = list[float](), list[float](), list[float](), list[float]()
    for number, raw in enumerate(script.moves):
        for mail, wanted, costs in ((_spoilt(raw), "refused", refused), (raw, "taken", accepted)):
            hand_in(database, script, (mail,))
            costs.append(_handled(database, wanted))
        parsed.append(_parse(raw))
        if number % BETWEEN == 0:
            audited.append(_audit(log))
    return median(accepted), median(refused), median(audited), median(parsed)


def _handled(database: Database, wanted: str) -> float:
    end = list[float]()

    def at_commit(_: object) -> None:
        end.append(process_time())

    event.listen(database.engine, "commit", at_commit)
    start = process_time()
    handled = handle_next(database, HOST, lambda: NOW)
    event.remove(database.engine, "commit", at_commit)
    # the last commit is that of what is written; before it things are only read
    spent = end[-1] - start
    if handled is None or handled.what != wanted:
        raise AssertionError(handled)
    deliver(database)
    return spent


def _spoilt(raw: bytes) -> bytes:
    """Another `rev`, under the signature of the first."""
    spoilt = raw.replace(b'"rev": ', b'"rev": 9', 1)
    if spoilt == raw:
        raise AssertionError("nothing to spoil")
    return spoilt


def _audit(log: bytes) -> float:
    forget()
    start = process_time()
    if audit(log).verdict != "sound":
        raise AssertionError("unsound, or not at its end")
    return process_time() - start


def _parse(raw: bytes) -> float:
    start = process_time()
    if not pipeline.claim_mail(raw).envelopes:
        raise AssertionError("no move")
    return process_time() - start


def _late() -> float:
    """The same moves late and early in a log; what makes it long is moves without orders, letters and all."""
    return _after(LATE) / _after(EARLY)


def _after(number: int) -> float:
    with _store(scripts(1, MOVES, number)) as (database, (script,)):
        costs = list[float]()
        for raw in script.moves:
            hand_in(database, script, (raw,))
            costs.append(_handled(database, "taken"))
        return median(costs)
