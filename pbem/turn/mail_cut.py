"""Lines that a mail server has cut, because they were longer than mail may have, made whole.

Law: bytes in, bytes out; knows neither characters nor HTML, for a cut may go through the midst of either. Only lines
of the length that servers cut at are touched, and the text as it came is among what is read in any case.
"""

from __future__ import annotations

SHORTEST, LONGEST = 980, 1_000
"""Bytes of a line that may have been cut, its line end not counted: 998 is the limit, some cut at 990 or before."""


def uncut(body: bytes) -> tuple[bytes, ...]:
    """The body with its cut lines joined, likeliest first; none if no line is cut.

    Postfix begins the rest of a line with a blank, sendmail besides ends the line with `!`, others do neither. Where
    each rest begins with a blank, that may have been there before.
    """
    lines = body.split(b"\n")
    cut = [at for at, line in enumerate(lines[:-1]) if SHORTEST <= len(line) <= LONGEST and lines[at + 1]]
    if not cut:
        return ()
    blank = all(lines[at + 1].startswith(b" ") for at in cut)
    marked = all(lines[at].endswith(b"!") for at in cut)
    found = [_joined(lines, set(cut), blank, marked)]
    if marked:
        found.append(_joined(lines, set(cut), blank, False))
    elif blank:
        found.append(_joined(lines, set(cut), False, marked))
    return tuple(found)


def _joined(lines: list[bytes], cut: set[int], blank: bool, marked: bool) -> bytes:
    out: list[bytes] = []
    for at, line in enumerate(lines):
        rest = line[1:] if blank and at - 1 in cut else line
        if at in cut:
            out.append(rest[:-1] if marked else rest)
        else:
            out += (rest, b"\n")
    return b"".join(out[:-1])
