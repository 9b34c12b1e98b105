"""Mail to the address of the service: the game that it names itself, strongest sign first; refused if it names none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiosmtplib
import pytest

from pbem.service import games
from tests.service.house import House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import send, written

SERVICE = "games@pbem.example.org"


async def one_player(house: House) -> Player:
    return (await house.players(await house.game()))["red"]


async def to_service(house: House, player: Player, raw: bytes) -> None:
    await send(house.door, player.address, [SERVICE], raw)
    await house.service.wait_idle()


def test_who_answers_to_from_instead_of_reply_to_is_understood(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red, other = await one_player(house), await one_player(house)
            await to_service(house, red, written(red.address, SERVICE, red.join().text()))
            log = games.export(house.service.database, house.service.host, red.game, names=False, now=0)
            assert log.count(b'"kind":"join"') == 1
            assert house.rows("inbox", "id, game, seat")[0][1:] == (red.game, "red")
            assert len(other.posts) == 1

    asyncio.run(said())


@pytest.mark.parametrize("sign", ["references", "in-reply-to", "subject", "To with a token"])
def test_words_alone_are_refused_by_letter_in_the_game_they_answer(tmp_path: Path, sign: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            name = f"<{red.game}.3.red.7@pbem.example.org>"
            header = {
                "references": f"References: <a@example.org> {name}",
                "in-reply-to": f"In-Reply-To: {name}",
                "subject": f"X-Other: x\r\nSubject: AW: [pbem {red.game}] turn 3: your move",
                "To with a token": f"Cc: {red.invitation.address}",
            }[sign]
            raw = written(red.address, SERVICE, b"I bet on the wyrm\n", header)
            if sign == "subject":
                raw = raw.replace(b"Subject: my move\r\n", b"")
            await to_service(house, red, raw)
            assert "not accepted: mail/no-move" in red.posts[-1].subject

    asyncio.run(said())


@pytest.mark.parametrize(
    "headers",
    [
        (),
        ("References: <aaaaaaaaaa.1.red.2@pbem.example.org>",),
        ("References: <GAME.1.red.2@elsewhere.example.org>",),
        ("Cc: games+GAME.red.aaaaaaaa@pbem.example.org",),
    ],
)
def test_what_names_no_game_is_refused_while_it_is_handed_over(
    tmp_path: Path, headers: tuple[str, ...]
) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            named = [header.replace("GAME", red.game) for header in headers]
            with pytest.raises(aiosmtplib.SMTPDataError) as refused:
                await to_service(house, red, written(red.address, SERVICE, b"Buy now!\n", *named))
            assert refused.value.code == 550
            assert "answer a letter of the game" in refused.value.message
            assert not house.rows("inbox")

    asyncio.run(said())


def test_an_envelope_counts_more_than_what_is_quoted(tmp_path: Path) -> None:
    """A move for one game in an answer to a letter of another."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red, other = await one_player(house), await one_player(house)
            headers = (f"References: <{other.game}.invitation.red@pbem.example.org>",)
            await to_service(house, red, written(red.address, SERVICE, red.join().text(), *headers))
            assert [row[1] for row in house.rows("inbox", "id, game")] == [red.game]

    asyncio.run(said())


def test_a_game_without_plus_addressing(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, plus=False) as house:
            players = await begin(house, await house.game())
            assert await play_on(players, stream("no plus"), 4) == 4
            for player in players.values():
                assert player.invitation.address == SERVICE
                assert {post.header("reply-to") for post in player.posts} == {SERVICE}
                assert {post.sender for post in player.posts} == {SERVICE}

    asyncio.run(said())


def test_a_mail_that_comes_both_ways_is_played_once(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            raw = written(red.address, SERVICE, red.join().text(), f"Cc: {red.invitation.address}")
            await send(house.door, red.address, [SERVICE, red.invitation.address], raw)
            await house.service.wait_idle()
            assert len(house.rows("inbox")) == 1
            assert len(red.posts) == 2

    asyncio.run(said())
