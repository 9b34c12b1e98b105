"""How the command line speaks: sentences in the reader's language, refusals, JSON, exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar, cast

import click

from engine import LANGUAGES, Refusal, Refused, Say, encode, refuse, words
from pbem import deeds
from pbem.cli.codes import table
from pbem.turn.answers import refusal_text

P = ParamSpec("P")
R = TypeVar("R")

OK, FAULTS, USAGE, UNFINISHED = 0, 1, 2, 3
"""Exit codes of protocol.md section 7."""
UNTOLD = 74
"""EX_IOERR: it is done, and could not be told."""
OUTPUT = "/dev/stdout"


def lang() -> str:
    """The language of the terminal, English where it names none of ours."""
    return chosen_lang() or "en"


def chosen_lang() -> str:
    """The language that PBEM_LANG names, else LC_ALL, LC_MESSAGES or LANG; empty where that is none of ours."""
    names = ("PBEM_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    found = next((value for name in names if (value := os.environ.get(name, ""))), "")
    lang = found.partition(".")[0].partition("_")[0].partition("-")[0]
    return lang if lang in LANGUAGES else ""


class Untold(OSError):
    """What was done could not be told on standard output; it was said on standard error."""


def tell(sentence: Say) -> None:
    """One sentence on standard output."""
    put(_writable(words(sentence, lang())))


def tell_json(value: Any) -> None:
    """One line of JSON on standard output, for machines."""
    put(encode(value).decode("utf-8"))


def put(text: str) -> None:
    """A text on standard output; where that takes nothing, and something has been done, on standard error. Raises Untold."""
    try:
        click.echo(text)
    except OSError as error:
        if not deeds.are_done():
            raise OSError(error.errno, error.strerror, OUTPUT) from error
        _leave_output()
        with suppress(OSError):
            click.echo(text, err=True)
        raise Untold(error.errno, error.strerror, OUTPUT) from error


def warn(sentence: Say) -> None:
    """One sentence on standard error."""
    click.echo(_writable(words(sentence, lang())), err=True)


def tell_refusal(refusal: Refusal) -> None:
    """The refusal in full on standard error."""
    click.echo(_writable(refusal_text(refusal, lang(), table())), err=True)


def _writable(text: str) -> str:
    """A file's name may hold bytes that are no text; it is told all the same."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def stop(refusal: Refusal, code: int = USAGE) -> NoReturn:
    """The refusal in full on standard error, and the end of the command."""
    with suppress(OSError):
        # where nothing can be said the code says it
        tell_refusal(refusal)
    sys.exit(code)


def answers(command: Callable[P, R]) -> Callable[P, R]:
    """A command whose refusals, and files that cannot be read or written, end as answers and never as a traceback."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        deeds.forget()
        try:
            _check_texts(kwargs)
            return command(*args, **kwargs)
        except Refused as refused:
            stop(refused.refusal)
        except OSError as error:
            problem = error.strerror or type(error).__name__
            if isinstance(error, Untold):
                stop(refuse("cli/untold", problem=problem).refusal, UNTOLD)
            if isinstance(error, BrokenPipeError):
                raise  # whoever read our output has read enough; click ends the command quietly
            stop(refuse("cli/file", file=str(error.filename or "?"), problem=problem).refusal)

    return guarded


def is_asked() -> bool:
    """Whether somebody can be asked: standard input is a terminal, and was not closed."""
    return sys.stdin is not None and sys.stdin.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def _leave_output() -> None:
    """What could not be written would be tried once more at the end of the process, which then had another exit code."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _check_texts(given: Mapping[str, object]) -> None:
    """Refused `cli/not-text` for an option whose bytes are no text, unless they name a file."""
    for name, value in given.items():
        for text in cast("tuple[object, ...]", value if isinstance(value, tuple) else (value,)):
            if isinstance(text, str) and not _is_text(text) and not os.path.lexists(text):
                raise refuse("cli/not-text", option=_option(name))


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _option(name: str) -> str:
    """How an option is spelt on the command line."""
    context = click.get_current_context(silent=True)
    params = context.command.params if context is not None else []
    return next((param.opts[0] for param in params if param.name == name), name)
