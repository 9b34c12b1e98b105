"""A scenario from its file to its verdict: the first difference between what it expects and what happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine import AnyGame, Say, Table, refuse, say
from pbem.scenario.expect import compare
from pbem.scenario.match import Difference
from pbem.scenario.model import Move, Resign, Scenario, Standing, Step, Timeout, scenario_of, steps_of
from pbem.scenario.moment import Moment, after, opening, table_of, whole
from pbem.scenario.script import Script

Reader = Callable[[bytes], Any]
"""The strict reader: bytes to JSON values, or Refused `file/…`."""


class Report(msgspec.Struct, frozen=True):
    """What came of a scenario; `difference` is the first there is, None if all is as expected."""

    name: str
    steps: int
    difference: Difference | None = None

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return self.difference is None


class Verdict(msgspec.Struct, frozen=True):
    """A report for the terminal."""

    ok: bool
    say: Say


def run(value: object, games: Sequence[AnyGame]) -> Report:
    """Play a scenario (plain JSON) and hold it against its expectations.

    Refused, with a `scenario/…` code, if the file itself is wrong; what the rules refuse is a difference,
    unless it is expected.
    """
    scenario = scenario_of(value)
    steps = steps_of(scenario)
    table = table_of(scenario, games)
    _known_seats(scenario, steps)
    return Report(scenario.name, len(steps), _first_difference(scenario, steps, table))


def run_file(data: bytes, read: Reader, games: Sequence[AnyGame]) -> Verdict:
    """The verdict on a file's bytes. Refused as `read` and `run` say; nothing else is raised."""
    report = run(read(data), games)
    if report.difference is None:
        return Verdict(True, say("{name}: as expected", name=report.name))
    return Verdict(False, say("{name}: {difference}", name=report.name, difference=report.difference.say))


def _first_difference(scenario: Scenario, steps: tuple[Step, ...], table: Table) -> Difference | None:
    script = Script(scenario.draws, scenario.seed)
    moments: list[Moment] = [opening(scenario, table, script)]
    if moments[0].position is None:
        return compare(table, scenario.expect, moments[0], "expect")
    for number, step in enumerate(steps):
        moments.append(after(table, moments[-1], step, script))
        difference = compare(table, step.expect, moments[-1], f"steps[{number}].expect")
        if difference is not None:
            return difference
    return compare(table, scenario.expect, whole(moments), "expect") or _unused(scenario, script)


def _unused(scenario: Scenario, script: Script) -> Difference | None:
    """A script that nothing asked for is a wrong guess of its author about the rules."""
    for index in script.unused():
        label = scenario.draws[index].label
        return Difference(f"draws[{index}]", say("to be drawn {label}", label=label), say("never drawn"))
    return None


def _known_seats(scenario: Scenario, steps: tuple[Step, ...]) -> None:
    waiting = scenario.waiting
    named = [("setups", seat) for seat in scenario.setups]
    named += [("waiting.due", seat) for seat in waiting.due or ()]
    named += [("waiting.standing", seat) for seat in waiting.standing]
    named += [("waiting", entry.seat) for entry in (*waiting.sealed, *waiting.rest)]
    named += [("waiting.filed", entry.seat) for entry in waiting.filed]
    named += [(f"steps[{number}]", _actor(step)) for number, step in enumerate(steps)]
    for path, seat in named:
        if seat not in scenario.seats:
            raise refuse("scenario/unknown-seat", seat=seat, path=path, seats=", ".join(scenario.seats))


def _actor(step: Step) -> str:
    match step:
        case Move():
            return step.seat
        case Timeout():
            return step.timeout
        case Resign():
            return step.resign
        case Standing():
            return step.standing.seat
