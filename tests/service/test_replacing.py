"""A newer report takes the place of an older one that did not go out, and tells what that one told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from pbem.audit.audit import audit
from pbem.player.opening import open_file
from pbem.service import games
from pbem.service.config import Endpoint
from pbem.turn.posting import joined
from tests.service.house import Clock, House, begin, home_in, open_house, play_on, stream
from tests.service.mailbox import Mailbox, Post, open_mailbox

HOUR, DAY = 3_600, 86_400


def log_lines(posts: Sequence[Post]) -> list[bytes]:
    """The lines of all logs attached, in the order of the mails."""
    return [line for post in posts for log in open_file(post.raw).logs for line in log.splitlines()]


def news_of(post: Post) -> list[Any]:
    """The events in the view that is attached."""
    for text in open_file(post.raw).texts:
        payload = msgspec.json.decode(text)["payload"]
        if payload.get("kind") == "view":
            found: list[Any] = payload.get("news", [])
            return found
    return []


SEATS = ("red", "blue", "green", "yellow")


def refuse_red(mailbox: Mailbox) -> None:
    real = type(mailbox).handle_RCPT

    async def handle(server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address == "red@example.org" and getattr(mailbox, "shut", True):
            return "450 4.2.0 mailbox busy"
        return await real(mailbox, server, session, envelope, address, options)

    vars(mailbox)["handle_RCPT"] = handle


async def wake(house: House, seconds: int) -> None:
    house.clock.seconds += seconds
    house.service._outbox_bell.ring()
    await house.service.wait_idle()


def open_for_red(house: House) -> None:
    vars(house.mailbox)["shut"] = False


async def go_on(house: House, game: str, label: str, moves: int) -> None:
    """So many moves of all but red, for whom time runs out where he is asked."""
    players = await house.players(game, SEATS)
    others = {seat: player for seat, player in players.items() if seat != "red"}
    below = stream(label)
    for _ in range(moves):
        if not await play_on(others, below, 1):
            games.silence(house.service.database, house.service.host, game, "red", house.clock)
            house.service._outbox_bell.ring()
            await house.service.wait_idle()


async def four_seats(house: House, moves: int) -> tuple[str, list[bytes]]:
    """A game of four in which red hears nothing for some moves; its log."""
    game = await house.game(SEATS)
    await begin(house, game, SEATS)
    refuse_red(house.mailbox)
    await go_on(house, game, "four", moves)
    return game, [row.line for row in house.rows("records", "n, line")]


def test_one_letter_instead_of_many_with_all_lines_and_all_news(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game, lines = await four_seats(house, 9)
            unsent = [row for row in house.rows("outbox", "id, seat, state, raw") if row.seat == "red"]
            states = [row.state for row in unsent]
            assert states.count("new") == 1, states
            assert states.count("replaced") >= 2
            seen = [post for post in house.mailbox.to("red@example.org") if game in post.subject]
            open_for_red(house)
            await wake(house, 8 * HOUR)
            posts = [post for post in house.mailbox.to("red@example.org") if game in post.subject]
            assert len(posts) == len(seen) + 1
            # the log is whole, no line missing
            assert log_lines(posts) == lines[1:] or log_lines(posts) == lines
            # and so is the news: every event of the letters that were replaced is in the one that went out
            told = news_of(posts[-1])
            for row in unsent:
                if row.state == "replaced":
                    for event in news_of(Post("", "", bytes(row.raw))):
                        assert event in told
            assert b"earlier ones told" in posts[-1].raw
            assert audit(b"".join(line + b"\n" for line in lines)).verdict == "unfinished"

    asyncio.run(said())


def test_others_are_told_nothing_twice(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game, lines = await four_seats(house, 6)
            for seat in ("blue", "green", "yellow"):
                posts = [post for post in house.mailbox.to(f"{seat}@example.org") if game in post.subject]
                assert log_lines(posts) in (lines, lines[1:])
                assert not any(b"earlier ones told" in post.raw for post in posts)

    asyncio.run(said())


def test_a_dead_address_is_noticed_however_busy_its_game_is(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, operator="host@example.org") as house:
            game, _ = await four_seats(house, 1)
            for number in range(18):
                await go_on(house, game, f"dead {number}", 1)
                await wake(house, 8 * HOUR)
            told = house.mailbox.to("host@example.org")
            assert len(told) == 1
            assert "could not be delivered" in told[0].subject
            # what was given up lives on in the letter after it
            states = [row.state for row in house.rows("outbox", "id, seat, state") if row.seat == "red"]
            assert states.count("new") == 1
            assert "failed" not in states

    asyncio.run(said())


def test_what_was_given_up_is_told_by_the_next_letter(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game, _ = await four_seats(house, 3)
            with house.service.database.write() as tx:
                tx.execute(sa.text("UPDATE outbox SET state = 'failed' WHERE seat = 'red' AND state = 'new'"))
            open_for_red(house)
            await go_on(house, game, "four on", 1)
            posts = [post for post in house.mailbox.to("red@example.org") if game in post.subject]
            lines = [row.line for row in house.rows("records", "n, line")]
            assert log_lines(posts) in (lines, lines[1:])

    asyncio.run(said())


def test_an_outage_is_followed_by_one_letter_each_at_a_pace(tmp_path: Path) -> None:
    """The mail server is away for a day in the midst of eight games; nothing is poured out when it is back."""

    async def said() -> None:
        clock, mailbox = Clock(), Mailbox()
        async with open_mailbox(Mailbox()) as gone:
            port = gone.port
        from pbem.service.app import Service, Setting

        service = Service(home_in(tmp_path, Endpoint("127.0.0.1", port), pace=1_200), Setting(clock))
        house = House(service, mailbox, await service.start(), clock)
        for _ in range(60):
            await house.game()
        for _ in range(12):
            await wake(house, 2 * HOUR)
        assert not mailbox.posts
        async with open_mailbox(mailbox, port):
            loop = asyncio.get_running_loop()
            began = loop.time()
            await wake(house, 8 * HOUR)
            # 120 letters at 20 a second, 100 of them at once
            assert len(mailbox.posts) == 120
            assert loop.time() - began >= 0.9
            await service.stop()

    asyncio.run(said())


events = st.lists(st.integers(0, 3), max_size=6)


@given(events, events, events)
def test_stretches_are_joined_where_they_overlap(a: list[int], b: list[int], c: list[int]) -> None:
    assert joined(a, []) == tuple(a)
    assert joined([], a) == tuple(a)
    assert joined(a, a) == tuple(a)
    whole = joined([*a, *b], [*b, *c])
    assert whole[: len(a) + len(b)] == (*a, *b) or list(whole) == [*b, *c]
    assert list(whole[-len(b) - len(c) :] if b or c else whole) == [*b, *c] or not (b or c)
    assert len(whole) <= len(a) + 2 * len(b) + len(c)


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("ab", "cd", "abcd"),
        ("abc", "bcd", "abcd"),
        ("b", "abc", "abc"),
        ("abc", "c", "abc"),
        ("abc", "abcd", "abcd"),
        ("xy", "", "xy"),
    ],
)
def test_joined(before: str, after: str, whole: str) -> None:
    assert "".join(joined(before, after)) == whole


def test_snapshots_of_before_are_read(tmp_path: Path) -> None:
    """A snapshot without `held` is one with nothing held."""
    from pbem.turn.desk import Journal

    assert msgspec.json.decode(b'{"sent":3}', type=Journal) == Journal(sent=3)
