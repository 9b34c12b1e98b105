"""Letters about time in the reader's language: players who read Finnish, Hungarian and German.

Every letter of these games that goes to a player is searched for what is left in English.
"""

from __future__ import annotations

from collections.abc import Generator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from engine import plain
from pbem.player.answers import resign_envelope
from pbem.player.time_answers import (
    advance_envelope,
    away_envelope,
    extend_envelope,
    settings_envelope,
    withdraw_envelope,
)
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import Table, World, body, open_world
from tests.words.english import english

LANGS = {"red": "fi", "blue": "hu", "green": "de"}
POLICY = TimePolicy({"all": "7d"}, zone="Europe/Helsinki", vacation=14, hold="30m", grace="1h")


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as found:
        yield found


def begun(world: World, terms: TimePolicy) -> Table:
    return world.begun(terms, tuple(LANGS), langs=LANGS)


def left_in_english(table: Table) -> list[tuple[str, str]]:
    """Lines of letters and subjects that a reader would not read in his language."""
    found: list[tuple[str, str]] = []
    for seat, player in table.players.items():
        assert len(player.posts) > 3
        for post in player.posts:
            subject = message_from_bytes(post.as_bytes(), policy=policy.default)["Subject"]
            found += [(seat, line) for line in english(f"{subject}\n{body(post)}", LANGS[seat])]
    return found


def test_vacations_wishes_holds_and_settings(world: World) -> None:
    table = begun(world, POLICY)
    (player,) = table.asked
    others = [one for one in table.players.values() if one is not player]
    others[0].send(away_envelope(others[0].key, others[0].view, [("2026-08-01", "2026-08-03")]))
    others[1].send(settings_envelope(others[1].key, others[1].view, zone="Asia/Tokyo", quiet="22:00-07:00"))
    for one in (player, *others):
        one.send(extend_envelope(one.key, one.view, "2026-07-12T12:00:00Z", "x"))
    player.send(player.move())
    player.send(withdraw_envelope(player.key, player.view, 0))
    player.send(player.move())
    player.send(settings_envelope(player.key, player.view, zone="Mars/Base"))
    world.later(hours=1)
    world.later(days=8)
    world.later(days=8)
    later = table.asked[0]
    later.send(resign_envelope(later.key, later.view))
    assert len(table.kinds()) > 8
    assert not left_in_english(table)


@pytest.mark.parametrize("silence", ["default", "bot", "skip", "pause", "substitute"])
def test_silence(world: World, silence: str) -> None:
    table = begun(world, TimePolicy({"all": "1d"}, silence=silence))  # type: ignore[arg-type]
    world.later(days=3)
    assert not left_in_english(table)


def test_a_move_in_advance(world: World) -> None:
    table = begun(world, TimePolicy({"all": "7d"}))
    (player,) = table.asked
    other = next(one for one in table.players.values() if one is not player)
    orders = [plain(one) for one in [{"do": "end_turn"}]]
    other.send(advance_envelope(other.key, other.view, orders, {"round": 5}, "go_on"))
    for _ in range(3):
        turn = table.asked[0]
        turn.send(turn.move())
    assert not left_in_english(table)
