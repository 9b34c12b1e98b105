"""A store that is away for a while, and what else needs room: nothing is lost, and all is caught up when it is back."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from pbem.audit.audit import audit
from pbem.cli.asked import game_secrets, word
from pbem.service import app, database, games, intake
from pbem.service.archive import Mirror
from pbem.service.journal import COUNTS
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from pbem.turn.policy import TimePolicy, plain_policy
from tests.service.full_disk import put_off
from tests.service.house import ARENA, SEATS, House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import send, written

HOUR = 3_600


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PAUSE", 0.01)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)


def mail_of(player: Player, number: int = 0) -> tuple[str, list[str], bytes]:
    raw = written(player.address, player.invitation.address, b"word %d\n" % number)
    return player.address, [player.invitation.address], raw


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=False, now=0)


async def told(event: str, times: int) -> None:
    """Returns when the service has told of something so many times more."""
    before = COUNTS[event]
    while COUNTS[event] < before + times:
        await asyncio.sleep(0.01)


def test_a_database_that_was_away_hears_of_it_before_anybody_is_called_late(tmp_path: Path) -> None:
    """From a fault: within half a minute after a look in vain nobody asked how long the database had been away."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            people = {seat: Person(f"{seat}@example.org", word(house.chance, 16)) for seat in SEATS}
            policy = plain_policy(TimePolicy({"all": "72h"}))
            plan = Plan(word(house.chance, 10), ARENA, {}, people, deadline=policy)
            game = await house.service.create_game(plan, game_secrets(house.service.home.key, house.chance))
            await house.service.wait_idle()
            players = await begin(house, game)
            away = [True]

            def fail(*_: Any) -> None:
                if away:
                    raise OperationalError("x", {}, Exception("gone"))

            event.listen(house.service.database.engine, "before_cursor_execute", fail)
            house.clock.seconds += 100 * HOUR
            house.service.look()
            await told("store-trouble", 5)
            away.clear()
            await house.service.wait_idle()
            records = [json.loads(line) for line in log_of(house, game).splitlines()]
            assert "timeout" not in {record["kind"] for record in records}
            assert (records[-1]["kind"], records[-1]["reason"]) == ("deadline", "outage")
            assert await play_on(players, stream("back"), 2) == 2

    asyncio.run(said())


def test_a_file_that_somebody_else_has_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes in meanwhile is put off with all others, not one after the other, each after half a minute."""
    tries: list[int] = []
    real = intake.Intake._insert

    def counted(one: intake.Intake, mails: Any) -> None:
        tries.append(len(mails))
        real(one, mails)

    monkeypatch.setattr(intake.Intake, "_insert", counted)

    async def said() -> None:
        async with open_house(tmp_path, per_sender=0, per_game=0) as house:
            red = (await house.players(await house.game()))["red"]
            other = sqlite3.connect(house.service.home.path / "pbem.sqlite", isolation_level=None)
            # the address is known by now, and nobody has to look it up
            await red.hand_in(mail_of(red, 100)[2])
            other.execute("BEGIN EXCLUSIVE")
            tries.clear()
            mails = [mail_of(red, number) for number in range(20)]
            codes = await asyncio.gather(*(put_off(send(house.door, *mail)) for mail in mails))
            assert codes == [{451}] * 20
            assert sum(tries) == 20
            other.execute("ROLLBACK")
            other.close()
            await asyncio.gather(*(send(house.door, *mail) for mail in mails))
            await house.service.wait_idle()
            assert [row.state for row in house.rows("inbox", "id, state")] == ["done"] * 21

    asyncio.run(said())


@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_goes_away_and_comes_back(tmp_path: Path, same: bool) -> None:
    """By its own inode, or as a copy; no connection goes on with a file that is not there any more."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            await play_on(players, stream("before"), 2)
            file, aside = house.service.home.path / "pbem.sqlite", tmp_path / "aside"
            file.rename(aside)
            red = players["red"]
            before = len(red.posts)
            for number in range(8):
                with pytest.raises(
                    (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused)
                ) as put:
                    await send(house.door, *mail_of(red, number))
                assert "451" in str(put.value)
            assert not file.exists()
            if same:
                aside.rename(file)
            else:
                shutil.copy(aside, file)
            await house.service.wait_idle()
            assert await play_on(players, stream("after"), 4) == 4
            log = log_of(house, red.game)
            assert audit(log).verdict == "unfinished"
            assert (house.service.home.logs / f"{red.game}.pbem").read_bytes() == log
            assert len(red.posts) > before
            assert (file.stat().st_mode & 0o777) in (
                0o600,
                aside.stat().st_mode & 0o777 if aside.exists() else 0o600,
            )

    asyncio.run(said())


def test_a_log_file_for_which_there_was_no_room_is_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a fault: it stayed behind its log until the next move, or the next start."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            full, real = [True], Mirror.bring_up

            def bring_up(mirror: Mirror, *ids: str) -> None:
                if full and ids:
                    raise OSError(28, "No space left on device")
                real(mirror, *ids)

            monkeypatch.setattr(Mirror, "bring_up", bring_up)
            game = players["red"].game
            asked = next(one for one in players.values() if one.view.menu.asked)
            before = log_of(house, game)
            moving = asyncio.create_task(asked.mail(asked.move(stream("room"))))
            await told("loop-failed", 3)
            assert (house.service.home.logs / f"{game}.pbem").read_bytes() == before
            full.clear()
            await moving
            assert len(log_of(house, game)) > len(before)
            assert (house.service.home.logs / f"{game}.pbem").read_bytes() == log_of(house, game)

    asyncio.run(said())
