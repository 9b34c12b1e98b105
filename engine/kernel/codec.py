"""Typed data in and out of JSON: canonical bytes out, strict Structs in.

Canonical means protocol.md section 2. What comes from outside has passed the strict reader first;
here it only finds its type, and a misfit becomes a refusal that names the place.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.misfit import misfit_args
from engine.kernel.refusal import refuse

_ENCODER = msgspec.json.Encoder(order="sorted")


def encode(value: Any) -> bytes:
    """Canonical bytes of typed data or plain JSON values."""
    return _ENCODER.encode(value)


def plain(value: Any) -> Any:
    """Typed data as plain JSON values (objects, lists, strings, numbers, booleans), just as they would be read."""
    return msgspec.json.decode(_ENCODER.encode(value))


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """A decoder for a type, made once."""
    return msgspec.json.Decoder(kind)


def decode(kind: Any, data: bytes) -> Any:
    """Typed data from bytes of our own making; msgspec.ValidationError if they are not."""
    return decoder(kind).decode(data)


def action(game: AnyGame, order: Any, number: int) -> Any:
    """An order from a move file as the game's Action; Refused `order/shape` with what belongs there, and where."""
    try:
        # a decoder is made once; to convert to a union of all verbs means to look at all of them each time
        return decoder(game.action).decode(_ENCODER.encode(order))
    except (msgspec.MsgspecError, TypeError, ValueError):
        return _converted(game, order, number)


def _converted(game: AnyGame, order: Any, number: int) -> Any:
    """The same the slow way, whose words are about a value and not about a text."""
    try:
        return msgspec.convert(order, game.action)
    except msgspec.ValidationError as misfit:
        refused = refuse("order/shape", **misfit_args(misfit))
        raise type(refused)(
            msgspec.structs.replace(refused.refusal, order=number, quote=quote(order))
        ) from None


def quote(order: Any) -> str:
    """An order as one line of JSON, at most 300 characters, to be quoted in a refusal."""
    text = encode(order).decode()
    return text if len(text) <= 300 else text[:299] + "…"
