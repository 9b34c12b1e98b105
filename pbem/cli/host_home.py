"""What all commands of the host share: which home, and the database behind it."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import refuse, say
from pbem import deeds
from pbem.cli.say import warn

if TYPE_CHECKING:
    from pbem.service.config import Home, Host
    from pbem.service.database import Database


def default_home() -> Path:
    """`$PBEM_HOST`, else `~/.pbem-host`; under that very name where nobody knows whose home that is."""
    if named := os.environ.get("PBEM_HOST"):
        return Path(named)
    try:
        return Path.home() / ".pbem-host"
    except RuntimeError:
        return Path("~/.pbem-host")


class _Folder(click.Path):
    """A folder with a name: an empty one comes of a variable that is not set, and does not mean the folder at hand."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does; an empty name is a wrong use."""
        if value == "":
            self.fail("its name is empty.", param, ctx)
        return super().convert(value, param, ctx)


HOME = click.option(
    "--home",
    # what cannot be read is told by us, and not as a wrong use of the command
    type=_Folder(path_type=Path, readable=False),
    default=default_home,
    help="The home of the service; $PBEM_HOST or ~/.pbem-host if left out.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Answer with one line of JSON.")


def opened(home: Path) -> Home:
    """The home. Refused `host/…`."""
    from pbem.service.config import open_home

    return open_home(home)


def check_foreign(home: Home, *addresses: str) -> None:
    """Refused `cli/own-address` for an address of the service itself: it would write to itself."""
    from pbem.service.config import is_own

    for address in addresses:
        if is_own(home.config, address):
            raise refuse("cli/own-address", found=address)


def mirror(database: Database, home: Home, game_id: str) -> None:
    """Brings a game's log file up to what was committed; one that cannot be written is told, and undoes nothing."""
    from pbem.service.archive import Mirror

    try:
        Mirror(database, home.logs).bring_up(game_id)
    except OSError as error:
        problem = error.strerror or type(error).__name__
        warn(
            say(
                "It is done, but the log file of {game} cannot be written: {problem}. It is made again once it can.",
                game=game_id,
                problem=problem,
            )
        )


@contextmanager
def store(home: Path) -> Generator[tuple[Home, Host, Database]]:
    """Home, host and database, for one command; a running service is not disturbed. Refused `host/…`."""
    from engine import GAMES
    from pbem.service.home_store import using_store

    found = opened(home)
    with using_store(found) as database:
        # that its tables were brought up to date is not what was asked for
        deeds.forget()
        yield found, found.host(GAMES), database
