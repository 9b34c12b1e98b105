"""A copy of everything: consistent while the service runs, sealed, put back into either database, never a fork."""

from __future__ import annotations

import asyncio
import hashlib
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine import Refused
from pbem.audit.audit import audit
from pbem.cli.asked import SYSTEM
from pbem.log.envelope import Envelope
from pbem.service import games, held, vault
from pbem.service.adopt import adopt
from pbem.service.app import Service, Setting
from pbem.service.backup import backup, restore
from pbem.service.config import Home, open_home
from pbem.service.database import HEAD, Database, open_database, revision
from pbem.service.tables import METADATA
from pbem.turn import pipeline
from tests.service.house import NOW, House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import Mailbox, Post, open_mailbox, written

WORDS = "correct horse"


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.refusal.code


def copy(home: Home, file: Path) -> int:
    return backup(home, file, WORDS, SYSTEM(vault.SALT + vault.PREFIX), NOW)


def rows(database: Database) -> dict[str, list[Any]]:
    with database.read() as tx:
        return {
            table.name: sorted(map(repr, tx.execute(sa.select(table)).all()))
            for table in METADATA.tables.values()
        }


def log_of(home: Home, game: str) -> bytes:
    with closing(open_database(home.url)) as database:
        return games.export(database, Service(home).host, game, names=False, now=0)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[Post]]:
    """A copy of a home with a game in it, made while its service runs; the game's id; what was mailed till then."""
    folder = tmp_path_factory.mktemp("played")

    async def said() -> tuple[str, list[Post]]:
        async with open_house(folder) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("copied"), 6)
            copy(house.service.home, folder / "copy")
            return game, list(house.mailbox.posts)

    return (folder / "copy", *asyncio.run(said()))


def test_a_copy_holds_everything_and_nobody_else_can_read_it(
    played: tuple[Path, str, list[Post]], tmp_path: Path
) -> None:
    file, game, _ = played
    data = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    key = hashlib.sha256(b"host").digest()
    for secret in (key, key.hex().encode(), b"example.org", game.encode()):
        assert secret not in data
    done = restore(tmp_path / "home", file, WORDS, NOW + 60)
    assert done.held == (game,)
    assert done.created == NOW
    home = open_home(tmp_path / "home")
    assert home.key.raw == key
    log = log_of(home, game)
    assert audit(log).verdict == "unfinished"
    assert (home.logs / f"{game}.pbem").read_bytes() == log
    assert log == log_of(open_home(file.parent / "home"), game)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.path.iterdir() if path.is_file()}
    assert modes == {"config.toml": 0o600, "host.key": 0o600, "pbem.sqlite": 0o600}


def test_every_way_in_which_a_copy_is_none(played: tuple[Path, str, list[Post]], tmp_path: Path) -> None:
    file, _, _ = played
    data = file.read_bytes()
    bad = tmp_path / "bad"
    head = data.index(b"\n", len(vault.MAGIC)) + 1
    first = head + 4 + int.from_bytes(data[head : head + 4], "big")
    wrong: dict[str, list[bytes]] = {
        "host/no-backup": [b"", b"hello\n", data[:20], vault.MAGIC + b"{}\n" + data[head:]],
        "host/passphrase-wrong": [data[: head + 9] + b"\0" + data[head + 10 :]],
        "host/backup-damaged": [
            data[:-1],
            data[:-40] + b"\0" * 40,
            data[: first + 2],
            data + data[-30:],
            data[: first + 30] + bytes([data[first + 30] ^ 1]) + data[first + 31 :],
        ],
    }
    # a copy that ends with a whole frame is cut short all the same
    second = first + 4 + int.from_bytes(data[first : first + 4], "big")
    wrong["host/backup-damaged"].append(data[:second])
    for expected, files in wrong.items():
        for one in files:
            bad.write_bytes(one)
            with pytest.raises(Refused) as refused:
                restore(tmp_path / "home", bad, WORDS, NOW)
            assert code(refused) == expected
            assert not (tmp_path / "home" / "config.toml").exists()
            for left in (tmp_path / "home").glob("*"):
                left.unlink()
    with pytest.raises(Refused) as refused:
        restore(tmp_path / "home", file, "wrong", NOW)
    assert code(refused) == "host/passphrase-wrong"


def test_what_asks_for_all_memory_is_no_copy(played: tuple[Path, str, list[Post]], tmp_path: Path) -> None:
    data = played[0].read_bytes()
    bad = tmp_path / "bad"
    for n in (b"1073741824", b"1", b"32769", b"-1"):
        bad.write_bytes(data.replace(b'"n":32768', b'"n":' + n, 1))
        with pytest.raises(Refused) as refused:
            restore(tmp_path / "home", bad, WORDS, NOW)
        assert code(refused) == "host/no-backup"


