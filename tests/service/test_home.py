"""A home, its settings, and the files beside the database."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest

from engine import Refused
from pbem.audit.audit import audit
from pbem.log.record import Names, read_record
from pbem.service import games
from pbem.service.archive import Mirror
from pbem.service.config import Config, Endpoint, config_text, endpoint, init_home, open_home
from tests.service.house import House, begin, open_house, play_on, stream

ADDRESS = 'address = "games@pbem.example.org"\n'


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.refusal.code


def test_a_home_is_made_once(tmp_path: Path) -> None:
    config = Config(address="chess@club.example.org", relay="[::1]:2525")
    home = init_home(tmp_path / "home", config, b"k" * 32)
    assert open_home(home.path) == home
    assert home.key.raw == b"k" * 32
    # what is there stays, whatever is asked for
    assert init_home(home.path, config, b"x" * 32).key.raw == b"k" * 32
    with pytest.raises(Refused) as refused:
        init_home(home.path, Config(), b"x" * 32)
    assert code(refused) == "host/exists"
    assert open_home(home.path) == home
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.path.iterdir()}
    assert modes == {"config.toml": 0o600, "host.key": 0o600}
    assert stat.S_IMODE(home.path.stat().st_mode) == 0o700


def test_a_home_that_a_crash_left_half_made_is_completed(tmp_path: Path) -> None:
    home = init_home(tmp_path, Config(), b"k" * 32)
    (tmp_path / "host.key").unlink()
    with pytest.raises(Refused) as refused:
        open_home(tmp_path)
    assert code(refused) == "host/key"
    assert init_home(tmp_path, home.config, b"n" * 32).key.raw == b"n" * 32


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "host/no-home"),
        ("address = 3", "host/config"),
        ("nonsense", "host/config"),
        ('colour = "red"', "host/config"),
        ('address = "Games@pbem.example.org"', "host/config"),
        ('address = "games"', "host/config"),
        ('address = "' + "g" * 31 + '@pbem.example.org"', "host/long-address"),
        # what an editor leaves on a full disk: with another address all mail would be sent back
        ("\n", "host/config"),
        ("# What each setting means: docs/hosting.md\n", "host/config"),
        ('listen = "127.0.0.1:25"', "host/config"),
        (ADDRESS + 'listen = "here"', "host/endpoint"),
        (ADDRESS + 'relay = "127.0.0.1:99999"', "host/endpoint"),
        (ADDRESS + "connections = 0", "host/config"),
    ],
)
def test_settings_that_make_no_sense(tmp_path: Path, text: str, wanted: str) -> None:
    if text:
        (tmp_path / "config.toml").write_text(text)
    with pytest.raises(Refused) as refused:
        open_home(tmp_path)
    assert code(refused) == wanted


def test_settings_are_written_so_that_they_can_be_read(tmp_path: Path) -> None:
    config = Config(database='postgresql+psycopg://u:p"\\%40@h/db', timeout=5)
    (tmp_path / "config.toml").write_text(config_text(config))
    (tmp_path / "host.key").write_text("00" * 32)
    assert open_home(tmp_path).config == config


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("127.0.0.1:25", Endpoint("127.0.0.1", 25)),
        ("mail.example.org:587", Endpoint("mail.example.org", 587)),
    ],
)
def test_an_endpoint(text: str, wanted: Endpoint) -> None:
    assert endpoint(text) == wanted
    assert str(wanted) == text
    assert str(endpoint("[::1]:25")) == "[::1]:25"


@pytest.mark.parametrize("text", ["u:qZ7@mail.example.org:587", "u:q@Z7:25@mail.example.org:587"])
def test_a_password_in_an_endpoint_is_not_shown(text: str) -> None:
    with pytest.raises(Refused) as refused:
        endpoint(text)
    assert refused.value.refusal.args == {"found": "...@mail.example.org:587"}


async def _some_records(house: House) -> tuple[str, Path]:
    game = await house.game()
    await begin(house, game)
    return game, house.service.home.logs / f"{game}.pbem"


def _rows(house: House, game: str, names: bool = False) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=names, now=0)


@pytest.mark.parametrize("damage", ["gone", "cut", "torn", "other", "empty"])
def test_a_log_file_is_made_again_from_the_rows(tmp_path: Path, damage: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game, path = await _some_records(house)
            whole = path.read_bytes()
            assert whole == _rows(house, game)
            for mirror in (house.service._mirror, Mirror(house.service.database, house.service.home.logs)):
                _harm(path, damage, whole)
                mirror.repair()
                assert path.read_bytes() == whole
            _harm(path, damage, whole)
            await play_on(await house.players(game), stream("mirror"), 1)
            assert path.read_bytes() == _rows(house, game)
            assert path.read_bytes() != whole

    asyncio.run(said())


def _harm(path: Path, damage: str, whole: bytes) -> None:
    harm: dict[str, Any] = {
        "gone": path.unlink,
        "cut": lambda: path.write_bytes(b"".join(whole.splitlines(keepends=True)[:2])),
        "torn": lambda: path.write_bytes(whole[:-7]),
        "other": lambda: path.write_bytes(whole + b"x"),
        "empty": lambda: path.write_bytes(b""),
    }
    harm[damage]()


def test_a_cancelled_game_is_an_archive_and_names_come_last(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await house.players(game)
            await players["red"].mail(players["red"].join())
            service = house.service
            assert _rows(house, game, names=True) == _rows(house, game)
            games.cancel(service.database, service.host, game, house.clock)
            archive = _rows(house, game, names=True)
            assert audit(archive).verdict == "sound"
            assert archive.startswith(_rows(house, game))
            last = read_record(archive.splitlines()[-1])
            assert isinstance(last, Names)
            assert last.names == {"red": "Red"}
            with pytest.raises(Refused) as refused:
                games.cancel(service.database, service.host, game, house.clock)
            assert code(refused) == "fresh/over"

    asyncio.run(said())


def test_a_silent_seat_is_played_by_default(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game, _ = await _some_records(house)
            service = house.service
            state = games.show_game(service.database, service.host, game, 0)
            due = [seat.seat for seat in state.seats if seat.due]
            idle = [seat.seat for seat in state.seats if not seat.due]
            assert len(due) == 1
            with pytest.raises(Refused):
                games.silence(service.database, service.host, game, idle[0], house.clock)
            assert _rows(house, game).count(b"\n") == state.records
            games.silence(service.database, service.host, game, due[0], house.clock)
            assert _rows(house, game).splitlines()[state.records].count(b'"kind":"timeout"') == 1
            with pytest.raises(Refused) as refused:
                games.cancel(service.database, service.host, game, house.clock)
            assert (
                code(refused) == "host/reason"
            )  # a game that is being played ends by a ruling, which has one

    asyncio.run(said())
