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
from pbem.service.worker import MOST, handle_some
from pbem.turn import pipeline

LIVE, REFUSED, LONG = 2.5, 0.5, 1.1
MOVES, EARLY, LATE = 60, 20, 1_000
TOGETHER = MOST
"""Moves that the service writes in one commit where so many wait."""
BETWEEN = 6
"""Moves between two rounds of the audit."""


def figures() -> list[Figure]:
    """Four figures."""
    with _store(scripts(2, WHOLE)) as (database, (first, second)):
        _play(database, first)
        accepted, refused, audited, parsed = _costs(database, second, _log(database, first))
    floor = audited / len(first.moves) + parsed
    among, beside = _together()
    return [
        figure("live turn to its commit ÷ its audit + MIME parse", accepted / floor, LIVE),
        figure(f"the same, {TOGETHER} moves in one commit, as under load", among / beside, LIVE),
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


def _log(database: Database, script: Script) -> bytes:
    with database.read() as tx:
        return b"".join(line + b"\n" for line in load_lines(tx, script.desk.game_id))


def _handled(database: Database, wanted: str, most: int = 1) -> float:
    end = list[float]()

    def at_commit(_: object) -> None:
        end.append(process_time())

    event.listen(database.engine, "commit", at_commit)
    start = process_time()
    handled = handle_some(database, HOST, lambda: NOW, most)
    event.remove(database.engine, "commit", at_commit)
    # the last commit is that of what is written; before it things are only read
    spent = end[-1] - start
    if [one.what for one in handled] != [wanted] * most:
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
    (late,), (early,) = scripts(1, MOVES, LATE), scripts(1, MOVES, EARLY)
    costs: dict[int, list[float]] = {LATE: [], EARLY: []}
    with _store((late,)) as (old, _), _store((early,)) as (young, _):
        for moves in zip(late.moves, early.moves, strict=True):
            for database, script, raw, age in zip(
                (old, young), (late, early), moves, (LATE, EARLY), strict=True
            ):
                hand_in(database, script, (raw,))
                costs[age].append(_handled(database, "taken"))
    return median(costs[LATE]) / median(costs[EARLY])


def _together() -> tuple[float, float]:
    """A move of each of many games, written in one commit, a move; and its audit and parsing beside them."""
    first, *others = scripts(TOGETHER + 1, WHOLE)
    written, audited, parsed = list[float](), list[float](), list[float]()
    with _store((first, *others)) as (database, _):
        _play(database, first)
        log = _log(database, first)
        for number, raws in enumerate(zip(*(script.moves for script in others), strict=False)):
            for script, raw in zip(others, raws, strict=True):
                hand_in(database, script, (raw,))
            written.append(_handled(database, "taken", TOGETHER) / TOGETHER)
            parsed.append(_parse(raws[0]))
            if number % BETWEEN == 0:
                audited.append(_audit(log) / len(first.moves))
    return median(written), median(audited) + median(parsed)
