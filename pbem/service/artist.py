"""Who makes letters' HTML and pictures: a process of its own, so that drawing takes nothing from the worker's pace.

Decides nothing of what is in a letter. The process is started when there is something to draw, and ends by itself when
there was nothing for a while, or when this one ends. What it cannot draw, or not in time, is sent as it was written.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock

from engine import GAMES, AnyGame
from pbem.log.payloads import Pictures
from pbem.service.journal import fault, warn

IDLE, PATIENCE = 60.0, 20.0
"""Seconds without work after which the process ends, and for which a letter's pictures are waited for."""
_NICE = 10
_WISHES: Mapping[str, Pictures] = {"on": "on", "off": "off", "text": "text"}

Dress = Callable[[bytes, str], bytes]
"""A letter, and what is wanted of it (`outbox.look`) → the letter as it goes out."""


def wanted(look: str, usual: Pictures) -> tuple[str, Pictures]:
    """The language and the pictures that a letter is to have; `usual` where its reader has not said."""
    wish, _, lang = look.partition(":")
    return lang, _WISHES.get(wish, usual)


class Artist:
    """Owns the process. One letter at a time; `close` may be called at any time, and once more."""

    def __init__(self, usual: Pictures = "on") -> None:
        self._usual: Pictures = usual
        self._pipe: Connection | None = None
        self._lock = Lock()

    def __call__(self, raw: bytes, look: str) -> bytes:
        """The letter with HTML and pictures; as it was if there is nothing to draw or if it can't be drawn."""
        lang, pictures = wanted(look, self._usual)
        if pictures == "text":
            return raw
        with self._lock:
            try:
                answer = self._asked((raw, lang, pictures))
            except (OSError, EOFError) as error:
                self._end()
                fault("drawing-failed", error)
                return raw
        if isinstance(answer, bytes):
            return answer
        warn("drawing-failed", error=str(answer))
        return raw

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end()

    def _asked(self, job: tuple[bytes, str, Pictures]) -> object:
        pipe = self._running()
        try:
            pipe.send(job)
        except OSError:
            # it had nothing to do for a while, and has ended
            self._end()
            pipe = self._running()
            pipe.send(job)
        if not pipe.poll(PATIENCE):
            raise TimeoutError("no picture in time")
        return pipe.recv()

    def _running(self) -> Connection:
        if self._pipe is None or self._pipe.closed:
            ours, theirs = get_context("spawn").Pipe()
            process = get_context("spawn").Process(target=draw, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._pipe = ours
        return self._pipe

    def _end(self) -> None:
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()


def draw(pipe: Connection) -> None:
    """What the process does."""
    os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer_all(pipe)


def answer_all(pipe: Connection) -> None:
    """Letters in, letters or the name of a fault out, until nobody asks any more."""
    from pbem.turn.dress import dress

    while pipe.poll(IDLE):
        try:
            raw, lang, pictures = pipe.recv()
        except EOFError:
            return
        try:
            answer: object = dress(raw, _known, lang, pictures)
        except Exception as error:  # noqa: BLE001 - a letter that can't be drawn is sent as it was written
            answer = type(error).__name__
        pipe.send(answer)


def _known(game: str, version: int) -> AnyGame | None:
    return next((one for one in GAMES if (one.id, one.version) == (game, version)), None)
