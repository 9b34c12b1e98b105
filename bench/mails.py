"""Whole games as mails, made before anything is timed: the same lines come out wherever they are played.

The clock stands still, so the pure pipeline foresees every line that a service will write, and with it the `base` of
every move. A game's mails are to be handed in one after the other; different games do not care about each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
import sqlalchemy as sa

from engine import GAMES, random_turn, waiting
from fixtures.carry import Cover, mail
from fixtures.play import POST, Chance, Match, begin, expect, instant, move
from pbem.cli.asked import game_secrets, word
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey
from pbem.service import inbox, store
from pbem.service.addresses import Place
from pbem.service.config import Host
from pbem.service.database import Database
from pbem.service.inbox import Arrival
from pbem.service.tables import NEW, SENT, outbox
from pbem.service.worker import handle_some
from pbem.turn.desk import Desk, Person
from pbem.turn.opening import Plan, open_game
from pbem.turn.pipeline import Verdict
from pbem.turn.views import address

NOW = 1_767_225_600
"""`instant(0)` in seconds."""
KEY = PrivateKey(b"the bench's host signs with this")
HOST = Host(KEY, POST, GAMES)
WHOLE = 10_000
"""More moves than any game has."""
ARENA = next(game for game in GAMES if game.id == "arena")
SEATS = ARENA.seats[:2]


class Script(msgspec.Struct, frozen=True):
    """A game: its desk and log as it is opened, the address its mails go to, and the mails: to its start, and moves."""

    desk: Desk
    lines: tuple[bytes, ...]
    address: str
    opening: tuple[bytes, ...]
    moves: tuple[bytes, ...]


class _Still(Match):
    """A match in which no time passes."""

    def send(self, envelope: Envelope) -> Verdict:
        self.hours = -1
        return super().send(envelope)


@cache
def scripts(games: int, moves: int, idle: int = 0, seed: str = "script") -> tuple[Script, ...]:
    """So many games of two players with so many moves each (WHOLE: to the end); before them, `idle` moves without orders."""
    return tuple(_script(f"{seed} {number}", moves, idle) for number in range(games))


def fill(database: Database, written: Sequence[Script]) -> None:
    """Puts the games into an empty store and plays them up to their first move."""
    for script in written:
        with database.write() as tx:
            store.insert_game(tx, script.desk, script.lines, NOW)
        hand_in(database, script, script.opening)
    while handle_some(database, HOST, lambda: NOW):
        deliver(database)


def deliver(database: Database) -> None:
    """What a sender would have done: every letter is sent. Else each report would carry the news of all before it."""
    with database.write() as tx:
        tx.execute(outbox.update().where(outbox.c.state == NEW).values(state=SENT))


def hand_in(database: Database, script: Script, mails: Sequence[bytes]) -> None:
    """Mails into the inbox without a door."""
    place = Place(script.desk.game_id, SEATS[0], script.address)
    with database.write() as tx:
        for raw in mails:
            inbox.take_in(tx, Arrival("bench@example.org", (place,), raw, NOW))


def in_turns(written: Sequence[Script]) -> Iterator[tuple[Script, bytes]]:
    """All moves, one of each game after the other."""
    for mails in zip(*(script.moves for script in written), strict=True):
        yield from zip(written, mails, strict=True)


def records(database: Database) -> int:
    """How many lines there are in all logs."""
    with database.read() as tx:
        return int(tx.execute(sa.text("SELECT count(*) FROM records")).scalar_one())


def _script(seed: str, moves: int, idle: int) -> Script:
    chance = Chance(seed)
    people = {seat: Person(f"{seat}@example.org", word(chance, 16)) for seat in SEATS}
    plan = Plan(word(chance, 10), ARENA, {}, people)
    desk, lines = open_game(plan, game_secrets(KEY, chance), POST, instant(0))
    match = _Still(desk, {seat: PrivateKey(chance(32)) for seat in SEATS}, list(lines))
    begin(match)
    first = match.desk.snapshot.ledger.due[0]
    for _ in range(idle):
        expect(match.send(move(match, match.view(first), ())))
    started = len(match.envelopes)
    below = chance.below("moves")
    while len(match.envelopes) < started + moves and match.desk.snapshot.ledger.phase == "playing":
        assert match.desk.position is not None
        seat = waiting(match.desk.table, match.desk.position)[0]
        view = match.view(seat)
        orders = random_turn(ARENA, msgspec.convert(view["view"], ARENA.view_type), seat, below)
        expect(match.send(move(match, view, orders)))
    there = address(desk, SEATS[0])
    raws = tuple(
        mail(Cover(f"{one.seat}@example.org", there, "move", f"{desk.game_id}.{n}"), one.text().decode())
        for n, one in enumerate(match.envelopes)
    )
    return Script(desk, tuple(lines), there, raws[:started], raws[started:])
