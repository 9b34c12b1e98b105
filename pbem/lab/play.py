"""One game of the laboratory: bots at a table, dice from the seed, and what came of it.

A seat's bot sees its view and menu and nothing else. Bots change places from game to game, so that a good one
does not lend its strength to a seat. A bot that finds no order, or one that is refused, lets its time run out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import msgspec

import engine
from engine import (
    AnyGame,
    Below,
    Bot,
    Charter,
    Dice,
    Held,
    Lapsed,
    Outcome,
    Refused,
    Stream,
    Table,
    bots_of,
    find,
    misfit_problem,
    plain,
    refuse,
)
from pbem.lab.counting import Counted, count

MOST_STEPS = 20_000
"""A game that is not over after so many moves and silences is given up, and counted as such."""


def silent_turn(_game: AnyGame, _view: Any, _seat: str, _below: Below) -> tuple[dict[str, Any], ...]:
    """Says nothing: the ruleset's safe default is played for it."""
    return ()


def known_bots(game: AnyGame) -> Mapping[str, Bot]:
    """The bots that the game itself knows, the random one, and the one that says nothing."""
    return {**bots_of(game), "silent": silent_turn}


class Cell(msgspec.Struct, frozen=True):
    """One way to play: ruleset, seats in the manual's order, bots, options. The seed is a word of any kind."""

    ruleset: str
    version: int
    players: int
    bots: tuple[str, ...]
    seed: str
    options: dict[str, Any] = {}


class Played(msgspec.Struct, frozen=True):
    """What came of one game. `order` is the turn order, `bots` and `places` (with scores) by seat."""

    number: int
    turns: int
    moves: int
    how: str
    order: tuple[str, ...]
    bots: dict[str, str]
    places: dict[str, tuple[int, int]]
    counted: Counted


class _Dice(msgspec.Struct, frozen=True):
    """An engine `Source`: a stream for each label, from the game's own key."""

    key: bytes

    def __call__(self, label: str, *, hidden: bool) -> Below:
        return Stream(_mac(self.key, ("hidden/" if hidden else "public/") + label)).below


def check(cell: Cell) -> None:
    """Refused `lab/…` or as the ruleset has it, if this cannot be played."""
    game = find(cell.ruleset, cell.version)
    least, most = game.players
    if not least <= cell.players <= most:
        raise refuse("lab/players", found=cell.players, least=least, most=most)
    for bot in cell.bots:
        if bot not in known_bots(game):
            raise refuse("lab/bot", found=bot, known=", ".join(known_bots(game)))
    charter = _charter(game, cell)
    refusal = game.vet(charter.seats, charter.options, charter.data)
    if refusal is not None:
        raise Refused(refusal)


def play_game(cell: Cell, number: int) -> Played:
    """Game `number` of a cell; cells with one seed give the same dice to the same number."""
    game = find(cell.ruleset, cell.version)
    table = Table(game, _charter(game, cell))
    seats = table.charter.seats
    key = _mac(cell.seed.encode("utf-8"), f"game/{number}")
    bots = {seat: _bot(cell, (place + number) % len(seats)) for place, seat in enumerate(seats)}
    dice = Dice(_Dice(_mac(key, "dice")))
    chance = {seat: Stream(_mac(key, f"bot/{seat}")).below for seat in seats}
    setups = {seat: msgspec.convert({}, game.setup) for seat in seats}
    players = known_bots(game)
    outcome = engine.start(table, setups, (), dice)
    order, events, moves = game.order(outcome.position.state), list(_public(game, outcome)), 0
    while outcome.result is None and moves < MOST_STEPS:
        seat = engine.waiting(table, outcome.position)[0]
        orders = players[bots[seat]](game, game.view(outcome.position.state, seat), seat, chance[seat])
        outcome = _step(table, outcome, Held(seat, orders), dice)
        events += _public(game, outcome)
        moves += 1
    places = outcome.result.places if outcome.result else ()
    return Played(
        number,
        outcome.position.state.turn,
        moves,
        outcome.result.how if outcome.result else "given_up",
        order,
        bots,
        {one.seat: (one.place, one.score) for one in places},
        count(events, seats),
    )


def _bot(cell: Cell, chair: int) -> str:
    """The bot of a chair; the chairs go round the seats from game to game."""
    return cell.bots[chair % len(cell.bots)]


def _step(table: Table, before: Outcome, held: Held, dice: Dice) -> Outcome:
    if held.orders:
        try:
            return engine.play(table, before.position, held, dice)
        except Refused:
            return engine.timeout(table, before.position, held.seat, dice)
    return engine.timeout(table, before.position, held.seat, dice)


def _public(game: AnyGame, outcome: Outcome) -> list[dict[str, Any]]:
    heard = (game.hear(event, None) for event in outcome.events if not isinstance(event, Lapsed))
    return [plain(event) for event in heard if event is not None]


def _charter(game: AnyGame, cell: Cell) -> Charter:
    try:
        options = msgspec.convert(cell.options, game.options)
    except msgspec.ValidationError as misfit:
        raise refuse("lab/options", problem=misfit_problem(misfit)) from None
    return Charter(game.seats[: cell.players], options)


def _mac(key: bytes, name: str) -> bytes:
    return hmac.digest(key, name.encode("utf-8"), hashlib.sha256)
