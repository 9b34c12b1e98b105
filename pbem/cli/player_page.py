"""How the player's commands look: at most 80 columns, coloured where standard output is a terminal.

Nothing that comes out of a file reaches the terminal as a control character.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

import click

from engine import Say, refuse, words
from pbem.cli.say import is_asked, lang
from pbem.disk import INPUT, SETTINGS, read_stream
from pbem.player.questions import Choice, counted

WIDTH = 78
_COLUMNS_FROM = 9


def is_terminal() -> bool:
    """Whether somebody looks at standard output."""
    return sys.stdout.isatty()


def harmless(text: str) -> str:
    """A text without control characters but line feeds."""
    return "".join(char if char == "\n" or char.isprintable() else "?" for char in text)


def read_input() -> str:
    """All of standard input. Refused `disk/too-large`."""
    return read_stream(sys.stdin.buffer, INPUT, "-").decode("utf-8", "replace")


def read_line() -> str | None:
    """The next line of standard input, harmless and without its end; None where there is no more, or on Ctrl-C."""
    try:
        line = sys.stdin.buffer.readline(SETTINGS + 1)
    except KeyboardInterrupt:
        click.echo()
        return None
    if len(line) > SETTINGS:
        raise refuse("disk/too-large", file="-", limit=SETTINGS)
    return harmless(line.decode("utf-8", "replace").rstrip("\r\n")).strip() if line else None


def ask_line(prompt: str, words: Sequence[str]) -> str | None:
    """Reads a line, as `read_line`; at a terminal it can be edited, and Tab completes one of the words."""
    if not (is_asked() and is_terminal()):
        click.echo(prompt, nl=False)
        return read_line()
    import readline

    found: list[str] = []

    def complete(begun: str, place: int) -> str | None:
        if place == 0:
            found[:] = [word for word in dict.fromkeys(words) if word.casefold().startswith(begun.casefold())]
        return found[place] if place < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ,")
    for setting in ("tab: complete", "set show-all-if-ambiguous on", "set enable-bracketed-paste off"):
        readline.parse_and_bind(setting)
    try:
        return harmless(input(prompt)).strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        return None


def page(text: str) -> None:
    """A whole text, a report say; in a terminal its headings stand out, and the marks at the beginning of lines."""
    rows = harmless(text).rstrip("\n").split("\n")
    for row, below in pairwise([*rows, ""]):
        heading = bool(row) and len(below) >= len(row) and set(below) <= set("-=")
        rule = bool(row) and set(row) <= set("-=")
        show(row, "bold" if heading else "dim" if rule else _STYLES.get(_mark_of(row), ""))


def show(line: str, style: str = "") -> None:
    """A line, with colour in a terminal and without a single escape anywhere else."""
    if not is_terminal():
        click.echo(line)
        return
    from rich.console import Console
    from rich.text import Text

    Console(width=80, highlight=False).print(Text(line, style=style), soft_wrap=True)


_STYLES = {"*": "yellow", ">": "bold green", "!": "magenta", "x": "dim"}
"""What a mark at the beginning of a line looks like: news, whose turn it is, what has changed, what is out."""


def _mark_of(row: str) -> str:
    """The mark that a line of a report begins with, or nothing."""
    first, _, rest = row.strip().partition(" ")
    return first if rest else "!" if first.startswith("!") else ""


def excerpt(number: int, line: str, start: int, end: int) -> None:
    """A line of a text with its number on standard error, and marks under the columns from `start` to `end`."""
    shown = harmless(line.replace("\t", " "))
    first = max(0, start - (WIDTH - 20)) if end > WIDTH - 8 else 0
    head = f"{number}: "
    click.echo(f"{head}{shown[first : first + WIDTH - len(head)]}", err=True)
    click.echo(" " * (len(head) + start - first) + "^" * max(1, min(end, first + WIDTH) - start), err=True)


def sentence(one: Say, *, err: bool = False, style: str = "") -> None:
    """A sentence, wrapped; blanks at its beginning are kept for all its lines."""
    text = harmless(words(one, lang()))
    bare = text.lstrip(" ")
    start = text[: len(text) - len(bare)]
    shown = textwrap.fill(
        bare,
        WIDTH,
        initial_indent=start,
        subsequent_indent=start,
        break_on_hyphens=False,
        break_long_words=False,
    )
    if err or not style:
        click.echo(shown, err=err)
        return
    for line in shown.split("\n"):
        show(line, style)


def sentences(many: Iterable[Say], *, err: bool = False) -> None:
    """Sentences, each from a line of its own."""
    for one in many:
        sentence(one, err=err)


def heading(one: Say) -> None:
    """A heading with a blank line above it."""
    text = harmless(words(one, lang()))
    click.echo()
    page(f"{text}\n{'-' * len(text)}")


def choices(many: Sequence[Choice]) -> None:
    """Numbered choices, one a line; many short ones in columns. Where a choice is a number itself, without places."""
    texts = [harmless(words(choice.say, lang())) for choice in many]
    digits = len(str(len(texts)))
    if counted(many):
        cells = [f"{number:>{digits}}) {text}" for number, text in enumerate(texts, 1)]
    else:
        cells = [
            text if text == one.word else f"{one.word}: {text}" for one, text in zip(many, texts, strict=True)
        ]
    widest = max(len(cell) for cell in cells)
    across = max(1, (WIDTH - 2) // (widest + 2)) if len(cells) >= _COLUMNS_FROM else 1
    down = -(-len(cells) // across)
    for row in range(down):
        line = "".join(cell.ljust(widest + 2) for cell in cells[row::down])
        show(f"  {line}".rstrip(), "cyan")
