"""Text broken into lines of a width.

Decides nothing but where a line ends, and that as the standard library's textwrap does, which takes long for
plain prose. Prose is broken here, a word at a time; whatever is more than words with one blank between
them goes to textwrap itself.
"""

from __future__ import annotations

import re
import textwrap

_PROSE = re.compile(r"[^\s]+(?: [^\s]+)*", re.ASCII)


def break_lines(text: str, width: int, first: str = "", rest: str = "", *, cut: bool = False) -> list[str]:
    """The lines, at most `width` long; `first` stands before the first, `rest` before all others.

    A word longer than a line is cut if `cut`, else it stands alone in a line that is too long. Never at hyphens.
    """
    if _is_prose(text):
        if len(first) + len(text) <= width:
            return [first + text]
        lines = _greedy(text, width, first, rest)
        if not cut or all(len(line) <= width for line in lines):
            return lines
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=cut,
        break_on_hyphens=False,
    )


def _is_prose(text: str) -> bool:
    """Whether the text is nothing but words with one blank between them."""
    # the only blank that is printable is the ordinary one
    if text.isprintable():
        return "  " not in text and text[:1] not in ("", " ") and text[-1] != " "
    return _PROSE.fullmatch(text) is not None and all(map(str.strip, text.split(" ")))


def _greedy(text: str, width: int, first: str, rest: str) -> list[str]:
    lines: list[str] = []
    before, at = first, 0
    while (room := width - len(before)) < len(text) - at:
        # the last blank that leaves a line within its room; else a word that is too long has one of its own
        end = text.rfind(" ", at, at + max(room, 0) + 1)
        if end < 0:
            end = text.find(" ", at)
        if end < 0:
            break
        lines.append(before + text[at:end])
        before, at = rest, end + 1
    lines.append(before + text[at:])
    return lines
