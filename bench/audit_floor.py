"""An audit of whole games, both levels, ÷ the least that any auditor must do.

The floor: every signature checked (keys parsed and signed bytes laid out beforehand, which is in its
favour), SHA-256 of every line and every envelope, every line decoded by msgspec. Left out of the floor, but
paid for in the audit: the host's chain of 4096, the arithmetic on public keys, canonical encoding, dice, the
rules. The audit starts cold: what it remembers of a game between two runs is thrown away.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bench.games import archives, envelopes, records
from bench.measure import Figure, figure, ratio
from pbem.audit import audit
from pbem.log import chain, curve
from pbem.log.canonical import canonical
from pbem.log.record import Charter, Join, body
from pbem.log.seal import pae, read_sig

BOUND = 3.0
REPEATS = 15


def figures() -> list[Figure]:
    """One figure, over all games together."""
    floor = _floor()
    return [figure("audit of a game ÷ its floor", ratio(_audit, floor, REPEATS), BOUND)]


def forget() -> None:
    """What an audit keeps for the next one of the same game."""
    for module in (chain, curve):
        for memory in vars(module).values():
            if hasattr(memory, "cache_clear"):
                memory.cache_clear()


def _audit() -> None:
    for archive in archives():
        forget()
        report = audit(archive)
        if report.verdict != "sound":
            raise AssertionError(report)


def _floor() -> Callable[[], None]:
    checks = [check for log in range(len(archives())) for check in signatures(log)]
    lines = [line for archive in archives() for line in archive.splitlines()]
    hashed = [*lines, *(canonical(envelope) for envelope in envelopes())]
    decoder = msgspec.json.Decoder()

    def floor() -> None:
        for key, value, message in checks:
            key.verify(value, message)
        for data in hashed:
            hashlib.sha256(data).hexdigest()
        for line in lines:
            decoder.decode(line)

    return floor


def signatures(log: int) -> list[tuple[Ed25519PublicKey, bytes, bytes]]:
    """Key, signature, signed bytes of every record and every opened envelope."""
    checks: list[tuple[Ed25519PublicKey, bytes, bytes]] = []
    keys: dict[str, Ed25519PublicKey] = {}
    for entry in records()[log]:
        if isinstance(entry, Charter):
            keys["host"] = Ed25519PublicKey.from_public_bytes(bytes.fromhex(entry.host_key))
        elif isinstance(entry, Join):
            keys[entry.seat] = Ed25519PublicKey.from_public_bytes(bytes.fromhex(entry.public_key))
        if entry.sig is None:
            raise ValueError("a record without its seal")
        checks.append((keys["host"], base64.b64decode(entry.sig.val), pae("record", body(entry))))
    for envelope in (e for e in envelopes() if e["payload"]["game"] == _game(log)):
        payload = envelope["payload"]
        value = base64.b64decode(read_sig(envelope["sig"]).val)
        checks.append((keys[payload["seat"]], value, pae(payload["kind"], canonical(payload))))
    return checks


def _game(log: int) -> str:
    charter = records()[log][0]
    if not isinstance(charter, Charter):
        raise ValueError("a log without its charter")
    return charter.game
