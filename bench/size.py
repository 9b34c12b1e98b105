"""How big an archive is, gzipped, ÷ the signed envelopes in it, gzipped: what a host's record adds to them."""

from __future__ import annotations

import gzip

from bench.games import archives, records
from bench.measure import Figure, figure
from pbem.log.canonical import canonical
from pbem.log.record import Opened, Record

BOUND = 4.0


def figures() -> list[Figure]:
    """All games together: each archive is a file, and each game's envelopes are one, one envelope a line."""
    whole = sum(len(gzip.compress(archive)) for archive in archives())
    signed = sum(len(gzip.compress(_envelopes(log))) for log in records())
    return [figure("archive ÷ its envelopes, both gzipped", whole / signed, BOUND)]


def _envelopes(log: tuple[Record, ...]) -> bytes:
    lines = [canonical(entry.payload_and_sig) + b"\n" for entry in log if isinstance(entry, Opened)]
    return b"".join(lines)
