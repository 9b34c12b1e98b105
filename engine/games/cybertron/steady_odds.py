"""How a battle is likely to go: the chances of ordinary dice, roll after roll, until the zone falls or the attack fails.

The law. Counted for six-sided dice without cards and leaders (FI p.12); whoever looks adds a little for these. Nothing
here knows a zone.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

MOST_PIECES = 60
"""Larger armies are counted as if they were so large."""

LOST: dict[tuple[int, int], tuple[tuple[int, int, float], ...]] = {
    (3, 2): ((0, 2, 2890 / 7776), (1, 1, 2611 / 7776), (2, 0, 2275 / 7776)),
    (3, 1): ((0, 1, 855 / 1296), (1, 0, 441 / 1296)),
    (2, 2): ((0, 2, 295 / 1296), (1, 1, 420 / 1296), (2, 0, 581 / 1296)),
    (2, 1): ((0, 1, 125 / 216), (1, 0, 91 / 216)),
    (1, 2): ((0, 1, 55 / 216), (1, 0, 161 / 216)),
    (1, 1): ((0, 1, 15 / 36), (1, 0, 21 / 36)),
}
"""By dice of both: what attacker and defender lose, and how often."""


class Odds(NamedTuple):
    """The chance to capture, and the pieces that are then left of the attacker on average, one at home included."""

    win: float
    left: float


def odds(attackers: int, defenders: int) -> Odds:
    """Of so many pieces, one of which stays at home, against so many."""
    win, left = _odds(min(attackers, MOST_PIECES), min(defenders, MOST_PIECES))
    return Odds(win, left / win if win else 0.0)


@cache
def _odds(attackers: int, defenders: int) -> tuple[float, float]:
    if not defenders:
        return 1.0, float(attackers)
    if attackers < 2:
        return 0.0, 0.0
    win = left = 0.0
    for mine, theirs, part in LOST[min(3, attackers - 1), min(2, defenders)]:
        more = _odds(attackers - mine, defenders - theirs)
        win, left = win + part * more[0], left + part * more[1]
    return win, left
