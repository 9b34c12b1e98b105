"""JSON objects that have a "payload", found in the midst of any text.

Law: finds where an object begins and ends, and takes the blanks between its tokens away; whether it is an
envelope, or JSON at all, is for its reader to say. Brackets and strings are all that is looked at.

Linear: a scan never goes over the same string twice, because a string holds no unescaped quote and a scan
begins at one; where it does start again inside what it has seen, it works on a budget.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice

STARTS = 8  # objects from the top of a text, and from its end, that are looked at for line breaks in strings
DEPTH = 64  # open braces that are remembered
TOKEN = 4  # characters: in what a program writes, strings and braces are further apart on the average
TOKEN_WORK = 8  # what a token costs, in characters

Spend = Callable[[int], bool]
"""Told of so many characters of work; False if that is more than may be done for a mail."""

# A blank anywhere Python's or a mail program's idea of one; some have no width.
BLANK = "\\s\x1c-\x1f\xa0\u200b\u200e\u200f\u2060\ufeff"
_OPEN = re.compile(rf'\{{(?=[{BLANK}]*+"[^"]{{0,80}}")')
_STRICT = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)("?)|[{}]')
_ANCHOR = re.compile(
    rf'\{{(?=[{BLANK}]*+"\s{{0,4}}(?:p\s*+a\s*+y\s*+l\s*+o\s*+a\s*+d|s\s*+i\s*+g|a\s*+s\s*+i\s*+d\s*+e)\s{{0,4}}")'
)
# An escape may be cut, too: backslash, line break, quote.
_LOOSE = re.compile(r'"[^"\\]*+(?:\\[ \t\n]*+.[^"\\]*+)*+"?|[{}]', re.DOTALL)
_STRING = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")', re.DOTALL)
_NO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff"))
_COLON = re.compile(rf"[{BLANK}]*+:")


def compact(text: str) -> str:
    """The same JSON without blanks between tokens; a number cut in two by a line break is whole again."""
    return joined(_STRING.split(text), text)


def joined(pieces: list[str], text: str) -> str:
    """The pieces of a text without the blanks in every second one, the first included; strings are at the odd places.

    All are split at blanks at once, with NUL between them; a text with a NUL outside of its strings is no JSON, and
    comes back as it is.
    """
    bare = "".join(_with_width("\0".join(pieces[::2])).split()).split("\0")
    if 2 * len(bare) != len(pieces) + 1:
        return text
    pieces[::2] = bare
    return "".join(pieces)


def _with_width(text: str) -> str:
    return text if text.isascii() else text.translate(_NO_WIDTH)


def whole(text: str) -> Iterator[str]:
    """Balanced objects with a key "payload" of their own, in order of their ends; strings end on their line.

    Braces of the prose around are of no account: an object that does not balance is forgotten where a string
    of it runs into the end of its line, and what is inside it counts.
    """
    stack: deque[tuple[int, bool]] = deque(maxlen=DEPTH)  # of too many open braces the oldest are forgotten
    at = 0
    while token := (_STRICT if stack else _OPEN).search(text, at):
        at = token.end()
        if token[0] == "{":
            stack.append((token.start(), False))
        elif token[0] == "}":
            start, named = stack.pop()
            if named:
                yield text[start:at]
        elif not token[2]:
            stack.clear()
        elif token[1] == "payload" and _COLON.match(text, at):
            stack[-1] = (stack[-1][0], True)


def broken(text: str, spend: Spend) -> Iterator[str]:
    """Balanced objects that begin with a key of an envelope, line breaks in strings allowed."""
    starts = [start.start() for start in _ANCHOR.finditer(text)]
    # Objects within objects are looked at, too: one that is cut off may seem to end in the midst of the next.
    starts = starts if len(starts) <= 2 * STARTS else starts[:STARTS] + starts[-STARTS:]
    ends: dict[int, int] = {}
    budget = len(text) // TOKEN + 1_000
    for start in starts:
        if start not in ends and budget > 0 and spend(0):
            used = _balance(text, start, budget, ends)
            budget -= used
            if not spend(TOKEN_WORK * used):
                return
        if ends.get(start):
            yield text[start : ends[start]]


def _balance(text: str, start: int, budget: int, ends: dict[int, int]) -> int:
    """Sets the end of the object at `start`, and of those in it; 0 if one does not balance. The number of tokens read.

    One pass for all of them: what begins within a string of another is no object in it, and has a pass of its own.
    """
    stack: list[int] = []
    used = 0
    for token in islice(_LOOSE.finditer(text, start), budget):
        used += 1
        seen = token[0]
        if seen == "{":
            stack.append(token.start())
            if len(stack) > DEPTH:
                break
        elif seen == "}":
            ends[stack.pop()] = token.end()
            if not stack:
                break
        elif seen[-1] != '"' or "\n\n\n" in seen:  # the one that does not end is the last in any case
            break
    for unclosed in stack:
        ends.setdefault(unclosed, 0)
    return used
