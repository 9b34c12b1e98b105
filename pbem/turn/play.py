"""The engine's step of the line: an order list, a silence, a resignation or a start becomes an outcome.

Decides which accumulator the draws of a record come from, and nothing of the rules. Used alike by whoever
writes a record and by whoever replays one: both give the ledger before it and the links it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

import engine
from engine import Below, Dice, Filed, Held, Outcome, Position, Silence, Stream, Table
from pbem.log import payloads
from pbem.log.draws import LabelSource, bot_key, source
from pbem.log.ledger import Ledger, setup_acc, turn_acc


class Played(msgspec.Struct, frozen=True):
    """An outcome with the draws made on the way."""

    outcome: Outcome
    dice: Dice


class Unspoken(msgspec.Struct, frozen=True):
    """A silence before it is played: whose, in which record of which game, and who plays for the seat."""

    seat: str
    by: Literal["bot", "skip"] | None
    game_id: str
    n: int
    k_hidden: bytes


def _too_early(label: str, *, hidden: bool) -> Below:
    raise RuntimeError(f"a draw ({label}) before every due seat was in")


def start_source(ledger: Ledger, host_link: bytes, k_hidden: bytes) -> LabelSource:
    """The source of the setup's draws, under A_0."""
    return source(setup_acc(ledger, host_link), k_hidden, ledger.game, 0)


def turn_source(
    ledger: Ledger, host_link: bytes, coming: Mapping[str, bytes], k_hidden: bytes
) -> LabelSource:
    """The source of the open turn's draws, under A_t; `coming` holds the link of the move at hand."""
    return source(turn_acc(ledger, host_link, coming), k_hidden, ledger.game, ledger.turn)


def begin(table: Table, setups: Mapping[str, Any], filed: Sequence[Filed], dice: LabelSource) -> Played:
    """Turn 0. `setups` are plain JSON by seat, of shapes already accepted."""
    drawn = Dice(dice)
    typed = {seat: msgspec.convert(setup, table.game.setup) for seat, setup in setups.items()}
    return Played(engine.start(table, typed, filed, drawn), drawn)


def move(
    table: Table, position: Position[Any], payload: payloads.Move | payloads.Advance, dice: LabelSource
) -> Played:
    """A move. Raises Refused `order/…` or `moment/…`."""
    drawn = _dice(position, payload.seat, dice)
    held = Held(payload.seat, tuple(payload.orders), payload.on_lapse)
    return Played(engine.play(table, position, held, drawn), drawn)


def timeout(
    table: Table, position: Position[Any], seat: str, dice: LabelSource, silence: Silence | None = None
) -> Played:
    """A seat's time has run out. Raises Refused if nothing waits for it."""
    drawn = _dice(position, seat, dice)
    return Played(engine.timeout(table, position, seat, drawn, silence), drawn)


def silence_by(table: Table, position: Position[Any], entry: Unspoken) -> Silence:
    """What is played for a silent seat: nothing of its own, a skip, or what the best bot of the game says.

    The bot sees the seat's view alone, and its chance comes from the hidden key, so that an auditor plays the same.
    """
    if entry.by != "bot":
        return Silence(skip=entry.by == "skip")
    game = table.game
    view = game.view(position.state, entry.seat)
    below = Stream(bot_key(entry.k_hidden, entry.game_id, entry.n)).below
    return Silence(tuple(engine.find_bot(game)(game, view, entry.seat, below)))


def resign(table: Table, position: Position[Any], seat: str, dice: LabelSource) -> Played:
    """A seat leaves the game."""
    drawn = _dice(position, seat, dice)
    return Played(engine.resign(table, position, seat, drawn), drawn)


def _dice(position: Position[Any], seat: str, dice: LabelSource) -> Dice:
    """No draw before all due seats are in, whatever a game may try."""
    return Dice(_too_early if set(position.due) - {seat} else dice)
