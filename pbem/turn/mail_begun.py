"""Moves that begin in a mail and do not end: torn, or changed on their way.

Law: a beginning is told by its first keys, which stand in the order in which the kit writes them; whether what begins
there is newer than another move, who knows the log must say. A letter of ours is none, nor is a template, which has
no kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, pairwise

import msgspec

from pbem.log.envelope import HOST_KINDS
from pbem.turn.mail_scan import whole

MOST = 16
"""Beginnings of one text that are looked at."""
LOOK = 400
"""Characters behind "payload" in which the first keys stand, blanks and quote marks included."""

_BEGUN = re.compile(r'"payload"\s*+:')
_FILL = re.compile(r"[\s>|]+")
_FIRST_KEYS = re.compile(
    r'\{(?:"advance":true,)?"base":"([0-9a-f]{64})","game":"[^"]{1,64}","kind":"([a-z]{1,20})"'
)
_REV = re.compile(r'"rev"\s*+:\s*+([0-9]{1,15})')


class Begun(msgspec.Struct, frozen=True):
    """What a beginning says of its envelope: its kind, the digest of the newest line that its author had seen, and its
    rev, -1 if that is lost.
    """

    kind: str
    base: str
    rev: int = -1


def torn(texts: Iterable[str], candidates: Iterable[bytes]) -> tuple[Begun, ...]:
    """What begins in the texts, and is none of the candidates that were found in them."""
    found = _begun(candidate.decode("utf-8", "replace") for candidate in candidates)
    return tuple(one for one in _begun(texts) if one not in found)


def _begun(texts: Iterable[str]) -> dict[Begun, None]:
    found: dict[Begun, None] = {}
    known: dict[str, re.Match[str] | None] = {}  # the readings of a text mostly begin alike
    for text in texts:
        starts = [start.end() for start in islice(_BEGUN.finditer(text), MOST)]
        for start, end in pairwise((*starts, len(text))):
            seen = text[start : start + LOOK]
            if seen not in known:
                known[seen] = _FIRST_KEYS.match(_FILL.sub("", seen))
            keys = known[seen]
            if keys is not None and keys[2] not in HOST_KINDS:
                rev = _REV.search(text, start, end)
                found[Begun(keys[2], keys[1], int(rev[1]) if rev else -1)] = None
    return found


def begins(text: str, *, beside: bool) -> bool:
    """Whether a move begins in the text; `beside` objects that do end, one that does not."""
    begun = len(_BEGUN.findall(text))
    return begun > (sum(len(_BEGUN.findall(one)) for one in whole(text)) if beside else 0)
