"""A mailbox as a way in: nothing lost, nothing taken twice, wherever the connection breaks or the service dies."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine import Refused
from pbem.service.app import Service, Setting
from pbem.service.config import Config, init_home
from pbem.service.imap import Mailbox as Box
from pbem.service.imap import account_of
from tests.service.house import Clock, House, Player
from tests.service.imap_server import PASSWORD, USER, Account, open_imap, secret_in
from tests.service.mailbox import Mailbox, open_mailbox, written
from tests.service.test_bounces import dsn


@asynccontextmanager
async def account_house(path: Path, account: Account, **settings: Any) -> AsyncGenerator[House]:
    """A service that looks into a mailbox, and the players' mailboxes."""
    mailbox, clock = Mailbox(), Clock()
    with open_imap(account) as server:
        async with open_mailbox(mailbox) as relay:
            config = Config(
                address=USER,
                plus=False,
                listen="",
                relay=str(relay),
                imap=str(server),
                imap_tls="none",
                imap_user=USER,
                imap_password=secret_in(path),
                imap_seconds=3_600,
                **settings,
            )
            home = init_home(path / "home", config, b"h" * 32)
            service = Service(home, Setting(clock, imap=True))
            house = House(service, mailbox, await service.start(), clock)
            try:
                yield house
            finally:
                await service.stop()


async def look(house: House) -> None:
    """The service looks into the mailbox now."""
    for bell in house.service._bells:
        bell.ring()
    await house.service.wait_idle()


async def player(house: House) -> Player:
    return (await house.players(await house.game()))["red"]


def words_arrive(account: Account, red: Player, count: int) -> None:
    """Mails of a player that name his game, and hold no move."""
    for number in range(count):
        raw = written(red.address, USER, b"word %d\n" % number, f"Subject: [pbem {red.game}]")
        account.arrive(raw.replace(b"Subject: my move\r\n", b""))


def joining(red: Player, *headers: str) -> bytes:
    return b"Return-Path: <red@example.org>\r\n" + written(red.address, USER, red.join().text(), *headers)


@pytest.mark.parametrize(
    ("capabilities", "done"),
    [("MOVE UIDPLUS", "pbem-done"), ("UIDPLUS", "pbem-done"), ("UIDPLUS", ""), ("", "")],
)
def test_a_move_is_taken_and_put_away(tmp_path: Path, capabilities: str, done: str) -> None:
    async def said() -> None:
        account = Account(capabilities=capabilities)
        async with account_house(tmp_path, account, imap_done=done) as house:
            red = await player(house)
            account.arrive(joining(red))
            await look(house)
            assert [row.state for row in house.rows("inbox", "id, state")] == ["done"]
            assert len(red.posts) == 2
            left = set(account.inbox) - account.deleted
            assert not left
            assert len(account.folders.get("pbem-done", {})) == bool(done)
            await look(house)
            assert len(house.rows("inbox")) == 1

    asyncio.run(said())


@pytest.mark.parametrize(
    ("place", "count"),
    [
        ("LOGIN", 1),
        ("SELECT", 1),
        ("UID FETCH", 3),
        ("UID MOVE", 2),
        ("LOGOUT", 1),
    ],
)
def test_wherever_the_connection_breaks_each_mail_is_taken_once(
    tmp_path: Path, place: str, count: int
) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            red = await player(house)
            words_arrive(account, red, 3)
            account.break_at = (place, count)
            await look(house)
            account.break_at = ("", 0)
            await look(house)
            assert len(house.rows("inbox")) == 3
            assert not account.inbox
            assert len(account.folders["pbem-done"]) == 3

    asyncio.run(said())


@pytest.mark.parametrize(("place", "count"), [("CAPABILITY", 2), ("CAPABILITY", 3), ("UID EXPUNGE", 2)])
@pytest.mark.parametrize(("capabilities", "done"), [("UIDPLUS", ""), ("UIDPLUS", "pbem-done")])
def test_what_is_marked_as_deleted_when_the_connection_breaks_does_not_stay(
    tmp_path: Path, place: str, count: int, capabilities: str, done: str
) -> None:
    """From a killed process: between mark and removal it left mails that nobody took away any more, seen by no program."""

    async def said() -> None:
        account = Account(capabilities=capabilities)
        async with account_house(tmp_path, account, imap_done=done) as house:
            red = await player(house)
            words_arrive(account, red, 4)
            account.break_at = (place, count)
            await look(house)
            assert account.inbox
            assert account.break_at == ("", 0), "it did not break"
            # his own business: a mail that somebody else has marked
            his = account.arrive(b"Subject: what names no game\r\n\r\nDear friend\r\n")
            account.deleted.add(his)
            await look(house)
            await look(house)
            assert set(account.inbox) == {his}
            assert len(house.rows("inbox")) == 4

    asyncio.run(said())


