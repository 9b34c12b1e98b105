"""Deadlines of a game: set, told, reminded of, moved; every fact a record with who and why."""

from __future__ import annotations

import re

import pytest

from engine import Refused
from pbem.log.record import Deadline
from pbem.service import games, people
from pbem.service.games import Longer
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import Table, World

WEEK = TimePolicy({"all": "7d", "join": "14d", "ready": "3d"}, zone="Europe/Helsinki")


def deadlines(table: Table) -> list[Deadline]:
    return [one for one in table.records if isinstance(one, Deadline)]


def calendar(data: bytes) -> dict[str, str]:
    unfolded = data.decode().replace("\r\n ", "")
    return dict(row.split(":", 1) for row in unfolded.split("\r\n") if ":" in row)


def test_each_decision_has_its_deadline_and_every_fact_is_a_record(world: World) -> None:
    table = world.begun(WEEK)
    (first,) = table.asked
    found = [
        (one.new["kind"], one.new["at"], one.new["rule"], one.old, one.who, one.reason)
        for one in deadlines(table)
    ]
    assert found == [
        ("join", "2026-07-15T12:00:00Z", "14d", "none", "host", "opened"),
        ("ready", "2026-07-04T12:00:00Z", "3d", "none", "host", "opened"),
        ("move", "2026-07-08T12:00:00Z", "7d", "none", "host", "opened"),
    ]
    assert {one.new["zone"] for one in deadlines(table)} == {"Europe/Helsinki"}
    assert deadlines(table)[-1].new["seats"] == [first.seat]
    table.finish()
    assert table.sound() == "sound"


def test_letters_say_the_instant_in_the_readers_zone_and_in_utc(world: World) -> None:
    table = world.game(WEEK)
    with world.database.write() as tx:
        people.set_settings(tx, table.game, "blue", people.Wanted("America/New_York", "22:00-08:00"))
    for player in table.players.values():
        player.send(player.join())
    for player in table.players.values():
        player.send(player.ready())
    first, other = ("red", "blue") if table.asked[0].seat == "red" else ("blue", "red")
    told = {
        "red": "Wednesday 8 July 2026, 15:00 Europe/Helsinki time (12:00 UTC)",
        "blue": "Wednesday 8 July 2026, 08:00 America/New_York time (12:00 UTC)",
    }
    assert f"You have time until {told[first]}" in table[first].text
    assert f"{first.title()} has time until {told[other]}" in table[other].text
    assert "until Wednesday 15 July 2026" in table["red"].texts[0]
    assert "7d for everything else" in table["red"].texts[0]


def test_an_instant_on_another_day_in_utc_names_both_days(world: World) -> None:
    world.at("2026-07-01T22:30:00Z")
    table = world.begun(WEEK)
    shown = "Thursday 9 July 2026, 01:30 Europe/Helsinki time (Wednesday 8 July 2026, 22:30 UTC)"
    assert shown in table.asked[0].text


def test_the_calendar_follows_the_deadline(world: World) -> None:
    table = world.begun(WEEK)
    (player,) = table.asked
    before = calendar(player.file(".ics"))
    assert (before["DTSTART"], before["SEQUENCE"], before["STATUS"]) == ("20260708T120000Z", "0", "CONFIRMED")
    world.later(days=1)
    games.extend(world.database, world.host, table.game, Longer(by="48h", reason="a storm"), world.clock)
    moved = calendar(player.file(".ics"))
    assert moved["UID"] == before["UID"]
    assert moved["DTSTART"] == "20260710T120000Z"
    assert int(moved["SEQUENCE"]) > int(before["SEQUENCE"])
    assert "The host has moved the deadline of" in player.text
    assert "a storm" in player.text
    games.pause(world.database, world.host, table.game, "", world.clock)
    stopped = calendar(player.file(".ics"))
    assert (stopped["UID"], stopped["STATUS"]) == (before["UID"], "CANCELLED")
    world.later(days=30)
    games.go_on(world.database, world.host, table.game, "", world.clock)
    on = calendar(player.file(".ics"))
    assert (on["UID"], on["STATUS"], on["DTSTART"]) == (before["UID"], "CONFIRMED", "20260809T120000Z")
    sequence = [int(one["SEQUENCE"]) for one in (before, moved, stopped, on)]
    assert sequence == sorted(set(sequence))
    table.finish()
    assert table.sound() == "sound"


def test_every_line_of_a_calendar_is_short(world: World) -> None:
    table = world.begun(WEEK)
    data = table.asked[0].file(".ics")
    assert data.endswith(b"END:VCALENDAR\r\n")
    assert max(map(len, data.split(b"\r\n"))) <= 75
    assert not re.search(rb"[^\r]\n", data)


