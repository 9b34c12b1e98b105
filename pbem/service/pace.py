"""How fast a backlog goes out: after an outage, letters that have waited are not poured out all at once.

Decides how long the next one waits. Letters that are fresh, as all are when nothing is wrong, are never kept waiting.
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
        self.burst = max(1, per_minute // 12) if per_minute else 1_000
        self._clock = clock
        self._left, self._at = float(self.burst), clock()

    def take(self) -> float:
        """Seconds until the next letter may go, which counts as gone then."""
        if not self._rate:
            return 0.0
        now = self._clock()
        self._left = min(self.burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._left / self._rate)
