"""The service's own clock: outages, leaps, nights on which clocks change."""

from __future__ import annotations

import pytest

from pbem.log.record import Deadline
from pbem.service import games, pulse
from pbem.turn.policy import TimePolicy
from pbem.turn.zones import seconds_of, stamp
from tests.deadlines.world import OPERATOR, OUTAGE, World

DAY = 86_400


@pytest.mark.parametrize("length", [OUTAGE + 1, 29 * DAY])
def test_an_outage_moves_every_deadline_by_its_length(world: World, length: int) -> None:
    tables = [world.begun(TimePolicy({"all": rule})) for rule in ("1d", "7d")]
    seats = [table.asked[0].seat for table in tables]
    before = [seconds_of(table.deadline(seat)) for table, seat in zip(tables, seats, strict=True)]
    world.away(length)
    world.look()
    for table, seat, old in zip(tables, seats, before, strict=True):
        assert seconds_of(table.deadline(seat)) == old + length
        last = table.records[-1]
        assert isinstance(last, Deadline)
        assert (last.who, last.reason) == ("host", "outage")
        assert "The service was out of order" in table[seat].text
        assert not any("ran out" in one for one in table[seat].subjects)
    for table in tables:
        table.finish()
        assert table.sound() == "sound"


def test_a_pause_of_a_few_minutes_is_no_outage(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    world.away(OUTAGE)
    world.look()
    assert table.kinds()[-1] == "deadline"
    assert table.deadline(table.asked[0].seat) == "2026-07-08T12:00:00Z"


def test_a_decision_that_opened_in_an_outage_is_moved_by_what_it_had_of_it(world: World) -> None:
    """The mail that opened it lay in the queue, and was played when the service came back."""
    table = world.begun(TimePolicy({"all": "7d"}))
    (player,) = table.asked
    envelope = player.move()
    world.away(2 * DAY)
    player.send(envelope)
    (other,) = table.asked
    assert other != player
    assert table.deadline(other.seat) == stamp(world.raw + 7 * DAY)


def test_a_clock_that_leaps_a_year_stops_all_clocks_and_tells_the_host(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    (player,) = table.asked
    world.later(days=1)
    before = world.raw
    world.raw += 365 * DAY
    world.look()
    stopped = table.records[-1]
    assert isinstance(stopped, Deadline)
    assert (stopped.new, stopped.reason) == ("paused", "clock")
    assert stopped.at == stamp(before)
    assert "has leapt" in player.text
    assert [str(one["Subject"]) for one in world.posts(OPERATOR)] == ["[pbem] the clock of the service"]
    # nothing is dated in a year to come, and play goes on
    world.raw += 3600
    player.send(player.move())
    assert table.records[-2].at == stamp(before + 3600)
    # the clock is set right: all goes on, with the time that was lost
    world.raw = before + 2 * 3600
    world.look()
    assert table.kinds()[-2:] == ["deadline", "deadline"]
    assert table.deadline(table.asked[0].seat) == stamp(before + 2 * 3600 + 7 * DAY)
    table.finish()
    assert table.sound() == "sound"


def test_a_host_who_was_away_for_a_year_says_that_the_clock_is_right(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    world.raw += 365 * DAY
    world.look()
    with world.database.write() as tx:
        assert pulse.believe(tx, world.raw)
        assert not pulse.believe(tx, world.raw)
    world.look()
    assert table.deadline(table.asked[0].seat) == stamp(world.raw + 7 * DAY)
    table.finish()
    assert table.sound() == "sound"


def test_a_clock_that_was_set_back_stands_until_it_has_caught_up(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    world.later(days=2)
    then = world.raw
    world.raw -= DAY
    world.look()
    player = table.asked[0]
    player.send(player.move())
    assert table.records[-1].at == stamp(then)
    assert [str(one["Subject"]) for one in world.posts(OPERATOR)] == ["[pbem] the clock of the service"]
    world.at(then + 60)
    other = table.asked[0]
    other.send(other.move())
    assert table.records[-1].at == stamp(then + 60)
    assert table.sound() == "unfinished"


def test_a_leap_while_a_pause_stands_is_left_to_it(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    games.pause(world.database, world.host, table.game, "summer", world.clock)
    before = len(table.records)
    world.raw += 400 * DAY
    world.look()
    world.raw -= 400 * DAY - 60
    world.look()
    assert len(table.records) == before
    games.go_on(world.database, world.host, table.game, "", world.clock)
    assert table.sound() == "unfinished"


@pytest.mark.parametrize(
    ("begins", "rule", "ends"),
    [
        ("2026-10-24T23:00:00Z", "every Sun 02:30", "2026-10-25T01:30:00Z"),
        ("2027-03-27T23:00:00Z", "every Sun 02:30", "2027-03-28T01:30:00Z"),
        ("2026-10-24T00:30:00Z", "1d", "2026-10-25T01:30:00Z"),
        ("2027-03-27T01:30:00Z", "1d", "2027-03-28T01:30:00Z"),
    ],
)
def test_a_deadline_on_a_night_on_which_clocks_change(
    world: World, begins: str, rule: str, ends: str
) -> None:
    world.raw = seconds_of(begins)
    world.beat()
    table = world.begun(TimePolicy({"all": rule}, zone="Europe/Berlin"))
    (player,) = table.asked
    assert table.deadline(player.seat) == ends
    world.at(seconds_of(ends) - 1)
    assert "timeout" not in table.kinds()
    world.at(ends)
    assert table.kinds()[-2:] == ["timeout", "deadline"]
    assert table.records[-2].at == ends
    assert table.sound() == "unfinished"
