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

STARTS = 16  # objects in one text that are looked at with line breaks in their strings
DEPTH = 64  # open braces that are remembered

# A blank anywhere Python's or a mail program's idea of one; some have no width.
BLANK = "\\s\x1c-\x1f\xa0\u200b\u200e\u200f\u2060\ufeff"
_OPEN = re.compile(rf'\{{(?=[{BLANK}]*+"[^"]{{0,80}}")')
_STRICT = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)("?)|[{}]')
_ANCHOR = re.compile(
    rf'\{{(?=[{BLANK}]*+"\s{{0,4}}(?:p\s*+a\s*+y\s*+l\s*+o\s*+a\s*+d|s\s*+i\s*+g|a\s*+s\s*+i\s*+d\s*+e)\s{{0,4}}")'
)
_LOOSE = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)("?)|[{}]', re.DOTALL)
_GAPS = re.compile(rf'("[^"\\]*+(?:\\.[^"\\]*+)*+")|[{BLANK}]++', re.DOTALL)
_COLON = re.compile(rf"[{BLANK}]*+:")
_KEY = re.compile(r'"\s*+p\s*+a\s*+y\s*+l\s*+o\s*+a\s*+d\s*+"')


def compact(text: str) -> str:
    """The same JSON without blanks between tokens; a number or word cut in two by a line break is whole
    again.
    """
    return _GAPS.sub(r"\1", text)


def whole(text: str) -> Iterator[str]:
    """Balanced objects with a key "payload" of their own, in order of their ends; no string may hold a
    line break.

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
    """Balanced objects that begin with a key of an envelope and have a "payload", line breaks in strings
    allowed.
    """
    at, budget, starts = 0, len(text) + 1_000, 0
    while (start := _ANCHOR.search(text, at)) and starts < STARTS and budget > 0:
        starts += 1
        end, used = _balance(text, start.start(), budget)
        budget -= used
        if end and _KEY.search(text, start.start(), end):
            yield text[start.start() : end]
        at = end or start.end()


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
