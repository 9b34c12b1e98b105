"""The door: what is let in, and that nothing is acknowledged before it is committed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import aiosmtplib
import pytest
from sqlalchemy.exc import OperationalError

from pbem.service import door
from pbem.service.addresses import Directory, is_address, is_sender
from pbem.service.inbox import Arrival
from pbem.turn.desk import Post
from pbem.turn.views import token
from tests.service.house import House, open_house
from tests.service.mailbox import send, talk, written
from tests.service.statements import hearing

HELLO = b"EHLO client.example.org"
KEY = b"k" * 32


async def ask(house: House, *recipients: str) -> list[str]:
    lines = [f"RCPT TO:<{recipient}>".encode() for recipient in recipients]
    answers = await talk(house.door, HELLO, b"MAIL FROM:<anna@example.org>", *lines, b"QUIT")
    return answers[3:-1]


async def red_address(house: House) -> str:
    game = await house.game()
    players = await house.players(game)
    return players["red"].invitation.address


def test_only_addresses_that_there_are(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            good = await red_address(house)
            local, _, domain = good.partition("@")
            wrong_token = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}"
            wrong_seat = good.replace(".red.", ".blue.")
            wrong_game = good.replace(local[6:10], "aaaa")
            elsewhere = f"{local}@other.example.org"
            service, bounce = f"games@{domain}", f"b+1.aaaaaaaa@{domain}"
            answers = await ask(
                house, good, good.upper(), service, wrong_token, wrong_seat, wrong_game, elsewhere, bounce
            )
            assert [answer[:9] for answer in answers] == ["250 2.1.5"] * 3 + ["550 5.1.1"] * 5
            assert len(set(answers[3:])) == 1

    asyncio.run(said())


def test_addresses_and_senders_that_cannot_be(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            good = await red_address(house)
            rcpt = f"RCPT TO:<{good}>".encode()
            for sender, code in (
                (b"MAIL FROM:<>", "250"),
                (b"MAIL FROM:<anna@example.org>", "250"),
                (b'MAIL FROM:<"a b"@example.org>', "250"),
                (b"MAIL FROM:<SRS0=hash=tt=" + b"a" * 80 + b"=anna@example.org>", "250"),
                (b"MAIL FROM:<anna@mail_out.example.org>", "250"),
                (b"MAIL FROM:<j\xc3\xb6rg@example.org>", "500"),
                (b"MAIL FROM:<\xff@example.org>", "500"),
                (b"MAIL FROM:<anna>", "553"),
            ):
                answers = await talk(house.door, HELLO, sender, rcpt, b"QUIT")
                assert answers[2][:3] == code, sender
            odd = await ask(house, "a b@example.org", "x" * 300 + "@example.org")
            assert all(answer[0] == "5" for answer in odd)

    asyncio.run(said())


def test_limits(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, max_mail=5_000) as house:
            good = await red_address(house)
            assert [answer[:3] for answer in await ask(house, *[good] * 11)] == ["250"] * 10 + ["452"]
            with pytest.raises(aiosmtplib.SMTPException) as refused:
                await send(
                    house.door,
                    "red@example.org",
                    [good],
                    written("red@example.org", good, b"x" * 70 + b"\n") * 99,
                )
            assert "552" in str(refused.value) or getattr(refused.value, "code", 0) == 552
            answers = await talk(house.door, *[b"NOOP"] * 21)
            assert answers[-1].startswith("421 4.7.0")
            answers = await talk(house.door, HELLO, b"MAIL FROM:<a@example.org> SIZE=99999", b"QUIT")
            assert answers[2].startswith("552")
            assert not house.rows("inbox")

    asyncio.run(said())


def test_connections_too_many_are_turned_away_and_come_in_later(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, connections=2) as house:
            held = [await asyncio.open_connection(house.door.host, house.door.port) for _ in range(2)]
            for reader, _ in held:
                assert (await reader.readline()).startswith(b"220 ")
            reader, writer = await asyncio.open_connection(house.door.host, house.door.port)
            assert (await reader.read()).startswith(b"421 4.3.2 ")
            for one in (*(writer for _, writer in held), writer):
                one.close()
                await one.wait_closed()
            while not (await talk(house.door))[0].startswith("220"):
                await asyncio.sleep(0.01)
            assert (await talk(house.door, b"NOOP", b"QUIT"))[1].startswith("250")

    asyncio.run(said())


def test_a_silent_connection_is_closed(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, timeout=1) as house:
            reader, writer = await asyncio.open_connection(house.door.host, house.door.port)
            assert (await reader.readline()).startswith(b"220 ")
            assert await asyncio.wait_for(reader.read(), 30) == b""
            writer.close()
            await writer.wait_closed()

    asyncio.run(said())


@pytest.mark.parametrize(
    "end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\r.\r\n", b"\r\n\x00.\r\n"]
)
def test_only_a_dot_between_line_ends_ends_a_mail(tmp_path: Path, end: bytes) -> None:
    """SMTP smuggling: what other servers take for the end of a mail must not become a second mail here."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            good = await red_address(house)
            inner = b"MAIL FROM:<evil@example.org>\r\nRCPT TO:<%b>\r\nDATA\r\nx" % good.encode()
            body = b"Subject: x\r\n\r\nhello" + end + inner + b"\r\n."
            start = (HELLO, b"MAIL FROM:<a@example.org>", b"RCPT TO:<%b>" % good.encode(), b"DATA", body)
            answers = await talk(house.door, *start, b"QUIT")
            assert answers[5].startswith("250 2.0.0"), answers
            await house.service.wait_idle()
            assert [row.sender for row in house.rows("inbox", "sender")] == ["a@example.org"]

    asyncio.run(said())


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError("a secret of ours"), "451 4.3.0"),
        (OperationalError("INSERT", {}, Exception("database is locked")), "451 4.3.0"),
        (OperationalError("INSERT", {}, Exception("database or disk is full")), "452 4.3.1"),
    ],
)
def test_what_goes_wrong_is_4xx_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            good = await red_address(house)

            def fail(_mails: Sequence[Arrival]) -> None:
                raise error

            with monkeypatch.context() as broken:
                broken.setattr(house.service._intake, "_insert", fail)
                answers = await talk(
                    house.door,
                    *(HELLO, b"MAIL FROM:<a@example.org>", f"RCPT TO:<{good}>".encode()),
                    *(b"DATA", b"Subject: x\r\n\r\nhello\r\n.", b"QUIT"),
                )
                assert answers[5] == f"{code} try again later"
                assert not house.rows("inbox")
                broken.setattr(house.service, "_reception", None)
                assert (await ask(house, good))[0].startswith("451 4.3.0")
            await send(house.door, "a@example.org", [good], b"Subject: x\r\n\r\nhello\r\n")
            await house.service.wait_idle()
            assert len(house.rows("inbox")) == 1

    asyncio.run(said())


