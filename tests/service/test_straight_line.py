"""A game by mail, from the invitation to the archive: real SMTP both ways, nothing looked up behind the scenes."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pbem.audit.audit import audit
from pbem.service import games
from tests.service.house import open_house, play_on, stream


def test_a_game_from_invitation_to_archive(tmp_path: Path) -> None:
    async def whole() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game(options={})
            players = await house.players(game)
            for player in players.values():
                await player.mail(player.join())
            for player in players.values():
                assert "please confirm" in player.posts[-1].subject
                await player.mail(player.ready())
            made = await play_on(players, stream("whole"), 1_000)
            assert made > 10
            log = games.export(house.service.database, house.service.host, game, names=True, now=0)
            assert audit(log).exit_code == 0
            for player in players.values():
                assert "archive" in player.posts[-1].subject
            assert (house.service.home.logs / f"{game}.pbem").read_bytes() == games.export(
                house.service.database, house.service.host, game, names=False, now=0
            )

    asyncio.run(whole())
