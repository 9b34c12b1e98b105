"""Ed25519 seals over canonical bytes (protocol.md section 3).

Decides whether a seal is the one that a key's owner made over a payload of one kind. Knows no roster, no
field of a payload, and keeps no key: where keys come from is the business of the caller.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from engine import refuse
from pbem.log import curve

KEY_ID_DIGITS = 16
VALUE_LENGTH = 88
PROTOTYPE = "application/vnd.pbem.{kind}+json"


class Sig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seal as it stands in a file; only its shape is checked."""

    alg: Literal["ed25519"]
    key: Annotated[str, msgspec.Meta(min_length=KEY_ID_DIGITS, max_length=KEY_ID_DIGITS)]
    val: Annotated[str, msgspec.Meta(min_length=VALUE_LENGTH, max_length=VALUE_LENGTH)]


class PrivateKey(msgspec.Struct, frozen=True):
    """32 secret bytes. Prints as nothing, so that no log line or traceback can show them."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != 32:
            raise ValueError("a private key has 32 bytes")

    def __repr__(self) -> str:
        return "PrivateKey(…)"

    def __rich_repr__(self) -> list[tuple[str, object]]:  # type: ignore[override,unused-ignore]
        return []


def pae(kind: str, payload: bytes) -> bytes:
    """The bytes that are signed: DSSE v1 pre-authentication encoding of the type and the payload."""
    return _pae_head(kind) + b"%d " % len(payload) + payload


def key_id(public: bytes) -> str:
    """The first 16 hex digits of SHA-256 of the raw public key."""
    return _known_key(public)[0]


def public_of(private: PrivateKey) -> bytes:
    """The raw 32 bytes of the public key."""
    return Ed25519PrivateKey.from_private_bytes(private.raw).public_key().public_bytes_raw()


def sign(private: PrivateKey, kind: str, payload: bytes) -> dict[str, str]:
    """The seal, ready to stand as `sig` in a file, over the canonical bytes of a payload."""
    own_id, key = _own_key(private)
    value = base64.b64encode(key.sign(pae(kind, payload))).decode("ascii")
    return {"alg": "ed25519", "key": own_id, "val": value}


def read_sig(sig: object) -> Sig:
    """The seal in a decoded file. Raises Refused `seal/shape`."""
    try:
        return msgspec.convert(sig, Sig)
    except msgspec.ValidationError:
        raise refuse("seal/shape") from None


def verify(public: bytes, kind: str, payload: bytes, sig: Sig | Mapping[str, object]) -> None:
    """Returns if the seal over the canonical bytes of the payload is the key's. Raises Refused `seal/…`.

    `public` must have passed `check_public_key` when it was registered.
    """
    # 1. shape; the algorithm is a word of its own and never negotiated
    seal = sig if isinstance(sig, Sig) else read_sig(sig)
    # 2. the right signer's id
    own_id, key = _known_key(public)
    if seal.key != own_id:
        raise refuse("seal/other-key", expected=own_id, found=_shown(seal.key))
    # 3. one spelling of the value only
    value = _decode_value(seal.val)
    # 4. the signature itself
    try:
        key.verify(value, pae(kind, payload))
    except InvalidSignature:
        raise refuse("seal/wrong") from None


def check_public_key(public: bytes) -> None:
    """At registration: one encoding, prime order, not the identity. Raises Refused `seal/weak-key`."""
    if not curve.is_sound(public):
        raise refuse("seal/weak-key")


def _decode_value(text: str) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise refuse("seal/value") from None
    if len(value) != 64 or base64.b64encode(value).decode("ascii") != text:
        raise refuse("seal/value")
    return value


def _shown(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")


@lru_cache(maxsize=64)
def _pae_head(kind: str) -> bytes:
    name = PROTOTYPE.format(kind=kind).encode("ascii")
    return b"DSSEv1 %d %b " % (len(name), name)


@lru_cache(maxsize=4096)
def _known_key(public: bytes) -> tuple[str, Ed25519PublicKey]:
    return hashlib.sha256(public).hexdigest()[:KEY_ID_DIGITS], Ed25519PublicKey.from_public_bytes(public)


@lru_cache(maxsize=16)
def _own_key(private: PrivateKey) -> tuple[str, Ed25519PrivateKey]:
    """A signer's id and key, parsed; a host signs thousands of times with the same one."""
    return key_id(public_of(private)), Ed25519PrivateKey.from_private_bytes(private.raw)
