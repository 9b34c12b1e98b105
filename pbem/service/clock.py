"""The clock as an argument: seconds since 1970, and the instant of a record that they make."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], int]
"""Gives seconds since 1970, UTC. A demonstration that is to be repeated gives its own."""


def system_clock() -> int:
    """The machine's clock."""
    return int(time.time())


def instant(seconds: int) -> str:
    """`YYYY-MM-DDTHH:MM:SSZ`, as a record has it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
