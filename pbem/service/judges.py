"""Where mails are judged when many wait: a process of its own, beside that of the door, so that two processors are used.

Decides nothing: `plain.judge` is a pure function, and gives the same there as here. The process is started when there
is enough for it to do, is asked once it is ready, and ends by itself when nobody has asked for a while, or when this
process ends. Whatever befalls it, the mails still lie in the inbox, and are judged here.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from engine import GAMES
from pbem.log.seal import PrivateKey
from pbem.service import plain
from pbem.service.config import Host
from pbem.service.journal import warn
from pbem.service.plain import Found, Sheet
from pbem.turn.desk import Post

IDLE, PATIENCE = 60.0, 60.0
"""Seconds without work after which the process ends, and after which an answer is not waited for any longer."""
FEW = 4
"""Fewer mails are judged sooner than they are handed over."""


class NoAnswer(Exception):
    """The process has not answered; what it was asked is to be judged elsewhere."""


class _Given(msgspec.Struct, frozen=True):
    """What the process must know of the host to judge in its name."""

    key: bytes
    post: Post
    authserv: str


class JudgeProcess:
    """Owns the process, and what it was asked last. For one thread at a time; `close` may be called at any time."""

    def __init__(self, host: Host, *, apart: bool = True) -> None:
        self._given = _Given(host.key.raw, host.post, host.authserv)
        # what is no game of the catalog cannot be named to another process
        self._apart = apart and host.games is GAMES and _processors() > 1
        self._pipe: Connection | None = None
        self._ready = False
        self._asked: tuple[list[Sheet], int] | None = None

    @property
    def games(self) -> list[str]:
        """The games of which a mail is being judged."""
        return [sheet.mail.game for sheet in self._asked[0]] if self._asked else []

    def takes(self, waiting: int) -> bool:
        """Whether so many mails are to be judged there; False too as long as the process is only being started."""
        if not self._apart or waiting < FEW:
            return False
        if self._pipe is None:
            self._begin()
        if not self._ready and self._pipe is not None and self._pipe.poll():
            self._ready = self._heard() is not None
            # who cannot even begin would not the next time either
            self._apart = self._ready
        return self._ready

    def ask(self, sheets: Sequence[Sheet], now: int) -> None:
        """Hands over sheets; what was asked before must have been heard. Raises NoAnswer."""
        if self._pipe is None:
            raise NoAnswer
        try:
            self._pipe.send((tuple(sheets), now))
        except OSError:
            self.close()
            raise NoAnswer from None
        self._asked = list(sheets), now

    def answer(self) -> tuple[int, list[Sheet], list[Found]]:
        """The instant at which the last sheets were judged, these, and what came of them. Raises NoAnswer."""
        asked, self._asked = self._asked, None
        found: Any = self._heard()
        if found is None or asked is None:
            raise NoAnswer
        answer: list[Found] = found
        return asked[1], asked[0], answer

    def close(self) -> None:
        """Ends the process, whatever it is doing."""
        pipe, self._pipe, self._ready, self._asked = self._pipe, None, False, None
        if pipe is not None:
            pipe.close()

    def _begin(self) -> None:
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=judge_all, args=(theirs, self._given), daemon=True)
        process.start()
        theirs.close()
        self._pipe = ours

    def _heard(self) -> object:
        if self._pipe is None:
            return None
        try:
            if self._pipe.poll(PATIENCE):
                heard: object = self._pipe.recv()
                return heard
            warn("judge-silent")
        except (OSError, EOFError):
            warn("judge-gone")
        self.close()
        return None


def _processors() -> int:
    """How many this process may use; where that is not told, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def judge_all(pipe: Connection, given: _Given) -> None:
    """What the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    host = Host(PrivateKey(given.key), given.post, GAMES, given.authserv)
    try:
        pipe.send("ready")
        while pipe.poll(IDLE):
            sheets, now = pipe.recv()
            pipe.send([_portable(plain.found(host, sheet, now)) for sheet in sheets])
    except (EOFError, OSError):
        # nobody asks any more
        return


def _portable(found: Found) -> Found:
    """A desk is not carried from process to process: what is more than rows is judged again where it can be written."""
    return found if isinstance(found, plain.Rows) else None
