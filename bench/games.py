"""The games that are measured: random play of every ruleset by the real pipeline, the same every time."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine import GAMES
from fixtures.play import Match, begin, open_match, play_out
from pbem.log.record import Opened, Record, read_record


@cache
def matches() -> tuple[Match, ...]:
    """One finished game of each ruleset for each number of players."""
    finished: list[Match] = []
    for game in GAMES:
        fewest, most = game.players
        for players in range(fewest, most + 1):
            match = open_match(game, game.seats[:players], "bench", {})
            begin(match)
            play_out(match, f"bench/{players}")
            finished.append(match)
    return tuple(finished)


@cache
def archives() -> tuple[bytes, ...]:
    """Their logs."""
    return tuple(match.archive() for match in matches())


@cache
def records() -> tuple[tuple[Record, ...], ...]:
    """The records of each log."""
    return tuple(tuple(read_record(line) for line in match.lines) for match in matches())


def envelopes() -> list[dict[str, Any]]:
    """Every envelope in all logs, as opened at the end."""
    return [entry.payload_and_sig for log in records() for entry in log if isinstance(entry, Opened)]


def values() -> list[dict[str, Any]]:
    """Every line as plain JSON."""
    return [msgspec.json.decode(line) for match in matches() for line in match.lines]
