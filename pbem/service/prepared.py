"""Statements that every turn writes with, compiled once: to put one together costs more than to carry it out.

Decides nothing of what is written. A statement of SQLAlchemy Core becomes the text of the dialect at hand. To
PostgreSQL it goes by `exec_driver_sql`; SQLite answers in less time than that needs to ask, so its driver is asked
itself, and what it raises is raised as SQLAlchemy's. Only for statements whose values need no conversion: text, whole
numbers, bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from pbem.service import driver

Values = Mapping[str, Any]


class Prepared:
    """A statement; `columns` are the names of the values that an INSERT is given."""

    def __init__(self, statement: sa.Insert | sa.Update | sa.Delete | sa.SelectBase, *columns: str) -> None:
        self._statement = statement.inline() if isinstance(statement, sa.Insert) else statement
        self._columns = columns
        self._texts: dict[str, tuple[str, tuple[str, ...] | None, Values]] = {}

    def run(self, tx: sa.Connection, values: Values) -> int:
        """Carries it out; gives how many rows it touched."""
        text, order, fixed = self._text(tx.dialect)
        return driver.run(tx, text, _given(order, {**fixed, **values}))

    def rows(self, tx: sa.Connection, values: Values) -> Sequence[Sequence[Any]]:
        """What a SELECT finds, each row's values in the order of its columns, as the driver gives them."""
        text, order, fixed = self._text(tx.dialect)
        return driver.rows(tx, text, _given(order, {**fixed, **values}))

    def run_all(self, tx: sa.Connection, rows: Sequence[Values]) -> int:
        """Carries it out for each row, if there is any; gives how many rows it touched in all."""
        if not rows:
            return 0
        text, order, fixed = self._text(tx.dialect)
        return driver.run_all(tx, text, [_given(order, {**fixed, **values}) for values in rows])

    def _text(self, dialect: sa.Dialect) -> tuple[str, tuple[str, ...] | None, Values]:
        """The text for this dialect, the order of its values (None: by name), and those that are always the same."""
        known = self._texts.get(dialect.name)
        if known is None:
            compiled: Any = self._statement.compile(
                dialect=dialect, column_keys=list(self._columns) if self._columns else None
            )
            order = tuple(compiled.positiontup) if compiled.positional else None
            fixed = {name: value for name, value in compiled.params.items() if value is not None}
            known = self._texts[dialect.name] = (str(compiled), order, fixed)
        return known


def _given(order: tuple[str, ...] | None, values: Values) -> Any:
    return dict(values) if order is None else tuple(values[name] for name in order)


_BEGIN, _UNDO, _KEEP = "SAVEPOINT one", "ROLLBACK TO SAVEPOINT one", "RELEASE SAVEPOINT one"


def begin(tx: sa.Connection) -> None:
    """From here on, `undo` takes back what was written, and nothing else of the transaction. Not to be nested."""
    driver.run(tx, _BEGIN)


def undo(tx: sa.Connection) -> None:
    """As it was at `begin`."""
    driver.run(tx, _UNDO)


def keep(tx: sa.Connection) -> None:
    """What was written since `begin` is of the transaction now."""
    driver.run(tx, _KEEP)
