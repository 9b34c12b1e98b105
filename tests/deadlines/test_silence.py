"""What happens when a player says nothing: a policy a game, counted a seat; and never to one who has moved."""

from __future__ import annotations

import pytest

from engine import Refused
from pbem.log.record import Deadline, Timeout
from pbem.player.answers import resign_envelope
from pbem.service import games
from pbem.turn.policy import Silence, TimePolicy
from tests.deadlines.world import OPERATOR, Table, World


def silent(table: Table) -> list[Timeout]:
    return [one for one in table.records if isinstance(one, Timeout)]


@pytest.mark.parametrize("silence", ["default", "bot", "skip"])
def test_a_silent_game_ends_by_itself_and_its_archive_is_sound(world: World, silence: Silence) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, silence=silence))
    for _ in range(40):
        if table.over:
            break
        world.later(days=10)
    assert table.over
    assert table.sound() == "sound"
    said = None if silence == "default" else silence
    assert {one.by for one in silent(table)} == {said}
    assert "ran out" in " ".join(" ".join(table["red"].texts).split())


def test_a_bot_plays_better_than_nobody(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, silence="bot"))
    (player,) = table.asked
    world.later(days=1)
    assert "a bot has played for you" in player.text
    (other,) = table.asked
    assert "a bot has played instead" in " ".join(other.texts)


@pytest.mark.parametrize("silence", ["pause", "substitute"])
def test_a_pause_for_a_silent_player_ends_when_he_moves(world: World, silence: Silence) -> None:
    table = world.begun(TimePolicy({"all": "2d"}, silence=silence, limit=2))
    (player,) = table.asked
    world.later(days=3)
    stopped = table.records[-1]
    assert isinstance(stopped, Deadline)
    assert (stopped.new, stopped.reason) == ("paused", f"silence:{player.seat}")
    world.later(days=30)
    assert table.records[-1] == stopped
    subjects = [str(one["Subject"]) for one in world.posts(OPERATOR)]
    assert bool(subjects) == (silence == "substitute")
    player.send(player.move())
    assert table.kinds()[-3:] == ["move", "deadline", "deadline"]
    assert "The clocks run again" in " ".join(table.asked[0].texts[-1].split())
    table.finish()
    assert table.sound() == "sound"


def test_a_pause_is_no_hindrance_to_the_end_of_the_game(world: World) -> None:
    """Whose silence had stopped the clocks ends the game when he comes back: they have nothing to run for."""
    table = world.begun(TimePolicy({"all": "2d"}, silence="pause"))
    (player,) = table.asked
    world.later(days=3)
    handled = player.send(resign_envelope(player.key, player.view))
    assert [one.what for one in handled] == ["taken"]
    assert table.over
    assert table.sound() == "sound"


def test_the_seat_is_offered_after_so_many_silences_in_a_row(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, limit=2))
    first = table.asked[0].seat
    other = "blue" if first == "red" else "red"

    def offers() -> list[str]:
        return [str(one["Subject"]) for one in world.posts(OPERATOR)]

    world.later(days=1)
    table[other].send(table[other].move())
    assert offers() == []
    # one silence, then a move of his own: the row is over
    table[first].send(table[first].move())
    table[other].send(table[other].move())
    world.later(days=1)
    table[other].send(table[other].move())
    assert offers() == []
    world.later(days=1)
    assert [f"the seat {first} is silent" in one for one in offers()] == [True]


def test_grace_is_given_and_told(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, grace="12h"))
    (player,) = table.asked
    assert "What comes later is still taken until Friday 3 July 2026, 00:00 UTC" in player.text
    world.at("2026-07-02T23:59:59Z")
    assert silent(table) == []
    player.send(player.move(), look=False)
    world.at("2026-07-03T12:00:00Z")
    assert silent(table) == []
    assert "move" in table.kinds()


def test_who_has_moved_in_time_is_never_told_that_he_did_not(world: World) -> None:
    """A mail that lies in the inbox before the deadline, and is looked at long after it."""
    table = world.begun(TimePolicy({"all": "1d"}))
    (player,) = table.asked
    envelope = player.move()
    world.raw += 86_399
    world.beat()
    player.send(envelope, look=False)
    world.raw += 300
    world.beat()
    world.look()
    assert table.kinds()[-2:] == ["move", "deadline"]
    assert not any("ran out" in subject for subject in player.subjects)


def test_a_move_and_the_deadline_in_one_second(world: World) -> None:
    """What came by then counts, in the order of the log; the same whichever was looked at first."""
    for early in (True, False):
        table = world.begun(TimePolicy({"all": "1d"}))
        (player,) = table.asked
        envelope = player.move()
        world.raw += 86_400
        world.beat()
        if early:
            player.send(envelope, look=False)
            world.look()
            assert table.kinds()[-2:] == ["move", "deadline"]
        else:
            world.look()
            assert table.kinds()[-2:] == ["timeout", "deadline"]
            (handled,) = player.send(envelope)
            assert handled.code in ("fresh/turn", "fresh/stale")
        assert table.sound() == "unfinished"


def test_an_extension_and_the_deadline_in_one_second(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}))
    world.raw += 86_400
    world.beat()
    games.extend(world.database, world.host, table.game, games.Longer(by="1d"), world.clock)
    world.look()
    assert silent(table) == []
    world.later(days=1, hours=12)
    assert len(silent(table)) == 1
    table.finish()
    assert table.sound() == "sound"


def test_the_host_cannot_call_anybody_late_before_his_time(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, grace="1h"))
    (player,) = table.asked
    for code, hours in (("time/too-early", 0), ("time/too-early", 24)):
        world.at(world.raw + hours * 3600)
        with pytest.raises(Refused) as refused:
            games.silence(world.database, world.host, table.game, player.seat, world.clock)
        assert refused.value.refusal.code == code
    games.pause(world.database, world.host, table.game, "", world.clock)
    with pytest.raises(Refused) as refused:
        games.silence(world.database, world.host, table.game, player.seat, world.clock)
    assert refused.value.refusal.code == "time/paused"
