"""Lines of text kept once, however often they occur: pictures and reports of one game are almost all the same.

A text is kept as runs of line numbers, `[start, count, start, count, …]`, for lines that came together once
come together again. Decides nothing about what the lines say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine import Group, Picture, Shade, encode
from pbem.render import to_svg

Runs = list[int]


class Pool:
    """The lines so far, and the pieces of pictures so far, each with its runs."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.lines: dict[str, int] = {}
        self.pieces: list[Runs] = []
        self.shades: dict[str, Shade] = {}
        self._pieces: dict[bytes, int] = {}

    def runs(self, lines: Iterable[str]) -> Runs:
        """The runs of a text, whose lines are kept."""
        return runs_of([self.lines.setdefault(line, len(self.lines)) for line in lines])

    def picture(self, picture: Picture) -> list[int]:
        """The pieces of a picture: its head, then a piece for each group; `</svg>` is left out.

        Its colours are variables named after their roles, so that one document serves light and dark.
        """
        self.shades |= picture.palette
        plain = msgspec.structs.replace(
            picture, palette={role: Shade(variable(role), variable(role)) for role in picture.palette}
        )
        head = to_svg(msgspec.structs.replace(plain, groups=()), self.lang).decode("utf-8").splitlines()[:-1]
        return [self._piece("\n".join(head).encode(), head)] + [
            self._group(plain, group, len(head)) for group in picture.groups
        ]

    def _group(self, picture: Picture, group: Group, head: int) -> int:
        key = encode(group)
        if key in self._pieces:
            return self._pieces[key]
        alone = to_svg(msgspec.structs.replace(picture, groups=(group,)), self.lang)
        return self._piece(key, alone.decode("utf-8").splitlines()[head:-1])

    def _piece(self, key: bytes, lines: Sequence[str]) -> int:
        if key not in self._pieces:
            self._pieces[key] = len(self.pieces)
            self.pieces.append(self.runs(lines))
        return self._pieces[key]


def variable(role: str) -> str:
    """The CSS variable of a role's colour, as a colour."""
    return f"var(--pic-{role})"


def runs_of(numbers: Iterable[int]) -> Runs:
    """Numbers as runs: `[3, 4, 5, 9]` is `[3, 3, 9, 1]`."""
    runs: Runs = []
    for number in numbers:
        if runs and number == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += (number, 1)
    return runs
