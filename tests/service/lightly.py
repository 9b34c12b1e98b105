"""What makes a host cheap to start: a database that has its tables, and invitations whose page is one line.

The real page has 300 kB, which most tests would write, send, store and read for nothing.
It is looked at in tests/desk and tests/browser, and where an invitation brings it in tests/turn.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.service.database import open_database
from pbem.turn import answers, offer_letters
from pbem.turn.desk_file import desk_file
from pbem.turn.eml import Attachment
from pbem.turn.wording import PAGE

LIGHT = Attachment(PAGE, "text/html; charset=utf-8", b"<!DOCTYPE html><title>desk</title>\n")


def _light() -> Attachment:
    return LIGHT


@contextmanager
def light_desk() -> Generator[None]:
    """As long as it is open, letters of this process have the light page."""
    with _given(_light):
        yield


@contextmanager
def whole_desk() -> Generator[None]:
    """As long as it is open, letters have the real page all the same."""
    with _given(desk_file):
        yield


_PAGES: list[Callable[[], Attachment]] = [desk_file]
"""Which page letters have: the last one. Houses need not close in the order in which they were opened."""


@contextmanager
def _given(page: Callable[[], Attachment]) -> Generator[None]:
    _PAGES.append(page)
    _bring()
    try:
        yield
    finally:
        _PAGES.reverse()
        _PAGES.remove(page)
        _PAGES.reverse()
        _bring()


def _bring() -> None:
    for module in (answers, offer_letters):
        setattr(module, "desk_file", _PAGES[-1])  # noqa: B010 - a plain assignment is no attribute of the module's type


@cache
def new_database() -> bytes:
    """A SQLite file whose tables are up to date, and empty: made once, copied for every test."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "new.sqlite"
        open_database(f"sqlite:///{file}").close()
        return file.read_bytes()
