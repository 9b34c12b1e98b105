"""How fast a backlog goes out: after an outage, letters that have waited are not poured out all at once.

Decides how many more may go now. Letters that are fresh, as all are when nothing is wrong, are never kept waiting.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FRESH = 60
"""Seconds for which a letter is fresh."""


class Pace:
    """So many waiting letters a minute, 0 for no limit; at most five seconds' worth at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 12)
        self._clock = clock
        self._left, self._at = self._most, clock()

    def take(self) -> bool:
        """Whether one more may go now; it counts as gone."""
        if not self._rate:
            return True
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
