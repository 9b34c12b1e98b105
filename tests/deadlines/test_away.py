"""Vacations, and deadlines that all agree to move: signed words of players, each a record."""

from __future__ import annotations

import pytest

from pbem.log.record import Deadline, Time
from pbem.player.answers import resign_envelope
from pbem.player.time_answers import away_envelope, extend_envelope, longer, settings_envelope
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import Player, Table, World

POLICY = TimePolicy({"all": "7d"}, zone="Europe/Helsinki", vacation=14)


def pair(table: Table) -> tuple[Player, Player]:
    (player,) = table.asked
    return player, next(one for one in table.players.values() if one is not player)


def away(player: Player, *periods: tuple[str, str]) -> str:
    handled = player.send(away_envelope(player.key, player.view, periods))
    return handled[0].code


def test_a_vacation_counts_for_the_next_deadline_and_never_for_the_one_that_runs(world: World) -> None:
    table = world.begun(POLICY)
    player, other = pair(table)
    assert away(player, ("2026-07-03", "2026-07-09")) == ""
    assert table.deadline(player.seat) == "2026-07-08T12:00:00Z"
    assert "on vacation from 2026-07-03 to 2026-07-09" in other.text
    assert "The deadline that runs now stays as it is" in other.text
    player.send(player.move())
    other.send(other.move())
    assert table.deadline(player.seat) == "2026-07-15T12:00:00Z"
    assert isinstance(table.records[-5], Time)
    table.finish()
    assert table.sound() == "sound"


@pytest.mark.parametrize(
    ("periods", "code"),
    [
        ([("2026-07-02", "2026-07-15")], ""),
        ([("2026-07-02", "2026-07-16")], "time/away-limit"),
        ([("2026-07-02", "2026-07-08"), ("2026-07-10", "2026-07-17")], "time/away-limit"),
        ([("2026-07-01", "2026-07-03")], "time/away-begun"),
        ([("2026-07-05", "2026-07-04")], "time/away-days"),
        ([("2026-07-32", "2026-08-01")], "time/away-days"),
        ([("2026-02-30", "2026-03-01")], "time/away-days"),
        ([("2026-07-05", "2026-07-07"), ("2026-07-07", "2026-07-08")], "time/away-overlap"),
        ([], ""),
    ],
)
def test_vacations_are_limited(world: World, periods: list[tuple[str, str]], code: str) -> None:
    table = world.begun(POLICY)
    player, _ = pair(table)
    assert away(player, *periods) == code
    assert table.sound() == "unfinished"


def test_what_has_begun_stays_and_counts(world: World) -> None:
    table = world.begun(POLICY)
    player, _ = pair(table)
    assert away(player, ("2026-07-03", "2026-07-09"), ("2026-08-01", "2026-08-07")) == ""
    world.at("2026-07-04T12:00:00Z")
    assert away(player, ("2026-09-01", "2026-09-08")) == "time/away-limit"
    assert away(player, ("2026-07-09", "2026-07-10")) == "time/away-overlap"
    assert away(player, ("2026-09-01", "2026-09-07")) == ""


def test_a_game_without_vacations_has_none(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    assert away(table["red"], ("2026-07-03", "2026-07-03")) == "time/away-limit"
    without = world.begun(None)
    assert away(without["red"], ("2026-07-03", "2026-07-03")) == "time/no-policy"


def test_a_deadline_moves_when_all_wish_the_same(world: World) -> None:
    table = world.begun(POLICY, seats=("red", "blue", "green"))
    (player,) = table.asked
    first, second, third = table.players.values()
    until = longer(player.view, "48h")
    assert until == "2026-07-10T12:00:00Z"
    first.send(extend_envelope(first.key, first.view, until, "my sister\nis getting married"))
    assert "wishes the deadlines of turn 1 to move to Friday 10 July 2026, 15:00" in second.text
    assert "my sister is getting married" in second.text
    assert f"--until {until}" in second.text
    second.send(extend_envelope(second.key, second.view, "2026-07-11T12:00:00Z"))
    third.send(extend_envelope(third.key, third.view, until))
    assert table.deadline(player.seat) == "2026-07-08T12:00:00Z"
    second.send(extend_envelope(second.key, second.view, until))
    assert table.deadline(player.seat) == until
    moved = table.records[-1]
    assert isinstance(moved, Deadline)
    assert (moved.who, moved.reason) == (second.seat, "consent")
    assert "All have agreed" in third.text
    table.finish()
    assert table.sound() == "sound"


def test_who_has_left_need_not_agree(world: World) -> None:
    table = world.begun(POLICY, seats=("red", "blue", "green"))
    (player,) = table.asked
    gone, stays = [one for one in table.players.values() if one is not player]
    gone.send(resign_envelope(gone.key, gone.view))
    until = longer(player.view, "1d")
    for one in (player, stays):
        one.send(extend_envelope(one.key, one.view, until))
    assert table.deadline(player.seat) == until


@pytest.mark.parametrize("until", ["2026-07-08T12:00:00Z", "2026-07-01T12:00:00Z", "2030-07-08T12:00:00Z"])
def test_a_wish_is_for_later(world: World, until: str) -> None:
    table = world.begun(POLICY)
    player, _ = pair(table)
    (handled,) = player.send(extend_envelope(player.key, player.view, until))
    assert handled.code == "time/until"


def test_settings_are_answered_and_leave_no_record(world: World) -> None:
    table = world.begun(POLICY)
    player, _ = pair(table)
    before = table.log
    player.send(settings_envelope(player.key, player.view, zone="Asia/Tokyo", quiet="22:00-07:00"))
    assert "in the zone Asia/Tokyo" in player.text
    assert table.log == before
    player.send(settings_envelope(player.key, player.view, quiet=""))
    assert "at any hour" in player.text
    for wrong, code in (
        (settings_envelope(player.key, player.view, zone="Mars/Base"), "time/zone"),
        (settings_envelope(player.key, player.view, quiet="22-7"), "time/quiet"),
    ):
        (handled,) = player.send(wrong)
        assert handled.code in (code, "fresh/rev")
