"""A database that is not where it was: nobody begins anew, empty, beside the logs of games that are under way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import Refused
from pbem.cli.asked import SYSTEM
from pbem.service import vault
from pbem.service.backup import backup, restore
from pbem.service.config import open_home
from pbem.service.database import HEAD, open_database, revision, using
from pbem.service.tables import games
from tests.service.house import NOW, begin, open_house

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


@pytest.mark.parametrize("how", ["away", "empty"])
def test_a_file_that_is_not_there_any_more(tmp_path: Path, how: str) -> None:
    """From a fault: a service whose disk was not mounted began anew and sent every mail back as for nobody."""
    home = played(tmp_path)
    file = home / "pbem.sqlite"
    kept = file.read_bytes()
    file.write_bytes(b"") if how == "empty" else file.unlink()
    before = sorted(home.iterdir())
    for command in COMMANDS:
        ran = subprocess.run(
            [sys.executable, "-m", "pbem", *command, "--home", str(home)],
            input=b"",
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert b"host/store-gone" in ran.stdout + ran.stderr, (command, ran)
        assert b"Traceback" not in ran.stderr
        # a mail server's pipe hands the mail over again
        assert ran.returncode == (75 if command[0] == "deliver" else 2), command
        assert sorted(home.iterdir()) == before
    file.write_bytes(kept)
    with using(f"sqlite:///{file}", home / "logs") as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 1


def test_another_database_than_the_one_that_is_meant(url: str, tmp_path: Path) -> None:
    home = played(tmp_path)
    with pytest.raises(Refused) as refused:
        open_database(url, home / "logs")
    assert refused.value.refusal.code == "host/store-gone"
    assert "secret" not in str(refused.value.refusal)
    # where no game has ever been, an empty database is what a new home begins with
    with closing(open_database(url, tmp_path / "none")) as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 0
    # and whoever has said so by hand goes on with it
    with using(url, home / "logs") as database:
        assert revision(database) == HEAD


def test_a_home_that_was_restored_needs_no_log_to_be_there(tmp_path: Path) -> None:
    home = open_home(played(tmp_path))
    file, other = tmp_path / "copy", tmp_path / "other"
    backup(home, file, WORDS, SYSTEM(vault.SALT + vault.PREFIX), NOW)
    restore(other, file, WORDS, NOW)
    again = open_home(other)
    with using(again.url, again.logs) as database, database.read() as tx:
        assert tx.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() == 1
