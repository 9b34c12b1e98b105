"""A database that is not where it was: nobody begins anew, empty, beside the logs of games that are under way."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from engine import GAMES, Refused
from pbem.cli import main
from pbem.cli.asked import SYSTEM, game_secrets
from pbem.log.seal import PrivateKey
from pbem.service import vault
from pbem.service.backup import backup, restore
from pbem.service.config import Config, Home, Host, config_text, open_home
from pbem.service.database import open_database
from pbem.service.games import new_game
from pbem.service.home_store import open_store, using_store
from pbem.service.store import load_desk
from pbem.service.tables import games
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from tests.service.house import ARENA, NOW, Chance, begin, open_house
from tests.service.lightly import new_database

WORDS = "some words that nobody knows"

COMMANDS = (
    ("serve",),
    ("inbox", "list"),
    ("game", "list"),
    ("host", "doctor"),
    ("deliver", "games@pbem.example.org"),
)


def played(tmp_path: Path) -> Path:
    """The home of a service that has stopped, with a game under way."""

    async def said() -> Path:
        async with open_house(tmp_path) as house:
            await begin(house, await house.game())
            return house.service.home.path

    return asyncio.run(said())


def contents(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}


def by_hand(home: Path, *command: str) -> Result:
    """A command of the host's; what is wrong it says, and ends."""
    ran = CliRunner().invoke(main, [*command, "--home", str(home)], input=b"")
    assert isinstance(ran.exception, SystemExit), ran.exception
    return ran


def everywhere(home: Path, code: str) -> None:
    """Every command refuses with this code, and leaves everything as it is."""
    before = contents(home)
    for command in COMMANDS:
        ran = by_hand(home, *command)
        assert code in ran.output, (command, ran)
        # a mail server's pipe hands the mail over again
        # the doctor says it among other things, and that it is bad
        expected = {"deliver": 75, "host": 1}.get(command[0], 2)
        assert ran.exit_code == expected, command
        assert contents(home) == before


@pytest.mark.parametrize("how", ["away", "empty", "away with the logs", "another"])
def test_a_file_that_is_not_there_any_more(tmp_path: Path, how: str) -> None:
    """From a fault: a service whose disk was not mounted began anew and sent every mail back as for nobody."""
    home = played(tmp_path)
    file = home / "pbem.sqlite"
    kept = file.read_bytes()
    match how:
        case "empty":
            file.write_bytes(b"")
        case "another":
            file.write_bytes(new_database())
        case _:
            file.unlink()
    if how == "away with the logs":
        shutil.rmtree(home / "logs")
    everywhere(home, "host/store-gone")
    file.write_bytes(kept)
    with using_store(open_home(home)) as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 1


def test_a_key_that_is_not_that_of_the_games(tmp_path: Path) -> None:
    """From a fault: with another home's key all went on, and no log of a running game could ever be sound again."""
    home = played(tmp_path)
    key = (home / "host.key").read_bytes()
    (home / "host.key").write_text("11" * 32 + "\n")
    everywhere(home, "host/other-key")
    # one that was lost is not made anew either
    (home / "host.key").unlink()
    address = "games@pbem.example.org"
    (home / "config.toml").write_text(config_text(Config(address=address)))
    ran = by_hand(home, "host", "init", "--address", address)
    assert "host/other-key" in ran.output, ran
    everywhere(home, "host/other-key")
    (home / "host.key").write_bytes(key)
    with using_store(open_home(home)):
        assert True


def test_a_game_of_another_key_among_others_is_touched_by_nobody(tmp_path: Path) -> None:
    home = open_home(played(tmp_path))
    with using_store(home) as database:
        stranger = Host(PrivateKey(b"s" * 32), home.host(GAMES).post, GAMES)
        people = {seat: Person(f"{seat}@example.org", f"token{seat}") for seat in ("red", "blue")}
        plan = Plan("strange", ARENA, {}, people)
        new_game(database, stranger, plan, game_secrets(stranger.key, Chance("strange")), NOW)
        with pytest.raises(Refused) as refused, database.read() as tx:
            load_desk(tx, home.host(GAMES), "strange", NOW)
        assert refused.value.refusal.code == "host/other-key"
    # and it does not stop the others
    with using_store(home):
        assert True


def test_another_database_than_the_one_that_is_meant(url: str, tmp_path: Path) -> None:
    home = played(tmp_path)
    with pytest.raises(Refused) as refused:
        open_database(url, home / "logs")
    assert refused.value.refusal.code == "host/store-gone"
    assert "secret" not in str(refused.value.refusal)
    # where no game has ever been, an empty database is what a new home begins with
    with closing(open_database(url, tmp_path / "none")) as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 0
    # and one that was made on purpose is another's all the same
    settings = msgspec.structs.replace(open_home(home).config, database=url)
    with pytest.raises(Refused) as refused:
        open_store(Home(home, settings, open_home(home).key))
    assert refused.value.refusal.code == "host/store-gone"


def test_a_home_that_was_restored_needs_no_log_to_be_there(tmp_path: Path) -> None:
    home = open_home(played(tmp_path))
    file, other = tmp_path / "copy", tmp_path / "other"
    backup(home, file, WORDS, SYSTEM(vault.SALT + vault.PREFIX), NOW)
    restore(other, file, WORDS, NOW)
    again = open_home(other)
    with using_store(again) as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 1
