"""Mails to a game on hold: whatever a player answers with, he hears whether it has shown what it had to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine import GAMES
from pbem.service import held
from tests.service.house import House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import Post, written


@asynccontextmanager
async def on_hold(path: Path) -> AsyncGenerator[tuple[House, Player, Post]]:
    """A game put on hold, a player of it, and the newest letter that he had before."""
    async with open_house(path) as house:
        players = await begin(house, await house.game())
        await play_on(players, stream("on hold"), 2)
        me = players["red"]
        letter = next(post for post in reversed(me.posts) if b".view.json" in post.raw)
        with house.service.database.write() as tx:
            held.hold(tx, house.service.home.host(GAMES), me.game, house.clock())
        house.service._outbox_bell.ring()
        await house.service.wait_idle()
        yield house, me, letter


def waits_for(house: House) -> tuple[str, ...]:
    with house.service.database.read() as tx:
        return held.list_held(tx)[0].waits_for


def with_mail_attached(player: Player, letter: Post, *headers: str) -> bytes:
    fields = (*headers, "MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="o"')
    head = written(player.address, player.invitation.address, b"", *fields).partition(
        b"\r\nContent-Type: text"
    )[0]
    parts = (
        b"Content-Type: text/plain\r\n\r\nHere it is.",
        b"Content-Type: message/rfc822\r\n\r\n" + letter.raw,
    )
    return head + b"\r\n\r\n" + b"".join(b"--o\r\n" + part + b"\r\n" for part in parts) + b"--o--\r\n"


def test_a_letter_that_is_forwarded_as_an_attachment_is_heard(tmp_path: Path) -> None:
    """It was asked for "with all its attachments", and a mail within the mail was not opened: the game stood still."""

    async def said() -> None:
        async with on_hold(tmp_path) as (house, red, letter):
            await red.hand_in(with_mail_attached(red, letter))
            assert "Thank you" in red.posts[-1].raw.decode()
            assert waits_for(house) == ("blue",)

    asyncio.run(said())


def test_what_is_forwarded_within_a_mail_is_a_witness_and_no_move(tmp_path: Path) -> None:
    async def said() -> None:
        async with on_hold(tmp_path) as (house, red, _):
            old = red.posts[0]
            before = len(red.posts)
            inner = Post("", "", written(red.address, "x@example.org", red.join().text()))
            for post in (inner, old):
                await red.hand_in(with_mail_attached(red, post, f"X-Number: {len(post.raw)}"))
            assert waits_for(house) == ("blue", "red")
            # the invitation shows no line; neither is an answer, and the same words are not told twice
            assert len(red.posts) == before + 1

    asyncio.run(said())


@pytest.mark.parametrize("words", [b"What is this?\n", b'> {"payload": {"base": "12\n', b"\n"])
def test_who_sends_something_else_is_asked_once_more(tmp_path: Path, words: bytes) -> None:
    """Who answered with words alone heard nothing, and believed that he had answered."""

    async def said() -> None:
        async with on_hold(tmp_path) as (house, red, _):
            before = len(red.posts)
            raw = written(red.address, red.invitation.address, words)
            for _ in range(3):
                await red.hand_in(raw)
            assert len(red.posts) == before + 1
            assert "no answer yet" in " ".join(red.posts[-1].raw.decode().split())
            assert waits_for(house) == ("blue", "red")
            # a machine that answers this is not answered
            for number in range(5):
                fields = (f"In-Reply-To: {red.posts[-1].message_id}", f"X-Number: {number}")
                await red.hand_in(
                    written(red.address, red.invitation.address, b"I am away %d\n" % number, *fields)
                )
            await red.hand_in(
                written(red.address, red.invitation.address, b"away\n", "Auto-Submitted: auto-replied")
            )
            assert len(red.posts) == before + 1

    asyncio.run(said())
