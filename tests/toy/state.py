"""What a position is, and what a seat may write: data only. It knows no rule."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

SEATS = ("ash", "birch", "cedar", "oak")
MOST_GEMS = 12
PURSE = 10
BANK = 20
MOST_STRIKES = 2
UNSEEN = "?"
"""Stands in an imagined state where a gem lies that the view does not show."""
UNKNOWN = -1
"""The same for a sealed bid."""

Gem = str
Habit = Literal["never", "lowest", "highest", "ask"]
Charm = Literal["coin", "shield"]


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How many gems are in the deck, and whether a struck seat may be asked."""

    gems: Annotated[int, msgspec.Meta(ge=4, le=MOST_GEMS)] = 8
    reactions: Literal["standing", "ask"] = "standing"


class Setup(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A coin more in the purse, or one more on every guard."""

    charm: Charm = "coin"


class Policy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which gem to guard with when struck."""

    guard: Habit = "lowest"


class Bold(msgspec.Struct, frozen=True, tag_field="use", tag="bold", forbid_unknown_fields=True):
    """Pay coins; each counts one on the die."""

    stake: Annotated[int, msgspec.Meta(ge=1, le=3)]


class Sly(msgspec.Struct, frozen=True, tag_field="use", tag="sly", forbid_unknown_fields=True):
    """Pay nothing; a draw counts as won."""


class Bid(msgspec.Struct, frozen=True, tag_field="do", tag="bid", forbid_unknown_fields=True):
    """Offer coins for the top gem."""

    coins: int


class Strike(
    msgspec.Struct, frozen=True, tag_field="do", tag="strike", omit_defaults=True, forbid_unknown_fields=True
):
    """Strike another seat for a gem, plainly or by a ruse."""

    seat: str
    ruse: Bold | Sly | None = None


class Guard(
    msgspec.Struct, frozen=True, tag_field="do", tag="guard", omit_defaults=True, forbid_unknown_fields=True
):
    """Guard with a gem, which is spent, or with empty hands."""

    gem: Gem = ""


class Sell(msgspec.Struct, frozen=True, tag_field="do", tag="sell", forbid_unknown_fields=True):
    """Sell gems for their worth, while the bank has coins."""

    gems: Annotated[tuple[Gem, ...], msgspec.Meta(min_length=1, max_length=MOST_GEMS)]


class Look(msgspec.Struct, frozen=True, tag_field="do", tag="look", forbid_unknown_fields=True):
    """Look at the top gem of the deck, alone."""


class Done(msgspec.Struct, frozen=True, tag_field="do", tag="done", forbid_unknown_fields=True):
    """End the turn."""


Action = Bid | Strike | Guard | Sell | Look | Done


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the agenda. All bids at its head are waited for together; of the others, the first."""

    seat: str
    kind: Literal["bid", "act", "guard"]
    by: str = ""
    ruse: Bold | Sly | None = None


class Offer(msgspec.Struct, frozen=True):
    """A bid that is in."""

    seat: str
    coins: int


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat's belongings; `habit` is the policy in force, empty if none was ever sent."""

    seat: str
    coins: int
    hand: tuple[Gem, ...] = ()
    charm: Charm = "coin"
    habit: Habit | Literal[""] = ""
    out: bool = False


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position. `knows`: the seats that have seen the top gem; `over`: how the game ended, or empty."""

    turn: int
    players: tuple[Player, ...]
    deck: tuple[Gem, ...]
    bank: int
    agenda: tuple[Task, ...] = ()
    spent: tuple[Gem, ...] = ()
    offers: tuple[Offer, ...] = ()
    knows: tuple[str, ...] = ()
    strikes: int = 0
    duels: int = 0
    reactions: Literal["standing", "ask"] = "standing"
    over: str = ""


def all_gems(count: int) -> tuple[Gem, ...]:
    """The gems of a game, by worth."""
    return tuple(f"gem-{worth}" for worth in range(1, count + 1))


def player(state: State, seat: str) -> Player:
    """A seat's belongings. KeyError for no such seat: our fault."""
    for one in state.players:
        if one.seat == seat:
            return one
    raise KeyError(seat)


def with_player(state: State, changed: Player) -> State:
    """The state with one seat's belongings exchanged."""
    players = tuple(changed if one.seat == changed.seat else one for one in state.players)
    return msgspec.structs.replace(state, players=players)
