"""LMTP: one reply for each accepted recipient, whatever happens; and limits that say when to come again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine import Refused
from pbem.service.config import Endpoint
from pbem.turn.mail_parts import SIZE
from tests.service.house import House, Player, open_house
from tests.service.mailbox import Mailbox, open_mailbox, talk, written

HELLO = b"LHLO mx.example.org"
MAIL = b"MAIL FROM:<red@example.org>"


@asynccontextmanager
async def lmtp_house(path: Path, lmtp: str = "127.0.0.1:0", **settings: Any) -> AsyncGenerator[House]:
    """A house whose door speaks LMTP."""
    async with open_house(path, lmtp=lmtp, **settings) as house:
        yield house


async def say(where: Endpoint, *lines: bytes, replies: int) -> list[str]:
    """Lines said one after the other, and then so many more replies than one; continuation lines left out."""
    if where.path:
        reader, writer = await asyncio.open_unix_connection(where.path)
    else:
        reader, writer = await asyncio.open_connection(where.host, where.port)
    answers: list[str] = []
    for count, line in enumerate((b"", *lines)):
        if line:
            writer.write(line + b"\r\n")
            await writer.drain()
        wanted = replies if count == len(lines) else 1
        while wanted:
            row = (await asyncio.wait_for(reader.readline(), 20)).decode().strip()
            wanted -= row[3:4] != "-"
            answers += [row] if row[3:4] != "-" else []
    writer.write(b"QUIT\r\n")
    assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"221"), "a reply too many"
    writer.close()
    await writer.wait_closed()
    return answers


async def two_games(house: House) -> list[Player]:
    return [(await house.players(await house.game()))["red"] for _ in range(2)]


def rcpt(*addresses: str) -> tuple[bytes, ...]:
    return tuple(f"RCPT TO:<{address}>".encode() for address in addresses)


@pytest.mark.parametrize("unix", [False, True])
def test_one_reply_for_each_recipient(tmp_path: Path, unix: bool) -> None:
    async def said() -> None:
        async with lmtp_house(tmp_path, f"unix:{tmp_path}/lmtp" if unix else "127.0.0.1:0") as house:
            one, other = await two_games(house)
            to = (one.invitation.address, other.invitation.address, "games@pbem.example.org")
            data = b"Subject: x\r\n\r\nhello\r\n."
            answers = await say(house.service.lmtp, HELLO, MAIL, *rcpt(*to), b"DATA", data, replies=3)
            assert [answer[:9] for answer in answers[-3:]] == ["250 2.0.0"] * 3
            assert ["dropped" in answer for answer in answers[-3:]] == [False, False, True]
            await house.service.wait_idle()
            assert {row.game for row in house.rows("inbox", "game")} == {one.game, other.game}

    asyncio.run(said())


LONG = [b"y" * 2_000_000, b"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n" * 9_000, b".\r\n..x\r\n." * 200_000]


@pytest.mark.parametrize("body", LONG, ids=["a line of 2 MB", "too large", "dots"])
def test_of_a_mail_that_is_too_long_the_beginning_is_taken(tmp_path: Path, body: bytes) -> None:
    """It was refused after it had been accepted, and the mail server in front sent it back to a forged sender."""

    async def said() -> None:
        async with lmtp_house(tmp_path) as house:
            one, other = await two_games(house)
            to = rcpt(one.invitation.address, other.invitation.address)
            raw = b"From: red@example.org\r\nSubject: x\r\n\r\n" + body
            sent = raw.replace(b"\r\n.", b"\r\n..") + b"\r\n."
            answers = await say(house.service.lmtp, HELLO, MAIL, *to, b"DATA", sent, replies=2)
            assert [answer[:3] for answer in answers[-2:]] == ["250"] * 2
            await house.service.wait_idle()
            assert [bytes(row.raw) for row in house.rows("inbox", "raw")] == [(raw + b"\r\n")[: SIZE + 1]] * 2
            # the player is told, and the connection goes on
            assert [one.code for one in house.rows("inbox", "outcome AS code")] == ["mail/too-long"] * 2
            assert "mail/too-long" in one.posts[-1].raw.decode()
            again = await say(
                house.service.lmtp, HELLO, MAIL, *to, b"DATA", b"Subject: x\r\n\r\ny\r\n.", replies=2
            )
            assert [answer[:3] for answer in again[-2:]] == ["250"] * 2

    asyncio.run(said())


ODD = [
    "a b@example.org",
    "v@[127.0.0.1]",
    f"v+{'a' * 900}@example.org",
    "vü@example.org",
    "v",
    "a@b@example.org",
    "v@" + "a." * 120 + "example.org",
    "\x80\x81",
]


@pytest.mark.parametrize("sender", ODD)
def test_no_sender_is_refused_by_lmtp(tmp_path: Path, sender: str) -> None:
    """Whoever is refused there is written to by the mail server in front, and he need not have sent anything."""

    async def said() -> None:
        async with lmtp_house(tmp_path) as house:
            (red, _) = await two_games(house)
            for to in (red.invitation.address, "games@pbem.example.org"):
                mail = b"MAIL FROM:<%b> SIZE=99999999 SMTPUTF8 BODY=8BITMIME" % sender.encode("latin-1")
                data = b"Subject: x\r\n\r\nhello\r\n."
                answers = await say(house.service.lmtp, HELLO, mail, *rcpt(to), b"DATA", data, replies=1)
                assert [answer[:3] for answer in answers[2:]] == ["250", "250", "354", "250"]
            await house.service.wait_idle()
            assert house.mailbox.to("v@example.org") == []

    asyncio.run(said())


def test_a_player_hears_of_mail_that_names_no_game_and_nobody_else_does(tmp_path: Path) -> None:
    async def said() -> None:
        async with lmtp_house(tmp_path) as house:
            (red, _) = await two_games(house)
            before = len(house.mailbox.posts)
            for sender in ("stranger@example.net", "red@example.org"):
                data = b"From: %b\r\nSubject: oh\r\n\r\nhere is my turn\r\n." % sender.encode()
                mail = b"MAIL FROM:<%b>" % sender.encode()
                to = rcpt("games@pbem.example.org")
                answers = await say(house.service.lmtp, HELLO, mail, *to, b"DATA", data, replies=1)
                assert answers[-1].startswith("250")
                await house.service.wait_idle()
            assert [
                (post.to, "mail/no-move" in post.raw.decode()) for post in house.mailbox.posts[before:]
            ] == [(red.address, True)]

    asyncio.run(said())


def test_a_fault_of_ours_is_later_to_each_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_mail: Any) -> None:
        raise LookupError("a secret of ours")

    async def said() -> None:
        async with lmtp_house(tmp_path) as house:
            one, other = await two_games(house)
            monkeypatch.setattr(house.service._intake, "put", broken)
            to = rcpt(one.invitation.address, other.invitation.address)
            answers = await say(
                house.service.lmtp, HELLO, MAIL, *to, b"DATA", b"Subject: x\r\n\r\ny\r\n.", replies=2
            )
            assert answers[-2:] == ["451 4.3.0 try again later"] * 2

    asyncio.run(said())


def test_lmtp_is_not_smtp_and_unknown_recipients_are_refused(tmp_path: Path) -> None:
    async def said() -> None:
        async with lmtp_house(tmp_path) as house:
            (red, _) = await two_games(house)
            to = rcpt("games+a.red.aaaaaaaa@pbem.example.org", red.invitation.address)
            answers = await say(
                house.service.lmtp,
                b"EHLO x",
                HELLO,
                MAIL,
                *to,
                b"DATA",
                b"Subject: x\r\n\r\ny\r\n.",
                replies=1,
            )
            assert [answer[:3] for answer in answers] == [
                "220",
                "500",
                "250",
                "250",
                "550",
                "250",
                "354",
                "250",
            ]

    asyncio.run(said())


def test_a_socket_left_behind_is_taken_away(tmp_path: Path) -> None:
    async def said() -> None:
        path = tmp_path / "lmtp"
        server = await asyncio.start_unix_server(lambda _reader, writer: writer.close(), str(path))
        server.close()
        await server.wait_closed()
        if not path.exists():  # later versions of Python take it away themselves
            import socket

            with socket.socket(socket.AF_UNIX) as old:
                old.bind(str(path))
        async with lmtp_house(tmp_path, f"unix:{path}") as house:
            assert (await say(house.service.lmtp, HELLO, replies=1))[-1].startswith("250")

    asyncio.run(said())


def test_a_socket_at_which_somebody_listens_is_left_to_him(tmp_path: Path) -> None:
    """From a fault: a second service took the first one's socket, and sent his mail back as for nobody."""

    async def said() -> None:
        path = tmp_path / "lmtp"
        async with lmtp_house(tmp_path / "one", f"unix:{path}") as house:
            with pytest.raises(Refused) as refused:
                async with lmtp_house(tmp_path / "two", f"unix:{path}"):
                    raise AssertionError("it listens")
            assert refused.value.refusal.code == "host/listen"
            assert (await say(house.service.lmtp, HELLO, replies=1))[-1].startswith("250")

    asyncio.run(said())


