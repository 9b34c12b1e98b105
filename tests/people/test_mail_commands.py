"""Commands by mail: people on the roster are answered, at the roster's address, and nothing changes."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import aiosmtplib
import pytest

from pbem.log.envelope import read_envelope
from pbem.log.ledger import lines_of, verify
from pbem.player.opening import open_file
from pbem.player.view import read_view
from pbem.service import games, people
from pbem.turn.mime import open_mail
from tests.service.house import House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import Post, send

SERVICE = "games@pbem.example.org"


def mail(sender: str, to: str, subject: str, *headers: str, text: str = "") -> bytes:
    head = [f"From: {sender}", f"To: {to}", f"Subject: {subject}", *headers]
    return ("\r\n".join(head) + f"\r\n\r\n{text}\r\n").encode()


async def ask(player: Player, subject: str, *headers: str, text: str = "") -> list[Post]:
    """What comes back for a mail to the address of the seat."""
    before = len(player.house.mailbox.posts)
    ident = f"Message-ID: <ask{before}@mail.example.org>"
    to = player.invitation.address
    await player.hand_in(mail(player.address, to, subject, ident, *headers, text=text))
    return player.house.mailbox.posts[before:]


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=False, now=0)


def body(post: Post) -> str:
    return post.raw.decode("ascii").replace("\r\n", "\n")


def test_help_names_every_command_and_what_needs_a_signature(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            (post,) = await ask(players["red"], "Re: AW: help")
            assert post.to == "red@example.org"
            for word in ("help", "status", "resend", "log", "games", "pbem fill", "pbem resign"):
                assert word in body(post)
            assert post.header("auto-submitted") == "auto-replied"

    asyncio.run(said())


def test_status_says_whom_the_game_waits_for_and_changes_nothing(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            before = log_of(house, game)
            told = {seat: body((await ask(one, "status"))[0]) for seat, one in players.items()}
            asked = [seat for seat, one in players.items() if one.view.menu.asked]
            assert [seat for seat, text in told.items() if "It waits for you" in text] == asked
            assert log_of(house, game) == before

    asyncio.run(said())


def test_resend_brings_all_that_a_move_needs(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            below = stream("resend")
            await play_on(players, below, 3)
            asked = next(one for one in players.values() if one.view.menu.asked)
            newest = asked.posts[-1]
            (post,) = await ask(asked, "resend")
            assert post.message_id != newest.message_id
            view = read_view(post.raw, asked.invitation.known)
            assert (view.head.n, view.menu) == (asked.view.head.n, asked.view.menu)
            assert view.seen == read_view(newest.raw, asked.invitation.known).seen
            await asked.mail(asked.move(below))
            assert not any("not accepted" in one.subject for one in asked.posts)

    asyncio.run(said())


def test_resend_before_the_join_and_before_the_start(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await house.players(await house.game())
            (post,) = await ask(players["red"], "resend")
            assert "pbem join" in body(post)
            for one in players.values():
                await one.mail(one.join())
            (post,) = await ask(players["red"], "resend")
            assert read_view(post.raw, players["red"].invitation.known).head.phase == "ready"

    asyncio.run(said())


def test_log_is_the_whole_log(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("log"), 4)
            (post,) = await ask(players["blue"], "log")
            (log,) = open_file(post.raw).logs
            assert log == log_of(house, game)
            assert verify(lines_of(log)).verdict == "unfinished"

    asyncio.run(said())


def test_games_lists_every_game_of_the_address_from_the_bare_address_too(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            first, second = await house.game(), await house.game()
            await begin(house, first)
            raw = mail("red@example.org", SERVICE, "games", "Message-ID: <g@x.example.org>")
            await send(house.door, "red@example.org", [SERVICE], raw)
            await house.service.wait_idle()
            text = body(house.mailbox.posts[-1])
            assert house.mailbox.posts[-1].to == "red@example.org"
            assert first in text
            assert second in text

    asyncio.run(said())


def test_a_question_about_one_game_of_several_is_asked_back(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            first, second = await house.game(), await house.game()
            for subject, wanted in (("log", "your games"), (f"log {first}", f"[pbem {first}] the log")):
                raw = mail("red@example.org", SERVICE, subject, f"Message-ID: <{len(subject)}@x.example.org>")
                await send(house.door, "red@example.org", [SERVICE], raw)
                await house.service.wait_idle()
                assert wanted in house.mailbox.posts[-1].subject
            # to the address of one game, about the other
            red = (await house.players(second))["red"]
            (post,) = await ask(red, f"status {first}")
            assert f"[pbem {first}] how the game stands" == post.subject

    asyncio.run(said())


@pytest.mark.parametrize("to", ["the seat's address", "the bare address"])
def test_a_stranger_gets_nothing(tmp_path: Path, to: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            before = len(house.mailbox.posts)
            address = red.invitation.address if to == "the seat's address" else SERVICE
            raw = mail("eve@example.org", address, "log")
            if address == SERVICE:
                with pytest.raises(aiosmtplib.SMTPDataError):
                    await send(house.door, "eve@example.org", [address], raw)
            else:
                await send(house.door, "eve@example.org", [address], raw)
            await house.service.wait_idle()
            assert len(house.mailbox.posts) == before

    asyncio.run(said())


def test_the_second_address_is_answered_too(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(game := await house.game()))["red"]
            with house.service.database.write() as tx:
                people.set_second(tx, game, "red", "Red.Holiday@example.net")
            raw = mail("red.holiday@example.net", red.invitation.address, "status")
            await red.hand_in(raw, "red.holiday@example.net")
            assert house.mailbox.posts[-1].to == "Red.Holiday@example.net"

    asyncio.run(said())


@pytest.mark.parametrize("word", ["resign", "move", "standing"])
def test_what_changes_something_says_that_it_needs_a_signature_and_how(tmp_path: Path, word: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            before = log_of(house, game)
            (post,) = await ask(players["red"], f"Fwd: {word}", text="I resign!")
            assert post.subject == f"[pbem {game}] {word} needs your signature"
            assert "pbem" in body(post)
            assert players["red"].invitation.address in body(post)
            assert log_of(house, game) == before

    asyncio.run(said())


def test_the_button_unsubscribe_is_answered_and_resigns_nobody(tmp_path: Path) -> None:
    """Every letter has the header; whoever presses his mail program's button learns how to leave, and stays."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("button"), 3)
            letters = [post for post in house.mailbox.posts if post.header("list-id")]
            assert len(letters) > 6
            before = log_of(house, game)
            for seat, one in players.items():
                post = one.posts[-1]
                found = re.fullmatch(r"<mailto:([^?>]+)\?subject=([a-z]+)>", post.header("list-unsubscribe"))
                assert found is not None
                assert found[1] == one.invitation.address
                (answer,) = await ask(one, found[2], text=found[2])
                assert answer.to == f"{seat}@example.org"
                assert answer.subject == f"[pbem {game}] unsubscribe needs your signature"
                assert "`pbem resign`" in body(answer)
            assert log_of(house, game) == before
            assert all(post.header("list-unsubscribe") for post in letters)
            assert not any(post.header("list-unsubscribe-post") for post in house.mailbox.posts)

    asyncio.run(said())


def test_a_signed_move_is_a_move_whatever_the_subject(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            asked = next(one for one in players.values() if one.view.menu.asked)
            envelope = asked.move(stream("subject"))
            before = log_of(house, game).count(b'"kind":"move"')
            await ask(asked, "status", text=envelope.text().decode())
            assert log_of(house, game).count(b'"kind":"move"') == before + 1

    asyncio.run(said())


def test_machines_are_not_answered_and_nobody_without_end(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            assert not await ask(red, "status", "Auto-Submitted: auto-replied")
            assert not await ask(red, "help", "List-Id: <x.example.org>")
            answered = [len(await ask(red, "status")) for _ in range(25)]
            assert answered == [1] * 20 + [0] * 5

    asyncio.run(said())


def test_no_letter_tells_a_seat_what_only_another_may_see(tmp_path: Path) -> None:
    """`resend` gives a seat's own view and no other's."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            await play_on(players, stream("own"), 2)
            for seat, one in players.items():
                (post,) = await ask(one, "resend")
                assert read_view(post.raw, one.invitation.known).seat == seat
                claims = [one for one in open_mail(post.raw).candidates if b'"view"' in one]
                assert claims
                assert all(read_envelope(one).seat == seat for one in claims)

    asyncio.run(said())
