"""The objects in the texts of a mail that may be a move, within a budget of work.

Law: decides which objects are tried, and in which order; knows of an envelope only that it is JSON with a "payload".
First those that are whole (`mail_scan`), then those with broken strings (`mail_mend`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.turn.mail_mend import mended
from pbem.turn.mail_scan import Spend, broken, compact, whole

CANDIDATES, WHOLE_CANDIDATES = 40, 24  # the rest is kept for objects that need mending
CANDIDATE_BYTES = 512 * 1024  # all candidates of a mail together
# Characters of all objects that are tried, those included that are none: in any mail, in a mail of any size, and for
# each of its characters; a quote sign is a few, for strings are looked at one by one.
LEAST_WORK, CANDIDATE_WORK, WORK, QUOTE = 192 * 1024, 2 * 1024 * 1024, 7, 2

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Budget:
    """Characters that may still be worked on for the candidates of a mail."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, work: int) -> bool:
        """False if that is more than may be done."""
        self.left -= work
        return self.left >= 0


def budget_for(size: int) -> Budget:
    """For a mail whose body has so many bytes, however many texts are read in it."""
    return Budget(min(CANDIDATE_WORK, LEAST_WORK + WORK * size))


def candidates(texts: Sequence[tuple[str, ...]], budget: Budget) -> tuple[bytes, ...]:
    """Objects of all texts, signed ones first, none twice, within CANDIDATES, CANDIDATE_BYTES and a budget of work."""
    found: dict[bytes, None] = {}
    size = 0
    for limit, source in (
        (WHOLE_CANDIDATES, _whole(texts, budget.spend)),
        (CANDIDATES, _mended(texts, budget.spend)),
    ):
        for text in source:
            candidate = text.encode("utf-8", "replace")
            if candidate not in found and _is_object(candidate):
                found[candidate] = None
                size += len(candidate)
            if len(found) >= limit or size > CANDIDATE_BYTES:
                break
    return tuple(sorted(found, key=lambda candidate: b'"sig"' not in candidate))


def _is_object(candidate: bytes) -> bool:
    """Whether it is JSON at all, with a "payload"; only keys are looked at, so depth and size do no harm."""
    try:
        return "payload" in _MEMBERS.decode(candidate)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False


def _whole(texts: Sequence[tuple[str, ...]], spend: Spend) -> Iterator[str]:
    for each in texts:
        for text in each:
            for one in whole(text):
                if not spend(len(one) + QUOTE * one.count('"')):
                    return
                yield compact(one)


def _mended(texts: Sequence[tuple[str, ...]], spend: Spend) -> Iterator[str]:
    """Objects with broken strings: the likeliest reading of each, then the second of each, and so on."""
    objects = dict.fromkeys(one for each in texts for text in each for one in broken(text, spend))
    turns = [mended(one, spend) for one in objects]
    while turns:
        for turn in tuple(turns):
            reading = next(turn, None)
            if reading is None:
                turns.remove(turn)
            else:
                yield reading
