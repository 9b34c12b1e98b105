"""A keyring: the hosts that an auditor trusts, by their public keys.

A log proves that one host told one history; it cannot prove who that host is. Decides whether a key is in
the ring, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import refuse
from pbem.log.envelope import is_hex

Keyring = Mapping[str, str]
"""Name by public key in hex."""


def read_hosts(text: str) -> Keyring:
    """A keyring: on each line a public key and a name; `#` begins a remark. Refused `archive/hosts`."""
    ring: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        key, _, name = line.partition("#")[0].strip().partition(" ")
        if not key:
            continue
        if not is_hex(key, 64) or not name.strip():
            raise refuse("archive/hosts", line=number)
        ring[key] = name.strip()
    return ring
