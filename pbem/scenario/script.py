"""Draws that come out as a scenario says, and a documented stream for the others.

A scripted draw with a label is used by the draw of that label; one without is used by the next draw that
has no script of its own. For dice `values` are all the numbers; for a shuffle or a choice they are the
first items that come out, and the rest follow in the order in which they went in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from engine import Below, Dice, Draw, Stream, refuse
from pbem.scenario.model import Scripted


class Script:
    """The scripted draws of a scenario; owns which of them have been used."""

    def __init__(self, draws: Sequence[Scripted], seed: str) -> None:
        self._draws = tuple(draws)
        self._seed = seed
        self._used: set[int] = set()

    def take(self, label: str) -> Scripted | None:
        """The script of this draw, which is then used up."""
        left = [index for index in range(len(self._draws)) if index not in self._used]
        named = [index for index in left if self._draws[index].label == label]
        unnamed = [index for index in left if not self._draws[index].label]
        for index in (*named, *unnamed)[:1]:
            self._used.add(index)
            return self._draws[index]
        return None

    def unused(self) -> tuple[int, ...]:
        """The numbers, from 0, of the scripted draws that nothing has asked for."""
        return tuple(index for index in range(len(self._draws)) if index not in self._used)

    def mark(self) -> frozenset[int]:
        """What has been used so far."""
        return frozenset(self._used)

    def restore(self, mark: frozenset[int]) -> None:
        """After a refusal nothing has been drawn."""
        self._used = set(mark)

    def source(self, label: str, *, hidden: bool) -> Below:
        """An unscripted draw: protocol.md's stream, its key SHA-256 of `pbem/scenario/SEED/LABEL`."""
        return Stream(hashlib.sha256(f"pbem/scenario/{self._seed}/{label}".encode()).digest()).below


class ScriptedDice(Dice):
    """Dice that ask the script first."""

    __slots__ = ("_script",)

    def __init__(self, script: Script) -> None:
        super().__init__(script.source)
        self._script = script

    def roll(self, label: str, sides: int, count: int, *, hidden: bool = False) -> tuple[int, ...]:
        """Dice of one size. Refused: `scenario/draw-dice`."""
        scripted = self._script.take(label)
        if scripted is None:
            return super().roll(label, sides, count, hidden=hidden)
        values = tuple(value for value in scripted.values if isinstance(value, int) and 1 <= value <= sides)
        if len(values) != len(scripted.values) or len(values) != count:
            raise refuse(
                "scenario/draw-dice", label=label, count=count, sides=sides, found=_listed(scripted.values)
            )
        (self.hidden if hidden else self.public).append(Draw(label, values, sides=sides))
        return values

    def shuffle(self, label: str, items: Sequence[str], *, hidden: bool = False) -> tuple[str, ...]:
        """A whole shuffle. Refused: `scenario/draw-items`."""
        scripted = self._script.take(label)
        if scripted is None:
            return super().shuffle(label, items, hidden=hidden)
        rest = list(items)
        for value in scripted.values:
            if value not in rest:
                raise refuse(
                    "scenario/draw-items",
                    label=label,
                    items=_listed(tuple(items)),
                    found=_listed(scripted.values),
                )
            rest.remove(str(value))
        values = (*(str(value) for value in scripted.values), *rest)
        (self.hidden if hidden else self.public).append(Draw(label, values, items=tuple(items)))
        return values


def _listed(values: tuple[int | str, ...]) -> str:
    return ", ".join(str(value) for value in values) or "-"
