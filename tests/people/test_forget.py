"""Who is forgotten is nowhere any more, and every log stays what it was."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pbem.audit.audit import audit
from pbem.log.record import seal_record
from pbem.service import games, people
from pbem.service.forget import forget_in_archives
from pbem.site.build import Order, build
from tests.archive.games import host_key, small_match
from tests.people.desk import Desk, host_refused, hosted
from tests.people.test_mail_commands import mail
from tests.service.house import House, Player, begin, open_house, play_on, stream

MAIL = "Forgetful.Anna@example.org"


def everything(house: House) -> bytes:
    """Every byte that the home holds."""
    files = [path for path in house.service.home.path.rglob("*") if path.is_file()]
    return b"\n".join(path.read_bytes() for path in files)


def names_anna(data: bytes) -> bool:
    lowered = data.lower()
    return b"forgetful" in lowered or b"annabel" in lowered


async def with_anna(house: House, players: dict[str, Player]) -> None:
    """Red is Annabel from now on, at her own address, and has written and been written to."""
    game = players["red"].game
    with house.service.database.write() as tx:
        people.set_address(tx, game, "red", MAIL, house.clock())
        people.set_second(tx, game, "red", "annabel@example.net")
    # she asks something, too
    await players["red"].hand_in(mail(MAIL, players["red"].invitation.address, "status"), MAIL)
    assert house.mailbox.posts[-1].to == MAIL


def log_of(house: House, game: str, *, names: bool = False) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=names, now=0)


def test_a_player_of_a_running_game_vanishes_from_the_home(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("forget"), 3)
            blue = players["blue"]
            while not blue.view.menu.asked:
                await play_on(players, stream("red"), 1)
            await with_anna(house, players)
            # what this move brings her is put off, and waits
            house.mailbox.answers += ["450 4.2.1 not now"] * 9
            await blue.mail(blue.move(stream("blue")), sender="blue@example.org")
            before = log_of(house, game)
            assert names_anna(everything(house))
            told = await hosted(house, "player", "forget", MAIL.upper(), "--yes")
            assert told["running"] == [[game, "red"]]
            assert not names_anna(everything(house))
            assert log_of(house, game) == before
            assert b"blue@example.org" in everything(house)
            # nothing goes to her any more, and nothing stands still for it
            sent = len(house.mailbox.to(MAIL))
            house.mailbox.answers.clear()
            house.clock.seconds += 86_400
            await hosted(house, "game", "timeout", game, next(iter(due(house, game))))
            assert len(house.mailbox.to(MAIL)) == sent
            assert not [post for post in house.mailbox.posts if not post.to]

    asyncio.run(said())


def due(house: House, game: str) -> list[str]:
    found = games.show_game(house.service.database, house.service.host, game, 0)
    return [one.seat for one in found.seats if one.due]


def test_the_seat_goes_to_somebody_else_and_the_archive_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("handed on"), 3)
            await with_anna(house, players)
            await hosted(house, "player", "forget", "red", "--yes")  # the name that she joined with is Red
            await hosted(house, "game", "seat", game, "red", "--offer", "eve@example.org")
            eve = Desk(house, "eve@example.org", tmp_path / "eve", monkeypatch)
            await eve.mail(eve.type("join", eve.saved(), "--name", "Eve"))
            assert "is played by somebody else" in eve.posts[-1].subject
            await hosted(house, "game", "cancel", game, "--reason", "enough")
            archive = log_of(house, game, names=True)
            assert (audit(archive).verdict, audit(archive).code) == ("sound", "")
            assert json.loads(archive.splitlines()[-1])["names"] == {"blue": "Blue", "red": "Eve"}

    asyncio.run(said())


def test_finished_games_and_what_was_exported_lose_the_name(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            shelf = tmp_path / "shelf"
            shelf.mkdir()
            found: dict[str, bytes] = {}
            for number in range(2):
                game = await house.game()
                await begin(house, game)
                await hosted(house, "game", "cancel", game, "--reason", "shown")
                found[game] = log_of(house, game, names=True)
                (shelf / f"{number}.pbem").write_bytes(found[game])
            (shelf / "other.pbem").write_bytes(b"no archive\n")
            told = await hosted(
                house, "player", "forget", "red@example.org", "--yes", "--archives", str(shelf)
            )
            assert (len(told["seats"]), told["running"], len(told["archives"])) == (2, [], 2)
            for number, (game, before) in enumerate(found.items()):
                after = (shelf / f"{number}.pbem").read_bytes()
                assert after == log_of(house, game, names=True)
                assert json.loads(after.splitlines()[-1])["names"] == {"blue": "Blue"}
                assert after.splitlines()[:-1] == before.splitlines()[:-1]
                assert audit(after).verdict == "sound"
            # the other one, too: then there is no such line
            await hosted(house, "player", "forget", "Blue", "--yes", "--archives", str(shelf))
            for number, before in enumerate(found.values()):
                after = (shelf / f"{number}.pbem").read_bytes()
                assert after.splitlines() == before.splitlines()[:-1]
                assert audit(after).verdict == "sound"

    asyncio.run(said())


def test_whom_the_host_may_mean(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            first, second = await house.game(), await house.game()
            await begin(house, first)
            players = await begin(house, second)
            await with_anna(house, players)
            assert host_refused(house, "player", "forget", "nobody", "--yes") == "host/no-such-player"
            assert host_refused(house, "player", "forget", "", "--yes") == "host/no-such-player"
            # two people called Red: one at red@, one at Anna's
            assert host_refused(house, "player", "forget", "Red", "--yes") == "host/which-player"
            assert host_refused(house, "player", "forget", "Red") == "kit/not-confirmed"

    asyncio.run(said())


def test_a_library_that_is_built_again_names_nobody_who_was_forgotten(tmp_path: Path) -> None:
    """Pages of games and players, the index of the search, what the build remembers: none of it keeps a name."""
    match = small_match()
    ledger = match.desk.snapshot.ledger
    head = {"kind": "names", "n": ledger.n + 1, "at": ledger.at, "prev": ledger.head}
    first, second = ledger.seats
    line = seal_record(host_key(match), {**head, "names": {first: "Annabel Forgetful", second: "Bob"}})
    shelf, site = tmp_path / "shelf", tmp_path / "site"
    shelf.mkdir()
    (shelf / "game.pbem").write_bytes(match.archive() + line + b"\n")
    build(Order(shelf, site))
    assert names_anna(of(site))
    changed = forget_in_archives([shelf], [(match.desk.game_id, first)], host_key(match))
    assert changed == [shelf / "game.pbem"]
    assert build(Order(shelf, site)).read == 1
    assert not names_anna(of(site))
    assert b"Bob" in of(site)


def of(folder: Path) -> bytes:
    """Every byte below a folder, and every name of a file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"\n".join(str(path.relative_to(folder)).encode() + path.read_bytes() for path in files)
