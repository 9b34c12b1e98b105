"""The service as a whole: door, worker and sender in one event loop, each woken by the one before it.

Decides when each runs, and nothing else. What blocks (the database, a verdict) runs in threads. `run` is for
`pbem serve`; `start`, `create_game`, `wait_idle` and `stop` are for whoever runs a service inside a program.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

import msgspec

from engine import GAMES, AnyGame, Refused, refuse
from pbem.service import games, reception
from pbem.service.addresses import Directory, Place, returns_of
from pbem.service.archive import Mirror
from pbem.service.artist import Artist
from pbem.service.clock import Clock, system_clock
from pbem.service.config import Endpoint, Home, endpoint, password
from pbem.service.database import TROUBLE, Database
from pbem.service.door import Door
from pbem.service.home_store import open_store
from pbem.service.imap import Mailbox, account_of
from pbem.service.inbox import Arrival
from pbem.service.intake import Intake
from pbem.service.journal import fault, note
from pbem.service.judges import JudgeProcess
from pbem.service.metrics import Window, page
from pbem.service.pulse import BEAT, Steady
from pbem.service.reception import Answer, Later, Reception, Sorted
from pbem.service.roles import ROLES, Role, alone_if_need_be, check_roles
from pbem.service.rounds import always, beat, notices_of, postmark, tell, tell_ticked, with_lines
from pbem.service.sender import Route, Sender
from pbem.service.store import Overtaken
from pbem.service.ticks import Keeper, tick_some
from pbem.service.web import Web
from pbem.service.worker import handle_some
from pbem.turn.desk import Secrets
from pbem.turn.desk_file import desk_file
from pbem.turn.opening import Plan

T = TypeVar("T")
POLL, POLL_SHARED = 2.0, 0.25
"""Seconds between looks at what other processes may have left in the database: a command of the host; in a
shared one, the other roles."""
PAUSE = 1.0
"""Seconds to leave a database in trouble alone."""
THREADS = 4
GRACE = 10.0
"""Seconds that a letter at hand is given when the service stops; sent later, it is the same letter."""


class Setting(msgspec.Struct, frozen=True):
    """What comes from outside: the clock, the games, the mail server for each recipient (None: the settings' relay).

    `roles` says what this process does of a service's work, `metrics` where its numbers are shown, `web` where the desk
    page is. With `imap`, mail comes from the mailbox of the settings, and no door is opened.
    """

    clock: Clock = system_clock
    games: tuple[AnyGame, ...] = GAMES
    route: Route | None = None
    roles: tuple[Role, ...] = ROLES
    imap: bool = False
    metrics: Endpoint | None = None
    web: Endpoint | None = None


class Bell:
    """Wakes a loop that has nothing to do, and knows whether it has."""

    def __init__(self, changed: asyncio.Event) -> None:
        self._rung = asyncio.Event()
        self._rung.set()
        self._changed = changed
        self._waiting = False

    @property
    def quiet(self) -> bool:
        """True while the loop waits and nobody has rung."""
        return self._waiting and not self._rung.is_set()

    def ring(self) -> None:
        """There is something to do."""
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Returns when somebody has rung (True), or after so long."""
        self._waiting = True
        self._changed.set()
        try:
            await asyncio.wait_for(self._rung.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self._waiting = False
        self._rung.clear()
        return True


class Service:
    """Owns the home's lock, the database, the sockets and the threads, from `start` to `stop`."""

    def __init__(self, home: Home, setting: Setting | None = None) -> None:
        self.home = home
        self.setting = setting or Setting()
        self.host = home.host(self.setting.games)
        self.clock = Steady(self.setting.clock)
        self._owned = ExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._bells: list[Bell] = []
        self._mailbox: Mailbox | None = None
        self._unmirrored: set[str] = set()
        """Games whose files are behind, perhaps because there was no room for them."""
        self._stopping = False

    async def start(self) -> Endpoint:
        """Opens everything; gives where mail is taken, by SMTP if by that. Refused `disk/in-use`, `host/…`."""
        self._stopping = False
        check_roles(self.home, self.setting.roles)
        self._changed = asyncio.Event()
        self._inbox_bell, self._outbox_bell = Bell(self._changed), Bell(self._changed)
        with ExitStack() as opened:
            # 1. nobody else is at work here, where there must not be
            opened.enter_context(alone_if_need_be(self.home))
            # 2. database and threads; the threads are done before the database is closed
            self.database: Database = await asyncio.to_thread(open_store, self.home)
            opened.callback(self.database.close)
            self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pbem")
            opened.callback(self._threads.shutdown)
            # 3. a clock that can be believed
            self._last_beat = -BEAT
            await self._thread(self._beat)
            # 4. who does the work
            self._directory = Directory(self.host.post, self._mail_key, returns_of(self.home))
            self._reception = Reception(self.database, self.home, self._directory, self.clock)
            self._mirror = Mirror(self.database, self.home.logs)
            if "worker" in self.setting.roles:
                await self._thread(self._mirror.repair)
            self._judges = JudgeProcess(self.host, apart=self.home.config.judge_apart)
            opened.callback(self._judges.close)
            self._intake = Intake(self.database, self._thread)
            artist = Artist(self.home.config.pictures)
            opened.callback(artist.close)
            self._sender = Sender(self.database, postmark(self.home, artist), self.clock, self._thread)
            self._route = self.setting.route or always(endpoint(self.home.config.relay))
            # 5. the door, last
            self._door = Door(self.home.config, self)
            door = await self._open_ways_in() if "smtp" in self.setting.roles else Endpoint("", 0)
            self._window = Window(lambda: page(self.database, self.clock))
            self._web = Web(lambda: desk_file().data)
            await self._open_window("metrics", self._window, self.setting.metrics)
            await self._open_window("web", self._web, self.setting.web)
            self._owned = opened.pop_all()
        self._bells, self._tasks = [], []
        if self._mailbox is not None:
            self._begin("imap", Bell(self._changed), self._fetch, self.home.config.imap_seconds)
        if "worker" in self.setting.roles:
            self._begin("worker", self._inbox_bell, self._work)
        if "sender" in self.setting.roles:
            self._begin("sender", self._outbox_bell, self._post)
        roles = ",".join(self.setting.roles)
        note("started", listen=str(door) if door.host else "", home=str(self.home.path), roles=roles)
        return door

    async def _open_ways_in(self) -> Endpoint:
        """SMTP and LMTP as the settings say, or the mailbox; gives the first of them."""
        config = self.home.config
        if self.setting.imap:
            if not config.imap:
                raise refuse("host/no-imap")
            account = account_of(config, password(config, "imap", os.environ))
            self._mailbox = Mailbox(account, self.database, self._reception, self.clock)
            return Endpoint("", 0)
        opened = [
            await self._open_door(name, endpoint(text))
            for name, text in (("smtp", config.listen), ("lmtp", config.lmtp))
            if text
        ]
        if not opened:
            raise refuse("host/no-imap")
        self.lmtp = opened[-1]
        return opened[0]

    async def _open_door(self, name: str, wanted: Endpoint) -> Endpoint:
        try:
            if name == "lmtp":
                return await self._door.open_lmtp(wanted)
            return Endpoint(wanted.host, await self._door.open(wanted.host, wanted.port))
        except OSError as error:
            await self._door.close()
            raise _unheard(wanted, error, "lmtp" if name == "lmtp" else "listen") from None

    async def _open_window(self, name: str, window: Window | Web, wanted: Endpoint | None) -> None:
        if wanted is None:
            return
        try:
            port = await window.open(wanted)
        except OSError as error:
            await self._door.close()
            await self._window.close()
            raise _unheard(wanted, error, "--http" if name == "web" else "--metrics") from None
        note(name, listen=str(Endpoint(wanted.host, port)))

    def _begin(self, name: str, bell: Bell, work: Callable[[], Awaitable[bool]], seconds: float = 0) -> None:
        self._bells.append(bell)
        pause = seconds or (POLL if self.database.is_sqlite else POLL_SHARED)
        self._tasks.append(asyncio.create_task(self._loop(name, bell, work, pause)))

    async def stop(self) -> None:
        """Closes the door, lets the mail and the letter at hand be finished, and closes everything."""
        self._stopping = True
        await self._door.close()
        await self._window.close()
        await self._web.close()
        mailbox, self._mailbox = self._mailbox, None
        if mailbox is not None:
            mailbox.hang_up()
        for bell in self._bells:
            bell.ring()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=GRACE)
            for task in late:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._sender.close()
        self._owned.close()
        note("stopped")

    async def run(self) -> None:
        """`start`, until SIGTERM or SIGINT, `stop`."""
        enough = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, enough.set)
        await self.start()
        try:
            await enough.wait()
        finally:
            await self.stop()

    async def create_game(self, plan: Plan, secrets: Secrets) -> str:
        """A new game, whose invitations go out at once; gives its id. Refused `game/…`."""
        now = self.clock()
        desk = await self._thread(lambda: games.new_game(self.database, self.host, plan, secrets, now))
        await self._thread(lambda: self._mirror.bring_up(desk.game_id))
        self._outbox_bell.ring()
        note("game-created", game=desk.game_id)
        return str(desk.game_id)

    async def wait_idle(self) -> None:
        """Returns when all mail that was acknowledged is handled, and every letter whose time has come was tried."""
        while not all(bell.quiet for bell in self._bells):
            self._changed.clear()
            await self._changed.wait()

    async def admit(self, sender: str, address: str) -> Place | Later | None:
        """The place of an address, or until when its sender has to wait; asked by the door."""
        if self._reception.at_hand(sender, address):
            return self._reception.admit(sender, address)
        return await self._thread(lambda: self._reception.admit(sender, address))

    async def take_in(
        self, sender: str, places: tuple[Place, ...], raw: bytes, *, accepted: bool = False
    ) -> Sequence[Answer]:
        """A mail into the inbox, committed; asked by the door."""
        mail = Arrival(sender, places, raw, self.clock())
        done = Sorted(mail, tuple("taken" for _ in places))
        if not all(place.game for place in places):
            done = await self._thread(lambda: self._reception.sort(mail, of_players=accepted))
        if done.mail.places:
            await self._intake.put(done.mail)
        reception.tell(done)
        if done.mail.places:
            self._inbox_bell.ring()
        if len(done.mail.places) < len(places):
            # of what goes to no game, a notice may have come
            self._outbox_bell.ring()
        return done.answers

    def _mail_key(self, game_id: str) -> bytes | None:
        return reception.mail_key(self.database, self.home, game_id)

    async def _thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _loop(self, name: str, bell: Bell, work: Callable[[], Awaitable[bool]], pause: float) -> None:
        """Works while there is something to do, then waits for the bell. No exception ends it."""
        while not self._stopping:
            try:
                busy = await work()
            except Overtaken:
                continue
            except TROUBLE as error:
                fault("store-trouble", error, step=name)
                await asyncio.sleep(PAUSE)
                continue
            except Exception as error:  # noqa: BLE001 - the loop must outlive what none of us foresaw
                fault("loop-failed", error, step=name)
                await asyncio.sleep(PAUSE)
                continue
            if not busy and not self._stopping:
                await bell.wait(pause)

    async def _work(self) -> bool:
        if self._is_to_beat(self.setting.clock()):
            await self._thread(self._beat)
        done = await self._thread(
            lambda: handle_some(self.database, self.host, self.clock, apart=self._judges)
        )
        for handled in done:
            tell(handled)
        keeper = Keeper(self.host, notices_of(self.home))
        ticked = (
            [] if done else await self._thread(lambda: tick_some(self.database, keeper, self._mail_known))
        )
        for one in ticked:
            tell_ticked(one)
        if any(one.letters for one in done) or any(one.letters for one in ticked):
            self._outbox_bell.ring()
        self._unmirrored |= {*with_lines(done), *(one.game for one in ticked)}
        await self._thread(lambda: self._mirror.bring_up(*sorted(self._unmirrored)))
        self._unmirrored.clear()
        return bool(done) or any(one.lines or one.letters for one in ticked)

    def _mail_known(self) -> int:
        """Up to when all mail that had come is in the inbox: with a mailbox, the last time that it was looked into."""
        return self.clock() if self._mailbox is None else self._mailbox.looked

    def _is_to_beat(self, raw: int) -> bool:
        return not 0 <= raw - self._last_beat < BEAT

    def _beat(self) -> None:
        """Notes that the service is alive; hears whether its clock can be believed."""
        raw = self.setting.clock()
        self.clock.hear(beat(self.database, notices_of(self.home), raw, self.home.config.outage))
        # only now: what a database that was away did not hear, it hears before anybody is called late
        self._last_beat = raw

    def look(self) -> None:
        """The clock may have moved: what is due is done, without waiting for the next look at it."""
        self._inbox_bell.ring()
        self._outbox_bell.ring()

    async def _fetch(self) -> bool:
        mailbox, config = self._mailbox, self.home.config
        if mailbox is None:
            return False
        if await self._thread(lambda: mailbox.look(config.address, config.max_mail)):
            self._inbox_bell.ring()
            self._outbox_bell.ring()
        return False

    async def _post(self) -> bool:
        tried = await self._sender.send_due(self._route)
        if not tried:
            await self._sender.close()
        return tried > 0


def _unheard(wanted: Endpoint, error: OSError, setting: str) -> Refused:
    # Python's own word for a name that is too long has no number
    problem = error.strerror or str(error) or type(error).__name__
    return refuse("host/listen", address=str(wanted), problem=problem, setting=setting)