def test_reminders_at_half_time_and_a_day_before(world: World) -> None:
    table = world.begun(WEEK)
    (player,) = table.asked
    for moment, count in (
        ("2026-07-04T23:59:59Z", 0),
        ("2026-07-05T00:00:00Z", 1),
        ("2026-07-07T11:59:59Z", 1),
        ("2026-07-07T12:00:00Z", 2),
        ("2026-07-08T11:59:59Z", 2),
    ):
        world.at(moment)
        assert player.subjects.count("turn 1: a reminder") == count, moment
    # a reminder can be answered as it is
    player.send(player.move(view=player.view))
    assert table.kinds()[-2:] == ["move", "deadline"]


def test_no_reminder_in_quiet_hours_nor_for_who_has_moved(world: World) -> None:
    table = world.begun(WEEK)
    player, others = table.asked[0], [one for one in table.players.values() if one not in table.asked]
    with world.database.write() as tx:
        people.set_settings(tx, table.game, player.seat, people.Wanted(None, "22:00-08:00"))
    # half time is at 03:00 in Helsinki
    world.at("2026-07-05T04:59:00Z")
    assert "turn 1: a reminder" not in player.subjects
    world.at("2026-07-05T05:00:00Z")
    assert player.subjects.count("turn 1: a reminder") == 1
    assert all("turn 1: a reminder" not in one.subjects for one in others)


def test_a_host_may_extend_but_not_shorten(world: World) -> None:
    table = world.begun(WEEK)
    for wrong in (
        Longer(until="2026-07-08T12:00:00Z"),
        Longer(until="2026-07-02T12:00:00Z"),
        Longer(until="2030-01-01T00:00:00Z"),
    ):
        with pytest.raises(Refused) as refused:
            games.extend(world.database, world.host, table.game, wrong, world.clock)
        assert refused.value.refusal.code == "time/until"
    games.extend(world.database, world.host, table.game, Longer(until="2026-07-09T00:00:00Z"), world.clock)
    assert table.deadline(table.asked[0].seat) == "2026-07-09T00:00:00Z"


@pytest.mark.parametrize("wrong", ["tomorrow", "2026-02-30T00:00:00Z", "2026-07-09"])
def test_an_instant_that_is_none(world: World, wrong: str) -> None:
    table = world.begun(WEEK)
    with pytest.raises(Refused) as refused:
        games.extend(world.database, world.host, table.game, Longer(until=wrong), world.clock)
    assert refused.value.refusal.code == "time/instant"


def test_a_pause_stops_clocks_and_not_play(world: World) -> None:
    table = world.begun(WEEK)
    games.pause(world.database, world.host, table.game, "holidays", world.clock)
    with pytest.raises(Refused) as refused:
        games.pause(world.database, world.host, table.game, "", world.clock)
    assert refused.value.refusal.code == "time/paused"
    world.later(days=100)
    assert "timeout" not in table.kinds()
    assert not any("a reminder" in one for player in table.players.values() for one in player.subjects)
    player = table.asked[0]
    player.send(player.move())
    assert "move" in table.kinds()
    games.go_on(world.database, world.host, table.game, "", world.clock)
    with pytest.raises(Refused) as refused:
        games.go_on(world.database, world.host, table.game, "", world.clock)
    assert refused.value.refusal.code == "time/not-paused"
    # the new decision opened in the pause, and its time begins to run now
    assert table.deadline(table.asked[0].seat) == "2026-10-16T12:00:00Z"
    table.finish()
    assert table.sound() == "sound"


def test_a_game_without_a_policy_has_no_clock(world: World) -> None:
    table = world.begun(None)
    world.later(days=20)
    assert "deadline" not in table.kinds()
    with pytest.raises(Refused) as refused:
        games.pause(world.database, world.host, table.game, "", world.clock)
    assert refused.value.refusal.code == "time/no-policy"
    with pytest.raises(Refused) as refused:
        games.extend(world.database, world.host, table.game, Longer(by="1d"), world.clock)
    assert refused.value.refusal.code == "time/no-policy"


def test_who_does_not_come_is_told_to_the_host_and_nothing_else_happens(world: World) -> None:
    table = world.game(WEEK)
    table["red"].send(table["red"].join())
    world.later(days=20)
    subjects = [str(one["Subject"]) for one in world.posts("host@example.org")]
    assert [one for one in subjects if "blue has not come" in one and "red" not in one]
    assert len(subjects) == 1
    assert table.kinds() == ["charter", "deadline", "join"]
    assert table["blue"].subjects.count("turn 0: a reminder") == 2
    table["blue"].send(table["blue"].join())
    assert table.kinds()[-2:] == ["join", "deadline"]


def test_deadlines_differ_by_kind_of_decision(world: World) -> None:
    policy = TimePolicy({"bet": "2d", "all": "9d"})
    table = world.begun(policy)
    assert deadlines(table)[-1].new["rule"] == "2d"
