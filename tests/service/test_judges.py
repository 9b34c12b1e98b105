"""Mails judged beforehand, and in a process beside this one: the same rows, and whatever befalls it, nothing is lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from multiprocessing import Pipe, active_children
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bench.mails import HOST, NOW, Script, deliver, fill, hand_in, in_turns, scripts
from engine import GAMES
from pbem.log.chain import HOST as WHO
from pbem.log.chain import LENGTH, chain_link, marked_link, marks_of
from pbem.service import judges, people, plain, rows, store, worker
from pbem.service.database import Database, open_database
from pbem.service.judges import JudgeProcess, NoAnswer
from pbem.service.locks import Queue
from pbem.service.worker import handle_next, handle_some
from tests.service.test_batch import rows as rows_in
from tests.service.test_batch import waiting

SEVERAL, MOVES = judges.FEW + 1, 2


@pytest.fixture
def written() -> tuple[Script, ...]:
    """Games of two moves."""
    return scripts(SEVERAL, MOVES)


@pytest.fixture
def store_of_many(tmp_path: Path, written: tuple[Script, ...]) -> Iterator[Database]:
    with waiting(tmp_path / "db", written) as database:
        yield database


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeProcess]:
    """A process that judges, ready."""
    monkeypatch.setattr(judges, "_processors", lambda: 2)
    with closing(JudgeProcess(HOST)) as process:
        _ready(process)
        yield process
    for child in active_children():
        child.join(10)


def _ready(process: JudgeProcess) -> None:
    until = time.monotonic() + 60
    while not process.takes(SEVERAL):
        assert time.monotonic() < until
        time.sleep(0.02)


def handle_all(database: Database, beside: JudgeProcess | None = None) -> list[str]:
    done: list[str] = []
    while some := handle_some(database, HOST, lambda: NOW, apart=beside):
        done += [one.what for one in some]
    return done


def test_another_process_judges_as_this_one(
    store_of_many: Database, beside: JudgeProcess, tmp_path: Path, written: tuple[Script, ...]
) -> None:
    with closing(open_database(f"sqlite:///{tmp_path / 'other'}")) as other:
        fill(other, written)
        deliver(other)
        for script, raw in in_turns(written):
            hand_in(other, script, (raw,))
        assert handle_all(store_of_many, beside) == ["taken"] * SEVERAL * MOVES
        while handle_next(other, HOST, lambda: NOW):
            pass
        assert by_game(store_of_many) == by_game(other)


def by_game(database: Database) -> dict[str, list[Any]]:
    """What is in the store, but for the order among games."""
    return {name: sorted(found) for name, found in rows_in(database).items() if name != "mails"}


@pytest.mark.parametrize("when", ["before it is asked", "while it is asked"])
def test_a_process_that_is_killed_costs_no_mail(
    store_of_many: Database, beside: JudgeProcess, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def kill() -> None:
        for child in _children():
            os.kill(child, signal.SIGKILL)

    if when == "before it is asked":
        kill()
    else:
        real = beside.ask

        def ask(sheets: Sequence[plain.Sheet], now: int) -> None:
            kill()
            real(sheets, now)

        monkeypatch.setattr(beside, "ask", ask)
    assert handle_all(store_of_many, beside) == ["taken"] * SEVERAL * MOVES


def _children() -> list[int]:
    return [child.pid for child in active_children() if child.pid]


def test_what_cannot_be_written_is_judged_anew_though_more_is_being_judged(
    store_of_many: Database, beside: JudgeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that fails at the second of several transactions, while the third's mails are judged."""
    real, count = worker._write, 0

    def fails(*given: Any) -> Any:
        nonlocal count
        count += 1
        if count == 2:
            raise OperationalError("x", {}, Exception("locked"))
        return real(*given)

    monkeypatch.setattr(worker, "_write", fails)
    monkeypatch.setattr(worker, "CHUNK", 2)
    done = handle_some(store_of_many, HOST, lambda: NOW, SEVERAL, beside)
    assert [one.what for one in done] == ["taken"] * 2
    assert len(beside.games) == 2
    with pytest.raises(OperationalError):
        handle_some(store_of_many, HOST, lambda: NOW, SEVERAL, beside)
    assert beside.games
    assert handle_all(store_of_many, beside) == ["taken"] * (SEVERAL * MOVES - 2)


