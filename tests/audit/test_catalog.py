"""Whole games of every released ruleset: sound, the same twice, and no lie about them goes by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import GAMES, AnyGame
from fixtures.play import begin, open_match, play_out
from pbem.audit import audit, replay
from pbem.audit.replay import Reader
from tests.audit.make import Json, Plan, make

PLANS = [
    Plan(game, game.seats[:players], seed=players)
    for game in GAMES
    for players in range(game.players[0], game.players[1] + 1)
]


def named(plan: Plan) -> str:
    return f"{plan.game.id} {len(plan.seats)}"


@pytest.mark.parametrize("plan", PLANS, ids=named)
def test_a_game_is_sound_and_the_same_twice(plan: Plan) -> None:
    lines = make(plan)
    report = audit(lines)
    assert (report.verdict, report.records, report.ruleset) == ("sound", len(lines), plan.game.id), report
    assert len(report.result["places"]) == len(plan.seats)
    assert make(plan) == lines


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_the_pipeline_writes_is_sound(game: AnyGame) -> None:
    match = open_match(game, game.seats[: game.players[0]], "audit", {})
    begin(match)
    play_out(match, "audit")
    report = audit(match.archive())
    assert report.verdict == "sound", report
    assert replay(match.archive(), Reader(match.desk.charter.seats[0])).pages[-1].text


LIES: dict[str, Callable[[Any, str], Any]] = {
    "public": lambda _value, _seat: "ab" * 32,
    "state": lambda _value, _seat: "ab" * 32,
    "events": lambda value, _seat: [*value, {"event": "x"}],
    "auto": lambda value, seat: [*value, {"seat": seat, "decision": "x", "by": "standing"}],
}


@pytest.mark.parametrize("field", LIES)
@pytest.mark.parametrize("plan", PLANS[:1], ids=named)
def test_a_lie_in_the_middle_of_a_game_is_found(plan: Plan, field: str) -> None:
    lied: list[int] = []

    def edit(record: Json) -> None:
        if record["kind"] == "move" and record["turn"] > 5 and not lied:
            lied.append(record["n"] + 1)
            record[field] = LIES[field](record[field], plan.seats[-1])

    report = audit(make(replace(plan, edit=edit)))
    assert (report.exit_code, report.line, report.code) == (1, lied[0], f"audit/{field}")
