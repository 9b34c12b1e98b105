"""What this process has changed for good: files that were replaced, transactions that were committed.

Decides nothing. Who cannot say what a command has done must know whether it has done anything: it must not be
given again then.
"""

from __future__ import annotations

_SINCE = {"lasting": False}


def lasting() -> None:
    """Something has been changed."""
    _SINCE["lasting"] = True


def forget() -> None:
    """What comes now is what counts."""
    _SINCE["lasting"] = False


def are_done() -> bool:
    """Whether anything has been changed since."""
    return _SINCE["lasting"]
