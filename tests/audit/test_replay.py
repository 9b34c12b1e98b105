"""An archive told again: whose eyes, which turn, and what of a game that is still running."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import Refused
from pbem.audit import audit, replay
from pbem.audit.level2 import Auditor
from pbem.audit.replay import Reader
from tests.audit.make import Json, Plan, make
from tests.toy import GAME

PLAN = Plan(GAME, GAME.seats, seed=3, silence=0)


def test_every_change_of_the_position_is_a_page(auditor: Auditor) -> None:
    lines = make(PLAN)
    told = replay(lines, auditor=auditor)
    assert told.report == audit(lines, auditor)
    assert [page.kind for page in told.pages][:2] == ["start", "move"]
    assert [page.n for page in told.pages] == sorted({page.n for page in told.pages})
    assert all(page.text for page in told.pages)


def test_one_turn_alone(auditor: Auditor) -> None:
    pages = replay(make(PLAN), Reader(turn=3), auditor).pages
    assert pages
    assert {page.turn for page in pages} == {3}


def test_a_seat_hears_what_it_alone_may_know(auditor: Auditor) -> None:
    lines = make(PLAN)
    everybody = [event for page in replay(lines, None, auditor).pages for event in page.events]
    assert not any(event.get("gem") for event in everybody if event["event"] == "won")
    for seat in GAME.seats:
        own = [event for page in replay(lines, Reader(seat), auditor).pages for event in page.events]
        gems = {event["seat"] for event in own if event["event"] == "won" and event.get("gem")}
        assert gems <= {seat}
    assert any(event["event"] == "won" for event in everybody)


def test_of_a_running_game_there_is_what_its_records_say(auditor: Auditor) -> None:
    lines = make(replace(PLAN, stop_after=40))
    told = replay(lines, None, auditor)
    assert told.report.exit_code == 3
    assert told.pages
    assert not any(page.text for page in told.pages)
    assert any(page.events for page in told.pages)


def test_a_broken_log_is_told_up_to_its_fault(auditor: Auditor) -> None:
    spoiled: list[int] = []

    def edit(record: Json) -> None:
        if record["kind"] == "move" and record["turn"] == 4 and not spoiled:
            spoiled.append(record["n"])
            record["state"] = "ab" * 32

    told = replay(make(replace(PLAN, edit=edit)), None, auditor)
    assert told.report.line == spoiled[0] + 1
    assert told.pages
    assert all(page.n < spoiled[0] for page in told.pages)


def test_an_unknown_seat_is_refused(auditor: Auditor) -> None:
    with pytest.raises(Refused) as refused:
        replay(make(PLAN), Reader("nobody"), auditor)
    assert refused.value.refusal.code == "log/unknown-seat"


def test_a_damaged_log_is_told_by_its_sound_turns(auditor: Auditor) -> None:
    lines = make(PLAN)
    told = replay([*lines[:30], b"{}\n", *lines[31:]], None, auditor)
    assert told.report.line == 31
    whole = [page.n for page in replay(lines, None, auditor).pages]
    assert [page.n for page in told.pages] == whole[: len(told.pages)]
    assert 20 < told.pages[-1].n < 30
