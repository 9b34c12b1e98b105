"""What a game can be played with, and its start (HU p.3).

The law. Draws, in this order: `setup/creatures` shuffles the twelve in catalogue order, the first eight play
and stand in catalogue order (an agreed eight stand as listed, without a draw); `setup/first` is one roll, the
seat of that number begins; `deck/0` shuffles the pack. In turn order each seat gets the top eight cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.games.arena import events
from engine.games.arena.cards import CREATURES, STRENGTHS, in_order, pack
from engine.games.arena.events import Events
from engine.games.arena.orders import Options, Policy
from engine.games.arena.state import (
    HAND,
    WITHOUT_STALEMATES,
    Cell,
    Column,
    Player,
    Stalemate,
    State,
    ToBet,
    ToDiscard,
    ToPlay,
    with_player,
)
from engine.kernel.dice import Dice
from engine.kernel.game import Charter
from engine.kernel.refusal import Refusal

SEATS = ("red", "green", "blue", "yellow", "white")
PLAYERS = (2, 5)
IN_PLAY = 8


def vet(seats: tuple[str, ...], options: Options, data: Mapping[str, Any]) -> Refusal | None:
    """Whether this can be played: 2 to 5 colours, eight creatures, no custom data."""
    fewest, most = PLAYERS
    known = all(seat in SEATS for seat in seats)
    if not (known and fewest <= len(seats) <= most and len(set(seats)) == len(seats)):
        return Refusal("game/seats", {"seats": ", ".join(SEATS), "found": ", ".join(seats)})
    if not isinstance(options.creatures, str) and not is_row(options.creatures):
        found = ", ".join(options.creatures)
        return Refusal("game/creatures", {"creatures": ", ".join(CREATURES), "found": found})
    return Refusal("game/data", {"name": min(data)}) if data else None


def is_row(creatures: tuple[str, ...]) -> bool:
    """Whether these are eight different creatures of the twelve."""
    return len(creatures) == len(set(creatures)) == IN_PLAY and set(creatures) <= set(CREATURES)


def vet_policy(charter: Charter, seat: str, policy: Policy) -> Refusal | None:
    """Whether standing orders make sense: creatures of the twelve, different strengths from 0 to 10."""
    if isinstance(policy.gorgon, str):
        return None
    for creature, strengths in sorted(policy.gorgon.items()):
        if creature not in CREATURES:
            return Refusal(
                "order/unknown-creature", {"creature": creature, "creatures": ", ".join(CREATURES)}
            )
        if len(set(strengths)) != len(strengths) or not set(strengths) <= set(STRENGTHS):
            return Refusal("order/strengths", {"creature": creature})
    return None


def new(charter: Charter, setups: Mapping[str, Any], dice: Dice) -> tuple[State, Events]:
    """The position in which turn 1 opens."""
    creatures = _creatures(charter.options, dice)
    (first,) = dice.roll("setup/first", len(charter.seats), 1)
    order = (*charter.seats[first - 1 :], *charter.seats[: first - 1])
    deck = dice.shuffle("deck/0", pack(creatures), hidden=True)
    state = opening(order, creatures, charter.options)
    happened: Events = (events.CreaturesChosen(creatures), events.FirstChosen(order[0]))
    for number, seat in enumerate(order):
        cards = in_order(deck[number * HAND : (number + 1) * HAND])
        state = with_player(state, seat, hand=cards)
        happened += (events.HandDealt(seat, HAND, cards),)
    rest = deck[len(order) * HAND :]
    happened += (events.TurnBegan(order[0], 1, 1),)
    return replace(state, deck=rest), happened


def _creatures(options: Options, dice: Dice) -> tuple[str, ...]:
    if not isinstance(options.creatures, str):
        return options.creatures
    chosen = dice.shuffle("setup/creatures", CREATURES)[:IN_PLAY]
    return tuple(name for name in CREATURES if name in chosen)


def opening(order: tuple[str, ...], creatures: tuple[str, ...], options: Options) -> State:
    """Turn 1 of the first seat, with an empty table and no card dealt."""
    seat = order[0]
    return State(
        turn=1,
        seat=seat,
        order=order,
        creatures=creatures,
        columns={name: Column((Cell(),)) for name in creatures},
        players={name: Player() for name in order},
        agenda=(ToBet(seat), ToPlay(seat), ToDiscard(seat)),
        ask=options.reactions == "ask",
        stalemate=Stalemate(seat) if options.stalemate else WITHOUT_STALEMATES,
    )
