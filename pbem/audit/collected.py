"""What level 2 takes from the one pass over the lines: every record with the facts around it, and what is opened.

The secrets stand behind the records that they explain, so the records are kept till the log has ended.
Decides nothing.
"""

from __future__ import annotations

from typing import Any

from pbem.log.ledger import Step
from pbem.log.record import Charter, Data, Drawn, End, Names, Opened


class Collected:
    """A visitor of `pbem.log.verify` that keeps what goes by. Record n stands in line n + 1."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.numbers: dict[str, int] = {}
        """Record number by line digest."""
        self.data: dict[str, Any] = {}
        self.opened: dict[int, Opened] = {}
        self.drawn: dict[int, Drawn] = {}
        self.end: End | None = None
        self.named = False

    def visit(self, step: Step) -> None:
        """One record goes by."""
        record = step.record
        self.numbers[step.digest] = record.n
        self.steps.append(step)
        match record:
            case Data():
                self.data[record.name] = record.value
            case Opened():
                self.opened[record.of] = record
            case Drawn():
                self.drawn[record.of] = record
            case End():
                self.end = record
            case Names():
                self.named = True
            case _:
                return

    @property
    def charter(self) -> Charter:
        """Record 0. ValueError where the log has none, which level 1 does not let by."""
        record = self.steps[0].record if self.steps else None
        if not isinstance(record, Charter):
            raise ValueError("a log without a charter")
        return record


def line_of(number: int) -> int:
    """The line in which a record stands, from 1."""
    return number + 1
