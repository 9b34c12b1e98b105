"""A turn of a seat in a position that is given in parts, as a scenario gives them."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import AnyGame, Charter

Json = dict[str, Any]
END: Json = {"do": "end_turn"}


class Moment(msgspec.Struct, frozen=True):
    """A seat's orders in a position."""

    seats: tuple[str, ...]
    position: Json
    orders: tuple[Json, ...]
    seat: str
    options: Json = {}
    refused: str = ""


def placed(game: AnyGame, moment: Moment) -> Any:
    """The state of a moment."""
    charter = Charter(moment.seats, msgspec.convert(moment.options, game.options))
    return game.place(charter, moment.position)