def test_nothing_is_put_over_anything(played: tuple[Path, str, list[Post]], tmp_path: Path) -> None:
    restore(tmp_path / "home", played[0], WORDS, NOW)
    before = {path: path.read_bytes() for path in (tmp_path / "home").glob("*") if path.is_file()}
    with pytest.raises(Refused) as refused:
        restore(tmp_path / "home", played[0], WORDS, NOW)
    assert code(refused) == "host/not-empty"
    with pytest.raises(Refused) as refused:
        restore(tmp_path / "other", played[0], WORDS, NOW, f"sqlite:///{tmp_path / 'home' / 'pbem.sqlite'}")
    assert code(refused) == "host/not-empty"
    assert {path: path.read_bytes() for path in before} == before


def test_a_copy_goes_into_either_database(
    played: tuple[Path, str, list[Post]], url: str, tmp_path: Path
) -> None:
    """Rows, and the numbers that the database itself gives: the next letter gets one of its own."""
    file, game, _ = played
    done = restore(tmp_path / "home", file, WORDS, NOW, url)
    home = open_home(tmp_path / "home")
    assert home.url == url
    assert log_of(home, game) == log_of(open_home(file.parent / "home"), game)
    with closing(open_database(url)) as database:
        assert revision(database) == HEAD
        with database.write() as tx:
            held.resume(tx, game)
        due = [seat.seat for seat in games.show_game(database, Service(home).host, game, 0).seats if seat.due]
        games.silence(database, Service(home).host, game, due[0], lambda: NOW)
        whole = rows(database)
    # and from there into the other kind again
    assert copy(home, tmp_path / "again") > done.rows
    restore(tmp_path / "third", tmp_path / "again", WORDS, NOW)
    with closing(open_database(open_home(tmp_path / "third").url)) as database:
        back = rows(database)
    assert {name: len(found) for name, found in back.items() if name not in ("holds", "outbox")} == {
        name: len(found) for name, found in whole.items() if name not in ("holds", "outbox")
    }
    assert back["records"] == whole["records"]


class _Afterwards:
    """A house whose service was put back from a copy, with the mailbox as it was filled before."""

    def __init__(self, path: Path, posts: list[Post]) -> None:
        self.path = path
        self.mailbox = Mailbox(list(posts))

    async def __aenter__(self) -> House:
        self._open = open_mailbox(self.mailbox)
        relay = await self._open.__aenter__()
        config = self.path / "config.toml"
        lines = [
            f'relay = "{relay}"' if line.startswith("relay =") else line
            for line in config.read_text().splitlines()
        ]
        config.write_text("\n".join(lines) + "\n")
        self.service = Service(open_home(self.path), Setting(lambda: NOW + 100))
        door = await self.service.start()
        house = House(self.service, self.mailbox, door, lambda: NOW + 100)  # type: ignore[arg-type]
        await self.service.wait_idle()
        return house

    async def __aexit__(self, *_: object) -> None:
        await self.service.stop()
        await self._open.__aexit__(None, None, None)


async def forward(player: Player, post: Post) -> None:
    """The newest letter sent on, attachments and all, under a subject of the player's own."""
    body = post.raw.partition(b"\r\n\r\n")
    kind = next(line for line in body[0].split(b"\r\n") if line.startswith(b"Content-Type:")).decode()
    boundary = kind + (
        " " + body[0].split(b"Content-Type:")[1].split(b"\r\n ")[1].split(b"\r\n")[0].decode()
        if kind.endswith(";")
        else ""
    )
    head = f"From: {player.address}\r\nTo: x\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\n{boundary}\r\n\r\n"
    await player.hand_in(head.encode() + body[2])


def holds(house: House) -> list[held.Hold]:
    with house.service.database.read() as tx:
        return held.list_held(tx)


def test_a_game_put_back_waits_until_all_have_been_heard_and_then_goes_on(
    played: tuple[Path, str, list[Post]], tmp_path: Path
) -> None:
    file, game, posts = played
    restore(tmp_path / "home", file, WORDS, NOW)
    before = log_of(open_home(tmp_path / "home"), game)

    async def said() -> None:
        async with _Afterwards(tmp_path / "home", posts) as house:
            red, blue = Player(house, game, "red"), Player(house, game, "blue")
            for player in (red, blue):
                assert "please send your newest letter" in player.posts[-1].subject
            asked, other = (red, blue) if red.view.menu.asked else (blue, red)
            assert holds(house) == [held.Hold(game, ("blue", "red"), ())]
            # 1. a move made from the newest view clears its seat, and waits
            move = asked.move(stream("later"))
            await asked.mail(move)
            assert "on hold" in asked.posts[-1].subject
            assert "Thank you" in asked.posts[-1].raw.decode()
            assert log_of(house.service.home, game) == before
            assert holds(house) == [held.Hold(game, (other.seat,), ())]
            # 2. words without a letter, and an older letter, clear nothing
            await other.hand_in(written(other.address, other.invitation.address, b"What is this?\n"))
            assert holds(house) == [held.Hold(game, (other.seat,), ())]
            views = [post for post in other.posts if b".view.json" in post.raw]
            await forward(other, views[0])
            assert "no answer yet" in " ".join(other.posts[-1].raw.decode().split())
            assert holds(house) == [held.Hold(game, (other.seat,), ())]
            # 3. the newest one does; the game goes on, and plays what waited
            await forward(other, views[-1])
            assert not holds(house)
            after = log_of(house.service.home, game)
            assert after.startswith(before)
            assert move.id.encode() in after
            assert audit(after).verdict in ("unfinished", "sound")

    asyncio.run(said())


