"""Half a year of five games, and of twelve where there is time: silences, vacations, pauses, outages, changed clocks.

Nobody waits for a real second: the clock is set to whatever comes next. In the end every archive is sound, and no
player was called silent whose mail had come in time.
"""

from __future__ import annotations

import hashlib

import pytest

from engine import Refused
from pbem.log.record import Deadline, Timeout
from pbem.player.time_answers import (
    advance_envelope,
    away_envelope,
    extend_envelope,
    longer,
    undo_envelope,
)
from pbem.service import games, people
from pbem.turn.policy import SILENCES, TimePolicy
from pbem.turn.zones import seconds_of, stamp
from tests.deadlines.world import Player, Table, World

DAY = 86_400
BEGINS, ENDS = "2026-10-01T12:00:00Z", "2027-04-01T12:00:00Z"
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Sydney", "UTC")
RULES = ("3d", "every Sun 02:30", "72h weekdays", "every Mon,Thu 20:00")


class Chooser:
    """What the players do, from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed, self._count = seed, 0

    def __call__(self, below: int) -> int:
        self._count += 1
        said = hashlib.sha256(f"{self._seed}/{self._count}".encode()).digest()
        return int.from_bytes(said[:6], "big") % below


WANTED = {"opened", "outage", "resumed", "time", "timeout", "move", "consent", "paused"}


def test_half_a_year_of_five_games(world: World) -> None:
    kinds = live(world, "five games", 5, 36)
    assert not WANTED - kinds, kinds


@pytest.mark.soak
def test_half_a_year_of_twelve_games(world: World) -> None:
    kinds = live(world, "twelve games")
    assert not WANTED - kinds, kinds


@pytest.mark.soak
@pytest.mark.parametrize("seed", ["spring", "summer", "autumn", "winter"])
def test_other_halves_of_other_years(world: World, seed: str) -> None:
    live(world, seed)


@pytest.mark.soak
def test_half_a_year_of_any_seed(world: World, seed: str) -> None:
    """`make soak ARGS="tests/deadlines --seed WORD"` lives through another half-year."""
    live(world, seed)


def live(world: World, seed: str, count: int = 12, rest: int = 18) -> set[str]:
    """Half a year in the life of so many games; holds all that must be true at its end, and gives what happened.

    Somebody looks into his mail after so many hours of `rest`, and up to two days more.
    Which kinds of things happen is up to the seed.
    """
    choose = Chooser(seed)
    world.raw = seconds_of(BEGINS)
    world.beat()
    tables = [begin(world, number) for number in range(count)]
    outages = 0
    while world.raw < seconds_of(ENDS) and any(not table.over for table in tables):
        # 1. most of the time nothing happens for half a day or more; now and then the service is away
        if choose(216 // rest) == 0:
            world.away((1 + choose(60)) * 3600)
            world.look()
            outages += 1
        world.at(world.raw + (rest + choose(48)) * 3600)
        # 2. some players look into their mail
        for table in tables:
            if not table.over:
                somebody_acts(world, table, choose)
        world.look()
        # 3. in two games they answer each other at once, now and then
        for table in tables[:2]:
            if not table.over and choose(2):
                somebody_acts(world, table, choose)
        world.look()
    assert outages > 3
    # 4. everything that happened can be audited; what was called silent was silent
    kinds: set[str] = set()
    verdicts = [table.sound() for table in tables]
    for table in tables:
        assert_nobody_was_wronged(table)
        told = [one for one in table.records if isinstance(one, Deadline)]
        kinds |= {one.reason for one in told} | set(table.kinds())
        kinds |= {"paused" for one in told if one.new == "paused"}
    # 5. some games are over, and were opened to the last envelope
    assert "sound" in verdicts, [len(table.records) for table in tables]
    return kinds


def begin(world: World, number: int) -> Table:
    policy = TimePolicy(
        {"all": RULES[number % 4], "answer": "2d"},
        zone=ZONES[number % 4],
        grace="6h" if number % 2 else "",
        hold="30m" if number % 3 == 0 else "",
        vacation=21,
        silence=SILENCES[number % 5],
        limit=3,
    )
    options = {"reactions": "ask"} if number % 4 == 1 else {}
    table = world.begun(policy, ("red", "blue"), options=options)
    with world.database.write() as tx:
        people.set_settings(tx, table.game, "blue", people.Wanted("Asia/Tokyo", "21:00-09:00"))
    return table


def somebody_acts(world: World, table: Table, choose: Chooser) -> None:
    asked = table.asked
    for player in asked:
        # who does not answer today may answer tomorrow, or not in time
        if choose(3):
            player.send(player.move(), look=False)
    idle = [player for player in table.players.values() if player not in asked]
    for player in idle:
        try:
            something_else(world, player, choose)
        except Refused as refused:
            # a kit may say that it is not the time for it
            if refused.refusal.area != "kit":
                raise


def something_else(world: World, player: Player, choose: Chooser) -> None:
    table, what = player.table, choose(15)
    if what == 0:
        first = world.raw + (3 + choose(20)) * DAY
        days = [stamp(first + n * DAY)[:10] for n in (0, 1 + choose(6))]
        player.send(away_envelope(player.key, player.view, [(days[0], days[1])]), look=False)
    elif what == 1:
        until = longer(player.view, "2d")
        for one in table.players.values():
            one.send(extend_envelope(one.key, one.view, until, "slow post"), look=False)
    elif what == 2:
        orders = [{"do": "play", "card": player.view.seen.own.hand[0]}, {"do": "end_turn"}]
        player.send(advance_envelope(player.key, player.view, orders, {}), look=False)
    elif what == 4 and (places := player.view.head.undo.places):
        # all go back in one day, or one of them does not care to answer
        for one in table.players.values():
            if one is player or choose(2):
                one.send(undo_envelope(one.key, one.view, places[-1], "a slip"))
    elif what == 3:
        paused = any(one.new == "paused" for one in table.records[-4:] if isinstance(one, Deadline))
        act = games.go_on if paused else games.pause
        allowed = ("time/paused", "time/not-paused", "fresh/over")
        try:
            act(world.database, world.host, table.game, "the host is moving house", world.clock)
        except Refused as refused:
            if refused.refusal.code not in allowed:
                raise


def assert_nobody_was_wronged(table: Table) -> None:
    """Every silence lies at or after the deadline that stood for that seat then."""
    stood: dict[str, str] = {}
    for one in table.records:
        if isinstance(one, Deadline) and one.new not in ("paused", "running"):
            stood |= {str(seat): str(one.new["at"]) for seat in one.new["seats"]}
        elif isinstance(one, Timeout) and one.seat in stood:
            assert one.at >= stood[one.seat]
