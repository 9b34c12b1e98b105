"""The sender: at least once, one Message-ID, in order; patience, and when it ends."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.service import app, outbox, tables
from pbem.service.app import Service, Setting
from pbem.service.config import Endpoint
from pbem.service.drain import drain
from tests.service.house import Clock, House, begin, home_in, open_house
from tests.service.mailbox import Mailbox, Post, open_mailbox, send, written

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def states(house: House) -> list[tuple[str, int]]:
    return [(row.state, row.attempts) for row in house.rows("outbox", "id, state, attempts")]


async def wake(house: House, seconds: int) -> None:
    """Time passes, and the sender looks again."""
    house.clock.seconds += seconds
    house.service._outbox_bell.ring()
    await house.service.wait_idle()


def test_a_letter_reaches_its_reader_as_it_was_written(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            await begin(house, await house.game())
            posts = {post.message_id: post for post in house.mailbox.posts}
            rows = house.rows("outbox", "id, message_id, recipient, state, raw")
            assert {f"<{row.message_id}>" for row in rows} == set(posts)
            for row in rows:
                post = posts[f"<{row.message_id}>"]
                assert (post.raw, post.to, row.state) == (row.raw, row.recipient, "sent")
                assert re.fullmatch(rf"b\+{row.id}\.[a-z2-7]{{8}}@pbem\.example\.org", post.sender)

    asyncio.run(said())


def test_a_crash_between_commit_and_send_loses_nothing_and_doubles_under_one_name(tmp_path: Path) -> None:
    async def said() -> None:
        clock, mailbox = Clock(), Mailbox()
        async with open_mailbox(mailbox) as relay:
            home = home_in(tmp_path, relay)
            service = Service(home, Setting(clock))
            house = House(service, mailbox, await service.start(), clock)
            game = await house.game()
            # taken by the mail server, and the service dies before it has written that down
            with service.database.write() as tx:
                tx.execute(tables.outbox.update().values(state="new"))
            await service.stop()
            assert await drain(home, Setting(clock)) == (0, 2)
            assert len(mailbox.posts) == 4
            for seat in ("red", "blue"):
                one, other = mailbox.to(f"{seat}@example.org")
                assert one.message_id == other.message_id == f"<{game}.invitation.{seat}@pbem.example.org>"
                assert one.raw == other.raw

    asyncio.run(said())


def test_not_now_is_tried_again_after_a_minute_then_two(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = ["451 later", "rcpt 450 greylisted", "451 later"]
            await house.game(("red", "blue"))
            assert states(house) == [("new", 1), ("new", 1)]
            await wake(house, MINUTE - 1)
            assert states(house) == [("new", 1), ("new", 1)]
            await wake(house, 1)
            assert states(house) == [("new", 2), ("sent", 1)]
            await wake(house, 2 * MINUTE - 1)
            assert states(house)[0] == ("new", 2)
            await wake(house, 1)
            assert states(house)[0] == ("sent", 2)
            assert len(house.mailbox.posts) == 2

    asyncio.run(said())


@pytest.mark.parametrize("answer", ["rcpt 550 no such user", "554 we do not like it"])
def test_never_is_never_and_the_next_letter_goes_out(tmp_path: Path, answer: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = [answer]
            await house.game()
            assert states(house) == [("failed", 0), ("sent", 0)]
            assert house.rows("outbox", "id, error")[0].error == answer.removeprefix("rcpt ")[:3]
            await wake(house, 5 * DAY)
            assert states(house) == [("failed", 0), ("sent", 0)]

    asyncio.run(said())


def test_after_five_days_a_letter_is_given_up(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = ["451 later"] * 100
            await house.game()
            begun = house.clock.seconds
            while states(house)[0][0] == "new":
                await wake(house, 8 * HOUR)
                assert house.clock.seconds - begun < 6 * DAY
            assert house.clock.seconds - begun > 4 * DAY
            assert states(house)[0][0] == "failed"

    asyncio.run(said())


def test_letters_to_one_reader_keep_their_order(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await house.players(game)
            house.mailbox.answers[:] = ["451 later"]
            red = players["red"]
            for count, word in enumerate((b"hello\n", b"anybody?\n", b"well then\n")):
                await send(
                    house.door,
                    red.address,
                    [red.invitation.address],
                    written(red.address, red.invitation.address, word, f"X-Count: {count}").replace(
                        b"<m1@", b"<m%d@" % count
                    ),
                )
            await house.service.wait_idle()
            assert len(red.posts) == 1
            await wake(house, MINUTE)
            order = [row.message_id for row in house.rows("outbox", "id, message_id, recipient")]
            got = [post.message_id.strip("<>") for post in red.posts]
            assert got == [name for name in order if name in got]
            assert len(got) == 4

    asyncio.run(said())


def test_a_relay_that_is_away_is_left_alone_and_costs_no_letter_its_patience(tmp_path: Path) -> None:
    async def said() -> None:
        clock, mailbox = Clock(), Mailbox()
        async with open_mailbox(Mailbox()) as gone:
            port = gone.port
        home = home_in(tmp_path, Endpoint("127.0.0.1", port))
        service = Service(home, Setting(clock))
        house = House(service, mailbox, await service.start(), clock)
        await house.game()
        for _ in range(12):
            await wake(house, 2 * HOUR)
        assert states(house) == [("new", 0), ("new", 0)]
        assert service._sender._failures[Endpoint("127.0.0.1", port)][0] < 12
        async with open_mailbox(mailbox, port):
            await wake(house, 8 * HOUR)
            assert states(house) == [("sent", 0), ("sent", 0)]
            assert len(mailbox.posts) == 2
            await service.stop()

    asyncio.run(said())


def test_a_connection_that_breaks_is_not_tried_for_ever(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            house.mailbox.answers[:] = ["drop"] * 4
            await house.game()
            assert states(house) == [("new", 1), ("new", 1)]
            assert house.mailbox.tried == 2
            house.mailbox.answers.clear()
            await wake(house, MINUTE)
            assert states(house) == [("sent", 1), ("sent", 1)]

    asyncio.run(said())


def test_a_relay_that_says_nothing_does_not_keep_the_service_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "GRACE", 0.2)

    async def said() -> None:
        connected = asyncio.Event()

        async def mute(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connected.set()
            await _reader.read()
            writer.close()

        server = await asyncio.start_server(mute, "127.0.0.1", 0)
        home = home_in(tmp_path, Endpoint("127.0.0.1", server.sockets[0].getsockname()[1]))
        service = Service(home, Setting(Clock()))
        house = House(service, Mailbox(), await service.start(), Clock())
        creating = asyncio.create_task(house.game())
        await connected.wait()
        await asyncio.wait_for(service.stop(), 30)
        creating.cancel()
        server.close()
        await server.wait_closed()
        await asyncio.sleep(0.05)
        await service.start()
        assert states(house) == [("new", 0), ("new", 0)]
        await service.stop()

    asyncio.run(said())


def test_each_recipient_may_have_a_server_of_his_own(tmp_path: Path) -> None:
    async def said() -> None:
        boxes = {"red": Mailbox(), "blue": Mailbox()}
        async with open_mailbox(boxes["red"]) as red, open_mailbox(boxes["blue"]) as blue:
            servers = {"red@example.org": red, "blue@example.org": blue}
            service = Service(home_in(tmp_path, red), Setting(Clock(), route=servers.__getitem__))
            house = House(service, boxes["red"], await service.start(), Clock())
            await house.game()
            await service.stop()
            for seat, box in boxes.items():
                assert [post.to for post in box.posts] == [f"{seat}@example.org"]

    asyncio.run(said())


@given(st.integers(1, 500))
def test_delays_rise_from_a_minute_to_eight_hours(attempts: int) -> None:
    delays = [outbox.delay(count) for count in range(1, attempts + 2)]
    assert delays[0] == MINUTE
    assert delays[-1] <= 8 * HOUR
    assert all(after in (2 * before, 8 * HOUR) for before, after in pairwise(delays))


def test_headers_a_machine_reads(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            posts: list[Post] = players["red"].posts
            known: set[Any] = set()
            for post in posts:
                assert post.header("auto-submitted") in ("auto-generated", "auto-replied")
                assert post.header("from") == "games@pbem.example.org"
                assert post.header("reply-to") == players["red"].invitation.address
                assert post.message_id not in known
                known.add(post.message_id)

    asyncio.run(said())
