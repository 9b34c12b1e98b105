"""JSON objects that have a "payload", found in the midst of any text.

Law: finds where an object begins and ends, and takes the blanks between its tokens away; whether it is an
envelope, or JSON at all, is for its reader to say. Brackets and strings are all that is looked at.

Linear: a scan never goes over the same string twice, because a string holds no unescaped quote and a scan
begins at one; where it does start again inside what it has seen, it works on a budget.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

STARTS = 8  # objects from the top of a text, and from its end, that are looked at for line breaks in strings
DEPTH = 64  # open braces that are remembered

# A blank anywhere Python's or a mail program's idea of one; some have no width.
BLANK = "\\s\x1c-\x1f\xa0\u200b\u200e\u200f\u2060\ufeff"
_OPEN = re.compile(rf'\{{(?=[{BLANK}]*+"[^"]{{0,80}}")')
_STRICT = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)("?)|[{}]')
_ANCHOR = re.compile(
    rf'\{{(?=[{BLANK}]*+"\s{{0,4}}(?:p\s*+a\s*+y\s*+l\s*+o\s*+a\s*+d|s\s*+i\s*+g|a\s*+s\s*+i\s*+d\s*+e)\s{{0,4}}")'
)
# An escape may be cut, too: backslash, line break, quote.
_LOOSE = re.compile(r'"([^"\\]*+(?:\\[ \t\n]*+.[^"\\]*+)*+)("?)|[{}]', re.DOTALL)
_STRING = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")', re.DOTALL)
_NO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff"))
_COLON = re.compile(rf"[{BLANK}]*+:")


def compact(text: str) -> str:
    """The same JSON without blanks between tokens; a number cut in two by a line break is whole again."""
    pieces = _STRING.split(text)
    # strings at the odd places; what stands between them is split at blanks, which is faster than to look for these
    pieces[::2] = ["".join(_with_width(piece).split()) for piece in pieces[::2]]
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


def broken(text: str) -> Iterator[str]:
    """Balanced objects that begin with a key of an envelope, line breaks in strings allowed."""
    starts = [start.start() for start in _ANCHOR.finditer(text)]
    budget = len(text) + 1_000
    # Objects within objects are looked at, too: one that is cut off may seem to end in the midst of the next.
    for start in starts if len(starts) <= 2 * STARTS else starts[:STARTS] + starts[-STARTS:]:
        end, used = _balance(text, start, budget)
        budget -= used
        if end:
            yield text[start:end]
        if budget <= 0:
            return


def _balance(text: str, start: int, budget: int) -> tuple[int, int]:
    """The end of the object at `start`, 0 if it does not balance; and the number of tokens read."""
    depth = used = 0
    for token in _LOOSE.finditer(text, start):
        used += 1
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        elif not token[2] or "\n\n\n" in token[1]:
            return 0, used
        if depth == 0:
            return token.end(), used
        if depth > DEPTH or used > budget:
            return 0, used
    return 0, used
