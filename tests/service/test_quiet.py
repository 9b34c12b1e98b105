"""Machines are not answered: fifty rounds with a responder of any kind bring one letter at most."""

from __future__ import annotations

import asyncio
import base64
import html
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pbem.player.answers import join_envelope
from tests.service.house import Player, begin, open_house
from tests.service.mailbox import Post, written

replace = msgspec.structs.replace
ROUNDS = 50
Responder = Callable[[Player, Post, int], bytes]


def reply(player: Player, post: Post, text: str, *headers: str, subject: str = "") -> bytes:
    raw = written(player.address, player.invitation.address, text.encode(), *headers)
    if subject:
        raw = raw.replace(b"Subject: my move", b"Subject: " + subject.encode())
    return raw


def honest(player: Player, post: Post, number: int) -> bytes:
    """As RFC 3834 asks for."""
    return reply(
        player, post, "I am away.\n", "Auto-Submitted: auto-replied", f"In-Reply-To: {post.message_id}"
    )


SUBJECTS = (
    "Automatic reply: [pbem] your move",
    "Automaattinen vastaus: [pbem] your move",
    "=?utf-8?q?Automatikus_v=C3=A1lasz:_Re:_[pbem]_your_move?=",
    "AW: Abwesend bis Montag",
)


def by_subject(player: Player, post: Post, number: int) -> bytes:
    """What it says changes, and no field tells a machine; Outlook says it in the language of its owner."""
    return reply(player, post, f"I am away. {'x' * number}\n", subject=SUBJECTS[number % len(SUBJECTS)])


def plain(player: Player, post: Post, number: int) -> bytes:
    """No sign but that it says the same again."""
    return reply(player, post, "I am away. I shall read your mail when I am back.\n").replace(
        b"<m1@", b"<away%d@" % number
    )


def counting(player: Player, post: Post, number: int) -> bytes:
    return reply(player, post, f"You are number {number} in the queue. Ticket {number * 7919}.\n")


def ticketing(player: Player, post: Post, number: int) -> bytes:
    """A help desk that names its ticket and the mail that it got, each time another, and nothing else of it."""
    ticket = f"{chr(65 + number % 26)}Q{number}X-{chr(75 + number % 13)}"
    text = f"We have got your mail {post.message_id}.\nIts ticket is #{ticket}, of 2026-12-{number % 28 + 1:02}.\n"
    return reply(player, post, text, subject=f"[{ticket}] Your request").replace(b"<m1@", b"<%d@" % number)


def quoting(player: Player, post: Post, number: int) -> bytes:
    """Sends back what it got, marked as a quotation."""
    quoted = post.raw.partition(b"\r\n\r\n")[2].decode("ascii", "replace").replace("\r\n", "\n> ")
    return reply(player, post, f"I am away.\n> {quoted}\n", f"In-Reply-To: {post.message_id}")


def echo(player: Player, post: Post, number: int) -> bytes:
    """Sends back the text that it got, as its own."""
    text = post.raw.partition(b"\r\n\r\n")[2].decode("ascii", "replace").replace("\r\n", "\n")
    if "Content-Disposition" in text:
        text = text.partition("--=_")[2].partition("--=_")[0]
    return reply(player, post, text, f"References: {post.message_id}", subject=f"Re: {post.subject}")


def our_own(player: Player, post: Post, number: int) -> bytes:
    """A forwarding that leads back to the service: our letter itself."""
    return post.raw


def in_circles(player: Player, post: Post, number: int) -> bytes:
    hops = [f"Received: from a by b; {number} {hop}" for hop in range(31)]
    return reply(player, post, f"round and round {'x' * number}\n", *hops)


def a_list(player: Player, post: Post, number: int) -> bytes:
    return reply(player, post, f"welcome {'x' * number}\n", "List-Id: <friends.example.org>")


def from_us(player: Player, post: Post, number: int) -> bytes:
    """Somebody has set our own address as his."""
    raw = reply(player, post, f"hello {'x' * number}\n")
    return raw.replace(f"From: {player.address}".encode(), b"From: games@pbem.example.org")


@pytest.mark.parametrize(
    "responder",
    [honest, by_subject, plain, counting, ticketing, quoting, echo, our_own, in_circles, a_list, from_us],
)
def test_fifty_rounds_with_a_responder_bring_one_letter_at_most(tmp_path: Path, responder: Responder) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            before = len(house.mailbox.posts)
            place = house.service._directory.find(red.invitation.address)
            assert place is not None
            for number in range(ROUNDS):
                await house.service.take_in(red.address, (place,), responder(red, red.posts[-1], number))
                await house.service.wait_idle()
                house.clock.seconds += 30
            assert len(house.mailbox.posts) - before <= 1
            states = {row.state for row in house.rows("inbox", "id, state")}
            assert states == {"done"}

    asyncio.run(said())


