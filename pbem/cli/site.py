"""`pbem library` and `pbem replay-page`: archives made into pages. What stands on them is pbem.site's business."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from engine import plain, plural, refuse, say, words
from pbem.audit.audit import sentences_of
from pbem.audit.record_text import is_text
from pbem.cli.export_file import Form, formed, is_file, without_names
from pbem.cli.say import answers, lang, tell, tell_json
from pbem.disk import read_file, write_file


@click.group()
def library() -> None:
    """A site over a folder of archives."""


@library.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "-o", "--output", metavar="SITE", required=True, type=click.Path(path_type=Path, file_okay=False)
)
@click.option(
    "--jobs", type=click.IntRange(0, 256), default=1, show_default=True, help="Processes; 0: one a core."
)
@click.option("--no-pages", is_flag=True, help="Lists and statistics only, without a page for each game.")
@click.option("--base-url", default="", help="Where the site will stand; feeds then have whole addresses.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
@answers
def build(folder: Path, output: Path, jobs: int, no_pages: bool, base_url: str, as_json: bool) -> None:
    """Build a site in SITE over all *.pbem files below DIR; only new and changed archives are read again."""
    from pbem.site.build import Order
    from pbem.site.build import build as build_site

    base = f"{base_url.rstrip('/')}/" if base_url else ""
    order = Order(folder, output, lang(), not no_pages, jobs, base)
    built = build_site(order, progress=None if as_json or not sys.stderr.isatty() else _count)
    if as_json:
        tell_json(plain(built))
        return
    tell(
        say(
            "Archives: {archives}, of which {read} were read. Games: {games}, problems: {problems}.",
            archives=built.archives,
            read=built.read,
            games=built.games,
            problems=built.problems,
        )
    )
    if built.left_out:
        tell(
            plural(
                "{n} file is left out: its name is no text, or it is no file.",
                "{n} files are left out: their names are no text, or they are no files.",
                built.left_out,
            )
        )
    tell(say("The site begins with {file}.", file=str(output / "index.html")))


def _count(done: int, of: int) -> None:
    """How far it is, on one line of a terminal."""
    sentence = plural("{done} of {n} archive", "{done} of {n} archives", of, done=done)
    click.echo(f"\r{words(sentence, lang())}", nl=done == of, err=True)


@click.command(name="replay-page")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The page to be written."
)
@answers
def replay_page(file: Path, output: Path) -> None:
    """Make one page of the archive in FILE: the game turn by turn, which judges itself in the browser.

    The exit code is the audit's: 0 sound and finished, 1 faults (the page shows them), 3 unfinished.
    """
    sys.exit(write_page(read_file(file), output))


def export_page(
    name: str, output: Path | None, form: Form, exported: Callable[[], bytes], *, names: bool = True
) -> None:
    """`pbem export --html`: the page of an archive file, or of what the service exports; of a layer, if asked."""
    data = read_file(Path(name)) if is_file(name) else exported()
    if is_text(data):
        raise refuse("text/form", option="--html")
    data = data if names else without_names(data)
    log = data if form.is_plain else formed(data, form)
    if output is None:
        from pbem.site.page import page_of

        click.echo(page_of(log, lang()), nl=False)
        return
    write_page(log, output)


def write_page(log: bytes, output: Path) -> int:
    """Writes the page of a log and says what the audit found; the exit code."""
    from pbem.site.page import page
    from pbem.site.tale import tell as tell_tale

    story = tell_tale(log, lang())
    write_file(output, page(log, story))
    for sentence in sentences_of(story.report):
        tell(sentence)
    tell(say("The page is in {file}.", file=str(output)))
    return story.report.exit_code
