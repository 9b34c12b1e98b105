"""Ratings and punctuality, worked out from finished games; open seats in a list."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pbem.player.answers import resign_envelope
from pbem.service import ratings
from tests.people.desk import host_refused, hosted
from tests.service.house import House, begin, open_house, play_on, stream


def turn_on(house: House) -> None:
    settings = house.service.home.path / "config.toml"
    text = settings.read_text(encoding="utf-8")
    assert "ratings = false" in text
    settings.write_text(text.replace("ratings = false", "ratings = true"), encoding="utf-8")


def test_winners_rise_and_games_called_off_do_not_count(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            await play_on(players, stream("rated"), 12)
            red = players["red"]
            await red.mail(resign_envelope(red.key, red.view))
            off = await house.game()
            await begin(house, off)
            await hosted(house, "game", "cancel", off, "--reason", "rain")
            assert host_refused(house, "game", "ratings") == "host/no-ratings"
            turn_on(house)
            told = await hosted(house, "game", "ratings")
            rows = {row["address"]: row for row in told["ratings"]}
            assert {row["games"] for row in rows.values()} == {1}
            assert {row["ruleset"] for row in rows.values()} == {"arena"}
            assert told["ratings"] == sorted(told["ratings"], key=lambda row: -row["rating"])
            # two people, one rating gained where the other is lost; the certainty grows for both
            assert abs(sum(row["mu"] for row in rows.values()) - 2 * 2500) <= 2
            assert all(row["sigma"] < 833 for row in rows.values())
            assert {row["silent"] for row in told["in_time"]} == {0}

    asyncio.run(said())


def test_who_lets_his_turns_go_by_may_be_turned_away(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            for number in range(26):
                shown = await hosted(house, "game", "show", game)
                due = next(seat["seat"] for seat in shown["seats"] if seat["due"])
                if due == "red":
                    await hosted(house, "game", "timeout", game, "red")
                else:
                    await players["blue"].mail(players["blue"].move(stream(f"{number}")))
            with house.service.database.read() as tx:
                red = next(one for one in ratings.punctuality(tx) if one.address == "red@example.org")
            assert (red.moved, red.percent) == (0, 0)
            assert red.silent >= ratings.ENOUGH
            new = ("game", "new", "--ruleset", "arena", "--seat", "blue=blue@example.org")
            late = (*new, "--seat", "red=RED@example.org", "--on-time", "80")
            assert host_refused(house, *late) == "host/too-late"
            told = await hosted(house, *new, "--seat", "red=eve@example.org", "--on-time", "80")
            assert [one["seats"] for one in await hosted(house, "game", "list", "--open")] == [
                ["blue", "red"]
            ]
            await hosted(house, "game", "seat", game, "red", "--offer", "tom@example.org")
            found = {one["game"]: one["seats"] for one in await hosted(house, "game", "list", "--open")}
            assert found == {game: ["red"], told["game"]: ["blue", "red"]}

    asyncio.run(said())