def test_a_person_is_answered_each_time_he_tries_something_else(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            tries = [
                reply(red, red.posts[-1], "I bet on the wyrm\n"),
                reply(red, red.posts[-1], "Sorry: here again, I bet on the wyrm!\n"),
                reply(red, red.posts[-1], 'Look: {"payload": {"v": 1, "kind": "mo\n'),
            ]
            for count, raw in enumerate(tries, 1):
                before = len(red.posts)
                await red.hand_in(raw)
                assert len(red.posts) == before + 1, count
            before = len(red.posts)
            # a try in answer to a refusal, with another file
            raw = reply(
                red,
                red.posts[-1],
                '{"payload": {"v": 1,\n\n and "so": on\n',
                f"In-Reply-To: {red.posts[-1].message_id}",
            )
            await red.hand_in(raw)
            assert "not accepted" in red.posts[-1].subject
            assert len(red.posts) == before + 1

    asyncio.run(said())


def torn(card: str) -> str:
    """The beginning of a move whose end was lost."""
    return (
        f'{{"payload": {{"v": 1, "kind": "move", "orders": [{{"do": "bet", "card": "{card}"}}], "rev": 3,\n'
    )


def dressed(text: str, how: str) -> tuple[bytes, str, str]:
    """A text as a mail program sends it: bytes, type, encoding."""
    match how:
        case "curly":
            return text.translate({34: 0x201C}).encode(), "text/plain; charset=utf-8", "8bit"
        case "html":
            return f"<p>{html.escape(text)}</p>".encode(), "text/html; charset=utf-8", "8bit"
        case "utf-16":
            return base64.encodebytes(text.encode("utf-16")), "text/plain; charset=utf-16", "base64"
        case "base64":
            return base64.encodebytes(text.encode()), "text/plain; charset=utf-8", "base64"
        case _:
            return text.encode(), "text/plain; charset=utf-8", "8bit"


@pytest.mark.parametrize("how", ["plain", "curly", "html", "utf-16", "base64"])
def test_a_damaged_move_is_told_in_answer_to_a_refusal_and_so_is_the_next(tmp_path: Path, how: str) -> None:
    """From a fault: a second failed try brought nothing at all, however plainly the first words of a move stood there."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            for count, card in enumerate(("magus-7", "magus-3", "magus-3", "wyrm-3")):
                before = len(red.posts)
                body, kind, coding = dressed(torn(card), how)
                fields = (f"In-Reply-To: {red.posts[-1].message_id}",) if count else ()
                raw = written(red.address, red.invitation.address, b"", *fields)
                head = raw.partition(b"\r\n\r\n")[0]
                lines = [
                    line
                    for line in head.split(b"\r\n")
                    if not line.lower().startswith((b"content-", b"mime-version"))
                ]
                lines += [
                    b"MIME-Version: 1.0",
                    f"Content-Type: {kind}".encode(),
                    f"Content-Transfer-Encoding: {coding}".encode(),
                ]
                await red.hand_in(b"\r\n".join(lines) + b"\r\n\r\n" + body.replace(b"\n", b"\r\n"))
                # the very same once more is not worth a letter
                assert len(red.posts) == before + (count != 2), count
                assert "not accepted" in red.posts[-1].subject

    asyncio.run(said())


def test_a_damaged_move_under_the_subject_of_a_command_is_told(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            await red.hand_in(reply(red, red.posts[-1], torn("magus-7"), subject="Re: status"))
            assert "not accepted" in red.posts[-1].subject
            await red.hand_in(reply(red, red.posts[-1], "", subject="Re: status"))
            assert "not accepted" not in red.posts[-1].subject

    asyncio.run(said())


@pytest.mark.parametrize(
    "subject", ["Out of office next week, so here it is", "Abwesenheit ab Montag, hier mein Zug"]
)
def test_who_says_in_a_signed_mail_that_he_will_be_away_is_answered(tmp_path: Path, subject: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            good = join_envelope(red.key, red.invitation)
            bad = replace(good, payload={**good.payload, "token": "guess"})
            for envelope, wanted in ((bad, "not accepted"), (good, "")):
                before = len(red.posts)
                text = envelope.text().decode()
                await red.hand_in(reply(red, red.posts[-1], text, subject=subject))
                assert len(red.posts) == before + 1
                assert wanted in red.posts[-1].subject

    asyncio.run(said())


def test_whoever_signs_is_answered_even_in_an_answer_to_a_refusal(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            good = join_envelope(red.key, red.invitation)
            for number in range(15):
                bad = replace(good, payload={**good.payload, "token": f"guess{number}"})
                await red.mail(bad, f"In-Reply-To: {red.posts[-1].message_id}", f"X-Number: {number}")
            assert len(red.posts) == 16
            await red.mail(good)
            assert len(red.posts) == 17

    asyncio.run(said())


def test_not_more_than_twenty_unproven_tries_an_hour_are_answered(tmp_path: Path) -> None:
    words = ["word " + chr(ord("a") + number) for number in range(22)]

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            for word in words:
                await red.hand_in(written(red.address, red.invitation.address, f"{word}\n".encode()))
            assert len(red.posts) == 21
            house.clock.seconds += 3_601
            await red.hand_in(written(red.address, red.invitation.address, b"something else\n"))
            assert len(red.posts) == 22
            # the same words once a day
            await red.hand_in(written(red.address, red.invitation.address, b"word a\n"))
            assert len(red.posts) == 22
            house.clock.seconds += 86_400
            await red.hand_in(written(red.address, red.invitation.address, b"word a\n"))
            assert len(red.posts) == 23

    asyncio.run(said())
