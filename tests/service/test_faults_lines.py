"""Lines that break: a relay that is down for a day, and mail that is cut off at any byte."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from pbem.service import games
from pbem.service.app import Service, Setting
from pbem.service.config import Endpoint
from tests.service.fleet import answers
from tests.service.house import NOW, Clock, House, begin, home_in, open_house, play_on, stream
from tests.service.mailbox import Mailbox, open_mailbox, written


def test_a_relay_that_is_down_for_a_day(tmp_path: Path) -> None:
    """It is not hammered, nothing is given up, and when it is back everybody learns everything, once."""

    async def said() -> None:
        mailbox, clock = Mailbox(), Clock()
        async with open_mailbox(mailbox) as relay:
            shut = [False]
            closed = Endpoint("127.0.0.1", 1)
            setting = Setting(clock, route=lambda _: closed if shut[0] else relay)
            service = Service(home_in(tmp_path, relay), setting)
            door = await service.start()
            house = House(service, mailbox, door, clock)
            game = await house.game()
            players = await begin(house, game)
            asked = next(one for one in players.values() if one.view.menu.asked)
            shut[0] = True
            move = asked.move(stream("down"))
            await asked.mail(move)
            before, failures = len(mailbox.posts), app_count("relay-unreachable")
            for minute in range(0, 24 * 60, 10):
                clock.seconds = NOW + minute * 60
                service._outbox_bell.ring()
                await service.wait_idle()
            assert len(mailbox.posts) == before
            # one minute doubled up to eight hours: a dozen looks at a closed door, not one a letter and minute
            assert 8 <= app_count("relay-unreachable") - failures <= 16
            shut[0] = False
            clock.seconds = NOW + 33 * 3_600
            service._outbox_bell.ring()
            await service.wait_idle()
            assert games.status(service.database).outbox["new"] == 0
            assert games.status(service.database).outbox["failed"] == 0
            news = mailbox.posts[before:]
            assert len({post.message_id for post in news}) == len(news)
            for player in players.values():
                assert any(answers(post, move) for post in news if post.to == player.address)
            await play_on(players, stream("up"), 3)
            await service.stop()

    asyncio.run(said())


def app_count(name: str) -> int:
    from pbem.service.journal import COUNTS

    return COUNTS[name]


def test_data_cut_at_every_byte_is_no_mail(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, connections=100) as house:
            game = await house.game()
            red = (await house.players(game))["red"]
            raw = written(red.address, red.invitation.address, red.join().text())
            there = (f"MAIL FROM:<{red.address}>", f"RCPT TO:<{red.invitation.address}>")
            lines = "".join(f"{line}\r\n" for line in ("EHLO x", *there, "DATA")).encode()
            whole = raw.replace(b"\r\n.", b"\r\n..") + b".\r\n"

            async def cut(at: int) -> None:
                reader, writer = await asyncio.open_connection(house.door.host, house.door.port)
                writer.write(lines)
                while not (await reader.readline()).startswith(b"354"):
                    pass
                writer.write(whole[:at])
                await writer.drain()
                if at % 2:
                    writer.transport.abort()
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()

            for start in range(0, len(whole), 20):
                await asyncio.gather(*(cut(at) for at in range(start, min(start + 20, len(whole)))))
            await asyncio.sleep(0.1)
            assert not house.rows("inbox")
            await red.hand_in(raw)
            assert [row.state for row in house.rows("inbox", "state")] == ["done"]

    asyncio.run(said())
