"""Observers: they are told what the public log says, later if the host wants it so, and nothing else ever."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pbem.audit.replay import Reader, replay
from pbem.player.answers import resign_envelope
from pbem.player.opening import open_file
from pbem.service import games
from tests.people.desk import host_refused, hosted
from tests.people.test_mail_commands import body
from tests.service.house import House, begin, open_house, play_on, stream
from tests.service.mailbox import Post

TOM = "tom@example.net"


def watched(house: House) -> list[Post]:
    return house.mailbox.to(TOM)


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=False, now=0)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_an_observer_is_told_what_everybody_may_see_and_no_more(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            below = stream("watched")
            await play_on(players, below, 3)
            await hosted(house, "game", "observe", game, TOM)
            (first,) = watched(house)
            assert open_file(first.raw).logs == (log_of(house, game),)
            await play_on(players, below, 24)
            red = players["red"]
            await red.mail(resign_envelope(red.key, red.view))
            # his pieces of the log, one after the other, are the archive
            pieces = [open_file(post.raw).logs[0] for post in watched(house)]
            archive = log_of(house, game)
            assert b"".join(pieces) == archive
            # what he reads is what everybody may read of each record, and there is no file but the log's
            pages = {page.n: page.text for page in replay(archive, Reader()).pages}
            told = 0
            for post, piece in zip(watched(house)[1:], pieces[1:], strict=True):
                n = piece.count(b"\n") + archive[: archive.index(piece)].count(b"\n") - 1
                assert b"view.json" not in post.raw
                for seat, player in players.items():
                    assert player.invitation.address.encode() not in post.raw, seat
                if n in pages:
                    assert squeezed(pages[n]) in squeezed(body(post).replace("=\n", ""))
                    told += 1
            assert told > 15

    asyncio.run(said())


def test_a_delay_holds_his_letters_back_and_an_end_ends_them(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await hosted(house, "game", "observe", game, TOM, "--delay", "48")
            await play_on(players, stream("late"), 2)
            assert not watched(house)
            house.clock.seconds += 49 * 3600
            house.service._outbox_bell.ring()
            await house.service.wait_idle()
            while len(watched(house)) < 3:
                house.service._outbox_bell.ring()
                await house.service.wait_idle()
            assert "2 hours" not in body(watched(house)[0])
            assert "48 hours later" in squeezed(body(watched(house)[0]))
            await play_on(players, stream("later"), 1)
            await hosted(house, "game", "observe", game, TOM, "--stop")
            house.clock.seconds += 490 * 3600
            house.service._outbox_bell.ring()
            await house.service.wait_idle()
            assert len(watched(house)) == 3
            assert (await hosted(house, "game", "observe", game, TOM, "--stop"))["done"] == "nobody"

    asyncio.run(said())


def test_a_player_is_no_observer_of_his_own_game(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            assert host_refused(house, "game", "observe", game, "RED@example.org") == "host/is-player"
            assert host_refused(house, "game", "observe", "nogame", TOM) == "host/no-such-game"
            assert host_refused(house, "game", "observe", game, "tom") == "cli/address"

    asyncio.run(said())
