"""Turns that chance seldom writes: rare rules, and ends of a game, in positions given in parts as a scenario gives them.

Of each, every order is one that can be given; where `refused` is a code, but for the last.
"""

from __future__ import annotations

from tests.pages.moment import Moment, placed
from tests.pages.moments_arena import arena
from tests.pages.moments_cybertron import cybertron

__all__ = ["Moment", "moments", "placed"]


def moments(game: str) -> tuple[Moment, ...]:
    """Those of a game; none for a game that has not been thought of here."""
    return {"arena": tuple(arena()), "cybertron": tuple(cybertron())}.get(game, ())
