"""What a seat can tell about its own orders before it sends them, from its view alone.

The view is imagined as a state with blanks; the real rules run on it. Where a rule would have to
look at a blank it raises `Unseen("hidden")`, where it would roll, the dice here raise
`Unseen("dice")`; from there on nothing is sure. Shuffles and choices among hidden things are imagined
in their given order, for whatever comes out is as unseen as what went in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.kernel import codec
from engine.kernel.advance import CODES
from engine.kernel.dice import Below, Dice
from engine.kernel.game import AnyGame, Unseen
from engine.kernel.refusal import Refusal, Refused

__all__ = ["CODES", "Foresight", "Step", "foresee"]

Certainty = Literal["sure", "dice", "hidden", "refused"]


class Step(msgspec.Struct, frozen=True):
    """One order foreseen: `sure` to be carried out, dependent on `dice` or on `hidden` things, or `refused`."""

    order: int
    certainty: Certainty
    refusal: Refusal | None = None


class Foresight(msgspec.Struct, frozen=True):
    """All orders foreseen; `view` as it will be after them, None as soon as something is not sure.

    `after` says why nothing more can be foreseen (`dice`, `hidden`), or is empty; `closed` that the turn ends.
    """

    steps: tuple[Step, ...]
    view: Any
    events: tuple[Any, ...]
    after: Literal["", "dice", "hidden"]
    closed: bool


def _no_dice(label: str, *, hidden: bool) -> Below:
    if not hidden:
        raise Unseen("dice")
    return lambda n: n - 1


def foresee(game: AnyGame, view: Any, seat: str, orders: Sequence[Any]) -> Foresight:
    """Run orders (plain JSON) on the imagined state. Never raises for a bad order: it becomes a refused step."""
    state = game.imagine(view)
    turn = state.turn
    steps: list[Step] = []
    events: list[Any] = []
    doubt: Literal["", "dice", "hidden"] = ""
    for number, order in enumerate(orders, 1):
        try:
            action = codec.action(game, order, number)
            refusal = _judge(game, state, seat, action, turn)
        except Refused as refused:
            steps.append(Step(number, "refused", refused.refusal))
            continue
        except Unseen as unseen:
            doubt = doubt or _why(unseen)
            steps.append(Step(number, doubt))
            continue
        if refusal is not None and (not doubt or refusal.area == "order"):
            steps.append(Step(number, "refused", refusal))
            continue
        steps.append(Step(number, doubt or "sure"))
        if not doubt:
            try:
                state, happened = game.apply(state, seat, action, Dice(_no_dice))
                events.extend(game.hear(event, seat) for event in happened)
            except Unseen as unseen:
                doubt = _why(unseen)
            else:
                doubt = _answered_by_others(game, state, seat, turn)
    closed = not doubt and (state.turn != turn or game.result(state) is not None)
    heard = tuple(event for event in events if event is not None)
    return Foresight(tuple(steps), None if doubt else game.view(state, seat), heard, doubt, closed)


def _why(unseen: Unseen) -> Literal["dice", "hidden"]:
    return "dice" if unseen.why == "dice" else "hidden"


def _judge(game: AnyGame, state: Any, seat: str, action: Any, turn: int) -> Refusal | None:
    if game.result(state) is not None:
        return Refusal("moment/game-over")
    if state.turn != turn:
        return Refusal("moment/turn-over")
    return game.check(state, seat, action)


def _answered_by_others(game: AnyGame, state: Any, seat: str, turn: int) -> Literal["", "dice", "hidden"]:
    """After an order, another seat's decision hides what comes next until it is answered."""
    if state.turn != turn or game.result(state) is not None:
        return ""
    return "hidden" if any(decision.seat != seat for decision in game.pending(state)) else ""
