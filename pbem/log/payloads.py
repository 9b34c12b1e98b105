"""The payloads that players write (protocol.md section 4), one Struct a kind.

Decides their shape only: orders, setup choices and policies are the ruleset's and stay plain JSON objects
here. `read_payload` takes a fact, never a claim.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from engine import decode, encode, refuse
from pbem.log.canonical import MAX_INTEGER
from pbem.log.envelope import MAX_NAME, Sealed

Json = dict[str, Any]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}", max_length=64)]
"""64 lower-case hex digits: begin and length leave no room, so no `$`, which engines read differently."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]
Note = Annotated[str, msgspec.Meta(max_length=2000)]
OnLapse = Literal["go_on", "stop"]


class _Payload(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
):
    """What all carry: version, game, seat, and the digest of the newest log line that the author saw."""

    v: Literal[1]
    game: Name
    seat: Name
    base: Hex


class Join(_Payload, frozen=True, kw_only=True, tag="join"):
    """Take a seat. `base` is the charter's digest; `token` is single use and bound to the seat."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    public_key: Hex
    tip: Hex


class Ready(_Payload, frozen=True, kw_only=True, tag="ready"):
    """Confirm: the seat's link 1 and the ruleset's setup choices."""

    reveal: Hex
    setup: Json
    rev: Count


class Move(_Payload, frozen=True, kw_only=True, tag="move"):
    """Play. `reveal` in the first move of a due seat only; `note` is to oneself and opened at the end."""

    turn: Count
    orders: list[Json]
    rev: Count
    reveal: Hex | None = None
    on_lapse: OnLapse = "go_on"
    note: Note = ""


class Standing(_Payload, frozen=True, kw_only=True, tag="standing"):
    """Replace the seat's standing orders, from the next turn that opens."""

    policy: Json
    rev: Count


class Resign(_Payload, frozen=True, kw_only=True, tag="resign"):
    """Leave the game."""


class Rekey(_Payload, frozen=True, kw_only=True, tag="rekey"):
    """A new key and chain for the seat, signed by the old key."""

    public_key: Hex
    tip: Hex


class Take(_Payload, frozen=True, kw_only=True, tag="take"):
    """Take over a seat that is offered, signed by the new key. `token` is single use and bound to the seat."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    public_key: Hex
    tip: Hex


class Press(_Payload, frozen=True, kw_only=True, tag="press"):
    """A message to other seats, or to all. Never opened."""

    to: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=64)] | Literal["all"]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
    rev: Count


Payload = Join | Ready | Move | Standing | Resign | Rekey | Take | Press


def read_payload(sealed: Sealed) -> Payload:
    """The payload as its Struct. Raises Refused `file/shape` with the place that does not fit."""
    return shape_payload(sealed.payload)


def shape_payload(payload: Json) -> Payload:
    """A payload's Struct from a value of the strict reader, whoever signed it."""
    try:
        shaped: Payload = decode(Payload, encode(payload))
    except msgspec.ValidationError as error:
        raise refuse("file/shape", where=place(error)) from None
    return shaped


def place(error: msgspec.ValidationError) -> str:
    """Where in the value the parser stopped, as `$.orders[0]`; `$` is the whole."""
    _, found, path = str(error).rpartition(" - at `")
    return path.rstrip("`") if found else "$"
