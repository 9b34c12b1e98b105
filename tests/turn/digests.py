"""`python -m tests.turn.digests`: the digest of every line and letter of a lively game, played in this process."""

from __future__ import annotations

import hashlib
import sys

from engine import GAMES
from fixtures.desks import match_at
from fixtures.make_games import played
from fixtures.make_mails import CASES
from fixtures.play import Match


def digests(match: Match) -> list[str]:
    """Of each line and each letter, with its reader."""
    lines = [f"line {hashlib.sha256(line).hexdigest()}" for line in match.lines]
    letters = [f"{letter.seat} {hashlib.sha256(letter.raw).hexdigest()}" for letter in match.letters]
    return [*lines, *letters]


def all_digests() -> list[str]:
    """Of a whole game, and of what each bad file is made of."""
    (arena,) = (game for game in GAMES if game.id == "arena")
    files = [f"{case.code} {case.text(match_at(case.desk))!r}" for case in CASES]
    return [*digests(played(arena, "3p-lively")), hashlib.sha256("\n".join(files).encode()).hexdigest()]


if __name__ == "__main__":
    sys.stdout.write("\n".join(all_digests()))
