"""What can happen, each in the past tense, and what a seat hears of it."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event", tag=str.lower):
    """The common shape of events."""


class Opened(Event, frozen=True):
    """A turn opened."""

    turn: int


class Offered(Event, frozen=True):
    """A seat's bid was opened."""

    seat: str
    coins: int


class Rolled(Event, frozen=True):
    """The highest bids were equal, and one die for each settled it."""

    seats: tuple[str, ...]
    dice: tuple[int, ...]


class Won(Event, frozen=True):
    """A seat took the top gem; which one, only it hears."""

    seat: str
    coins: int
    gem: str = ""


class Looked(Event, frozen=True):
    """A seat looked at the top gem; which one, only it hears."""

    seat: str
    gem: str = ""


class Sold(Event, frozen=True):
    """A seat sold a gem."""

    seat: str
    gem: str
    coins: int


class Struck(Event, frozen=True):
    """A seat struck another, having staked coins."""

    seat: str
    on: str
    stake: int = 0


class Guarded(Event, frozen=True):
    """A struck seat guarded itself, with a gem or without."""

    seat: str
    gem: str = ""


class Duelled(Event, frozen=True):
    """Both dice fell, and whether the striker won."""

    seat: str
    on: str
    dice: tuple[int, ...]
    won: bool


class Looted(Event, frozen=True):
    """The striker took a gem; which one, only the two of them hear. Without a gem to take, a coin."""

    seat: str
    on: str
    coin: bool = False
    gem: str = ""


class Left(Event, frozen=True):
    """A seat resigned; its gems were laid open."""

    seat: str
    gems: tuple[str, ...] = ()


class Ended(Event, frozen=True):
    """The game ended, and how."""

    how: str


class Shown(Event, frozen=True):
    """A hand was laid open at the end."""

    seat: str
    gems: tuple[str, ...]


Any = (
    Opened
    | Offered
    | Rolled
    | Won
    | Looked
    | Sold
    | Struck
    | Guarded
    | Duelled
    | Looted
    | Left
    | Ended
    | Shown
)


def hear(event: Any, seat: str | None) -> Any | None:
    """An event as a seat hears it."""
    match event:
        case Won() | Looked() if event.seat != seat:
            return msgspec.structs.replace(event, gem="")
        case Looted() if seat not in {event.seat, event.on}:
            return msgspec.structs.replace(event, gem="")
        case _:
            return event
