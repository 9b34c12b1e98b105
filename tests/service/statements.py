"""Every statement that reaches the database, whichever way it takes: SQLAlchemy's own, or the driver's."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from pbem.service import driver
from pbem.service.database import Database

Heard = Callable[[str], None]


@contextmanager
def hearing(database: Database, heard: Heard, *points: str) -> Generator[None]:
    """Calls with each statement's text before it is carried out, and at other points of a transaction (`commit`, …)."""
    real = driver._carried_out

    def carried_out(tx: Any, text: str, given: Any, **more: Any) -> Any:
        heard(text)
        return real(tx, text, given, **more)

    def of_alchemy(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        heard(text)

    listeners: dict[str, Callable[..., None]] = {"before_cursor_execute": of_alchemy}
    listeners |= {point: _named(heard, point) for point in points}
    for point, listener in listeners.items():
        event.listen(database.engine, point, listener)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(driver, "_carried_out", carried_out)
            yield
    finally:
        for point, listener in listeners.items():
            event.remove(database.engine, point, listener)


def _named(heard: Heard, point: str) -> Callable[..., None]:
    def at_point(*_: Any) -> None:
        heard(point.upper())

    return at_point
