"""Games, a clock that a test sets, and players who know nothing but their letters; no mail server, no network.

Everything between a mail in the inbox and a letter in the outbox is the service's own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from engine import GAMES, AnyGame, Refused, Stream, find_bot
from pbem.audit.audit import audit
from pbem.cli.asked import game_secrets, word
from pbem.log.envelope import Envelope
from pbem.log.ledger import lines_of
from pbem.log.record import Record, kind_of, read_record
from pbem.log.seal import PrivateKey
from pbem.player.answers import join_envelope, move_envelope, ready_envelope, resign_envelope
from pbem.player.invitation import Invitation, read_invitation
from pbem.player.view import ViewFile, read_view
from pbem.service import games, inbox, pulse
from pbem.service.addresses import Place
from pbem.service.config import Config, Host
from pbem.service.database import Database, open_database
from pbem.service.inbox import Arrival
from pbem.service.notices import Notices
from pbem.service.rounds import beat
from pbem.service.ticks import Keeper, tick_some
from pbem.service.worker import Handled, handle_some
from pbem.turn.desk import Person, Post
from pbem.turn.opening import Plan
from pbem.turn.policy import TimePolicy, plain_policy
from pbem.turn.zones import seconds_of, stamp
from tests.service.lightly import light_desk, new_database

ARENA = next(game for game in GAMES if game.id == "arena")
OUTAGE = 600
STEP = 60
"""Seconds between two looks at the clock while time passes; far less than an outage."""
OPERATOR = "host@example.org"


class Chance:
    """Bytes from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed, self._count = seed.encode(), 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(self._seed + self._count.to_bytes(4, "big")).digest(size)


