"""The shape of a report: headings, paragraphs and tables in 72 columns, and events turn by turn. It knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

import msgspec

from engine.kernel.lines import break_lines

E = TypeVar("E")
WIDTH = 72
TIED = "\u00a0"
"""A space at which no line is broken; an ordinary one in the finished text."""


def heading(title: str, aside: str = "") -> str:
    """A section's title in capitals, with a rule beneath and perhaps something to its right."""
    first = title.upper()
    line = f"{first}{aside:>{WIDTH - len(first)}}" if aside else first
    return f"{line}\n{'-' * WIDTH}"


def paragraph(text: str, indent: str = "", hang: str | None = None) -> str:
    """Text broken into lines; later lines are indented by `hang`. Words longer than a line are cut."""
    later = indent if hang is None else hang
    lines = break_lines(text, WIDTH, indent, later, cut=True)
    return "\n".join(lines).replace(TIED, " ")


def pairs(rows: Sequence[tuple[str, str]], indent: str = "  ") -> str:
    """Labels and what belongs to them, the texts in one column."""
    widest = max((len(label) for label, _ in rows), default=0)
    hang = indent + " " * (widest + 2)
    return "\n".join(paragraph(text, f"{indent}{label:<{widest}}  ", hang) for label, text in rows)


def table(rows: Sequence[Sequence[str]], align: str) -> str:
    """Rows of cells as a table, two spaces between columns; `align` has one of `<>^` a column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join(f"{{:{side}{width}}}" for side, width in zip(align, widths, strict=True)).format
    return "\n".join([line(*row).rstrip() for row in rows]).replace(TIED, " ")


def order_said(quoted: str, called: Callable[[str], str]) -> str:
    """An order that a lapse quotes as JSON, without the signs of JSON; `called` gives a name for an id, or the id.

    What is no JSON any more, because it was too long to be quoted whole, stays as it is.
    """
    try:
        order = msgspec.json.decode(quoted, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError):
        return quoted
    first = str(order.pop("do", "")).replace("_", " ")
    rest = ", ".join(f"{name.replace('_', ' ')} {_value_said(one, called)}" for name, one in order.items())
    return f"{first}: {rest}" if rest else first


def _value_said(value: object, called: Callable[[str], str]) -> str:
    if isinstance(value, dict):
        some = cast("dict[str, object]", value).items()
        return "(" + ", ".join(f"{called(name)} {_value_said(one, called)}" for name, one in some) + ")"
    if isinstance(value, list):
        return "(" + ", ".join(_value_said(one, called) for one in cast("list[object]", value)) + ")"
    return called(value) if isinstance(value, str) else str(msgspec.json.encode(value), "ascii")


def by_turn(events: Sequence[Any], opens: type[E]) -> Iterator[tuple[E | None, tuple[Any, ...]]]:
    """The events of each turn, with the event of the type `opens` that began it; None for those before the first."""
    opening: E | None = None
    some: list[Any] = []
    for event in events:
        if isinstance(event, opens):
            if some or opening is not None:
                yield opening, tuple(some)
            opening, some = event, []
        else:
            some.append(event)
    if some or opening is not None:
        yield opening, tuple(some)
