"""Moves that wait: held so that their author can change his mind, and sent in advance."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Refused
from pbem.log.envelope import Envelope, make_envelope, read_envelope, verify_envelope
from pbem.log.record import Move
from pbem.log.seal import public_of
from pbem.player.answers import resign_envelope
from pbem.player.time_answers import advance_envelope, withdraw_envelope
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import Player, Table, World

HOLD = TimePolicy({"all": "7d"}, hold="30m")
PLAIN = TimePolicy({"all": "7d"})


def moves(table: Table) -> list[Move]:
    return [one for one in table.records if isinstance(one, Move)]


def pair(table: Table) -> tuple[Player, Player]:
    """Whose turn it is, and the other."""
    (player,) = table.asked
    return player, next(one for one in table.players.values() if one is not player)


def test_a_held_move_has_a_signed_receipt_and_no_record(world: World) -> None:
    table = world.begun(HOLD)
    player, _ = pair(table)
    envelope = player.move()
    player.send(envelope)
    assert moves(table) == []
    receipt = verify_envelope(read_envelope(player.file(".receipt.json")), public_of(world.host.key)).payload
    assert (receipt["kind"], receipt["envelope"], receipt["due"]) == (
        "receipt",
        envelope.id,
        "2026-07-01T12:30:00Z",
    )
    assert receipt["base"] == envelope.payload["base"]
    assert "It is played on Wednesday 1 July 2026, 12:30 UTC" in player.text
    # the same mail again: the same receipt, and still no record
    count = len(player.posts)
    player.send(envelope)
    assert (len(player.posts), moves(table)) == (count, [])
    world.at("2026-07-01T12:29:59Z")
    assert moves(table) == []
    world.at("2026-07-01T12:30:00Z")
    assert [one.envelope for one in moves(table)] == [envelope.id]
    for _ in range(200):
        if table.over:
            break
        (asked,) = table.asked
        asked.send(asked.move())
        world.later(minutes=30)
    assert table.sound() == "sound"


def test_a_held_move_is_replaced_by_a_higher_rev_and_by_no_other(world: World) -> None:
    table = world.begun(HOLD)
    player, _ = pair(table)
    first = player.move(seed="first")
    player.send(first)
    world.later(minutes=10)
    second = player.move(seed="second thought")
    assert second.payload["rev"] == first.payload["rev"] + 1
    assert second.payload["reveal"] == first.payload["reveal"]
    player.send(second)
    world.at("2026-07-01T12:39:59Z")
    assert moves(table) == []
    # the older one, come again on another way, changes nothing
    (handled,) = player.send(first)
    assert handled.code == "fresh/rev"
    world.at("2026-07-01T12:40:00Z")
    assert [one.envelope for one in moves(table)] == [second.id]


def test_a_receipt_that_is_sent_back_is_a_file_of_the_hosts(world: World) -> None:
    """It was said that the player had not signed it, which is true of it, and no help."""
    table = world.begun(HOLD)
    player, _ = pair(table)
    player.send(player.move())
    (handled,) = player.send(read_envelope(player.file(".receipt.json")))
    assert handled.code == "seal/a-view"


def test_a_second_thought_above_the_held_move_that_it_replaces_is_taken(world: World) -> None:
    """Who answered his own mail with a second thought heard that there were two moves in it."""
    table = world.begun(HOLD)
    player, _ = pair(table)
    first = player.move(seed="first")
    player.send(first)
    second = player.move(seed="second thought")
    player.send(second, below=b"\nI wrote:\n> " + first.text().replace(b"\n", b"\n> "))
    world.later(minutes=31)
    assert [one.envelope for one in moves(table)] == [second.id]


def test_a_held_move_can_be_taken_back(world: World) -> None:
    table = world.begun(HOLD)
    player, _ = pair(table)
    envelope = player.move()
    player.send(envelope)
    player.send(withdraw_envelope(player.key, player.view, envelope.payload["rev"]))
    assert "was taken back" in player.text
    world.later(hours=1)
    assert moves(table) == []
    (handled,) = player.send(withdraw_envelope(player.key, player.view, envelope.payload["rev"]))
    assert handled.code in ("advance/withdraw", "fresh/rev")
    player.send(player.move(seed="again"))
    world.later(hours=1)
    assert len(moves(table)) == 1


def test_a_held_move_counts_as_in_time_and_is_played_at_the_deadline_at_the_latest(world: World) -> None:
    table = world.begun(HOLD)
    player, _ = pair(table)
    world.at("2026-07-08T11:50:00Z")
    player.send(player.move())
    assert "12:00 UTC" in player.text
    world.at("2026-07-08T12:00:00Z")
    assert table.kinds()[-2:] == ["move", "deadline"]
    assert "timeout" not in table.kinds()


def test_a_wrong_move_is_refused_at_once_and_not_after_the_hold(world: World) -> None:
    table = world.begun(HOLD)
    player, other = pair(table)
    payload = dict(player.move().payload) | {"orders": [{"do": "bet", "creature": "nobody"}]}
    (handled,) = player.send(make_envelope(player.key, payload))
    assert handled.code == "order/unknown-creature"
    assert other.posts[-1]["Subject"] != ""


def test_a_resignation_plays_what_is_held_first(world: World) -> None:
    table = world.begun(HOLD, seats=("red", "blue", "green"))
    (player,) = table.asked
    other = next(one for one in table.players.values() if one is not player)
    player.send(player.move())
    other.send(resign_envelope(other.key, other.view))
    kinds = [kind for kind in table.kinds() if kind in ("move", "resign")]
    assert kinds == ["move", "resign"]
    assert table.sound() == "unfinished"


def early(player: Player, when: dict[str, Any], orders: list[dict[str, Any]]) -> Envelope:
    return advance_envelope(player.key, player.view, orders, when)


def legal(player: Player) -> list[dict[str, Any]]:
    """An order that will do in any turn of one's own: a card in the hand, played on a living creature."""
    hand = player.view.seen.own.hand
    card = next(one for one in hand if one.rpartition("-")[0] in player.view.seen.creatures)
    return [{"do": "play", "card": card}, {"do": "end_turn"}]


