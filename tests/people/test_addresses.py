"""A player's own change of address: signed, confirmed by mail, told as a fact, and nowhere in the log."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pbem.player.time_answers import settings_envelope
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import Player, World, body, open_world

NEW = "red@new.example.net"


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as found:
        yield found


def say(player: Player, **said: Any) -> str:
    """Mails settings; gives the code of the refusal, or nothing."""
    return player.send(settings_envelope(player.key, player.view, **said))[-1].code


def word(world: World, address: str) -> str:
    text = " ".join(body(world.posts(address)[-1]).split())
    found = re.search(r"--confirm ([a-z2-7]+)", text)
    assert found is not None, text
    return found[1]


def test_letters_go_to_the_new_address_once_it_is_confirmed(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    red, blue = table["red"], table["blue"]
    log = table.log
    assert say(red, address=NEW) == ""
    # the mail to an address that nobody has confirmed says nothing of the game but its name
    (asked,) = world.posts(NEW)
    assert [part.get_filename() for part in asked.walk() if part.get_filename()] == []
    assert "Arena" not in body(asked)
    assert "your settings" in red.subjects[-1]
    assert say(red, confirm="wrong") == "settings/confirm"
    count = len(blue.posts)
    assert say(red, confirm=word(world, NEW)) == ""
    assert "go to another address" in red.text
    assert "somebody else has your key" in red.text
    # the others hear of the fact, and of no address
    (told,) = blue.posts[count:]
    assert "The letters to Red go to another address from now on" in " ".join(body(told).split())
    assert NEW not in told.as_string()
    # the next letter goes there, and no record says anything
    before = len(world.posts(NEW))
    (player,) = table.asked
    player_view = player if player is blue else red
    if player_view is blue:
        blue.send(blue.move())
        assert len(world.posts(NEW)) > before
    assert NEW.encode() not in table.log
    assert table.log.startswith(log)
    assert table.sound() == "unfinished"


def test_a_second_address_is_confirmed_too_and_can_go(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    red, blue = table["red"], table["blue"]
    assert say(red, second="red@second.example.net") == ""
    count = len(blue.posts)
    assert say(red, confirm=word(world, "red@second.example.net")) == ""
    assert "Your second address is red@second.example.net" in red.text
    assert len(blue.posts) == count
    assert say(red, second="") == ""
    assert "second address" not in red.text


def test_nobody_is_mailed_again_and_again(world: World) -> None:
    red = world.begun(TimePolicy({"all": "7d"}))["red"]
    assert say(red, address="nonsense") == "settings/address"
    assert say(red, address="a@b@c") == "settings/address"
    assert say(red, address=NEW) == ""
    assert say(red, address="victim@example.net") == "settings/too-soon"
    world.later(minutes=11)
    assert say(red, address="other@example.net") == ""
    # an older word is void
    assert say(red, confirm=word(world, NEW)) == "settings/confirm"
    assert say(red, confirm=word(world, "other@example.net")) == ""


def test_what_did_not_arrive_goes_to_the_new_address(world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}))
    red, blue = table["red"], table["blue"]
    assert say(red, address=NEW) == ""
    code = word(world, NEW)
    red_view = red.view
    with world.database.write() as tx:
        tx.exec_driver_sql(
            "UPDATE outbox SET state = 'failed' WHERE recipient = 'red@example.org' AND seat = 'red'"
        )
    red.send(settings_envelope(red.key, red_view, confirm=code))
    assert any("[pbem" in str(post["Subject"]) for post in world.posts(NEW)[1:])
    assert blue.posts