@dataclass
class World:
    """A host with a database, and what time it is (`raw`: what his clock says)."""

    database: Database
    raw: int
    chance: Chance = field(default_factory=lambda: Chance("world"))
    read: dict[tuple[str, str], dict[int, Message]] = field(
        default_factory=dict[tuple[str, str], dict[int, Message]]
    )

    def __post_init__(self) -> None:
        config = Config(operator=OPERATOR)
        post = Post(config.address, config.domain)
        self.host = Host(PrivateKey(hashlib.sha256(b"host").digest()), post, GAMES)
        self.keeper = Keeper(self.host, Notices(post, OPERATOR))
        self.clock = pulse.Steady(lambda: self.raw)

    # --- time ------------------------------------------------------------------------------------
    @property
    def now(self) -> str:
        return stamp(self.raw)

    def look(self) -> list[Handled]:
        """One round of the service: a beat, all mail, all that is due."""
        self.clock.hear(beat(self.database, self.keeper.told, self.raw, OUTAGE))
        done: list[Handled] = []
        while True:
            handled = handle_some(self.database, self.host, self.clock)
            done += handled
            if handled:
                continue
            ticked = tick_some(self.database, self.keeper, self.clock)
            if not any(one.lines or one.letters for one in ticked):
                return done

    def at(self, moment: str | int) -> None:
        """Time passes, with the service awake, until a moment: it looks whenever something is due, and now and then."""
        until = seconds_of(moment) if isinstance(moment, str) else moment
        while self.raw < until:
            nearest = self.next_due()
            # the pulse beats in between; nothing else would happen at those moments
            self.raw = min(until, max(self.raw + 1, nearest) if nearest is not None else until)
            self.beat()
            self.look()

    def beat(self) -> None:
        """The service was awake all the time up to now."""
        with self.database.write() as tx:
            tx.execute(
                sa.text("UPDATE pulse SET raw = :now, shown = max(shown, :now - ahead)"), {"now": self.raw}
            )

    def later(self, **span: int) -> None:
        """So many days, hours, minutes, seconds later."""
        units = {"days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}
        self.at(self.raw + sum(units[name] * count for name, count in span.items()))

    def away(self, seconds: int) -> None:
        """The service is not there for so long; mail comes in all the same, into the queue of the mail server."""
        self.raw += seconds

    def next_due(self) -> int | None:
        with self.database.read() as tx:
            found: int | None = tx.execute(sa.text("SELECT min(wake) FROM games")).scalar()
        return found

    # --- games -----------------------------------------------------------------------------------
    def game(
        self,
        policy: TimePolicy | None,
        seats: tuple[str, ...] = ("red", "blue"),
        options: Mapping[str, Any] | None = None,
        game: AnyGame = ARENA,
        langs: Mapping[str, str] | None = None,
    ) -> Table:
        """A new game, whose invitations are out; `langs` by seat, English for the others."""
        people = {
            seat: Person(f"{seat}@example.org", word(self.chance, 16), lang=(langs or {}).get(seat, "en"))
            for seat in seats
        }
        plan = Plan(word(self.chance, 10), game, options or {}, people, deadline=plain_policy(policy))
        desk = games.new_game(
            self.database, self.host, plan, game_secrets(self.host.key, self.chance), self.clock()
        )
        return Table(self, desk.game_id, seats)

    def begun(
        self, policy: TimePolicy | None, seats: tuple[str, ...] = ("red", "blue"), **more: Any
    ) -> Table:
        """A game that everybody has joined and confirmed."""
        table = self.game(policy, seats, **more)
        for seat in seats:
            table[seat].send(table[seat].join())
        for seat in seats:
            table[seat].send(table[seat].ready())
        return table

    def posts(self, to: str, game: str = "") -> list[Message]:
        """The letters to an address (about one game), oldest first; reading them is their delivery."""
        found = self.read.setdefault((to, game), {})
        with self.database.write() as tx:
            new = "recipient = :to AND (:game = '' OR game = :game)"
            tx.execute(
                sa.text(f"UPDATE outbox SET state = 'sent' WHERE state = 'new' AND {new}"),
                {"to": to, "game": game},
            )
            wanted = sa.text(
                f"SELECT id, raw FROM outbox WHERE {new} AND state = 'sent' AND id > :last ORDER BY id"
            )
            last = max(found, default=0)
            for row in tx.execute(wanted, {"to": to, "game": game, "last": last}):
                found[row.id] = message_from_bytes(row.raw)
        return list(found.values())


@dataclass
class Table:
    """One game and its players."""

    world: World
    game: str
    seats: tuple[str, ...]

    def __post_init__(self) -> None:
        self.players = {seat: Player(self.world, self, seat) for seat in self.seats}

    def __getitem__(self, seat: str) -> Player:
        return self.players[seat]

    @property
    def log(self) -> bytes:
        return games.export(self.world.database, self.world.host, self.game, names=False, now=self.world.raw)

    @property
    def records(self) -> list[Record]:
        return [read_record(line.rstrip(b"\n")) for line in lines_of(self.log)]

    def kinds(self) -> list[str]:
        return [kind_of(one) for one in self.records]

    @property
    def asked(self) -> list[Player]:
        """The players that the game waits for, first in charter order."""
        shown = games.show_game(self.world.database, self.world.host, self.game, self.world.raw)
        return [self.players[seat.seat] for seat in shown.seats if seat.due]

    @property
    def over(self) -> bool:
        with self.world.database.read() as tx:
            wanted = sa.text("SELECT phase FROM games WHERE id = :id")
            return str(tx.execute(wanted, {"id": self.game}).scalar_one()) == "over"

    def deadline(self, seat: str) -> str:
        """The seat's deadline as the store has it."""
        with self.world.database.read() as tx:
            raw = tx.execute(
                sa.text("SELECT snapshot FROM games WHERE id = :id"), {"id": self.game}
            ).scalar_one()
        due = json.loads(raw)["times"]["due"]
        return str(due[seat]["at"])

    def play_out(self, most: int = 400, **bots: str) -> None:
        """Moves, one after the other, to the end."""
        for _ in range(most):
            if self.over:
                return
            player = self.asked[0]
            player.send(player.move())
            self.world.look()
        raise AssertionError("the game does not end")

    def finish(self, moves: int = 8) -> None:
        """So many moves, then all but one give up: the game is over, its archive opened to the last envelope."""
        for _ in range(moves):
            if not self.over:
                player = self.asked[0]
                player.send(player.move())
                self.world.look()
        while not self.over:
            player = self.asked[0]
            player.send(resign_envelope(player.key, player.view))

    def sound(self) -> str:
        """The verdict of the audit; everything in the log has passed it."""
        report = audit(self.log)
        assert report.verdict in ("sound", "unfinished"), report
        return report.verdict


@dataclass
class Player:
    """A key, and letters."""

    world: World
    table: Table
    seat: str
    _seen: tuple[int, ViewFile | None] = (0, None)

    @property
    def key(self) -> PrivateKey:
        return PrivateKey(hashlib.sha256(f"{self.seat}'s key".encode()).digest())

    @property
    def address(self) -> str:
        return f"{self.seat}@example.org"

    @property
    def posts(self) -> list[Message]:
        return self.world.posts(self.address, self.table.game)

    @property
    def subjects(self) -> list[str]:
        return [
            re.sub(r"\s+", " ", one["Subject"]).replace(f"[pbem {self.table.game}] ", "")
            for one in self.posts
        ]

    @property
    def text(self) -> str:
        """The newest letter's text, on one line."""
        return " ".join(body(self.posts[-1]).split())

    @property
    def texts(self) -> list[str]:
        return [" ".join(body(post).split()) for post in self.posts]

    def file(self, ending: str) -> bytes:
        """The newest attachment whose name ends so."""
        for post in reversed(self.posts):
            for part in post.walk():
                if (part.get_filename() or "").endswith(ending):
                    return bytes(part.get_payload(decode=True))
        raise LookupError(ending)

    @cached_property
    def invitation(self) -> Invitation:
        return read_invitation(self.posts[0].as_bytes())

    @property
    def view(self) -> ViewFile:
        posts = self.posts
        count, seen = self._seen
        if seen is not None and count == len(posts):
            return seen
        for post in reversed(posts):
            with suppress(Refused):
                found = read_view(post.as_bytes(), self.invitation.known)
                self._seen = (len(posts), found)
                return found
        raise LookupError(self.seat)

    def join(self) -> Envelope:
        return join_envelope(self.key, self.invitation, self.seat.title(), "")

    def ready(self) -> Envelope:
        return ready_envelope(self.key, self.view, {})

    def move(self, bot: str = "random", view: ViewFile | None = None, seed: str = "") -> Envelope:
        shown = view or self.view
        below = stream(f"{self.table.game}{shown.head.n}{self.seat}{seed}")
        orders = find_bot(shown.game, bot)(shown.game, shown.seen, self.seat, below)
        return move_envelope(self.key, shown, orders)

    def send(self, *envelopes: Envelope, look: bool = True, below: bytes = b"") -> list[Handled]:
        """Mails envelopes, one mail each, above other text; the service has taken them, and looks at them if it is
        told to.
        """
        for envelope in envelopes:
            raw = (
                (
                    f"From: {self.address}\r\nTo: {self.invitation.address}\r\nSubject: my answer\r\n"
                    f"Message-ID: <{envelope.id[:20]}@example.org>\r\n\r\n"
                ).encode()
                + envelope.text()
                + below
            )
            place = Place(self.table.game, self.seat, self.invitation.address)
            with self.world.database.write() as tx:
                inbox.take_in(tx, Arrival(self.address, (place,), raw, self.world.raw))
        return self.world.look() if look else []


def body(post: Message) -> str:
    """The text part."""
    first = next(part for part in post.walk() if part.get_content_type() == "text/plain")
    return bytes(first.get_payload(decode=True)).decode("utf-8")


def stream(label: str) -> Callable[[int], int]:
    """Numbers for a bot."""
    return Stream(hashlib.sha256(label.encode()).digest()).below


@contextmanager
def open_world(path: Path, now: str) -> Generator[World]:
    """A host whose database is new, and does not wait for the disk; his letters have the light desk page."""
    file = path / "pbem.sqlite"
    file.write_bytes(new_database())
    with light_desk(), closing(open_database(f"sqlite:///{file}")) as database:

        @event.listens_for(database.engine, "connect")
        def _(connection: Any, _record: Any) -> None:
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("PRAGMA journal_mode=MEMORY")

        # connections from now on
        database.close()
        world = World(database, seconds_of(now))
        world.look()
        yield world
