"""Check words: one common English word at a line's end that depends on this line and on all before it.

A line that was mistyped, lost, doubled or put in another place no longer fits its word, but once in 2,048 times.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from mnemonic import Mnemonic


@cache
def word_list() -> tuple[str, ...]:
    """The 2,048 words of BIP 39, in its order: short, common, and different in their first four letters."""
    return tuple(Mnemonic("english").wordlist)


def check_word(lines: Sequence[str]) -> str:
    """The word of the last of these lines, each in its one way of writing.

    The first 11 bits of SHA-256 over `pbem/lines/1` and the lines, each followed by LF, in UTF-8.
    """
    text = "".join(f"{line}\n" for line in ("pbem/lines/1", *lines))
    return word_list()[int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:2], "big") >> 5]
