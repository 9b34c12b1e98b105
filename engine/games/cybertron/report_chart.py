"""A map in plain text: labels where their places lie, and lines of signs between those that are linked.

It knows places, labels and links, and no rule. Places keep their order from left to right and from top to
bottom as far as labels leave room; the same places and labels give the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count

import msgspec

Cell = tuple[int, int]
"""Column and row, from the upper left corner."""

_FLAT, _STEEP = 2.5, 0.6
"""Columns a row from which a line lies, and below which it stands: a row is about twice as high as a column."""


class Spot(msgspec.Struct, frozen=True):
    """A place: its name for links, where it lies (any unit, y downwards), and what is written there."""

    name: str
    x: float
    y: float
    label: str


class Link(msgspec.Struct, frozen=True):
    """Two places that are linked; a faint link is a line of dots."""

    one: str
    other: str
    faint: bool = False


class Ground(msgspec.Struct, frozen=True):
    """A map before its labels are written: where the middle of each comes, and rows of lines, all equally wide."""

    cells: tuple[Cell, ...]
    rows: tuple[str, ...]


Bare = tuple[str, float, float, int]
"""A place without its label: its name, where it lies, and how long its label is."""


def chart(spots: Sequence[Spot], links: Sequence[Link], width: int, height: int) -> str:
    """The map in at most `width` columns and about `height` rows."""
    bare = tuple((spot.name, spot.x, spot.y, len(spot.label)) for spot in spots)
    ground = _ground(bare, tuple(links), width, height)
    rows = list(ground.rows)
    for spot, (column, row) in zip(spots, ground.cells, strict=True):
        rows[row] = _write(rows[row], spot.label, _start(len(spot.label), column, width))
    return "\n".join([row.rstrip() for row in rows])


@lru_cache(maxsize=64)
def _ground(bare: tuple[Bare, ...], links: tuple[Link, ...], width: int, height: int) -> Ground:
    """From turn to turn it is mostly the same: only a label that grows or shrinks changes it, or a link."""
    cells = _cells(bare, width, height)
    rows = 1 + max((row for _, row in cells.values()), default=0)
    signs: dict[Cell, str] = {}
    for link in links:
        if link.one in cells and link.other in cells:
            _line(signs, cells[link.one], cells[link.other], "." if link.faint else "")
    grid = [[" "] * width for _ in range(rows)]
    for (column, row), sign in signs.items():
        if 0 <= column < width:
            grid[row][column] = sign
    return Ground(tuple(cells.values()), tuple(map("".join, grid)))


def _cells(bare: Sequence[Bare], width: int, height: int) -> Mapping[str, Cell]:
    """The cell of the middle of each label; where labels would meet, the later one goes to the nearest free row."""
    across, down = [x for _, x, _, _ in bare], [y for _, _, y, _ in bare]
    left, right, top, bottom = min(across), max(across), min(down), max(down)
    room = max(size for *_, size in bare)
    taken: dict[int, list[tuple[int, int]]] = {}
    found: dict[str, Cell] = {}
    for name, x, y, size in bare:
        column = _scaled(x - left, right - left, width - room) + room // 2
        wanted = _scaled(y - top, bottom - top, height - 1)
        start = _start(size, column, width)
        end = start + size
        row = next(row for row in _near(wanted) if _is_free(taken.get(row, []), start, end))
        taken.setdefault(row, []).append((start, end))
        found[name] = (column, row)
    return found


def _scaled(part: float, whole: float, cells: int) -> int:
    return int(part / whole * cells + 0.5) if whole else 0


def _near(row: int) -> Iterator[int]:
    """Rows by their distance, the lower one first, none above the map."""
    yield row
    for step in count(1):
        yield row + step
        if row >= step:
            yield row - step


def _is_free(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    return all(end < left or right < start for left, right in taken)


def _start(size: int, column: int, width: int) -> int:
    return max(0, min(width - size, column - size // 2))


def _line(signs: dict[Cell, str], one: Cell, other: Cell, sign: str) -> None:
    """A line of one kind of sign from cell to cell; what is drawn later lies on top."""
    (x, y), across, down = one, other[0] - one[0], other[1] - one[1]
    steps = max(abs(across), abs(down), 1)
    if not sign:
        sign = "\\" if across * down > 0 else "/"
        if abs(across) > _FLAT * abs(down):
            sign = "-"
        elif abs(across) < _STEEP * abs(down):
            sign = "|"
    for step in range(steps + 1):
        signs[_at(x, across, step, steps), _at(y, down, step, steps)] = sign


def _at(start: int, way: int, step: int, steps: int) -> int:
    """The nearest whole number on the way, in whole numbers only; halves go up."""
    return start + (2 * way * step + steps) // (2 * steps)


def _write(row: str, label: str, start: int) -> str:
    """The row with a label written over what stands there, a blank on each side of it."""
    before, text = (row[: start - 1], f" {label} ") if start else ("", f"{label} ")
    return f"{before}{text}{row[len(before) + len(text) :]}"[: len(row)]
