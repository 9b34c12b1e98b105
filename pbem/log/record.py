"""Records: the lines of a log, one Struct a kind (protocol.md section 6).

Decides the shape and the bytes of one line, and who sealed it. Knows no other line: what may follow what is
the ledger's business. A line is its canonical bytes with `sig`, without its LF.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

import msgspec

from engine import Draw, refuse
from pbem.log.canonical import ENVELOPE, LINE, canonical, digest, read, walk
from pbem.log.payloads import Count, Hex, Name, place
from pbem.log.seal import PrivateKey, Sig, sign, verify

Json = dict[str, Any]


class _Line(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
):
    """On every line. Without `sig` it is a record not yet sealed."""

    n: Count
    at: str
    prev: Hex
    sig: Sig | None = None


class _Enveloped(_Line, frozen=True, kw_only=True):
    """A record of a player's envelope: the seat, the envelope's id, the newest line its author saw."""

    seat: Name
    envelope: Hex
    base: Hex


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rules, in which version; a released version never changes."""

    id: str
    version: str | Count


class Charter(_Line, frozen=True, kw_only=True, tag="charter"):
    """Record 0. The order of `seats` is the seat index; `tip` and `hidden` bind the host; `terms` are house rules."""

    game: Name
    ruleset: Ruleset
    options: Json
    seats: tuple[Name, ...]
    host_key: Hex
    tip: Hex
    hidden: Hex
    schemas: dict[str, Hex]
    deadline: Any
    terms: Json | msgspec.UnsetType = msgspec.UNSET


class Data(_Line, frozen=True, kw_only=True, tag="data"):
    """A custom board or deck, right after the charter."""

    name: Name
    value: Any


class Join(_Enveloped, frozen=True, kw_only=True, tag="join"):
    """A seat is taken."""

    public_key: Hex
    tip: Hex


class Ready(_Enveloped, frozen=True, kw_only=True, tag="ready"):
    """A seat confirms and gives its link 1."""

    reveal: Hex
    rev: Count


class Start(_Line, frozen=True, kw_only=True, tag="start"):
    """Turn 0: the host's link 1, seats in turn order, who must decide in turn 1."""

    turn: Literal[0]
    link: Hex
    next: tuple[Name, ...]
    order: tuple[Name, ...]
    events: list[Json]
    draws: tuple[Draw, ...]
    public: Hex
    state: Hex


class _Changed(_Line, frozen=True, kw_only=True):
    """What a change of the position says; `link` and `next` if and only if it closes the turn."""

    seat: Name
    turn: Count
    events: list[Json]
    draws: tuple[Draw, ...]
    auto: list[Json]
    public: Hex
    state: Hex
    link: Hex | None = None
    next: tuple[Name, ...] | None = None


class Move(_Changed, frozen=True, kw_only=True, tag="move"):
    """A move, or an answer to a question. `reveal` in the first move of the turn by a due seat only."""

    envelope: Hex
    base: Hex
    reveal: Hex | None = None


class Timeout(_Changed, frozen=True, kw_only=True, tag="timeout"):
    """A seat let its time run out. `by`: a bot has played for it, or it was skipped; else the safe default was played."""

    by: Literal["bot", "skip"] | None = None


class Resign(_Changed, frozen=True, kw_only=True, tag="resign"):
    """A seat leaves the game."""

    envelope: Hex
    base: Hex


class Ruling(_Line, frozen=True, kw_only=True, tag="ruling"):
    """The host ends a game that is under way, and says why. `next` is empty; nobody's link is waited for."""

    turn: Count
    reason: str
    link: Hex
    next: tuple[Name, ...]


class Key(_Enveloped, frozen=True, kw_only=True, tag="key"):
    """A seat's new key and chain; the key before it ends here.

    `how`: rotated by the old key; reset by the host, who has exchanged mails with the player; taken by a successor.
    """

    public_key: Hex
    tip: Hex
    how: Literal["rotated", "reset", "taken"]


class Press(_Enveloped, frozen=True, kw_only=True, tag="press"):
    """A seat has said something to all; what, is never in the log."""


class Standing(_Enveloped, frozen=True, kw_only=True, tag="standing"):
    """A seat has new standing orders; what they are is opened at the end."""


class Time(_Enveloped, frozen=True, kw_only=True, tag="time"):
    """A word of a seat about time: its vacations, or a deadline that it wishes to move."""

    ask: Json


class Undo(_Enveloped, frozen=True, kw_only=True, tag="undo"):
    """A seat wishes the open turn put back to where record `to` left it; without `to`, it does not, or no more."""

    turn: Count
    to: Count | None = None
    reason: str | None = None


class Undone(_Line, frozen=True, kw_only=True, tag="undone"):
    """All have agreed: the position is again as record `to` left it. `public` and `state` as in a change."""

    turn: Count
    to: Count
    reason: str
    public: Hex
    state: Hex


class Deadline(_Line, frozen=True, kw_only=True, tag="deadline"):
    """A deadline is set or moved, or all stop or go on; by a seat or by the host."""

    old: Any
    new: Any
    who: Name
    reason: str


class End(_Line, frozen=True, kw_only=True, tag="end"):
    """The result, and the host's two secrets."""

    result: Any
    k_hidden: Hex
    host_seed: Hex


