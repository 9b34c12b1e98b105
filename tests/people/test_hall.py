"""Standing tables: whoever asks gets an invitation, whoever joins has a seat, and a full table is laid anew."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from engine import Refused, find_bot
from pbem.log.envelope import Envelope, make_envelope
from pbem.log.record import Join
from pbem.log.seal import PrivateKey
from pbem.player.answers import join_envelope, move_envelope, ready_envelope, resign_envelope
from pbem.player.invitation import Invitation, read_invitation
from pbem.player.view import ViewFile, read_view
from pbem.service import commands, halls, inbox
from pbem.service.addresses import Place
from pbem.service.inbox import Arrival
from pbem.service.worker import Handled
from pbem.turn.commands import read_subject
from pbem.turn.policy import TimePolicy, plain_policy
from tests.deadlines.world import Table, World, body, open_world, stream

LAID = halls.Laid(
    "arena", 1, ("red", "blue"), {}, {}, plain_policy(TimePolicy({"all": "7d", "join": "none"}))
)


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as found:
        yield found


def lay(world: World, laid: halls.Laid = LAID, on_time: int = 0) -> str:
    with world.database.write() as tx:
        return halls.lay(tx, world.host, laid, on_time, world.raw)


def tables(world: World) -> list[halls.Hall]:
    with world.database.read() as tx:
        return halls.all_open(tx, world.host)


def asks(world: World, sender: str, subject: str, *more: str) -> list[Handled]:
    """A mail with nothing but a subject, to the service itself."""
    command = read_subject(subject)
    assert command is not None
    with world.database.read() as tx:
        place = commands.place_of_stranger(tx, command, "games@pbem.example.org")
    assert place is not None
    mail(world, sender, place, f"Subject: {subject}", *more)
    return world.look()


def mail(world: World, sender: str, place: Place, *rows: str, text: bytes = b"") -> None:
    world.raw += 1
    head = "\r\n".join([f"From: {sender}", *rows, f"Message-ID: <{world.raw}.{sender}>"])
    with world.database.write() as tx:
        inbox.take_in(tx, Arrival(sender, (place,), f"{head}\r\n\r\n".encode() + text, world.raw))


class Guest:
    """Somebody with an address and a key, who has heard of the table."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.address = world, f"{name}@example.net"
        self.key = PrivateKey(name.encode().ljust(32, b"."))
        self._invited: tuple[int, Invitation] | None = None

    @property
    def texts(self) -> list[str]:
        return [" ".join(body(post).split()) for post in self.world.posts(self.address)]

    @property
    def invitation(self) -> Invitation:
        posts = self.world.posts(self.address)
        old, found = self._invited or (0, None)
        for post in reversed(posts[old:]):
            with suppress(Refused):
                found = read_invitation(post.as_bytes())
                break
        if found is None:
            raise LookupError(self.address)
        self._invited = len(posts), found
        return found

    @property
    def view(self) -> ViewFile:
        known = self.invitation.known
        for post in reversed(self.world.posts(self.address)):
            with suppress(Refused):
                return read_view(post.as_bytes(), known)
        raise LookupError(self.address)

    def send(self, envelope: Envelope) -> str:
        """Mails it; gives the code of the refusal, or nothing."""
        place = Place(envelope.game, envelope.seat, "games@pbem.example.org")
        mail(self.world, self.address, place, "Subject: answer", text=envelope.text())
        return self.world.look()[-1].code

    def join(self) -> str:
        return self.send(join_envelope(self.key, self.invitation, "Guest"))


def test_two_strangers_sit_down_and_play(world: World) -> None:
    table = lay(world)
    (hall,) = tables(world)
    assert (hall.free, hall.seats) == (2, 2)
    anna, ben = Guest(world, "anna"), Guest(world, "ben")
    for guest in (anna, ben):
        asks(world, guest.address, f"Re: sit {table}")
        assert "You are invited to a game of" in guest.texts[0]
    # nothing has changed by asking; they were asked to different seats
    assert tables(world)[0].free == 2
    assert {anna.invitation.seat, ben.invitation.seat} == {"red", "blue"}
    assert (anna.join(), ben.join()) == ("", "")
    # the game has its players, and the table a new one that waits
    (again,) = tables(world)
    assert (again.table, again.free) == (table, 2)
    assert again.game != hall.game
    for guest in (anna, ben):
        assert guest.send(ready_envelope(guest.key, guest.view, {})) == ""
    played = Table(world, hall.game, ("red", "blue"))
    guests = {guest.invitation.seat: guest for guest in (anna, ben)}
    for _ in range(8):
        guest = guests[played.asked[0].seat]
        view = guest.view
        orders = find_bot(view.game, "random")(view.game, view.seen, view.seat, stream(f"{view.head.n}"))
        assert guest.send(move_envelope(guest.key, view, orders)) == ""
    assert anna.send(resign_envelope(anna.key, anna.view)) == ""
    assert played.over
    assert played.sound() == "sound"
    assert b"example.net" not in played.log