def test_a_process_that_cannot_begin_is_not_tried_again(
    store_of_many: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = 0

    def begin(process: JudgeProcess) -> None:
        nonlocal began
        began += 1
        ours, theirs = Pipe()
        theirs.close()
        process._pipe = ours

    monkeypatch.setattr(judges, "_processors", lambda: 2)
    monkeypatch.setattr(JudgeProcess, "_begin", begin)
    with closing(JudgeProcess(HOST)) as process:
        assert handle_all(store_of_many, process) == ["taken"] * SEVERAL * MOVES
        assert not process.takes(SEVERAL)
    assert began == 1


def test_a_game_that_is_not_of_the_catalog_is_judged_here(beside: JudgeProcess) -> None:
    own = msgspec.structs.replace(HOST, games=GAMES[:1])
    with closing(JudgeProcess(own)) as process:
        assert not process.takes(100)
        with pytest.raises(NoAnswer):
            process.ask((), NOW)


def test_few_mails_and_one_processor_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(_: JudgeProcess) -> None:
        pytest.fail("started")

    monkeypatch.setattr(JudgeProcess, "_begin", begin)
    monkeypatch.setattr(judges, "_processors", lambda: 2)
    assert not JudgeProcess(HOST).takes(judges.FEW - 1)
    assert not JudgeProcess(HOST, apart=False).takes(100)
    monkeypatch.setattr(judges, "_processors", lambda: 1)
    assert not JudgeProcess(HOST).takes(100)


def test_a_mail_that_breaks_the_judge_is_poison_and_no_other(
    store_of_many: Database, written: tuple[Script, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, bad = plain.judge, written[1].desk.game_id

    def faulty(host: Any, sheet: plain.Sheet, now: int) -> Any:
        if sheet.mail.game == bad:
            raise LookupError("broken")
        return real(host, sheet, now)

    monkeypatch.setattr(plain, "judge", faulty)
    handle_all(store_of_many)
    with store_of_many.read() as tx:
        found = tx.execute(sa.text("SELECT game, state, attempts FROM inbox WHERE raw != ''")).all()
    assert {(row.state, row.attempts) for row in found if row.game != bad} == {("done", 0)}
    assert [row.attempts for row in found if row.state == "poison"] == [3] * MOVES


def test_a_sheet_has_all_that_a_desk_is_made_of(store_of_many: Database) -> None:
    with store_of_many.read() as tx:
        for sheet in Queue(tx).sheets(SEVERAL):
            assert rows.opened(HOST, sheet.game, NOW) == store.load_desk(tx, HOST, sheet.mail.game, NOW)


def test_a_player_who_has_moved_while_his_opponent_s_move_was_judged_is_written_to_where_he_is(
    store_of_many: Database, written: tuple[Script, ...]
) -> None:
    """What was judged beforehand had his old address, or that of somebody whom the host had forgotten meanwhile."""
    game, seat = written[0].desk.game_id, written[0].desk.charter.seats[0]
    with store_of_many.read() as tx:
        sheets = Queue(tx).sheets(SEVERAL)
    found = [plain.found(HOST, sheet, NOW) for sheet in sheets]
    with store_of_many.write() as tx:
        people.set_address(tx, game, seat, "moved@example.org", NOW)
    with pytest.raises(store.Overtaken):
        worker._write(store_of_many, HOST, NOW, sheets, found)
    assert handle_all(store_of_many) == ["taken"] * SEVERAL * MOVES
    with store_of_many.read() as tx:
        letters = tx.execute(
            sa.text("SELECT recipient FROM outbox WHERE game = :g AND seat = :s AND state = 'new'"),
            {"g": game, "s": seat},
        ).scalars()
        assert set(letters) == {"moved@example.org"}


def test_a_link_from_the_marks_is_the_link() -> None:
    seed, game = b"s" * 32, "testgame"
    marks = marks_of(seed, game, WHO)
    for k in (0, 1, 62, 63, 64, 65, 127, 2_000, LENGTH - 64, LENGTH - 1, LENGTH):
        assert marked_link(marks, game, WHO, k) == chain_link(seed, game, WHO, k)
    for k in (-1, LENGTH + 1):
        with pytest.raises(ValueError, match="of a chain of"):
            marked_link(marks, game, WHO, k)


def test_a_game_that_was_made_without_marks_has_the_same_links(store_of_many: Database) -> None:
    with store_of_many.write() as tx:
        kept = tx.execute(sa.text("SELECT id, secrets FROM games")).all()
        for game, secrets in kept:
            old = {name: value for name, value in msgspec.json.decode(secrets).items() if name != "marks"}
            assert len(old) == 3
            tx.execute(
                sa.text("UPDATE games SET secrets = :s WHERE id = :g"),
                {"s": msgspec.json.encode(old), "g": game},
            )
    assert handle_all(store_of_many) == ["taken"] * SEVERAL * MOVES