class Opened(_Line, frozen=True, kw_only=True, tag="opened"):
    """The envelope of record `of`, `{"payload", "sig"}`."""

    of: Count
    payload_and_sig: Json


class Drawn(_Line, frozen=True, kw_only=True, tag="drawn"):
    """The hidden draws of record `of`."""

    of: Count
    draws: tuple[Draw, ...]


class Names(_Line, frozen=True, kw_only=True, tag="names"):
    """Display names by seat; the very last line, and no part of the history."""

    names: dict[str, str]


Record = (
    Charter
    | Data
    | Join
    | Ready
    | Start
    | Move
    | Timeout
    | Resign
    | Ruling
    | Key
    | Press
    | Standing
    | Time
    | Deadline
    | Undo
    | Undone
    | End
    | Opened
    | Drawn
    | Names
)
"""Every kind that this version knows."""

Enveloped = Join | Ready | Move | Resign | Standing | Key | Press | Time | Undo
Changed = Start | Move | Timeout | Resign

KINDS = (
    *("charter", "data", "join", "ready", "start", "move", "timeout", "resign"),
    *("ruling", "key", "press", "standing", "time", "deadline", "undo", "undone"),
    *("end", "opened", "drawn", "names"),
)

_FREE: Mapping[type, tuple[str, ...]] = {
    Charter: ("options", "schemas", "deadline", "terms"),
    Data: ("value",),
    Start: ("events",),
    Move: ("events", "auto"),
    Timeout: ("events", "auto"),
    Resign: ("events", "auto"),
    Time: ("ask",),
    Deadline: ("old", "new"),
    End: ("result",),
    Names: ("names",),
}
"""The fields whose inside is plain JSON, which the decoder's types leave unchecked (not so in `opened`)."""

_DECODER = msgspec.json.Decoder(Record)


def kind_of(record: Record) -> str:
    """The word in the line's `kind`."""
    return str(record.__struct_config__.tag)


def line_digest(line: bytes) -> str:
    """SHA-256 of a line with its `sig`, without its LF: the next line's `prev`, and what `base` names."""
    return digest(line)


def body(record: Record) -> bytes:
    """What the host signs: the canonical line without `sig`."""
    return canonical(msgspec.structs.replace(record, sig=None))


def seal_record(host_private: PrivateKey, record: Mapping[str, object] | Record) -> bytes:
    """The line (no LF) of a record without `sig`. Raises Refused as `read_record` does for an unfit one."""
    return sealed_record(host_private, record)[0]


def sealed_record(host_private: PrivateKey, record: Mapping[str, object] | Record) -> tuple[bytes, Record]:
    """The line, and the record that it spells: read, not believed."""
    unsigned = canonical(record)
    fields: Mapping[str, object] = record if isinstance(record, Mapping) else msgspec.json.decode(unsigned)
    line = canonical({**fields, "sig": sign(host_private, "record", unsigned)})
    return line, read_record(line)


def read_record(line: bytes) -> Record:
    """The record that a line spells: a claim, until `verify_record`.

    Raises Refused: `file/…` for what is outside the subset, `log/not-canonical`, `log/unknown-kind`,
    `log/shape`.
    """
    # 1. the size, before anything else is read
    if len(line) > LINE.size:
        raise refuse("file/too-long", size=len(line), limit=LINE.size)
    # 2. typed, and the very bytes that its value encodes to: so nothing twice, unknown, or spelt otherwise
    try:
        record = _DECODER.decode(line)
        if canonical(record) != line:
            raise _explain(line)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise _explain(line) from None
    # 3. the plain JSON inside
    for field in _FREE.get(type(record), ()):
        if (value := getattr(record, field)) is not msgspec.UNSET:
            walk(value, LINE.depth - 1)
    # 4. an envelope keeps its own limits and parts
    if isinstance(record, Opened):
        _check_opened(record.payload_and_sig)
    return record


def _check_opened(envelope: Json) -> None:
    walk(envelope, ENVELOPE.depth)
    if envelope.keys() != {"payload", "sig"} or not isinstance(envelope["payload"], dict):
        raise refuse("log/shape", where="$.payload_and_sig")
    if (size := len(canonical(envelope))) > ENVELOPE.size:
        raise refuse("file/too-long", size=size, limit=ENVELOPE.size)


def verify_record(record: Record, host_key: bytes) -> None:
    """Returns if the host (raw public key) sealed the record. Raises Refused `seal/…`, `log/not-sealed`."""
    if record.sig is None:
        raise refuse("log/not-sealed")
    verify(host_key, "record", body(record), record.sig)


def _explain(line: bytes) -> Exception:
    """The exact reason why a line is no record, found on the slow road."""
    value = read(line, LINE)
    if canonical(value) != line:
        return refuse("log/not-canonical")
    if not isinstance(value, dict):
        return refuse("log/shape", where="$")
    kind = cast(Json, value).get("kind")
    if kind not in KINDS:
        return refuse("log/unknown-kind", kind="?")
    try:
        msgspec.convert(value, Record)
    except msgspec.ValidationError as error:
        return refuse("log/shape", where=place(error))
    return refuse("log/shape", where="$")
