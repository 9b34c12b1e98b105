"""A table for the page to play at: a real service with its mail, in a thread, and the other players, who use the kit."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from engine import AnyGame, Refused, random_turn
from pbem.cli.asked import game_secrets, word
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey
from pbem.player import (
    Invitation,
    ViewFile,
    join_envelope,
    move_envelope,
    read_invitation,
    read_view,
    ready_envelope,
)
from pbem.player.answers import resign_envelope
from pbem.service import games
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from tests.service.house import House, open_house, stream
from tests.service.mailbox import Post, send, written

T = TypeVar("T")


class Table:
    """One game of two: `mine` is played in the page, `other` by the kit."""

    def __init__(
        self, house: House, loop: asyncio.AbstractEventLoop, game: AnyGame, seats: tuple[str, str]
    ) -> None:
        self.house, self.loop, self.game = house, loop, game
        self.mine, self.other = seats
        self.below = stream(f"{game.id} by mail")
        self._given = 0
        people = {seat: Person(f"{seat}@example.org", word(house.chance, 16)) for seat in seats}
        self.id = word(house.chance, 10)
        plan = Plan(self.id, game, {}, people)
        self.wait(house.service.create_game(plan, game_secrets(house.service.home.key, house.chance)))
        self.wait(house.service.wait_idle())

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Something done by the service's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)

    def posts(self, seat: str) -> list[Post]:
        """What was mailed to a seat."""
        return self.house.mailbox.to(f"{seat}@example.org")

    def new_letters(self) -> list[tuple[str, bytes]]:
        """What was mailed to the page's player since he last looked, as he saves it."""
        posts = self.posts(self.mine)
        fresh = [(f"{n}.eml", post.raw) for n, post in enumerate(posts)][self._given :]
        self._given = len(posts)
        return fresh

    def mail(self, seat: str, to: str, text: bytes) -> None:
        """Pastes a text into a mail and sends it; returns when the service has done all that follows."""
        sender = f"{seat}@example.org"
        self.wait(send(self.house.door, sender, [to], written(sender, to, text)))
        self.wait(self.house.service.wait_idle())

    @property
    def _key(self) -> PrivateKey:
        return PrivateKey(hashlib.sha256(b"the other's key").digest())

    @property
    def _invitation(self) -> Invitation:
        return read_invitation(self.posts(self.other)[0].raw)

    def view(self, seat: str) -> ViewFile:
        """The newest view that a seat was mailed."""
        for post in reversed(self.posts(seat)):
            with suppress(Refused):
                return read_view(post.raw)
        raise LookupError(seat)

    def answers(self, envelope: Envelope) -> None:
        """The other player mails something."""
        self.mail(self.other, self._invitation.address, envelope.text())

    def other_joins(self) -> None:
        self.answers(join_envelope(self._key, self._invitation))

    def other_confirms(self) -> None:
        self.answers(ready_envelope(self._key, self.view(self.other), {}))

    def other_leaves(self) -> None:
        self.answers(resign_envelope(self._key, self.view(self.other)))

    def other_moves(self) -> bool:
        """The other player plays as long as something is asked of him; whether anything was."""
        moved = False
        while self.asked(self.other):
            view = self.view(self.other)
            orders = random_turn(self.game, view.seen, self.other, self.below)
            self.answers(move_envelope(self._key, view, orders))
            moved = True
        return moved

    def asked(self, seat: str) -> bool:
        """Whether the newest view of a seat waits for a move of his."""
        view = self.view(seat)
        return view.head.phase == "play" and bool(view.menu.asked)

    def turn(self) -> tuple[dict[str, Any], ...]:
        """What the page's player wants to do."""
        view = self.view(self.mine)
        return random_turn(self.game, view.seen, self.mine, self.below)

    def archive(self) -> bytes:
        """The log as the host exports it."""
        service = self.house.service
        return games.export(service.database, service.host, self.id, names=False, now=0)


@contextmanager
def open_table(path: Path, game: AnyGame, seats: tuple[str, str]) -> Generator[Table]:
    """A service that runs beside the test, and a game at it whose invitations are out."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="service")
    thread.start()
    stack = AsyncExitStack()

    def wait(work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop).result(120)

    try:
        house = wait(stack.enter_async_context(open_house(path)))
        yield Table(house, loop, game, seats)
    finally:
        wait(stack.aclose())
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
