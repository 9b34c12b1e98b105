"""A scenario's game while it runs: the table, the position, and what one step has brought.

Everything here goes through the engine's own door; no rule of any game is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import (
    AnyGame,
    Auto,
    Charter,
    Decision,
    Draw,
    Filed,
    Held,
    Lapsed,
    Outcome,
    Position,
    Refusal,
    Refused,
    Result,
    Table,
    file_standing,
    misfit_problem,
    play,
    refuse,
    resign,
    start,
    timeout,
)
from pbem.scenario.model import Move, OrderList, Resign, Scenario, Standing, Step, Timeout
from pbem.scenario.script import Script, ScriptedDice


class Moment(msgspec.Struct, frozen=True):
    """What a step has brought, and where the game stands after it.

    `events` are this step's (lapses among them), `past` all since the scenario began. `position` is None
    only where the opening itself was refused.
    """

    position: Position[Any] | None
    events: tuple[Any, ...] = ()
    past: tuple[Any, ...] = ()
    auto: tuple[Auto, ...] = ()
    public: tuple[Draw, ...] = ()
    hidden: tuple[Draw, ...] = ()
    closed: bool = False
    result: Result | None = None
    refusal: Refusal | None = None


def table_of(scenario: Scenario, games: Sequence[AnyGame]) -> Table:
    """The game and what it is played with. Refused: `scenario/…`."""
    game = _game(scenario, games)
    options = _typed(scenario.options, game.options, "options")
    return Table(game, Charter(scenario.seats, options, scenario.data))


def opening(scenario: Scenario, table: Table, script: Script) -> Moment:
    """The position given, or a fresh game. A refusal of the rules is part of the moment."""
    charter = table.charter
    refusal = table.game.vet(charter.seats, charter.options, charter.data)
    if refusal is not None:
        return Moment(None, refusal=refusal)
    try:
        if scenario.position is None:
            return _fresh(scenario, table, script)
        state = table.game.place(charter, scenario.position)
        return Moment(_placed(scenario, table, state), result=table.game.result(state))
    except Refused as refused:
        return Moment(None, refusal=_of_the_rules(refused))


def after(table: Table, before: Moment, step: Step, script: Script) -> Moment:
    """The next moment. A refused step leaves the position, and the script, as they were."""
    assert before.position is not None
    dice = ScriptedDice(script)
    mark = script.mark()
    try:
        outcome = _take(table, before.position, step, dice)
    except Refused as refused:
        script.restore(mark)
        return Moment(before.position, past=before.past, result=before.result, refusal=_of_the_rules(refused))
    return _moment(outcome, before.past, dice)


def whole(moments: Sequence[Moment]) -> Moment:
    """Everything that happened, from the opening on, as one moment; its refusal is the opening's."""
    last = moments[-1]
    return Moment(
        last.position,
        events=tuple(event for moment in moments for event in moment.events),
        past=last.past,
        auto=tuple(entry for moment in moments for entry in moment.auto),
        public=tuple(draw for moment in moments for draw in moment.public),
        hidden=tuple(draw for moment in moments for draw in moment.hidden),
        closed=last.closed,
        result=last.result,
        refusal=moments[0].refusal,
    )


def heard(table: Table, events: Sequence[Any], seat: str | None) -> tuple[Any, ...]:
    """Events as a seat, or the public, hears them; a lapse is heard by its author alone."""
    told: list[Any] = []
    for event in events:
        if isinstance(event, Lapsed):
            if event.seat == seat:
                told.append(event)
        elif (one := table.game.hear(event, seat)) is not None:
            told.append(one)
    return tuple(told)


def asked(table: Table, position: Position[Any]) -> tuple[Decision, ...]:
    """The decisions that wait for orders: of the seats that are due, or else of all."""
    decisions = table.game.pending(position.state)
    return tuple(one for one in decisions if not position.due or one.seat in position.due)


def _game(scenario: Scenario, games: Sequence[AnyGame]) -> AnyGame:
    for game in games:
        if (game.id, game.version) == (scenario.ruleset, scenario.version):
            return game
    known = ", ".join(f"{game.id} {game.version}" for game in games)
    raise refuse("scenario/unknown-ruleset", known=known, ruleset=scenario.ruleset, version=scenario.version)


def _typed(value: Any, kind: Any, what: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as misfit:
        raise refuse("scenario/data", what=what, problem=misfit_problem(misfit)) from None


def _fresh(scenario: Scenario, table: Table, script: Script) -> Moment:
    game = table.game
    setups: Mapping[str, Any] = {
        seat: _typed(scenario.setups.get(seat, {}), game.setup, f"setup of {seat}") for seat in scenario.seats
    }
    for seat, setup in setups.items():
        refusal = game.vet_setup(table.charter, seat, setup)
        if refusal is not None:
            raise Refused(refusal)
    dice = ScriptedDice(script)
    return _moment(start(table, setups, _filed(scenario, table), dice), (), dice)


def _filed(scenario: Scenario, table: Table) -> tuple[Filed, ...]:
    """Standing orders that wait, as the game would take them."""
    for entry in scenario.waiting.filed:
        policy = _typed(entry.policy, table.game.policy, f"policy of {entry.seat}")
        refusal = table.game.vet_policy(table.charter, entry.seat, policy)
        if refusal is not None:
            raise Refused(refusal)
    return tuple(Filed(entry.seat, entry.policy) for entry in scenario.waiting.filed)


def _placed(scenario: Scenario, table: Table, state: Any) -> Position[Any]:
    waiting = scenario.waiting
    seats = {decision.seat for decision in table.game.pending(state)}
    due = tuple(seat for seat in scenario.seats if seat in seats)
    return Position(
        state=state,
        due=due if waiting.due is None else waiting.due,
        sealed=tuple(_held(entry) for entry in waiting.sealed),
        rest=tuple(_held(entry) for entry in waiting.rest),
        filed=_filed(scenario, table),
        standing=waiting.standing,
    )


def _held(entry: OrderList) -> Held:
    return Held(entry.seat, entry.orders, entry.on_lapse, entry.first, entry.silent)


def _take(table: Table, position: Position[Any], step: Step, dice: ScriptedDice) -> Outcome:
    match step:
        case Move():
            return play(table, position, Held(step.seat, step.orders, step.on_lapse), dice)
        case Timeout():
            return timeout(table, position, step.timeout, dice)
        case Resign():
            return resign(table, position, step.resign, dice)
        case Standing():
            filed = file_standing(table, position, step.standing.seat, step.standing.policy)
            return Outcome(filed, (), (), False, (), table.game.result(filed.state))


def _moment(outcome: Outcome, past: tuple[Any, ...], dice: ScriptedDice) -> Moment:
    return Moment(
        outcome.position,
        events=outcome.events,
        past=(*past, *outcome.events),
        auto=outcome.auto,
        public=tuple(dice.public),
        hidden=tuple(dice.hidden),
        closed=outcome.closed,
        result=outcome.result,
    )


def _of_the_rules(refused: Refused) -> Refusal:
    """A refusal of the rules; one of the scenario file itself goes on up."""
    if refused.refusal.area == "scenario":
        raise refused
    return refused.refusal
