"""A game under way that the host ends: on the record, with a reason, and everything opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pbem.audit.audit import audit
from pbem.log.ledger import lines_of
from pbem.log.record import read_record
from pbem.service import games
from tests.archive.minimal import check
from tests.pages.test_judge import agree
from tests.people.desk import host_refused, hosted
from tests.people.test_mail_commands import body
from tests.service.house import begin, open_house, play_on, stream


def test_everybody_is_told_why_and_the_archive_is_sound(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("ruled"), 5)
            assert host_refused(house, "game", "cancel", game) == "host/reason"
            told = await hosted(house, "game", "cancel", game, "--reason", "Blue has moved to the moon")
            assert told["over"]
            for player in players.values():
                ruled, opened = player.posts[-2:]
                assert "the host has ended the game" in ruled.subject
                assert "Blue has moved to the moon." in " ".join(body(ruled).split())
                assert "the archive is open" in opened.subject
            log = games.export(house.service.database, house.service.host, game, names=False, now=0)
            report = audit(log)
            assert (report.verdict, report.code) == ("sound", "")
            assert report.result == {"how": "cancelled", "places": []}
            assert check(log, secrets=True) == ("finished", 0)
            assert agree([log]) == {"sound": 1}
            kinds = [type(read_record(line.rstrip(b"\n"))).__name__ for line in lines_of(log)]
            assert kinds.count("Ruling") == 1
            assert host_refused(house, "game", "cancel", game, "--reason", "again") == "fresh/over"

    asyncio.run(said())
