"""Letters when something else is broken: a database that takes no word of them, a letter too large, a fault of ours.

A letter may go out twice after a crash; nothing makes it go out again and again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from pbem.service import app, notices
from pbem.service import sender as sending
from pbem.service.journal import COUNTS
from pbem.service.rounds import always
from tests.service.house import House, open_house
from tests.service.lightly import whole_desk
from tests.service.mailbox import Mailbox, open_mailbox
from tests.service.test_sender import DAY, MINUTE, states, wake


def breaks(house: House, broken: list[int], what: Callable[[str], bool]) -> None:
    """While `broken` has something in it, statements of a kind fail as on a disk without room."""

    def fail(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if broken and what(statement):
            broken[0] += 1
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    event.listen(house.service.database.engine, "before_cursor_execute", fail)


async def tried(broken: list[int], times: int) -> None:
    while broken[0] < times:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("answer", "became"),
    [("", "sent"), ("451 later", "sent"), ("554 never", "failed")],
    ids=["taken", "later", "never"],
)
def test_what_a_mail_server_said_is_written_down_before_anything_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, became: str
) -> None:
    """From a fault: on a full disk a letter went out once a second, for it could not be marked as sent."""
    monkeypatch.setattr(app, "PAUSE", 0.01)

    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = [answer] * 100 if answer else []
            broken = [0]
            breaks(house, broken, lambda statement: statement.startswith("UPDATE outbox"))
            creating = asyncio.create_task(house.game())
            await tried(broken, 30)
            assert house.mailbox.tried == 1
            house.mailbox.answers.clear()
            broken.clear()
            await creating
            await wake(house, MINUTE)
            assert [state for state, _ in states(house)] == [became, "sent"]
            assert house.mailbox.tried == (3 if answer == "451 later" else 2)
            assert len({post.message_id for post in house.mailbox.posts}) == len(house.mailbox.posts)

    asyncio.run(said())


def test_a_letter_that_is_too_large_for_the_relay_holds_up_no_other(tmp_path: Path) -> None:
    """From a fault: a relay that takes no mail of an invitation's size was taken for one that is away."""

    async def said() -> None:
        box = Mailbox()
        async with (
            open_mailbox(box, size=100_000) as small,
            open_house(tmp_path, operator="you@example.org") as house,
        ):
            house.service._route = always(small)
            with whole_desk():
                await house.game()
            rows = house.rows("outbox", "id, seat, state, error")
            assert [(row.seat, row.state, row.error) for row in rows] == [
                ("red", "failed", "552"),
                ("blue", "failed", "552"),
                ("", "sent", ""),
                ("", "sent", ""),
            ]
            assert {post.to for post in box.posts} == {"you@example.org"}

    asyncio.run(said())


def test_a_fault_of_ours_in_one_letter_is_that_letter_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is raised, the others go out; the letter is tried again, and in the end it is given up."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            real = sending.Sender._ready

            def faulty(sender: sending.Sender, letter: Any) -> bytes:
                if letter.seat == "red":
                    raise LookupError("broken")
                return real(sender, letter)

            monkeypatch.setattr(sending.Sender, "_ready", faulty)
            before = COUNTS["letter-fault"]
            await house.game()
            assert states(house) == [("new", 1), ("sent", 0)]
            await wake(house, MINUTE)
            assert states(house)[0] == ("new", 2)
            assert COUNTS["letter-fault"] - before == 2
            monkeypatch.setattr(sending.Sender, "_ready", real)
            await wake(house, 2 * MINUTE)
            assert states(house)[0] == ("sent", 2)

    asyncio.run(said())


def test_a_notice_that_cannot_be_written_stops_no_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError("broken")

    monkeypatch.setattr(notices, "letter_failed", broken)

    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = ["554 never"]
            await house.game()
            assert states(house) == [("failed", 0), ("sent", 0)]
            house.mailbox.answers[:] = ["451 later"] * 30
            with house.service.database.write() as tx:
                tx.execute(sa.text("UPDATE outbox SET state = 'new'"))
            await wake(house, MINUTE)
            await wake(house, 6 * DAY)
            assert [state for state, _ in states(house)] == ["failed", "failed"]

    asyncio.run(said())
