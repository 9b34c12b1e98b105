"""Line breaks inside JSON strings, taken out again.

Law: a break in a string has replaced a blank, or has been put between two characters; which of the two, only
the signature knows. So this gives several readings of an object, likeliest first, in bounded number.

What tells the two apart: a token (digest, signature) has no blanks; a program that breaks at a column breaks
every line there, one that breaks at words breaks where the next word would not have fitted; Postfix puts CR
LF and a blank in after 998 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

import msgspec

READINGS = 16  # of one object
FLIPS = 3  # breaks read differently from their likeliest at once
POSTFIX = 990

_STRING = re.compile(r'"[^"\\]*+(?:\\[ \t\n]*+.[^"\\]*+)*+"', re.DOTALL)
_BREAK = re.compile(r"(?<![ \t])([ \t]*+)\n(?:[ \t]*+\n)?+([ \t]*+)")
_WORD = re.compile(r"[^ \t\n]{0,200}")
_HYPHEN = re.compile(r"\w-")
_BLANKS = re.compile(r"[ \t\n]+")


class Break(msgspec.Struct, frozen=True):
    """A line break inside a string: where it is, and what may have stood there, likeliest first."""

    start: int
    end: int
    readings: tuple[str, str]
    at_column: str  # what it stands for if lines were cut at a column


def mended(text: str) -> Iterator[str]:
    """Readings of an object's text, at most READINGS, with no line break left in any string of it."""
    breaks = tuple(_breaks(text))
    seen: set[tuple[str, ...]] = set()
    for choice in islice(_choices(breaks), 2 * READINGS):
        if choice not in seen and len(seen) < READINGS:
            seen.add(choice)
            yield _joined(text, breaks, choice)


def _joined(text: str, breaks: tuple[Break, ...], reading: tuple[str, ...]) -> str:
    out: list[str] = []
    at = 0
    for one, stands in zip(breaks, reading, strict=True):
        out += (text[at : one.start], stands)
        at = one.end
    return "".join((*out, text[at:]))


def _choices(breaks: tuple[Break, ...]) -> Iterator[tuple[str, ...]]:
    """Combinations: the likeliest of all; all as cut at a column; all blanks; then a few flipped at a time."""
    likeliest = tuple(one.readings[0] for one in breaks)
    yield likeliest
    yield tuple(one.at_column for one in breaks)
    yield (" ",) * len(breaks)
    for count in range(1, FLIPS + 1):
        for flipped in combinations(range(len(breaks)), count):
            choice = list(likeliest)
            for at in flipped:
                choice[at] = breaks[at].readings[1]
            yield tuple(choice)


def _breaks(text: str) -> Iterator[Break]:
    """All breaks in strings, in order."""
    width = max(map(len, text.split("\n")))
    strings = [(one.start(), one.end()) for one in _STRING.finditer(text) if "\n" in one[0]]
    found = [
        (one, token)
        for start, end in strings
        for token in (" " not in _BLANKS.sub(" ", _BREAK.sub("", text[start:end])),)
        for one in _BREAK.finditer(text, start, end)
    ]
    filled = [_column(text, one) == width for one, _ in found]
    cut = len(filled) > 1 and sum(filled) * 2 > len(filled)
    for one, token in found:
        likeliest = _likeliest(text, one, token, width, cut)
        yield Break(one.start(), one.end(), likeliest, one[1] + one[2])


def _column(text: str, one: re.Match[str]) -> int:
    """The length of the line before the break, blanks at its end included."""
    return one.end(1) - (text.rfind("\n", 0, one.start(1)) + 1)


def _likeliest(text: str, one: re.Match[str], token: bool, width: int, cut: bool) -> tuple[str, str]:
    """What a break may stand for. `token`: the string has no blanks; `cut`: lines seem cut at a column."""
    before, after = one[1], one[2]
    column = _column(text, one)
    nothing, blank = "", " "
    if column >= POSTFIX and after:
        return (before + after[1:], before + after)
    if token or _HYPHEN.match(text, one.start() - 2):
        return (nothing, blank)
    if cut and column == width:
        return (before + after, blank) if before or after else (nothing, blank)
    word = _WORD.match(text, one.end())
    fits = column + 1 + len(word[0] if word else "") <= width
    if before or column < width or not fits:
        return (blank, nothing)
    return (nothing, blank)
