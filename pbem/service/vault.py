"""A sealed file: frames of bytes under a passphrase, so that none can be read, changed, dropped or moved without it.

Layout: a line of magic, a line of JSON (the header), then frames of 4 bytes big-endian length and ciphertext. The key
is scrypt of the passphrase; each frame is sealed by ChaCha20-Poly1305 under the nonce `prefix ‖ counter ‖ last?`
with both lines as associated data. The last frame says that it is the last, so a file cut short is known.
Knows nothing of what is inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from engine import refuse

MAGIC = b"pbem-backup 1\n"
COST = 1 << 15
"""scrypt's n; with r = 8 it takes 32 MiB and a tenth of a second."""
SALT, PREFIX, TAG = 16, 7, 16
MOST_FRAME = 64 << 20
_HEADER = 1_024
_COSTS = range(1 << 14, (1 << 20) + 1)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is not secret. `salt` and `prefix` are hex, fresh for each file."""

    n: int
    r: int
    p: int
    salt: str
    prefix: str


def seal(frames: Iterable[bytes], passphrase: str, entropy: bytes) -> Iterator[bytes]:
    """The file's bytes, part by part. `entropy`: SALT + PREFIX random bytes, used for nothing else."""
    header = Header(COST, 8, 1, entropy[:SALT].hex(), entropy[SALT : SALT + PREFIX].hex())
    head = MAGIC + msgspec.json.encode(header) + b"\n"
    cipher = ChaCha20Poly1305(_key(header, passphrase))
    yield head
    count, waiting = 0, None
    for frame in frames:
        if waiting is not None:
            yield _sealed(cipher, _nonce(header, count, last=False), waiting, head)
            count += 1
        waiting = frame
    yield _sealed(cipher, _nonce(header, count, last=True), waiting or b"", head)


def unseal(file: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """The frames. Refused `host/no-backup`, `host/passphrase-wrong` (first frame), `host/backup-damaged` (any other)."""
    # 1. the two lines
    magic, line = file.readline(len(MAGIC)), file.readline(_HEADER)
    if magic != MAGIC:
        raise refuse("host/no-backup")
    header = _read_header(line)
    # 2. frames, up to the one that is the last
    cipher, head = ChaCha20Poly1305(_key(header, passphrase)), magic + line
    count, last = 0, False
    frame = _read_frame(file)
    while not last:
        following = _read_frame(file)
        last = following is None
        try:
            yield cipher.decrypt(_nonce(header, count, last=last), frame or b"", head)
        except InvalidTag:
            raise refuse("host/backup-damaged" if count else "host/passphrase-wrong") from None
        frame, count = following, count + 1


def _read_header(line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
        salt, prefix = bytes.fromhex(header.salt), bytes.fromhex(header.prefix)
    except (msgspec.MsgspecError, ValueError):
        raise refuse("host/no-backup") from None
    # what a stranger's file asks for must not take all memory there is
    if header.n not in _COSTS or header.n & (header.n - 1) or (header.r, header.p) != (8, 1):
        raise refuse("host/no-backup")
    if (len(salt), len(prefix)) != (SALT, PREFIX):
        raise refuse("host/no-backup")
    return header


def _read_frame(file: BinaryIO) -> bytes | None:
    length = file.read(4)
    if not length:
        return None
    size = int.from_bytes(length, "big")
    frame = file.read(min(size, MOST_FRAME))
    if len(length) < 4 or len(frame) != size:
        raise refuse("host/backup-damaged")
    return frame


def _key(header: Header, passphrase: str) -> bytes:
    salt = bytes.fromhex(header.salt)
    return Scrypt(salt=salt, length=32, n=header.n, r=header.r, p=header.p).derive(passphrase.encode("utf-8"))


def _nonce(header: Header, count: int, *, last: bool) -> bytes:
    return bytes.fromhex(header.prefix) + count.to_bytes(4, "big") + bytes([last])


def _sealed(cipher: ChaCha20Poly1305, nonce: bytes, frame: bytes, head: bytes) -> bytes:
    data = cipher.encrypt(nonce, frame, head)
    return len(data).to_bytes(4, "big") + data