def test_a_move_in_advance_is_played_when_its_turn_comes(world: World) -> None:
    table = world.begun(PLAIN)
    player, other = pair(table)
    orders = legal(other)
    envelope = early(other, {"hand": [orders[0]["card"]]}, orders)
    other.send(envelope)
    assert "Your move in advance is in, and stays sealed" in other.text
    assert json.loads(other.file(".receipt.json"))["payload"]["advance"] is True
    assert [one.envelope for one in moves(table)] == []
    assert not any("advance" in text for text in player.texts)
    player.send(player.move())
    assert [one.envelope for one in moves(table)][1] == envelope.id
    assert moves(table)[1].turn == envelope.payload["turn"] + 1
    assert pair(table)[0] is player
    table.finish()
    assert table.sound() == "sound"


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ({"dead": ["{creature}"]}, "is dead"),
        ({"round": 5}, "it is round 5"),
        ({"hand": ["magister", "prefect-1", "prefect-2"]}, "is in your hand"),
        ({"backing": ["{creature}"]}, "you are the backer of"),
        ({"at_least": {"{creature}": 10}}, "shows at least 10"),
        ({"alive": ["no such creature"]}, "is alive"),
    ],
)
def test_a_guard_that_does_not_hold_drops_it_and_says_which(
    world: World, when: dict[str, Any], why: str
) -> None:
    table = world.begun(PLAIN)
    player, other = pair(table)
    creature = other.view.seen.creatures[-1]
    bound = json.loads(json.dumps(when).replace("{creature}", creature))
    envelope = early(other, bound, legal(other))
    other.send(envelope)
    player.send(player.move())
    assert len(moves(table)) == 1
    dropped = next(text for text in reversed(other.texts) if "was not played" in text)
    assert "advance/guard" in dropped
    assert why in dropped
    # its author is asked as usual, and may use the same link
    assert "your move" in other.subjects[-1] or "your move" in other.subjects[-2]
    again = other.move()
    assert again.payload["reveal"] == envelope.payload["reveal"]
    other.send(again)
    assert len(moves(table)) == 2
    table.finish()
    assert table.sound() == "sound"


def test_an_order_that_cannot_be_carried_out_any_more_drops_it(world: World) -> None:
    table = world.begun(PLAIN)
    player, other = pair(table)
    creature = other.view.seen.creatures[0]
    missing = next(f"{creature}-{n}" for n in range(11) if f"{creature}-{n}" not in other.view.seen.own.hand)
    other.send(early(other, {}, [{"do": "play", "card": missing}]))
    player.send(player.move())
    assert len(moves(table)) == 1
    assert any("was not played" in text and "Order 1" in text for text in other.texts)


def test_a_move_in_advance_can_be_withdrawn_and_replaced(world: World) -> None:
    table = world.begun(PLAIN)
    player, other = pair(table)
    first = early(other, {}, legal(other))
    other.send(first)
    other.send(withdraw_envelope(other.key, other.view, first.payload["rev"]))
    second = early(other, {"round": 5}, legal(other))
    other.send(second)
    third = early(other, {}, legal(other))
    other.send(third)
    player.send(player.move())
    assert [one.envelope for one in moves(table)][1:] == [third.id]


def test_who_is_waited_for_makes_that_move_first(world: World) -> None:
    table = world.begun(PLAIN)
    player, _ = pair(table)
    with pytest.raises(Refused) as refused:
        early(player, {}, legal(player))
    assert refused.value.refusal.code == "kit/your-turn-now"


def test_a_guard_of_another_shape_is_refused_at_once(world: World) -> None:
    table = world.begun(PLAIN)
    _, other = pair(table)
    (handled,) = other.send(early(other, {"weather": "fine"}, legal(other)))
    assert handled.code == "schema/unknown"


def test_with_a_hold_a_move_in_advance_is_not_held_a_second_time(world: World) -> None:
    table = world.begun(HOLD)
    player, other = pair(table)
    envelope = early(other, {}, legal(other))
    other.send(envelope)
    player.send(player.move())
    world.at("2026-07-01T12:30:00Z")
    assert [one.envelope for one in moves(table)][1:] == [envelope.id]
    assert moves(table)[1].at == "2026-07-01T12:30:00Z"
