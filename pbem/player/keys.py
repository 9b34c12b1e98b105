"""The key file: the one small file that a player keeps, and must keep to himself.

Decides how it looks and when it is whole. It is never overwritten: whoever loses a key loses its games. With a
passphrase the private half stands in it locked: AES-256-GCM under PBKDF2-HMAC-SHA256, both of which a browser has too.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from engine import Refused, refuse, say, words
from pbem.disk import SETTINGS, read_file
from pbem.log.canonical import ENVELOPE, pretty, read
from pbem.log.seal import PrivateKey, public_of
from pbem.player.disk import write_new
from pbem.player.opening import as_object

KIND = "pbem-key"


ROUNDS = 600_000
"""Of PBKDF2, for a new file: about half a second for whoever knows the passphrase."""
_MOST_ROUNDS = 10_000_000
SALT, NONCE = 16, 12
"""Bytes of chance that locking needs, together `CHANCE`."""
CHANCE = SALT + NONCE


class _Lock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kdf: str
    rounds: Annotated[int, msgspec.Meta(ge=1, le=_MOST_ROUNDS)]
    salt: str
    cipher: str
    nonce: str
    data: str


class _LockedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: Literal[1]
    kind: str
    public_key: str
    locked: _Lock
    warning: str = ""


class _KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: Literal[1]
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


def locked_file(key: PrivateKey, passphrase: str, chance: bytes, lang: str = "en") -> bytes:
    """The same, locked with a passphrase that is not empty; `chance` are CHANCE fresh random bytes."""
    warning = say(
        "This is your private key, locked with a passphrase that nobody can give back to you. Keep a copy in a safe"
        " place: without both you can not go on with your games."
    )
    public, salt, nonce = public_of(key), chance[:SALT], chance[SALT:CHANCE]
    data = AESGCM(_stretched(passphrase, salt, ROUNDS)).encrypt(nonce, key.raw, _bound(public))
    lock = _Lock("pbkdf2-sha256", ROUNDS, salt.hex(), "aes-256-gcm", nonce.hex(), data.hex())
    named = {"v": 1, "kind": KIND, "warning": words(warning, lang), "public_key": public.hex()}
    return pretty({**named, "locked": msgspec.to_builtins(lock)})


def is_locked(data: bytes) -> bool:
    """Whether a key file's bytes need a passphrase."""
    try:
        return "locked" in _content(data)
    except Refused:
        return False


def read_key(data: bytes, name: str, passphrase: str = "") -> PrivateKey:
    """The key in a file's bytes; `name` is the file's, for the answer.

    Refused `kit/not-a-key`, `kit/key-damaged`, and of a locked one `kit/key-locked`, `kit/passphrase`.
    """
    # 1. a key file at all
    try:
        value = _content(data)
    except Refused:
        value = {}
    if value.get("kind") != KIND:
        raise refuse("kit/not-a-key", file=name)
    # 2. whole: its parts, its checksum, and the public half that belongs to it
    try:
        if "locked" in value:
            return _unlocked(msgspec.convert(value, _LockedFile), name, passphrase)
        shaped = msgspec.convert(value, _KeyFile)
        raw = bytes.fromhex(shaped.private_key)
        key = PrivateKey(raw)
    except ValueError:  # msgspec.ValidationError is one too
        raise refuse("kit/key-damaged", file=name) from None
    if shaped.check != _check(raw) or shaped.public_key != public_of(key).hex():
        raise refuse("kit/key-damaged", file=name)
    return key


def _content(data: bytes) -> dict[str, Any]:
    return as_object(read(data, ENVELOPE)) or {}


def _unlocked(file: _LockedFile, name: str, passphrase: str) -> PrivateKey:
    lock, public = file.locked, bytes.fromhex(file.public_key)
    parts = tuple(bytes.fromhex(text) for text in (lock.salt, lock.nonce, lock.data))
    sizes = (SALT, NONCE, 48)
    if (lock.kdf, lock.cipher) != ("pbkdf2-sha256", "aes-256-gcm") or tuple(map(len, parts)) != sizes:
        raise refuse("kit/key-damaged", file=name)
    if not passphrase:
        raise refuse("kit/key-locked", file=name)
    salt, nonce, sealed = parts
    try:
        raw = AESGCM(_stretched(passphrase, salt, lock.rounds)).decrypt(nonce, sealed, _bound(public))
    except InvalidTag:
        raise refuse("kit/passphrase", file=name) from None
    key = PrivateKey(raw)
    if public_of(key) != public:
        raise refuse("kit/key-damaged", file=name)
    return key


def _stretched(passphrase: str, salt: bytes, rounds: int) -> bytes:
    """The key of the lock. One spelling of what may be typed in several ways, on any keyboard."""
    plain = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.pbkdf2_hmac("sha256", plain, salt, rounds)


def _bound(public: bytes) -> bytes:
    """What the lock is bound to, so that no other public key can be put beside it."""
    return b"pbem/v1/key-file" + public


def load_key(path: Path, passphrase: Callable[[str], str] | None = None) -> PrivateKey:
    """The key at a path; for a locked one `passphrase` is asked, with the file's name.

    Refused `kit/no-key`, and as `read_key`; OSError if it can't be read.
    """
    try:
        data = read_file(path, SETTINGS)
    except FileNotFoundError:
        raise refuse("kit/no-key", file=str(path)) from None
    asked = passphrase(str(path)) if passphrase is not None and is_locked(data) else ""
    return read_key(data, str(path), asked)


def save_key(path: Path, key: PrivateKey, lang: str = "en") -> None:
    """Writes a new key file that only its owner can read. Refused `kit/key-exists`, whatever is there."""
    save_key_file(path, key_file(key, lang))


def save_key_file(path: Path, data: bytes) -> None:
    """The same for a file's bytes, locked or not."""
    try:
        write_new(path, data)
    except FileExistsError:
        raise refuse("kit/key-exists", file=str(path)) from None


def is_open(path: Path) -> bool:
    """Whether others on this machine may read the file."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def _check(raw: bytes) -> str:
    """Finds damage, and gives nothing away that the public key doesn't."""
    return hashlib.sha256(b"pbem/v1/key-file" + hashlib.sha256(raw).digest()).hexdigest()[:16]