def test_what_no_guard_foresaw_is_451_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_address: str) -> bool:
        raise LookupError("a secret of ours")

    async def said() -> None:
        async with open_house(tmp_path) as house:
            monkeypatch.setattr(door, "is_sender", fail)
            answers = await talk(house.door, HELLO, b"MAIL FROM:<anna@example.org>", b"NOOP", b"QUIT")
            assert answers[2] == "451 4.3.0 try again later"
            assert answers[3].startswith("250")

    asyncio.run(said())


@pytest.mark.parametrize("statement", ["SELECT", "INSERT"])
def test_a_fault_at_any_statement_of_the_inbox_leaves_nothing(tmp_path: Path, statement: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            good = await red_address(house)

            def break_it(text: str) -> None:
                if text.startswith(statement) and "sha256" in text and "inbox.raw" not in text:
                    raise OSError("no such disk")

            with hearing(house.service.database, break_it):
                with pytest.raises(aiosmtplib.SMTPDataError) as refused:
                    await send(house.door, "a@example.org", [good], b"Subject: x\r\n\r\nhello\r\n")
                assert refused.value.code == 451
            assert not house.rows("inbox")

    asyncio.run(said())


def test_a_mail_to_two_games_is_handled_in_both(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            addresses = [await red_address(house), await red_address(house)]
            await send(house.door, "a@example.org", addresses, b"Subject: x\r\n\r\nhello\r\n")
            await house.service.wait_idle()
            rows = house.rows("inbox", "game, state, outcome")
            assert len({row.game for row in rows}) == 2
            assert {(row.state, row.outcome) for row in rows} == {("done", "mail/no-move")}

    asyncio.run(said())


def test_a_directory_asks_once_for_a_game_and_again_for_none() -> None:
    asked: list[str] = []

    def look_up(game: str) -> bytes | None:
        asked.append(game)
        return KEY if game == "game" else None

    directory = Directory(Post("games@pbem.example.org", "pbem.example.org"), look_up)
    good = f"games+game.red.{token(KEY, 'game', 'red')}@pbem.example.org"
    place = directory.find(good.title())
    assert place is not None
    assert (place.game, place.seat) == ("game", "red")
    assert directory.find(good) == type(place)("game", "red", good)
    assert directory.find(good.replace("game.", "gone.", 1)) is None
    assert directory.find(good.replace("game.", "gone.", 1)) is None
    assert asked == ["game", "gone", "gone"]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("anna@example.org", True),
        ("bounces+12=anna=example.org@list_one.example.org", True),
        ("x" * 100 + "@example.org", True),
        ('"anna b"@example.org', True),
        ('"an\\"na"@example.org', True),
        ("anna@[IPv6:2001:db8::1]", True),
        ("", False),
        ("anna", False),
        ("anna b@example.org", False),
        ("a@b@example.org", False),
        ("anna@example.org>", False),
        ("<anna@example.org", False),
        ("anna@example.org\r\nRCPT TO:<b@example.org>", False),
        ("j\udcffrg@example.org", False),
        ("jörg@example.org", False),
        ("x" * 250 + "@example.org", False),
    ],
)
def test_what_a_sender_is(text: str, good: bool) -> None:
    """From a fault: who wrote through a forwarder with a long name of its own was sent back for good."""
    assert is_sender(text) == good


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("anna@example.org", True),
        ("anna@mail_out.example.org", True),
        ("a.b+c@[127.0.0.1]", True),
        ("", False),
        ("anna", False),
        ("anna@example.org\r\nRCPT TO:<b@example.org>", False),
        ("j\udcffrg@example.org", False),
        ('"a"@example.org', False),
        ("a@b@example.org", False),
    ],
)
def test_what_an_address_is(text: str, good: bool) -> None:
    assert is_address(text) == good
