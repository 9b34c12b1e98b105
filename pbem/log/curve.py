"""Is this a public key under which only its owner can sign? (protocol.md section 3, "At registration")

Decides by arithmetic on edwards25519, because the usual libraries accept keys of small or mixed order, under
which one fixed signature can verify every message. Knows nothing of signatures. Public data only: nothing here
needs to take the same time for every input.

Every point is a sum A + T, A of the prime order ℓ (or neutral) and T of an order that divides 8. X25519 works
on the same curve in the form of Montgomery, by a coordinate u that a point shares with its negative alone. The
factor 5ℓ − 1 is one that X25519 takes as it is (bit 254 set, divisible by 8): it leaves nothing of T and makes
−A of A. So u stays what it was if and only if A + T is −A or A, that is, if T is neutral.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
_NEGATION = (5 * ORDER - 1).to_bytes(32, "little")


@lru_cache(maxsize=1024)
def is_sound(public: bytes) -> bool:
    """True if the 32 bytes are the one encoding of a point of prime order."""
    # 1. one encoding: 32 bytes, y below p, no sign on x = 0, on the curve
    point = decode(public)
    # 2. not the identity, which has no u
    if point is None or point == (0, 1):
        return False
    # 3. no part of small order in it
    y = point[1]
    u = ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")
    try:
        return _factor().exchange(X25519PublicKey.from_public_bytes(u)) == u
    except ValueError:  # OpenSSL gives no neutral result: all of it is of small order
        return False


def decode(encoded: bytes) -> tuple[int, int] | None:
    """x and y of an encoding as RFC 8032 section 5.1.3 has it, or None where it has none."""
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    x = _root_of_ratio(y * y - 1, D * y * y + 1)
    if x is None or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x), y


@lru_cache(maxsize=1)
def _factor() -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(_NEGATION)


def _root_of_ratio(over: int, under: int) -> int | None:
    """The even or odd root of over/under, whichever comes out, by one power; `under` is never 0 on this curve."""
    root = over * under**3 * pow(over * under**7, (P - 5) // 8, P) % P
    for candidate in (root, root * ROOT_OF_MINUS_ONE % P):
        if (under * candidate * candidate - over) % P == 0:
            return candidate
    return None
