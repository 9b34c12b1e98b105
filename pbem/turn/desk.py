"""The desk: all that judging one envelope needs, loaded before and written back after.

Plain frozen data. Whoever does the I/O (the service's store, or the files of `pbem turn apply`) fills a
desk; nothing here knows which of the two it was. `Snapshot` is the part that changes with a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from engine import AnyGame, Charter, Filed, Position, Say, Table, decode, encode, verbatim
from pbem.log.canonical import digest
from pbem.log.ledger import Ledger
from pbem.log.record import Charter as CharterRecord
from pbem.log.seal import PrivateKey
from pbem.turn.times import Times


class Secrets(msgspec.Struct, frozen=True):
    """What the host alone holds for one game: its key, its chain seed, the key of hidden draws, the mail key.

    `marks`: some links of the chain, from which others are near (`log.chain.marks_of`); empty: worked out when wanted.
    """

    key: PrivateKey
    seed: bytes
    k_hidden: bytes
    mail: bytes
    marks: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        return "Secrets(…)"


class Person(msgspec.Struct, frozen=True):
    """Who sits or is invited: address, the seat's join token, and what the join's `aside` said.

    `second`: another address of his, from which he may write and where he may be told of trouble; or empty.
    `zone` is his own, empty for the game's; in the hours `quiet` (`22:00-08:00`) he is not reminded. `pictures` is
    what his letters bring (`on`, `off`, `text`); empty: what is usual here.
    `wanted`: an address that he has yet to confirm: `address` or `second`, the address, and the instant of his wish.
    """

    address: str
    token: str
    name: str = ""
    lang: str = "en"
    second: str = ""
    zone: str = ""
    quiet: str = ""
    pictures: str = ""
    wanted: str = ""


class Offer(msgspec.Struct, frozen=True):
    """A seat that somebody may take over with a token: a successor, or its player who has lost his key.

    `how`: `taken` or `reset`. `lang` is what the offer was written in.
    """

    address: str
    token: str
    how: Literal["taken", "reset"]
    lang: str = "en"


class Guest(msgspec.Struct, frozen=True):
    """Somebody who was sent an invitation to a table: with its token he takes any seat that nobody has."""

    address: str
    token: str
    lang: str = "en"


class Post(msgspec.Struct, frozen=True):
    """Where letters come from: the service's address (`games@pbem.example.org`), and its name for Message-IDs.

    `plus`: mail to `games+anything@pbem.example.org` reaches the service, so that each seat can have an address
    of its own. Without it all answer to the one address, and what a mail holds says which game it is for.
    """

    address: str
    domain: str
    plus: bool = True


class Message(msgspec.Struct, frozen=True):
    """Something that a seat said to others: `seat` is empty where nobody is to know who; `to_all` or to its reader."""

    seat: str
    to_all: bool
    text: str
    at: str


class Journal(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat has been told. `news`: events heard since its own last move, as plain JSON.

    `sent` is the number of the first log line not yet mailed to it; `thread` its first and last Message-ID.
    `held`: events told in letters that have not reached it; the next report takes their place and tells them.
    Who loads a desk from an outbox says so by `held`, and by setting `sent` back to the first of their lines.
    `press`: messages that go out with the next letter; `pressed` counts what the seat said itself on the day `said_on`.
    """

    news: tuple[dict[str, Any], ...] = ()
    sent: int = 0
    thread: tuple[str, ...] = ()
    held: tuple[dict[str, Any], ...] = ()
    press: tuple[Message, ...] = ()
    said_on: str = ""
    pressed: int = 0


class Waits(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that was taken and has no record yet: held for a while, or in advance. Sealed, as what is kept.

    `base` is the number of the line that its author had seen. `due` is when a held move is played, empty for one in
    advance; `put` is when it was taken, `answers` the Message-ID of its mail.
    """

    seat: str
    rev: int
    base: int
    envelope: str
    payload_digest: str
    payload_and_sig: dict[str, Any]
    put: str
    due: str = ""
    answers: str = ""


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything of a game that a record can change. `position` is canonical JSON, absent before the start.

    `tail` holds the newest log lines, from the first that some seat has not been sent. `times` is what the log says
    about time, `shelf` the moves that wait, `rung` the reminders that were sent; both change without a record.
    """

    ledger: Ledger
    journals: dict[str, Journal]
    tail_from: int
    tail: tuple[str, ...]
    setups: dict[str, dict[str, Any]] = {}
    filed: tuple[Filed, ...] = ()
    position: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    times: Times = Times()
    shelf: tuple[Waits, ...] = ()
    rung: tuple[str, ...] = ()


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the host keeps sealed of one record until the end: the envelope, and the hidden draws."""

    n: int
    payload_digest: str = ""
    payload_and_sig: dict[str, Any] = {}
    hidden: tuple[dict[str, Any], ...] = ()


class Estate(msgspec.Struct, frozen=True):
    """What a successor is given of a seat: the whole log, the policy in force if there is one, notes by turn."""

    lines: tuple[bytes, ...] = ()
    policy: Mapping[str, Any] = {}
    notes: tuple[tuple[int, str], ...] = ()


class Archive(msgspec.Struct, frozen=True):
    """A game's whole log and what was kept sealed of it, for who must play it again."""

    lines: tuple[bytes, ...] = ()
    kept: tuple[Kept, ...] = ()


class Desk(msgspec.Struct, frozen=True):
    """One game on the table. `now` is the instant of whatever is recorded next, `YYYY-MM-DDTHH:MM:SSZ`.

    `offers` by seat. `guests` of a table whose seats are not all taken.
    """

    table: Table
    charter: CharterRecord
    charter_line: bytes
    secrets: Secrets
    people: Mapping[str, Person]
    post: Post
    snapshot: Snapshot
    now: str
    offers: Mapping[str, Offer] = {}
    guests: tuple[Guest, ...] = ()

    @property
    def game_id(self) -> str:
        """The id of the game, which is in every file's name and every subject."""
        return self.charter.game

    @property
    def charter_digest(self) -> str:
        """The digest that joins sign and seat chains depend on."""
        return digest(self.charter_line)

    @property
    def position(self) -> Position[Any] | None:
        """The position, or None before the start."""
        raw = self.snapshot.position
        return None if raw is msgspec.UNSET else read_position(self.table.game, bytes(raw))

    def lang(self, seat: str) -> str:
        """The language a seat reads."""
        return self.people[seat].lang if seat in self.people else "en"


def name_of(desk: Desk, seat: str) -> Say:
    """A seat's name as the game calls it."""
    return desk.table.game.seat_names.get(seat) or verbatim(seat)


def read_position(game: AnyGame, data: bytes) -> Position[Any]:
    """A position from bytes of our own making."""
    position: Position[Any] = decode(Position[game.state], data)  # type: ignore[name-defined]
    return position


def write_position(position: Position[Any]) -> msgspec.Raw:
    """A position as canonical bytes."""
    return msgspec.Raw(encode(position))


def table_of(game: AnyGame, charter: CharterRecord, data: Mapping[str, Any]) -> Table:
    """The engine's table for a charter; ValidationError if the options are not this game's."""
    options = msgspec.convert(charter.options, game.options)
    return Table(game, Charter(charter.seats, options, data))
