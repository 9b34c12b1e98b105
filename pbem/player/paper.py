"""A key as 24 words, to be written down on paper and read back: the list and the checksum of BIP-39, in English.

Decides nothing. The words are the whole key: whoever has them can play as its owner.
"""

from __future__ import annotations

from mnemonic import Mnemonic

from engine import Say, refuse, say
from pbem.log.seal import PrivateKey

COUNT = 24


def to_words(key: PrivateKey) -> tuple[str, ...]:
    """The words."""
    return tuple(Mnemonic("english").to_mnemonic(key.raw).split())


def from_words(text: str) -> PrivateKey:
    """The key that words spell, numbered or not, in any case, four letters of each being enough. Refused `kit/words`."""
    book = Mnemonic("english")
    said = [word for word in text.lower().replace(",", " ").split() if not word.strip(".:)").isdigit()]
    if len(said) != COUNT:
        raise _wrong(say("There are {found} words, not {wanted}", found=len(said), wanted=COUNT))
    words: list[str] = []
    for number, word in enumerate(said, 1):
        fitting = [one for one in book.wordlist if one == word] or [
            one
            for one in book.wordlist
            if len(word) >= 4 and one.startswith(word[:4]) and word.startswith(one[:4])
        ]
        if len(fitting) != 1:
            found = word[:30].encode("ascii", "backslashreplace").decode("ascii")
            raise _wrong(say("Word {number}, {word}, is not on the list", number=number, word=found))
        words.append(fitting[0])
    phrase = " ".join(words)
    if not book.check(phrase):
        raise _wrong(
            say(
                "The words do not belong together: one is another than was written down, or two changed places"
            )
        )
    return PrivateKey(bytes(book.to_entropy(phrase)))


def _wrong(problem: Say) -> Exception:
    return refuse("kit/words", problem=problem)