@pytest.mark.parametrize(
    "line",
    [
        b"MAIL FROM:red@example.org",
        b"MAIL FROM:<red@example.org",
        b"MAIL red@example.org",
    ],
)
def test_addresses_stand_in_brackets(tmp_path: Path, line: bytes) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            address = red.invitation.address.encode()
            answers = await talk(
                house.door,
                *(
                    b"EHLO x",
                    line,
                    b"MAIL FROM: <red@example.org>",
                    b"RCPT TO:" + address,
                    b"RCPT TO:<%b>" % address,
                ),
                b"QUIT",
            )
            assert [answer[:3] for answer in answers] == ["220", "250", "501", "250", "501", "250", "221"]

    asyncio.run(said())


async def tries(house: House, sender: str, to: str) -> str:
    answers = await talk(house.door, b"EHLO x", f"MAIL FROM:<{sender}>".encode(), *rcpt(to), b"QUIT")
    return answers[3]


def test_a_sender_who_writes_too_much_is_told_when_to_come_again(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, per_sender=5) as house:
            red = (await house.players(await house.game()))["red"]
            for number in range(5):
                await red.hand_in(written(red.address, red.invitation.address, b"hello %d\n" % number))
            # the clock stands at noon
            answer = await tries(house, red.address, red.invitation.address)
            assert answer == "450 4.7.1 too much mail within an hour: try again after 13:00 UTC"
            assert (await tries(house, "blue@example.org", red.invitation.address)).startswith("250")
            assert (await tries(house, "", red.invitation.address)).startswith("250")
            house.clock.seconds += 3_600
            assert (await tries(house, red.address, red.invitation.address)).startswith("250")

    asyncio.run(said())


