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
    words = text.split(" ")
    if _is_prose(text, words):
        if len(first) + len(text) <= width:
            return [first + text]
        lines = _greedy(words, width, first, rest)
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


def _is_prose(text: str, words: list[str]) -> bool:
    """Whether the text is nothing but words with one blank between them."""
    if text.isascii() and text.isprintable():
        return "" not in words
    return _PROSE.fullmatch(text) is not None and all(map(str.strip, words))


def _greedy(words: list[str], width: int, first: str, rest: str) -> list[str]:
    lines: list[str] = []
    line, used = first + words[0], len(first) + len(words[0])
    for word in words[1:]:
        used += 1 + len(word)
        if used > width:
            lines.append(line)
            line = rest + word
            used = len(line)
        else:
            line = f"{line} {word}"
    lines.append(line)
    return lines
