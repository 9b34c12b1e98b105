"""The shape of a report: headings, paragraphs and tables in 72 columns, and events turn by turn. It knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

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