def test_a_crash_between_commit_and_putting_away_takes_nothing_twice(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            red = await player(house)
            uid = account.arrive(joining(red))
            await look(house)
            # back where it was, as if the folder had never changed
            account.inbox[uid] = account.folders["pbem-done"].pop(uid)
            # the service has not yet noticed that it was gone
            await look(house)
            assert len(house.rows("inbox")) == 1
            assert not account.inbox

    asyncio.run(said())


def test_numbers_that_begin_anew_take_nothing_twice(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account(capabilities="")
        async with account_house(tmp_path, account, imap_done="") as house:
            red = await player(house)
            account.arrive(joining(red))
            await look(house)
            account.renumber()
            await look(house)
            assert len(house.rows("inbox")) == 1
            assert {row.validity for row in house.rows("fetched", "uid, validity")} == {7, 8}

    asyncio.run(said())


def test_what_is_not_ours_stays_unread_and_is_not_fetched_again(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account, max_mail=10_000) as house:
            red = await player(house)
            account.arrive(written("prince@example.net", USER, b"Dear friend\n"))
            account.arrive(b"Subject: large\r\n\r\n" + b"x" * 20_000)
            account.arrive(joining(red))
            await look(house)
            assert len(account.inbox) == 2
            assert not account.deleted
            fetches = account.said.count("UID FETCH")
            await look(house)
            assert account.said.count("UID FETCH") == fetches
            assert len(house.rows("inbox")) == 1

    asyncio.run(said())


def test_a_player_is_answered_whatever_he_sent(tmp_path: Path) -> None:
    """By SMTP the mail server in front tells him; in a mailbox his mail lay there, and nobody told him anything."""

    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            red = await player(house)
            named = f"In-Reply-To: <{red.game}.invitation.red@example.org>"
            account.arrive(written(red.address, USER, b"x" * 76 + b"\r\n" + b"photo\r\n" * 50_000, named))
            account.arrive(written(red.address, USER, b'here: {"payload": {"kind": "jo\r\n'))
            account.arrive(written(red.address, USER, b"I am away\r\n", "Auto-Submitted: auto-replied"))
            account.arrive(written("prince@example.net", USER, b"Dear friend\r\n" * 30_000))
            await look(house)
            subjects = [post.subject for post in red.posts[1:]]
            assert [subject.rpartition(" ")[2] for subject in subjects] == ["mail/too-long", "mail/damaged"]
            assert b"Send the move file alone" in red.posts[1].raw
            assert len(account.inbox) == 2
            assert {row.state for row in house.rows("inbox", "id, state")} == {"done"}

    asyncio.run(said())


def test_too_much_mail_waits_in_the_mailbox(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account, per_sender=2) as house:
            red = await player(house)
            for number in range(4):
                account.arrive(joining(red, f"X-Number: {number}"))
            await look(house)
            assert len(account.inbox) >= 1
            house.clock.seconds += 3_601
            await look(house)
            assert not account.inbox

    asyncio.run(said())


def test_bounces_are_recognised_without_an_address_of_their_own(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            red = await player(house)
            letter = red.posts[0]
            assert letter.sender == USER
            account.arrive(dsn("5.1.1", red.address, letter.message_id, to=USER))
            await look(house)
            assert [row.status for row in house.rows("bounces", "letter, status")] == ["5.1.1"]
            assert not account.inbox
            assert not house.rows("inbox")

    asyncio.run(said())


def test_the_null_sender_is_a_machine(tmp_path: Path) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            red = await player(house)
            raw = written(red.address, USER, b"away\n", f"References: <{red.game}.1.red.1@example.org>")
            account.arrive(b"Return-Path: <>\r\n" + raw)
            await look(house)
            assert [row.sender for row in house.rows("inbox", "id, sender")] == [""]
            assert len(red.posts) == 1

    asyncio.run(said())


def test_a_wrong_password_is_told_without_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def said() -> None:
        account = Account()
        async with account_house(tmp_path, account) as house:
            assert house.service._mailbox is not None
            config = house.service.home.config
            with open_imap(account) as server:
                wrong = account_of(config, "wrong" + PASSWORD)
                assert repr(wrong) == f"Account({config.imap})"
                box = Box(wrong, house.service.database, house.service._reception, house.clock)
                assert box.look(USER, 1_000) == 0
                assert server.port

    with caplog.at_level(logging.DEBUG):
        asyncio.run(said())
    assert "imap-trouble" in caplog.text
    assert PASSWORD not in caplog.text


def test_without_a_mailbox_in_the_settings_that_is_said(tmp_path: Path) -> None:
    async def said() -> None:
        home = init_home(tmp_path / "home", Config(listen="127.0.0.1:0"), b"h" * 32)
        with pytest.raises(Refused) as refused:
            await Service(home, Setting(Clock(), imap=True)).start()
        assert refused.value.refusal.code == "host/no-imap"

    asyncio.run(said())
