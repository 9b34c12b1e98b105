"""A seat whose player is silent is offered to the people on a list, one after the other."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from engine import Refused, find_bot
from pbem.log.envelope import Envelope
from pbem.log.record import Key, Timeout
from pbem.log.seal import PrivateKey
from pbem.player.answers import move_envelope, take_envelope
from pbem.player.invitation import read_invitation
from pbem.player.view import read_view
from pbem.service import inbox, substitutes
from pbem.service.addresses import Place
from pbem.service.inbox import Arrival
from pbem.service.substitutes import Substitute
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import OPERATOR, Player, Table, World, body, open_world, stream

DAILY = TimePolicy({"all": "1d"}, limit=2)


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as found:
        yield found


def put(world: World, game: str, *addresses: str) -> None:
    with world.database.write() as tx:
        for address in addresses:
            substitutes.add(tx, Substitute(game, address, "en"))


def subjects(world: World, address: str) -> list[str]:
    return [str(post["Subject"]) for post in world.posts(address)]


def until_silent(table: Table, seat: str = "red") -> Player:
    """The player of a seat lets his time run out until the seat is free for others; the others move at once."""
    silent = table[seat]
    for _ in range(12):
        if [one.seat for one in table.records if isinstance(one, Timeout)].count(seat) >= DAILY.limit:
            return silent
        (asked,) = table.asked
        if asked is silent:
            table.world.later(days=1, minutes=1)
        else:
            asked.send(asked.move())
    raise AssertionError("never silent")


def test_the_first_is_asked_then_the_next(world: World) -> None:
    table = world.begun(DAILY)
    put(world, "", "carl@example.net", "dora@example.net")
    put(world, table.game, "emma@example.net")
    until_silent(table)
    # the game's own list goes before the host's
    assert "will you take over Red?" in subjects(world, "emma@example.net")[-1]
    assert subjects(world, "carl@example.net") == []
    assert "offered to the next on the list of substitutes, emma@example.net" in last(world, OPERATOR)
    world.later(days=3, minutes=1)
    assert "will you take over Red?" in subjects(world, "carl@example.net")[-1]
    world.later(days=3, minutes=1)
    assert subjects(world, "dora@example.net")
    # nobody is left: the last may take his time, and nobody is asked twice
    world.later(days=9)
    for who in ("emma", "carl", "dora"):
        assert [one.split("take over ")[1] for one in subjects(world, f"{who}@example.net")].count(
            "Red?"
        ) == 1
    assert table.sound() == "unfinished"


def test_a_list_of_nobody_leaves_it_to_the_host(world: World) -> None:
    table = world.begun(DAILY)
    until_silent(table)
    assert f"pbem game seat {table.game} red --offer ADDRESS" in last(world, OPERATOR)


def test_who_plays_already_is_not_asked(world: World) -> None:
    table = world.begun(DAILY)
    put(world, "", "blue@example.org", "carl@example.net")
    until_silent(table)
    assert not [one for one in subjects(world, "blue@example.org") if "take over" in one]
    assert subjects(world, "carl@example.net")


def test_a_player_who_comes_back_keeps_his_seat(world: World) -> None:
    table = world.begun(DAILY)
    put(world, "", "carl@example.net")
    red = until_silent(table)
    offer = read_invitation(world.posts("carl@example.net")[-1].as_bytes())
    while red not in table.asked:
        (asked,) = table.asked
        asked.send(asked.move())
    red.send(red.move())
    late = take_envelope(PrivateKey(b"c" * 32), offer, "Carl")
    assert send(world, table.game, "carl@example.net", late) == "seal/offer"
    # the next time the list begins anew
    count = len(subjects(world, "carl@example.net"))
    world.later(minutes=1)
    for _ in range(8):
        if len(subjects(world, "carl@example.net")) > count:
            break
        (asked,) = table.asked
        if asked is red:
            world.later(days=1, minutes=1)
        else:
            asked.send(asked.move())
    assert len(subjects(world, "carl@example.net")) == count + 1


def test_a_substitute_who_gets_only_his_mails_plays_on(world: World) -> None:
    table = world.begun(TimePolicy({"all": "1d"}, silence="substitute"))
    put(world, "", "carl@example.net")
    (silent,) = table.asked
    world.later(days=1, minutes=1)
    offer = read_invitation(world.posts("carl@example.net")[-1].as_bytes())
    key = PrivateKey(b"c" * 32)
    assert send(world, table.game, "carl@example.net", take_envelope(key, offer, "Carl")) == ""
    assert [one.how for one in table.records if isinstance(one, Key)] == ["taken"]
    view = read_view(world.posts("carl@example.net")[-1].as_bytes(), offer.known)
    assert view.head.asked
    orders = find_bot(view.game, "random")(view.game, view.seen, silent.seat, stream("carl"))
    assert send(world, table.game, "carl@example.net", move_envelope(key, view, orders)) == ""
    # his move lets the clocks run again, and the seat is silent no more
    assert "running" in [getattr(one, "new", "") for one in table.records]
    assert table.sound() == "unfinished"


def test_lists_are_kept(world: World) -> None:
    with pytest.raises(Refused, match="host/no-such-game"):
        put(world, "nowhere", "carl@example.net")
    put(world, "", "carl@example.net", "dora@example.net", "carl@example.net")
    with world.database.write() as tx:
        assert [one.address for one in substitutes.listed(tx, "any")] == [
            "dora@example.net",
            "carl@example.net",
        ]
        assert substitutes.drop(tx, "", "DORA@example.net")
        assert not substitutes.drop(tx, "", "dora@example.net")


def last(world: World, address: str) -> str:
    return " ".join(body(world.posts(address)[-1]).split())


def send(world: World, game: str, sender: str, envelope: Envelope) -> str:
    """Mails it; gives the code of the refusal, or nothing."""
    world.raw += 1
    raw = (
        f"From: {sender}\r\nSubject: answer\r\nMessage-ID: <{world.raw}@x>\r\n\r\n".encode() + envelope.text()
    )
    place = Place(game, envelope.seat, "games@pbem.example.org")
    with world.database.write() as tx:
        inbox.take_in(tx, Arrival(sender, (place,), raw, world.raw))
    return world.look()[-1].code
