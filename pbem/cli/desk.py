"""`pbem desk`: the page in which a player reads his letters and signs his moves, as one file."""

from __future__ import annotations

from pathlib import Path

import click

from engine import say
from pbem.cli.say import answers, tell
from pbem.disk import write_file


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("desk.html"),
    show_default=True,
    metavar="FILE",
    help="Where to write the page.",
)
@click.option(
    "--plain", is_flag=True, help="With its script as it was written, to be read: three times as long."
)
@answers
def desk(output: Path, plain: bool) -> None:
    """Write the desk page: open it in a browser, offline, and play with your letters there."""
    from pbem.turn.desk_file import desk_file, plain_desk

    write_file(output, plain_desk() if plain else desk_file().data)
    tell(say("The page is {file}: open it in a browser. It needs no network.", file=str(output)))
