"""How words get into the room that a picture gives them: broken at spaces, then made smaller until they fit."""

from __future__ import annotations

from engine import Text
from pbem.render.metrics import width

LEADING = 1.1
"""From one line to the next, in parts of the size."""


def fitted(text: Text, shown: str) -> tuple[tuple[str, ...], float]:
    """The lines of a text and the size at which they fit, which is its own size wherever that is possible."""
    lines: tuple[str, ...] = (shown,)
    if text.lines > 1:
        lines = _broken(text, shown.split(" "))
    widest = max(width(line, text.size, text.bold) for line in lines)
    return lines, text.size * min(1, text.room / max(widest, 1))


def _broken(text: Text, words: list[str]) -> tuple[str, ...]:
    """As few lines as fit; what is left over stays in the last one."""
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if len(lines) < text.lines and width(longer, text.size, text.bold) > text.room:
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(lines)
