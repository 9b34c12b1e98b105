"""`pbem render`: the picture of a view, written as SVG or PNG, or as tables for whoever does not see it."""

from __future__ import annotations

from pathlib import Path

import click

from engine import WIDTH, Picture, refuse, say
from pbem.cli.player import open_letter, tell_worries, view_argument
from pbem.cli.say import answers, lang, tell
from pbem.disk import write_file
from pbem.player.view import ViewFile

_MOST = 4096


@click.command()
@view_argument
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write the picture; its ending says what it is: .svg, .png, or .html for tables.",
)
@click.option(
    "--width",
    "wide",
    type=click.IntRange(64, _MOST),
    default=WIDTH,
    show_default=True,
    help="Width in pixels.",
)
@click.option("--dark", is_flag=True, help="Light on dark.")
@answers
def render(view_path: Path, output: Path, wide: int, dark: bool) -> None:
    """Draw VIEW, a view or the whole mail, as a picture. The news in it are marked."""
    letter = open_letter(view_path)
    tell_worries(letter)
    data = _drawn(_picture(letter.view), output, wide, dark)
    write_file(output, data)
    tell(say("The picture: {file}", file=str(output)))


def _picture(view: ViewFile) -> Picture:
    if view.seen is None:
        raise refuse("cli/nothing-to-draw", game=view.head.game)
    return view.game.shapes(view.seen, view.news)


def _drawn(picture: Picture, output: Path, wide: int, dark: bool) -> bytes:
    from pbem.render import to_png, to_svg, to_tables

    match output.suffix.lower():
        case ".svg":
            return to_svg(picture, lang(), dark=dark, wide=wide)
        case ".png":
            return to_png(picture, lang(), dark=dark, wide=wide)
        case ".html":
            return to_tables(picture, lang()).encode("utf-8")
        case _:
            raise refuse("cli/picture", file=output.name)
