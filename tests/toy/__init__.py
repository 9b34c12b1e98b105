"""A toy game that has everything a game can have: the kernel's tests play it, and it proves the contract.

Each turn all seats bid, sealed, for the top card of a hidden deck of gems. The winner then acts: looks at
the next gem, sells gems, strikes other seats for theirs. A struck seat guards itself, in somebody else's
turn, by its standing orders or when asked. The game ends with the deck, or with one seat left.
"""

from __future__ import annotations

from tests.toy.game import GAME

__all__ = ["GAME"]
