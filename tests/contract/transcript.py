"""`python -m tests.contract.transcript`: plays as digests, to compare one process with another."""

from __future__ import annotations

import hashlib
import sys

from engine import AnyGame, encode
from tests.contract.games import games
from tests.contract.playing import Case, played
from tests.contract.twins import letter


def digest(game: AnyGame, seats: int, seed: int) -> str:
    """SHA-256 of every outcome, draw and letter of a play, in hex."""
    play = played(Case(game, seats, seed))
    whole = hashlib.sha256()
    for outcome in play.outcomes():
        whole.update(encode(outcome))
        for seat in play.table.charter.seats:
            whole.update(b"".join(letter(play, outcome, seat).values()))
    whole.update(encode([(one.public, one.hidden) for one in play.taken]))
    return whole.hexdigest()


def transcript() -> str:
    """One line a play: every game, its fewest and most seats, a smooth and a rough seed."""
    plays = (
        (game, seats, seed) for game in games() for seats in sorted(set(game.players)) for seed in (0, 1)
    )
    return "".join(f"{game.id} {seats} {seed} {digest(game, seats, seed)}\n" for game, seats, seed in plays)


if __name__ == "__main__":
    sys.stdout.write(transcript())
