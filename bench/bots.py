"""How often a game's best bot loses to the random one, and how long it thinks about a move.

Two seats, which the two bots change from game to game; dice and bots' numbers come from the game's number, so the
same version of the rules gives the same figure everywhere.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from bench.measure import Figure, figure
from engine import (
    GAMES,
    AnyGame,
    Below,
    Charter,
    Dice,
    Held,
    Source,
    Stream,
    Table,
    bots_of,
    play,
    start,
    timeout,
    waiting,
)

DUELS = {"arena": (200, 0.20), "cybertron": (100, 0.10)}
"""By game: how many duels, and the share that the best bot may fail to win."""
THINKING = 0.030
"""CPU seconds a move, on average."""
MOST_MOVES = 5_000


@dataclass
class Match:
    """Duels between two bots: how often the first has won, and its CPU seconds and moves."""

    bots: tuple[str, str]
    games: int = 0
    won: int = 0
    seconds: float = 0.0
    moves: int = 0
    scores: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def figures() -> list[Figure]:
    """Two figures for each game with a bot of its own."""
    found: list[Figure] = []
    for game in GAMES:
        best, *_, worst = bots_of(game)
        if best == worst:
            continue
        count, bound = DUELS[game.id]
        match = duels(game, (best, worst), range(count))
        lost = 1 - match.won / match.games
        found.append(figure(f"{game.id}: duels that {best} does not win of {count}", lost, bound))
        thinking = match.seconds / match.moves
        found.append(figure(f"{game.id}: CPU seconds a move of {best}", thinking, THINKING))
    return found


def duels(game: AnyGame, bots: tuple[str, str], numbers: range) -> Match:
    """Duels by number; the first bot has the first seat in those with an even one."""
    match = Match(bots)
    for number in numbers:
        duel(game, match, number)
    return match


def duel(game: AnyGame, match: Match, number: int) -> None:
    """One duel, counted. A bot that says nothing lets its time run out."""
    seats = game.seats[:2]
    first, second = match.bots if number % 2 == 0 else match.bots[::-1]
    who = dict(zip(seats, (first, second), strict=True))
    table = Table(game, Charter(seats, msgspec.convert({}, game.options)))
    below = {seat: _below(game, number, f"bot/{seat}") for seat in seats}
    dice = Dice(_source(game, number))
    outcome = start(table, {seat: msgspec.convert({}, game.setup) for seat in seats}, (), dice)
    for _ in range(MOST_MOVES):
        if outcome.result is not None:
            break
        seat = waiting(table, outcome.position)[0]
        view = game.view(outcome.position.state, seat)
        begun = time.process_time()
        orders = bots_of(game)[who[seat]](game, view, seat, below[seat])
        if who[seat] == match.bots[0]:
            match.seconds += time.process_time() - begun
            match.moves += 1
        if orders:
            outcome = play(table, outcome.position, Held(seat, orders), dice)
        else:
            outcome = timeout(table, outcome.position, seat, dice)
    match.games += 1
    places = {place.seat: place for place in outcome.result.places} if outcome.result else {}
    mine = next(seat for seat in seats if who[seat] == match.bots[0])
    if places:
        other = next(seat for seat in seats if seat != mine)
        match.won += places[mine].place < places[other].place
        match.scores.append((places[mine].score, places[other].score))


def _source(game: AnyGame, number: int) -> Source:
    def source(label: str, *, hidden: bool) -> Below:
        return _below(game, number, label)

    return source


def _below(game: AnyGame, number: int, label: str) -> Below:
    return Stream(hashlib.sha256(f"{game.id}/{number}/{label}".encode()).digest()).below


def told(match: Match) -> Iterator[str]:
    """A match in words."""
    first, second = match.bots
    scores = [sum(score) / max(1, match.games) for score in zip(*match.scores, strict=True)]
    yield f"{first} won {match.won} of {match.games} against {second}"
    yield f"mean scores {' : '.join(f'{score:.1f}' for score in scores)}"
    yield f"{1000 * match.seconds / max(1, match.moves):.1f} ms a move, {match.moves} moves"
