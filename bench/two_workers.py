"""Two workers on one PostgreSQL ÷ one: the same mails of many games, all in the inbox before the clock starts.

The server is the suite's own cluster, but with fsync as it comes, in a temporary folder. Workers are processes.
"""

from __future__ import annotations

import multiprocessing
import time
from contextlib import closing
from multiprocessing.synchronize import Barrier
from statistics import median

import sqlalchemy as sa

from bench.mails import HOST, NOW, Script, fill, hand_in, in_turns, records, scripts
from bench.measure import Figure, figure
from pbem.service import games
from pbem.service.database import Database, open_database
from pbem.service.worker import handle_some
from tests.conftest import LACKS
from tests.service.postgres import open_server

BOUND = 1.5
GAMES, MOVES, REPEATS = 60, 6, 3


def figures() -> list[Figure]:
    """One figure, if PostgreSQL is installed; it is to be at least its bound."""
    if not LACKS["postgres"][0]():
        return []
    written = scripts(GAMES, MOVES)
    with open_server(fsync=True) as server:
        _make(server.url, written)
        rates: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(REPEATS):
            for workers, found in rates.items():
                found.append(_rate(server.url, written, workers))
    return [figure("two workers on PostgreSQL ÷ one", median(rates[2]) / median(rates[1]), BOUND, least=True)]


def _make(url: str, written: tuple[Script, ...]) -> None:
    """A database in which all games have begun and all moves have come in; others are made from it."""
    _say(url, "CREATE DATABASE filled")
    with closing(open_database(url.replace("DATABASE", "filled"))) as database:
        fill(database, written)
        for script, raw in in_turns(written):
            hand_in(database, script, (raw,))


def _say(url: str, statement: str) -> None:
    engine = sa.create_engine(url.replace("DATABASE", "postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def _rate(url: str, written: tuple[Script, ...], workers: int) -> float:
    """Moves a second."""
    _say(url, "DROP DATABASE IF EXISTS run")
    _say(url, "CREATE DATABASE run TEMPLATE filled")
    run = url.replace("DATABASE", "run")
    context = multiprocessing.get_context("spawn")
    start, end = context.Barrier(workers + 1), context.Barrier(workers + 1)
    processes = [context.Process(target=_work, args=(run, start, end)) for _ in range(workers)]
    for process in processes:
        process.start()
    start.wait()
    began = time.perf_counter()
    end.wait()
    spent = time.perf_counter() - began
    for process in processes:
        process.join()
    with closing(open_database(run)) as database:
        want = sum(len(script.moves) for script in written)
        with database.read() as tx:
            done = tx.exec_driver_sql("SELECT count(*) FROM inbox WHERE outcome = 'taken'").scalar_one()
        if records(database) < want or done < want:
            raise AssertionError(f"{done} of {want} moves taken")
    return want / spent


def _work(url: str, start: Barrier, end: Barrier) -> None:
    with closing(open_database(url)) as database:
        start.wait()
        # games that the other worker has just now are no reason to go home
        while handle_some(database, HOST, lambda: NOW) or _waits(database):
            pass
        end.wait()


def _waits(database: Database) -> bool:
    return games.status(database).inbox["new"] > 0
