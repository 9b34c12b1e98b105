"""A mail that the host sends to himself, to see it come back: by which address it comes, and where it is noted.

Decides nothing else. The address looks like that of a seat, of a game that there cannot be, and its token is made
under a key that only the host's key gives.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec
import sqlalchemy as sa

from pbem.log.seal import PrivateKey
from pbem.service.inbox import Arrival
from pbem.service.tables import probes
from pbem.turn.desk import Post
from pbem.turn.views import token

GAME = "doctor"
"""Ids of games have ten letters."""
KEPT = 86_400
"""Seconds after which a mail that came back is forgotten."""


def probe_key(key: PrivateKey) -> bytes:
    """What the tokens of these addresses are made under."""
    return hmac.digest(key.raw, b"pbem/v1/probes", hashlib.sha256)


def probe_address(key: PrivateKey, post: Post, nonce: str) -> str:
    """Where a mail goes that comes back to us. `nonce`: lower-case letters and digits."""
    local, _, domain = post.address.partition("@")
    return f"{local}+{GAME}.{nonce}.{token(probe_key(key), GAME, nonce)}@{domain}"


def take_out(tx: sa.Connection, mail: Arrival) -> Arrival:
    """The mail without its places here, each of which is noted."""
    ours = [place for place in mail.places if place.game == GAME]
    if not ours:
        return mail
    tx.execute(probes.delete().where(probes.c.received < mail.received - KEPT))
    known = set(tx.execute(sa.select(probes.c.nonce)).scalars())
    rows = [{"nonce": nonce, "received": mail.received} for nonce in {place.seat for place in ours} - known]
    if rows:
        tx.execute(probes.insert(), rows)
    return msgspec.structs.replace(mail, places=tuple(place for place in mail.places if place.game != GAME))


def is_back(tx: sa.Connection, nonce: str) -> bool:
    """Whether the mail has come back."""
    return tx.execute(sa.select(probes.c.nonce).where(probes.c.nonce == nonce)).first() is not None