def test_a_game_that_gets_too_much_is_left_alone_for_a_while_and_no_other(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, per_game=3) as house:
            one, other = await two_games(house)
            for number in range(3):
                await one.hand_in(
                    written(one.address, one.invitation.address, b"hello %d\n" % number),
                    f"{number}@example.org",
                )
            assert (await tries(house, "x@example.org", one.invitation.address)).startswith("450 4.7.1")
            assert (await tries(house, "x@example.org", other.invitation.address)).startswith("250")
            # whoever names the game in his mail is put off, too, and not sent off
            raw = written(
                "x@example.org",
                "games@pbem.example.org",
                b"hello\n",
                f"References: <{one.game}.1.red.2@pbem.example.org>",
            )
            answers = await talk(
                house.door,
                *(
                    b"EHLO x",
                    b"MAIL FROM:<x@example.org>",
                    *rcpt("games@pbem.example.org"),
                    b"DATA",
                    raw + b"\r\n.",
                    b"QUIT",
                ),
            )
            assert answers[5].startswith("450 4.7.1")

    asyncio.run(said())


def test_letters_may_go_to_a_socket(tmp_path: Path) -> None:
    """`relay` by a Unix socket is an endpoint like any other."""

    async def said() -> None:
        mailbox = Mailbox()
        async with open_mailbox(mailbox) as relay:
            path = str(tmp_path / "relay")

            async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                there, back = await asyncio.open_connection(relay.host, relay.port)
                await asyncio.gather(_copy(reader, back), _copy(there, writer))

            server = await asyncio.start_unix_server(pass_on, path)
            from pbem.service.submission import Submission, connect

            client = await connect(Endpoint("", 0, path), Submission("pbem.example.org"))
            await client.sendmail("a@example.org", ["b@example.org"], b"Subject: x\r\n\r\ny\r\n")
            await client.quit()
            server.close()
            assert [post.to for post in mailbox.posts] == ["b@example.org"]

    asyncio.run(said())


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(4_096):
        writer.write(data)
        await writer.drain()
    writer.close()
