"""Where a browser knows no Ed25519, the page's own arithmetic says what OpenSSL says."""

from __future__ import annotations

import random

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pbem.log import curve
from tests.pages.node import node

# RFC 8032 section 7.1, tests 1 to 3: key, signature, message
RFC_8032 = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b"
        ),
        "",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00"
        ),
        "72",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a"
        ),
        "af82",
    ),
)
SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
)


def openssl(key: bytes, value: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(value, message)
    except InvalidSignature:
        return False
    return True


def test_vectors_of_rfc_8032() -> None:
    rows = [b"".join(bytes.fromhex(part) for part in vector) for vector in RFC_8032]
    assert node("curve.mjs", rows) == [{"sound": True, "fits": True}] * 3


def test_damaged_signatures_and_keys() -> None:
    chance = random.Random(8)
    rows: list[bytes] = []
    for _ in range(150):
        private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
        message = chance.randbytes(chance.randrange(200))
        damaged = bytearray(private.public_key().public_bytes_raw() + private.sign(message) + message)
        if chance.randrange(3):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        rows.append(bytes(damaged))
    found = node("curve.mjs", rows)
    for row, said in zip(rows, found, strict=True):
        key, value, message = row[:32], row[32:96], row[96:]
        assert said == {"sound": curve.is_sound(key), "fits": openssl(key, value, message)}
    assert 30 < sum(one["fits"] for one in found) < 90


def test_unsound_keys_are_not_sound() -> None:
    keys = [bytes.fromhex(key) for key in SMALL_ORDER]
    assert [one["sound"] for one in node("curve.mjs", [key + bytes(64) for key in keys])] == [False] * 4
