"""Envelopes: a payload, its seal, and what is beside them (protocol.md sections 1, 3 and 4).

`read_envelope` turns bytes into an `Envelope`, which is a claim: its shape is right, nobody has looked at
the signature. `verify_envelope` turns the claim into a `Sealed`, which is a fact about who wrote it. No
rule of a game, no roster and no freshness is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from engine import refuse
from pbem.log.canonical import (
    ENVELOPE,
    VIEW,
    Limits,
    canonical,
    digest,
    laid_out,
    pretty,
    read,
    reread,
)
from pbem.log.seal import PrivateKey, Sig, read_sig, sign, verify

Json = dict[str, Any]

PLAYER_KINDS = (
    *("join", "ready", "move", "standing", "resign", "rekey", "take", "press"),
    *("time", "withdraw", "settings", "undo"),
)
HOST_KINDS = ("view", "receipt", "invitation", "offer")
MAX_NAME = 64
_MEMBERS = frozenset(("payload", "sig", "aside"))
_INSIDE = Limits(VIEW.size, VIEW.depth - 1)


class _Letter(msgspec.Struct, frozen=True):
    """What a claim and a fact have in common. The payload is the object whose re-encoding is signed."""

    payload: Json
    sig: Sig
    aside: Json

    @property
    def payload_bytes(self) -> bytes:
        """The canonical bytes of the payload: what is signed."""
        return canonical(self.payload)

    @property
    def id(self) -> str:
        """SHA-256 of the canonical bytes of `{"payload", "sig"}`; may be published."""
        return envelope_id(self.payload, self.sig)

    @property
    def payload_digest(self) -> str:
        """SHA-256 of the canonical payload: decides whether two envelopes are the same; stays private."""
        return digest(self.payload_bytes)

    @property
    def kind(self) -> str:
        """One of PLAYER_KINDS or HOST_KINDS."""
        return str(self.payload["kind"])

    @property
    def game(self) -> str:
        """The game's id."""
        return str(self.payload["game"])

    @property
    def seat(self) -> str:
        """The seat that speaks, or, in a view, that is spoken to."""
        return str(self.payload["seat"])

    def text(self) -> bytes:
        """The file for people and mail: pretty-printed, ASCII only."""
        whole: Json = {"payload": self.payload, "sig": self.sig}
        return pretty({**whole, "aside": self.aside} if self.aside else whole)


class Envelope(_Letter, frozen=True):
    """A claim: shape checked, signature not."""


class Sealed(_Letter, frozen=True):
    """A fact: `public_key` (raw) signed this payload. Made by `verify_envelope` only."""

    public_key: bytes


def read_envelope(data: bytes) -> Envelope:
    """The claim that a file makes. Raises Refused: `file/…` for bytes and shape, `seal/shape`."""
    value = read(data, VIEW)
    claim = as_envelope(value)
    if len(data) > ENVELOPE.size:
        _check_size(claim.kind, len(canonical(value)))
    return claim


def as_envelope(value: object) -> Envelope:
    """The claim in a value that the strict reader gave (a file, or an opened record's `payload_and_sig`)."""
    # 1. payload and sig, at most one more, each of its shape
    if not isinstance(value, dict) or not {"payload", "sig"} <= value.keys() <= _MEMBERS:
        raise refuse("file/not-an-envelope")
    whole = cast(Json, value)
    payload, aside = whole["payload"], whole.get("aside", {})
    if not isinstance(payload, dict) or not isinstance(aside, dict):
        raise refuse("file/not-an-envelope")
    claim = Envelope(cast(Json, payload), read_sig(whole["sig"]), cast(Json, aside))
    # 2. the head that all payloads share
    _check_head(claim.payload)
    return claim


def verify_envelope(envelope: Envelope, public: bytes) -> Sealed:
    """The fact behind the claim, if `public` (raw, from the roster) signed it. Raises Refused `seal/…`."""
    verify(public, envelope.kind, envelope.payload_bytes, envelope.sig)
    return Sealed(envelope.payload, envelope.sig, envelope.aside, public)


def make_envelope(private: PrivateKey, payload: object, aside: Mapping[str, Any] | None = None) -> Envelope:
    """Signs a payload (a Struct of payloads.py or a dict). Raises Refused `file/…` if it isn't a fit one."""
    # 1. both parts are of the subset, one level below the whole
    data = canonical(payload)
    value = reread(data, _INSIDE)
    about: Json = reread(canonical(dict(aside)), _INSIDE) if aside else {}
    if not isinstance(value, dict):
        raise refuse("file/not-an-envelope")
    # 2. the head that all payloads share
    claim = cast(Json, value)
    _check_head(claim)
    # 3. sealed, and small enough
    sig = sign(private, str(claim["kind"]), data)
    rest = canonical({"payload": 0, "sig": sig, **({"aside": about} if about else {})})
    _check_size(str(claim["kind"]), len(data) + len(rest) - 1)
    return Envelope(claim, read_sig(sig), about)


def sealed_text(private: PrivateKey, kind: str, data: bytes) -> bytes:
    """The text of `make_envelope`, for who needs nothing else of it.

    `data` are the canonical bytes of a payload whose head is right and whose values are of the subset by their types:
    Structs of ours, and what a strict reader gave. Only its size is looked at. Raises Refused `file/too-long`.
    """
    whole = b'{"payload":%b,"sig":%b}' % (data, canonical(sign(private, kind, data)))
    _check_size(kind, len(whole))
    return laid_out(whole)


def _check_size(kind: str, size: int) -> None:
    """Refuses what is too long for its kind: the host's views may be longer than players' envelopes."""
    limit = VIEW.size if kind in HOST_KINDS else ENVELOPE.size
    if size > limit:
        raise refuse("file/too-long", size=size, limit=limit)


def envelope_id(payload: object, sig: object) -> str:
    """SHA-256 of the canonical bytes of `{"payload": …, "sig": …}`."""
    return digest(canonical({"payload": payload, "sig": sig}))


def _check_head(payload: Mapping[str, Any]) -> None:
    version = payload.get("v")
    if type(version) is not int or version != 1:
        raise refuse("file/version")
    kind = payload.get("kind")
    if kind not in PLAYER_KINDS and kind not in HOST_KINDS:
        raise refuse("file/unknown-kind")
    for field in ("game", "seat"):
        name = payload.get(field)
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
            raise refuse("file/shape", where=field)
    if kind in PLAYER_KINDS and not is_hex(payload.get("base"), 64):
        raise refuse("file/shape", where="base")


def is_hex(value: object, digits: int) -> bool:
    """True for a string of exactly so many lower-case hex digits."""
    return isinstance(value, str) and len(value) == digits and not value.strip("0123456789abcdef")
