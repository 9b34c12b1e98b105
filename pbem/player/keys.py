"""The key file: the one small file that a player keeps, and must keep to himself.

Decides how it looks and when it is whole. It is never overwritten: whoever loses a key loses its games.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from engine import Refused, refuse, say, words
from pbem.log.canonical import ENVELOPE, pretty, read
from pbem.log.seal import PrivateKey, public_of
from pbem.player.disk import write_new
from pbem.player.opening import as_object

KIND = "pbem-key"


class _KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: int
    kind: str
    private_key: str
    public_key: str
    check: str
    warning: str = ""


def new_key(entropy: bytes) -> PrivateKey:
    """A key of 32 fresh random bytes, which the caller brings."""
    return PrivateKey(entropy)


def key_file(key: PrivateKey, lang: str = "en") -> bytes:
    """The file's bytes, with a word of warning for whoever opens it."""
    warning = say(
        "This is your private key. Whoever has it can play as you, so send it to nobody. Keep a copy in a safe"
        " place: without it you can not go on with your games."
    )
    return pretty(
        {
            "v": 1,
            "kind": KIND,
            "warning": words(warning, lang),
            "private_key": key.raw.hex(),
            "public_key": public_of(key).hex(),
            "check": _check(key.raw),
        }
    )


def read_key(data: bytes, name: str) -> PrivateKey:
    """The key in a file's bytes; `name` is the file's, for the answer. Refused `kit/not-a-key`, `kit/key-damaged`."""
    # 1. a key file at all
    try:
        value = as_object(read(data, ENVELOPE)) or {}
    except Refused:
        value = {}
    if value.get("kind") != KIND:
        raise refuse("kit/not-a-key", file=name)
    # 2. whole: its parts, its checksum, and the public half that belongs to it
    try:
        shaped = msgspec.convert(value, _KeyFile)
        raw = bytes.fromhex(shaped.private_key)
        key = PrivateKey(raw)
    except ValueError:  # msgspec.ValidationError is one too
        raise refuse("kit/key-damaged", file=name) from None
    if shaped.check != _check(raw) or shaped.public_key != public_of(key).hex():
        raise refuse("kit/key-damaged", file=name)
    return key


def load_key(path: Path) -> PrivateKey:
    """The key at a path. Refused `kit/no-key`, `kit/not-a-key`, `kit/key-damaged`; OSError if it can't be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise refuse("kit/no-key", file=str(path)) from None
    return read_key(data, str(path))


def save_key(path: Path, key: PrivateKey, lang: str = "en") -> None:
    """Writes a new key file that only its owner can read. Refused `kit/key-exists`, whatever is there."""
    try:
        write_new(path, key_file(key, lang))
    except FileExistsError:
        raise refuse("kit/key-exists", file=str(path)) from None


def is_open(path: Path) -> bool:
    """Whether others on this machine may read the file."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def _check(raw: bytes) -> str:
    """Finds damage, and gives nothing away that the public key doesn't."""
    return hashlib.sha256(b"pbem/v1/key-file" + hashlib.sha256(raw).digest()).hexdigest()[:16]
