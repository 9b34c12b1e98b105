"""Line breaks inside JSON strings, taken out again.

Law: a break in a string has replaced a blank or two, or has been put between two characters; which of these, only
the signature knows. So this gives several readings of an object, likeliest first, in bounded number, and all that
is done for them is asked for before it is done.

What tells them apart: a token (digest, signature) has no blanks; a program that breaks at a column breaks
every line there, one that breaks at words breaks where the next word would not have fitted; Postfix puts CR
LF and a blank in after 998 bytes; who sets two blanks after a sentence does so after most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

import msgspec

from pbem.turn.mail_scan import Spend, joined

DOUBLE = "  "
READINGS = 16  # of one object
FLIPS = 3  # breaks read differently from their likeliest at once
POSTFIX = 990
LOOK, BREAK = (
    40,
    4,
)  # what a line costs where breaks are looked for, and a break in each reading, in characters

# NUL stands for a break that has been taken out; an escape may be cut, too: backslash, line break, quote.
_STRING = re.compile(r'"[^"\\]*+(?:\\[ \t\n]*+.[^"\\]*+)*+"', re.DOTALL)
_MARKED = re.compile(r'("[^"\\]*+(?:\\\0*+.[^"\\]*+)*+")', re.DOTALL)
_BREAK = re.compile(r"\n(?:[ \t]*+\n)?+([ \t]*+)")
_INNER = re.compile(r"(?<![ \t\n])[ \t]++(?![ \t\n])")  # blanks that are of no break
_WORD = re.compile(r"[^ \t\n]{0,200}")
_HYPHEN = re.compile(r"\w-")
_SENTENCE = r"""[.!?:](?:\\?["')\]]|\\u20(?:19|1d))*+"""
_ENDED = re.compile(_SENTENCE + r"\Z")
_DOUBLE = re.compile(_SENTENCE + r"  (?=[^ \t\n])")
_TAIL = 20  # characters before a break in which a sentence's end is looked for


class Break(msgspec.Struct, frozen=True, gc=False):
    """A line break inside a string: where it is, and what may have stood there, likeliest first."""

    start: int
    end: int
    readings: tuple[str, ...]
    at_column: str  # what it stands for if lines were cut at a column
    blank: str  # and if at words


class Found(msgspec.Struct, frozen=True, gc=False):
    """A line break as it is: its place, the blanks on both sides, the length of its line with these, and its string:
    a token, with two blanks after sentences.
    """

    start: int
    end: int
    before: str
    after: str
    column: int
    token: bool
    double: bool


def mended(text: str, spend: Spend) -> Iterator[str]:
    """Readings of an object's text, at most READINGS, with no line break left in any string of it and no blank between
    its tokens; none of a text with NUL in it, which is no JSON.
    """
    if "\0" in text or not spend(len(text) + LOOK * text.count("\n")):
        return
    breaks = tuple(_breaks(text))
    marked = "\0".join(_between(text, breaks))
    out = [""] * (2 * len(breaks) + 1)
    out[::2] = joined(_MARKED.split(marked), marked).split("\0")
    seen: set[tuple[str, ...]] = set()
    for choice in islice(_choices(breaks), 2 * READINGS):
        if choice not in seen and len(seen) < READINGS:
            if not spend(len(text) + BREAK * len(breaks)):
                return
            seen.add(choice)
            out[1::2] = choice
            yield "".join(out)


def _between(text: str, breaks: tuple[Break, ...]) -> Iterator[str]:
    at = 0
    for one in breaks:
        yield text[at : one.start]
        at = one.end
    yield text[at:]


def _choices(breaks: tuple[Break, ...]) -> Iterator[tuple[str, ...]]:
    """Combinations: the likeliest of all; all as cut at a column; all blanks; then a few flipped at a time."""
    likeliest = tuple(one.readings[0] for one in breaks)
    yield likeliest
    yield tuple(one.at_column for one in breaks)
    yield tuple(one.blank for one in breaks)
    yield (" ",) * len(breaks)
    others = [(at, stands) for at, one in enumerate(breaks) for stands in one.readings[1:]]
    # first those of two blanks or one, last those of two where there is no sign of two, and none before the usual
    others.sort(key=lambda other: _rank(breaks[other[0]].readings, other[1]))
    for count in range(1, FLIPS + 1):
        for flipped in combinations(others, count):
            choice = list(likeliest)
            for at, stands in flipped:
                choice[at] = stands
            yield tuple(choice)


def _rank(readings: tuple[str, ...], stands: str) -> int:
    """0 for one blank in place of two, 1 for the usual other reading, 2 for one that is not likely."""
    return 0 if readings[0] == DOUBLE and stands == " " else min(2, readings.index(stands))


def _breaks(text: str) -> Iterator[Break]:
    """All breaks in strings, in order."""
    width = max(map(len, text.split("\n")))
    found = [
        one
        for string in _STRING.finditer(text)
        if text.find("\n", string.start(), string.end()) >= 0
        for one in _within(text, string.start(), string.end())
    ]
    filled = sum(one.column == width for one in found)
    cut = len(found) > 1 and filled * 2 > len(found)
    for one in found:
        blank, spare = _blanks(text, one)
        readings = _likeliest(text, one, blank, width, cut)
        if spare and blank in readings:
            readings = tuple(dict.fromkeys((*readings, spare)))
        yield Break(one.start, one.end, readings, one.before + one.after, blank)


def _within(text: str, start: int, end: int) -> Iterator[Found]:
    """The breaks of one string."""
    token = not _INNER.search(text, start, end)
    double = not token and bool(_DOUBLE.search(text, start, end))
    for one in _BREAK.finditer(text, start, end):
        line = text[start : one.start()]
        before = len(line.rstrip(" \t"))
        column = one.start() - (text.rfind("\n", 0, one.start()) + 1)
        yield Found(start + before, one.end(), line[before:], one[1], column, token, double)
        start = one.end()


def _blanks(text: str, one: Found) -> tuple[str, str]:
    """What a program that breaks at words has taken for this, and what else it may have taken: two blanks where a
    sentence ends, if others of its string have two, or one is left.
    """
    if one.token or not _ENDED.search(text, max(0, one.start - _TAIL), one.start):
        return " ", ""
    return (DOUBLE, " ") if one.double or one.before or one.after == " " else (" ", DOUBLE)


def _likeliest(text: str, one: Found, blank: str, width: int, cut: bool) -> tuple[str, ...]:
    """What a break may stand for. `cut`: lines seem cut at a column."""
    before, after, column = one.before, one.after, one.column
    nothing = ""
    if column >= POSTFIX and after:
        return (before + after[1:], before + after)
    if one.token or (text[one.start - 1] == "-" and _HYPHEN.match(text, one.start - 2)):
        return (nothing, " ")
    if cut and column == width:
        return (before + after, blank) if before or after else (nothing, blank)
    if before or column < width:
        return (blank, nothing)
    word = _WORD.match(text, one.end)
    fits = column + 1 + len(word[0] if word else "") <= width
    return (nothing, blank) if fits else (blank, nothing)
