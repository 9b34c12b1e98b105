"""Seats that change hands, by mails and commands alone: who takes over needs nothing but what he is mailed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import random_turn
from pbem.audit.audit import audit
from pbem.log.envelope import read_envelope
from pbem.log.seal import key_id, public_of
from pbem.player.answers import move_envelope, resign_envelope, standing_envelope
from pbem.player.keys import load_key
from pbem.service import games
from tests.people.desk import Desk, host_refused, hosted
from tests.people.test_mail_commands import body
from tests.service.house import ARENA, House, Player, begin, open_house, play_on, stream

Below = Callable[[int], int]
EVE = "eve@example.org"


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=True, now=0)


def asked_by(house: House, game: str) -> tuple[str, ...]:
    """The seats that the host says the game waits for."""
    found = games.show_game(house.service.database, house.service.host, game, 0)
    return tuple(one.seat for one in found.seats if one.due)


async def play_with(eve: Desk, game: str, players: dict[str, Player], below: Below, moves: int = 8) -> bool:
    """Eve types what her mails say, the others do as ever and give up after a while; True if the game is over."""
    for _ in range(moves):
        due = asked_by(eve.house, game)
        if not due:
            return True
        if due[0] in players:
            await players[due[0]].mail(players[due[0]].move(below))
        else:
            letter = eve.newest("your move", "your answer", "is played by", "new key", "once more")
            await eve.mail(eve.type("fill", letter, "--bot", "random", "--seed", f"{below(1 << 20)}"))
            assert "not accepted" not in eve.posts[-1].subject, body(eve.posts[-1])
    for player in players.values():
        await player.mail(resign_envelope(player.key, player.view))
    return not asked_by(eve.house, game)


def test_a_substitute_plays_on_from_his_mails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game()
            players = await begin(house, game)
            below = stream("substitute")
            await play_on(players, below, 5)
            red = players["red"]
            await red.mail(standing_envelope(red.key, red.view, {"gorgon": "highest"}))
            while asked_by(house, game) != ("red",):
                await play_on(players, below, 1)
            note = "Blue is after the wyrm.\nWatch the magus."
            view = red.view
            orders = random_turn(ARENA, view.seen, "red", below)
            await red.mail(move_envelope(red.key, view, orders, note=note))
            # the offer
            told = await hosted(house, "game", "seat", game, "red", "--offer", EVE)
            assert told["done"] == "offered"
            eve = Desk(house, EVE, tmp_path / "eve", monkeypatch)
            offer = body(eve.posts[0])
            assert "will you take over Red" in eve.posts[0].subject
            assert "red@example.org" not in offer
            assert note.split(".", maxsplit=1)[0] not in offer
            assert not any("somebody else" in post.subject for post in players["blue"].posts)
            # taken
            await eve.mail(eve.type("join", eve.saved(), "--name", "Eve"))
            handed = body(eve.posts[-1])
            assert "Blue is after the wyrm." in handed
            assert "Watch the magus." in handed
            assert "standing.json" in handed
            assert players["blue"].posts[-1].subject == f"[pbem {game}] red is played by somebody else"
            assert "Blue is after" not in body(players["blue"].posts[-1])
            # the old key has ended
            before, letters = log_of(house, game), len(house.mailbox.posts)
            await red.mail(resign_envelope(red.key, view))
            assert (log_of(house, game), len(house.mailbox.posts)) == (before, letters)
            # and everything goes on
            others = {"blue": players["blue"]}
            assert await play_with(eve, game, others, below)
            archive = log_of(house, game)
            report = audit(archive)
            assert (report.verdict, report.code) == ("sound", "")
            names = json.loads(archive.splitlines()[-1])["names"]
            assert names["red"] == "Eve"
            assert b"is after the wyrm" in archive
            eve.type("verify", *(eve.saved(n) for n in range(len(eve.posts))))

    asyncio.run(said())


def test_a_key_is_rotated_by_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game()
            ann = Desk(house, "red@example.org", tmp_path / "ann", monkeypatch)
            blue = (await house.players(game))["blue"]
            await ann.mail(ann.type("join", ann.saved()))
            await blue.mail(blue.join())
            await ann.mail(ann.type("ready", ann.saved()))
            await blue.mail(blue.ready())
            below = stream("rotated")
            while asked_by(house, game) != ("red",):
                await blue.mail(blue.move(below))
            letter = ann.newest("your move")
            await ann.mail(ann.type("key", "rotate", letter))
            assert ann.posts[-1].subject == blue.posts[-1].subject == f"[pbem {game}] red has a new key"
            # the letter from before is still good: the kit knows of the new key from the log
            ann.type("show", ann.saved())
            ann.type("fill", letter, "--bot", "random", "-o", "again.json")
            (signed,) = (tmp_path / "ann" / "work").glob("again.json")
            public = public_of(load_key(next((tmp_path / "ann" / "kit" / "keys").glob("*.json"))))
            assert read_envelope(signed.read_bytes()).sig.key == key_id(public)
            assert await play_with(ann, game, {"blue": blue}, below)
            report = audit(archive := log_of(house, game))
            assert (report.verdict, report.code) == ("sound", "")
            assert archive.count(b'"kind":"key"') == 1
            ann.type("verify", *(ann.saved(n) for n in range(1, len(ann.posts))))
            keys = sorted(
                path.name for path in (tmp_path / "ann" / "kit").rglob("*.json") if "key" in str(path)
            )
            assert len(keys) == 2

    asyncio.run(said())


def test_a_lost_key_is_reset_after_a_mail_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game(("red", "blue", "green"))
            players = await begin(house, game, ("red", "blue", "green"))
            below = stream("reset")
            await play_on(players, below, 4)
            ann = Desk(house, "red@example.org", tmp_path / "ann", monkeypatch)
            before = log_of(house, game)
            await hosted(house, "game", "seat", game, "red", "--reset")
            assert log_of(house, game) == before
            assert ann.posts[-1].subject == f"[pbem {game}] a new key for Red"
            await ann.mail(ann.type("join", ann.saved()))
            assert "has a new key" in players["green"].posts[-1].subject
            assert "The key of Red was lost" in body(players["green"].posts[-1])
            others = {seat: players[seat] for seat in ("blue", "green")}
            assert await play_with(ann, game, others, below)
            report = audit(log_of(house, game))
            assert (report.verdict, report.code) == ("sound", "")

    asyncio.run(said())


def test_an_offer_counts_once_and_only_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game()
            players = await begin(house, game)
            eve, tom = (
                Desk(house, f"{name}@example.org", tmp_path / name, monkeypatch) for name in ("eve", "tom")
            )
            await hosted(house, "game", "seat", game, "blue", "--offer", eve.address)
            await hosted(house, "game", "seat", game, "blue", "--offer", tom.address)
            before = log_of(house, game)
            await eve.mail(eve.type("join", eve.saved()))
            assert log_of(house, game) == before
            told = tom.type("join", tom.saved())
            await tom.mail(told)
            taken = log_of(house, game)
            assert taken.count(b'"how":"taken"') == 1
            # the same mail again: the same receipt, and nothing else
            await tom.mail(told)
            assert "already recorded" in tom.posts[-1].subject
            assert log_of(house, game) == taken
            # an offer taken back, and one to a seat that has left
            await hosted(house, "game", "seat", game, "blue", "--offer", eve.address)
            assert (await hosted(house, "game", "seat", game, "blue", "--withdraw"))["done"] == "withdrawn"
            await eve.mail(eve.type("join", eve.saved()))
            assert log_of(house, game) == taken
            red = players["red"]
            await red.mail(resign_envelope(red.key, red.view))
            assert host_refused(house, "game", "seat", game, "red", "--offer", EVE) in (
                "fresh/resigned",
                "fresh/over",
            )

    asyncio.run(said())


def test_a_seat_that_nobody_has_joined_is_invited_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def said() -> None:
        async with open_house(tmp_path / "host") as house:
            game = await house.game()
            old = (await house.players(game))["red"]
            old_join = old.join()
            told = await hosted(house, "game", "seat", game, "red", "--offer", EVE)
            assert told["done"] == "invited"
            await old.mail(old_join)
            assert b'"kind":"join"' not in log_of(house, game)
            eve = Desk(house, EVE, tmp_path / "eve", monkeypatch)
            await eve.mail(eve.type("join", eve.saved()))
            assert log_of(house, game).count(b'"kind":"join"') == 1

    asyncio.run(said())


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("nosuchgame", "red", "--offer", EVE), "host/no-such-game"),
        (("GAME", "pink", "--offer", EVE), "host/no-such-seat"),
        (("GAME", "pink", "--reset"), "host/no-such-seat"),
        (("GAME", "red"), "cli/one-of"),
        (("GAME", "red", "--reset", "--withdraw"), "cli/one-of"),
        (("GAME", "red", "--offer", "nobody"), "cli/address"),
    ],
)
def test_what_the_host_is_told(tmp_path: Path, arguments: tuple[str, ...], wanted: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            typed = [game if word == "GAME" else word for word in arguments]
            assert host_refused(house, "game", "seat", *typed) == wanted

    asyncio.run(said())


def test_keys_are_fixed_while_players_confirm(tmp_path: Path) -> None:
    """Protocol, section 5: no key change from the first ready to the start."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await house.players(game)
            for player in players.values():
                await player.mail(player.join())
            await players["red"].mail(players["red"].ready())
            assert host_refused(house, "game", "seat", game, "blue", "--offer", EVE) == "fresh/keys-fixed"

    asyncio.run(said())
