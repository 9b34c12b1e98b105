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
Pictures = Literal["on", "off", "text"]
"""What letters bring: HTML with pictures, HTML without, or their text alone."""
OnLapse = Literal["go_on", "stop"]
Day = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}", max_length=10)]
At = Annotated[
    str,
    msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", max_length=20),
]
Reason = Annotated[str, msgspec.Meta(max_length=200)]


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


class Advance(_Payload, frozen=True, kw_only=True, tag="move"):
    """A move in advance, for the author's next turn after turn `turn`: a move with `"advance": true`.

    `when` is an object of the ruleset's guards, all of which must hold when that turn opens; `reveal` is the link
    that the seat will owe then.
    """

    advance: Literal[True]
    turn: Count
    orders: list[Json]
    rev: Count
    reveal: Hex
    when: Json = {}
    on_lapse: OnLapse = "go_on"
    note: Note = ""


class Withdraw(_Payload, frozen=True, kw_only=True, tag="withdraw"):
    """Take back what waits to be played and has no record yet: the move that has the revision number `of`."""

    of: Count
    rev: Count


class Period(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days in the game's zone, both included."""

    first: Day
    last: Day


class Away(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="away"):
    """The author's vacations from now on: they replace all that have not begun."""

    periods: Annotated[list[Period], msgspec.Meta(max_length=20)]


class Extend(
    msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="do", tag="extend"
):
    """A wish that the deadlines of the open turn move to `until`; it is done when all seats wish the same."""

    turn: Count
    until: At
    reason: Reason = ""


class Time(_Payload, frozen=True, kw_only=True, tag="time"):
    """A word about time: vacations, or a deadline."""

    ask: Away | Extend
    rev: Count


class Undo(_Payload, frozen=True, kw_only=True, tag="undo"):
    """A wish to put the open turn back to where record `to` left it; without `to`, no such wish any more."""

    turn: Count
    rev: Count
    to: Count | None = None
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None


class Settings(_Payload, frozen=True, kw_only=True, tag="settings"):
    """How the host reaches the author: zone, hours `22:00-08:00` without reminders, language, pictures, addresses.

    No record.

    `address`, `second`: another first or second address (an empty second: none any more). `confirm`: the word that was
    mailed to such an address.
    """

    rev: Count
    zone: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    quiet: Annotated[str, msgspec.Meta(max_length=11)] | None = None
    lang: Annotated[str, msgspec.Meta(max_length=16)] | None = None
    pictures: Pictures | None = None
    address: Annotated[str, msgspec.Meta(min_length=1, max_length=254)] | None = None
    second: Annotated[str, msgspec.Meta(max_length=254)] | None = None
    confirm: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None


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


Payload = (
    Join
    | Ready
    | Move
    | Advance
    | Standing
    | Resign
    | Rekey
    | Take
    | Press
    | Time
    | Withdraw
    | Settings
    | Undo
)
_Tagged = Join | Ready | Move | Standing | Resign | Rekey | Take | Press | Time | Withdraw | Settings | Undo


def read_payload(sealed: Sealed) -> Payload:
    """The payload as its Struct. Raises Refused `file/shape` with the place that does not fit."""
    return shape_payload(sealed.payload)


def shape_payload(payload: Json) -> Payload:
    """A payload's Struct from a value of the strict reader, whoever signed it."""
    try:
        early = payload.get("kind") == "move" and "advance" in payload
        shaped: Payload = decode(Advance if early else _Tagged, encode(payload))
    except msgspec.ValidationError as error:
        raise refuse("file/shape", where=place(error)) from None
    return shaped


def place(error: msgspec.ValidationError) -> str:
    """Where in the value the parser stopped, as `$.orders[0]`; `$` is the whole."""
    _, found, path = str(error).rpartition(" - at `")
    return path.rstrip("`") if found else "$"