def test_who_comes_second_to_a_seat_asks_again(world: World) -> None:
    table = lay(world, LAID)
    anna, ben = Guest(world, "anna"), Guest(world, "ben")
    asks(world, anna.address, f"sit {table}")
    first = anna.invitation.seat
    assert anna.join() == ""
    # the same guest has one seat, whatever he asks for
    other = next(seat for seat in LAID.seats if seat != first)
    with world.database.read() as tx:
        assert [one.free for one in halls.all_open(tx, world.host)] == [1]
    asks(world, anna.address, f"sit {table}")
    assert "No table waits" in anna.texts[-1]
    asks(world, ben.address, f"sit {table}")
    assert ben.invitation.seat == other
    assert ben.join() == ""


def test_a_guests_token_is_good_for_no_second_seat(world: World) -> None:
    table = lay(world, halls.Laid("arena", 1, ("red", "blue", "green")))
    anna = Guest(world, "anna")
    asks(world, anna.address, f"sit {table}")
    invitation = anna.invitation
    assert anna.join() == ""
    other = next(seat for seat in ("red", "blue", "green") if seat != invitation.seat)
    greedy = Guest(world, "anna")
    greedy.key = PrivateKey(b"k" * 32)
    envelope = join_envelope(greedy.key, invitation, "Anna")
    payload = {**envelope.payload, "seat": other}
    assert anna.send(make_envelope(greedy.key, payload)) == "seal/token"
    assert tables(world)[0].free == 2


def test_tables_are_told_to_whoever_asks(world: World) -> None:
    first, second = lay(world), lay(world)
    carl = Guest(world, "carl")
    asks(world, carl.address, "tables")
    assert first in carl.texts[-1]
    assert second in carl.texts[-1]
    asks(world, carl.address, "sit")
    assert "free seats: 2 of 2" in carl.texts[-1]
    # a machine is not answered, and nobody is mailed again and again
    count = len(carl.texts)
    asks(world, carl.address, "tables", "Auto-Submitted: auto-replied")
    asks(world, carl.address, f"sit {first}")
    asks(world, carl.address, f"sit {first}")
    assert len(carl.texts) == count + 1


def test_a_table_that_was_cleared_is_laid_no_more(world: World) -> None:
    table = lay(world)
    with world.database.write() as tx:
        game = halls.clear(tx, table)
        with pytest.raises(Refused, match="host/no-such-table"):
            halls.clear(tx, table)
    assert game
    assert tables(world) == []


def test_who_is_known_to_be_late_gets_no_invitation(world: World) -> None:
    late = world.begun(TimePolicy({"all": "1d"}))
    for _ in range(24):
        if late.over:
            break
        player = late.asked[0]
        if player.seat == "red":
            world.later(days=1, minutes=1)
        else:
            player.send(player.move())
    table = lay(world, on_time=80)
    asks(world, "red@example.org", f"sit {table}")
    told = [" ".join(body(post).split()) for post in world.posts("red@example.org")]
    assert "host/too-late" in told[-1]
    asks(world, "blue@example.org", f"sit {table}")
    assert read_invitation(world.posts("blue@example.org")[-1].as_bytes()).seat in LAID.seats


def test_an_open_table_nags_nobody(world: World) -> None:
    """A seat that waits for whoever comes has no player who could be late."""
    lay(world, halls.Laid("arena", 1, ("red", "blue"), {}, {}, plain_policy(TimePolicy({"all": "1d"}))))
    world.later(days=5)
    assert world.posts("host@example.org") == []


def test_a_join_without_an_invitation_is_refused(world: World) -> None:
    table = lay(world)
    anna, thief = Guest(world, "anna"), Guest(world, "thief")
    asks(world, anna.address, f"sit {table}")
    payload = {**join_envelope(thief.key, anna.invitation, "Thief").payload, "token": "guess"}
    assert thief.send(make_envelope(thief.key, payload)) == "seal/token"
    played = Table(world, tables(world)[0].game, LAID.seats)
    assert not [one for one in played.records if isinstance(one, Join)]
