"""The reception, shared by all ways in: which addresses there are, who must wait, and what each recipient hears.

Law: nothing is answered before it is committed. A mail to the address of a game goes to the inbox; one to the
service itself goes to the game that it names, or nowhere; a letter that came back is written down here and
now. The content of a mail to a game is not looked at: that is done later, behind the inbox.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.service import bounces, commands, inbox, probes, routing
from pbem.service.addresses import Directory, Place
from pbem.service.clock import Clock, instant
from pbem.service.config import Home
from pbem.service.database import Database
from pbem.service.inbox import Arrival
from pbem.service.journal import note, warn
from pbem.service.limits import Gate
from pbem.service.notices import Notices
from pbem.service.odd_bounces import read_odd
from pbem.service.store import load_mail_key
from pbem.turn import mime

replace = msgspec.structs.replace


class Later(msgspec.Struct, frozen=True):
    """Too much mail; `until` is the instant (seconds since 1970) from which more is taken."""

    until: int

    def __str__(self) -> str:
        """When, for a mail server's log."""
        return f"{instant(self.until)[11:16]} UTC"


Answer = Literal["taken", "nowhere"] | Later
"""What becomes of a mail for one recipient: committed; no game to give it to; to be sent again later."""


class Sorted(msgspec.Struct, frozen=True):
    """A mail for the inbox, if any recipient's is one, and the answer to each recipient once it is committed."""

    mail: Arrival
    answers: tuple[Answer, ...]


def mail_key(database: Database, home: Home, game_id: str) -> bytes | None:
    """What the tokens of a game's addresses are made under; None if there is no such game."""
    if game_id == probes.GAME:
        return probes.probe_key(home.key)
    with database.read() as tx:
        return load_mail_key(tx, game_id)


class Reception:
    """Decides; keeps counts in `gate` and looks games up in `directory`."""

    def __init__(self, database: Database, home: Home, directory: Directory, clock: Clock) -> None:
        config = home.config
        self._database = database
        self._domain = config.domain
        self._told = Notices(home.host(()).post, config.operator)
        self._gate = Gate(database, config.per_sender, config.per_game)
        self._clock = clock
        self.directory = directory

    def admit(self, sender: str, address: str) -> Place | Later | None:
        """The place of an address, for mail from this envelope sender; None if there is no such address."""
        place = self.directory.find(address)
        if place is None or place.letter:
            return place
        until = self._gate.wait_until(sender, place.game, self._clock())
        if until:
            warn("mail-put-off", game=place.game, seat=place.seat)
        return Later(until) if until else place

    def at_hand(self, sender: str, address: str) -> bool:
        """Whether `admit` can answer without a look at the database."""
        game = self.directory.at_hand(address)
        return game is not None and self._gate.at_hand(sender, game, self._clock())

    def sort(self, mail: Arrival, *, of_players: bool = False) -> Sorted:
        """Where a mail goes. What came back is written down, and committed.

        With `of_players` a mail that names no game is for a game of the player who sent it: nobody else would tell him.
        """
        answers: list[Answer] = []
        places: list[Place] = []
        for place in mail.places:
            found, answer = self._sort(mail, place)
            if of_players and answer == "nowhere" and (his := self._of_player(mail, place.address)):
                found, answer = (his,), "taken"
            places += found
            answers.append(answer)
        return Sorted(replace(mail, places=tuple(places)), tuple(answers))

    def take_in(
        self,
        mail: Arrival,
        also: Callable[[sa.Connection, Sequence[Answer]], None] | None = None,
        *,
        of_players: bool = False,
    ) -> tuple[Answer, ...]:
        """A mail by another way than SMTP, committed together with what `also` writes; else as `sort`."""
        done = self.sort(mail, of_players=of_players)
        with self._database.write() as tx:
            if done.mail.places:
                inbox.take_in(tx, probes.take_out(tx, done.mail))
            if also is not None:
                also(tx, done.answers)
        tell(done)
        return done.answers

    def _sort(self, mail: Arrival, place: Place) -> tuple[tuple[Place, ...], Answer]:
        if place.game:
            return (place,), "taken"
        if place.letter:
            self._came_back(mail.raw, place.letter)
            return (), "taken"
        # to the service itself: a report about a letter, or a mail that says which game it is for
        named = routing.addressed(routing.head_of(mail.raw), self.directory.find)
        letter = next((one.letter for one in named if one.letter), 0)
        if letter or bounces.read_report(mail.raw) is not None:
            self._came_back(mail.raw, letter)
            return (), "taken"
        found = routing.route(mail.raw, place.address, self.directory, self._domain)
        found = found or self._of_sender(mail, place.address)
        waits = [self._gate.wait_until(mail.sender, one.game, mail.received) for one in found]
        if any(waits):
            return (), Later(max(waits))
        return found, "taken" if found else "nowhere"

    def _of_sender(self, mail: Arrival, address: str) -> tuple[Place, ...]:
        """A command that names no game, of somebody who plays here, or who asks for a table."""
        if (asked := routing.commanding(mail.raw)) is None:
            return ()
        command, sender = asked
        with self._database.read() as tx:
            found = commands.place_of_stranger(tx, command, address)
            found = found or commands.place_of_sender(tx, sender or mail.sender, address)
        return (found,) if found else ()

    def _of_player(self, mail: Arrival, address: str) -> Place | None:
        """The newest game of the player whose address From is, if a person seems to have written the mail."""
        opened = mime.open_mail(mail.raw)
        if opened.auto or not mail.sender:
            return None
        with self._database.read() as tx:
            found = commands.place_of_sender(tx, opened.sender, address)
        if found is None or self._gate.wait_until(mail.sender, found.game, mail.received):
            return None
        return found

    def _came_back(self, raw: bytes, letter: int) -> None:
        report = bounces.read_report(raw) or (read_odd(raw) if letter else None)
        if report is None:
            note("bounce-unread", letter=letter)
            return
        with self._database.write() as tx:
            number = letter or bounces.letter_of(tx, report)
            kind = bounces.came_back(tx, number, report, self._told, self._clock()) if number else "unknown"
        note("bounce", letter=number, kind=kind, status=report.status)


def tell(done: Sorted) -> None:
    """A line for each game that a mail came to."""
    for place in done.mail.places:
        note("mail-in", game=place.game, seat=place.seat, bytes=len(done.mail.raw))