async def _run_on(folder: Path, posts: list[Post]) -> tuple[bytes, list[Envelope], list[Post]]:
    """The lost history: the copied house plays three moves more, and is gone."""
    (folder / "log").mkdir(parents=True)
    sent: list[Envelope] = []
    async with _Afterwards(folder / "home", posts) as house:
        (game,) = [one.game for one in holds(house)]
        with house.service.database.write() as tx:
            held.resume(tx, game)
        players = {seat: Player(house, game, seat) for seat in ("red", "blue")}
        for _ in range(3):
            asked = next(one for one in players.values() if one.view.menu.asked)
            sent.append(asked.move(stream(f"on {len(sent)}")))
            await asked.mail(sent[-1])
        return log_of(house.service.home, game), sent, list(house.mailbox.posts)


def test_a_game_that_ran_on_is_known_by_any_player_and_can_be_brought_up(
    played: tuple[Path, str, list[Post]], tmp_path: Path
) -> None:
    file, game, posts = played
    restore(tmp_path / "lost" / "home", file, WORDS, NOW)
    lost, sent, lost_posts = asyncio.run(_run_on(tmp_path / "lost", posts))
    restore(tmp_path / "home", file, WORDS, NOW)
    before = log_of(open_home(tmp_path / "home"), game)

    async def said() -> None:
        async with _Afterwards(tmp_path / "home", lost_posts) as house:
            players = {seat: Player(house, game, seat) for seat in ("red", "blue")}
            asked = next(one for one in players.values() if one.view.menu.asked)
            other = next(one for one in players.values() if one is not asked)
            # 1. red and blue know more; not a line is written
            move = asked.move(stream("newest"))
            await asked.mail(move)
            await forward(other, [post for post in other.posts if b".view.json" in post.raw][-1])
            assert holds(house) == [held.Hold(game, (), ("blue", "red"))]
            assert "newer lines" in " ".join(other.posts[-1].raw.decode().split())
            assert log_of(house.service.home, game) == before
            database, host = house.service.database, house.service.host
            # 2. their lines are taken back only with the envelopes that made them
            claims = [pipeline.claim_file(one.text()) for one in sent]
            for files, wanted in ((claims[:2], "host/adopt-missing"), (claims[1:], "host/adopt-missing")):
                with pytest.raises(Refused) as refused:
                    adopt(database, host, lost, files, NOW)
                assert code(refused) == wanted
            assert log_of(house.service.home, game) == before
            done = adopt(database, host, lost, claims, NOW)
            assert (done.records, done.held) == (lost.count(b"\n") - before.count(b"\n"), False)
            # 3. the very same bytes, and the move that waited is played upon them
            house.service._inbox_bell.ring()
            await house.service.wait_idle()
            after = log_of(house.service.home, game)
            assert after.startswith(lost)
            assert move.id.encode() in after
            assert audit(after).verdict in ("unfinished", "sound")

    asyncio.run(said())


def test_a_log_of_another_history_is_not_adopted(
    played: tuple[Path, str, list[Post]], tmp_path: Path
) -> None:
    file, game, posts = played
    restore(tmp_path / "lost" / "home", file, WORDS, NOW)
    lost, sent, _ = asyncio.run(_run_on(tmp_path / "lost", posts))
    restore(tmp_path / "home", file, WORDS, NOW)
    home = open_home(tmp_path / "home")
    claims = [pipeline.claim_file(one.text()) for one in sent]
    lines = lost.splitlines(keepends=True)
    forged = b"".join([*lines[:-1], lines[-1].replace(b'"turn":', b'"turn": ')])
    bent = b"".join([*lines[:-1], lines[-1].replace(b'"at":"2026', b'"at":"2027')])
    with closing(open_database(home.url)) as database:
        for log, wanted in (
            (forged, "host/adopt-log"),
            (bent, "host/adopt-differs"),
            (b"".join(lines[:3]), "host/adopt-log"),
            (b"nonsense\n", "host/adopt-log"),
            (b"", "host/adopt-log"),
            (b"".join([lines[0], *lines[2:]]), "host/adopt-log"),
        ):
            with pytest.raises(Refused) as refused:
                adopt(database, Service(home).host, log, claims, NOW)
            assert code(refused) == wanted
    assert log_of(home, game) == b"".join(lines[: len(lines) - 3])
