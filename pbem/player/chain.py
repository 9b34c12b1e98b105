"""Links of a seat's own chain: which one may be given, and when the kit refuses (protocol.md section 5).

Decides from the private key and what a file claims, and from nothing it remembers, so that two machines with
the same key agree.
"""

from __future__ import annotations

import hmac

import msgspec

from engine import Refused, refuse
from pbem.log.chain import LENGTH, chain_link, seat_seed, tip
from pbem.log.seal import PrivateKey


class Ring(PrivateKey, frozen=True):
    """The key that signs for a seat, with others of the same player: its chain may still be an older one's."""

    others: tuple[PrivateKey, ...] = ()


class ChainPlace(msgspec.Struct, frozen=True):
    """What a view claims of a seat's chain: link number `link` is wanted; `given` (hex) was the last, or the tip.

    `charter` is the charter's digest, hex, on which the chain depends.
    """

    game: str
    seat: str
    charter: str
    link: int
    given: str


def seat_tip(key: PrivateKey, game: str, seat: str, charter: str) -> str:
    """The tip of the chain, hex, which a join publishes."""
    return tip(seat_seed(key, game, seat, bytes.fromhex(charter)), game, seat).hex()


def next_link(key: PrivateKey, place: ChainPlace) -> str:
    """Link `place.link`, hex, if and only if its predecessor has been given already.

    Whoever knows link k knows all links before it and none after it, for each is the hash of the next. A host
    that could talk a player out of link k+1 before turn k+1 would know a part of dice that nobody may know yet;
    with link 4096 it would know them all. So the kit gives link k only to somebody who shows link k−1: he has
    had it from this player (the tip, for k = 1, was published with the join), and learns exactly one link
    more, however he numbers it. Of a ring, the key whose chain the file shows gives the link. Refused:
    `kit/links-used-up`, `kit/not-your-link`.
    """
    if isinstance(key, Ring):
        return _of_ring(key, place)
    # 1. a link that the chain has
    if not 1 <= place.link <= LENGTH:
        raise refuse("kit/links-used-up", link=place.link, length=LENGTH)
    # 2. this key's chain in this game, under this charter
    seed = seat_seed(key, place.game, place.seat, bytes.fromhex(place.charter))
    # 3. the link before it is the one that the file shows
    before = chain_link(seed, place.game, place.seat, place.link - 1).hex()
    if not hmac.compare_digest(before.encode(), place.given.encode()):
        raise refuse("kit/not-your-link", given=place.link - 1)
    # 4. only now the next
    return chain_link(seed, place.game, place.seat, place.link).hex()


def _of_ring(ring: Ring, place: ChainPlace) -> str:
    """The link by the one key whose chain it is; what the first says, if it is none's."""
    for key in (PrivateKey(ring.raw), *ring.others):
        try:
            return next_link(key, place)
        except Refused:
            continue
    return next_link(PrivateKey(ring.raw), place)
