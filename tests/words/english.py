"""Looks for what is left in English in a text that should be in another language."""

from __future__ import annotations

import re

LITTLE = frozenset(
    re.findall(
        r"\w+",
        "the and your you with are were have from that this of to for who what their his one been turn it not by can"
        " its when no or has played card cards",
    )
)
"""English words of which hardly any sentence has none."""

OWN = {"de": {"was", "so", "not"}, "fi": set[str](), "hu": {"is", "ha"}}
"""Those of them that are also words of another language."""

NAMES = re.compile(
    r"\b(The\s+Arena|The\s+Rad\s+Zone|Sea\s+of\s+Mercury|Port\s+of\s+Praetorus)\b|\b[a-z]{3}(?= [A-Z\[])|`[^`]*`|--[a-z-]+"
)
"""What stays as it is: names on a board, their short forms on its map, and what is to be typed."""


def english(text: str, lang: str) -> list[str]:
    """The lines of a text that have English words; none in English itself."""
    if lang == "en":
        return []
    wrong = LITTLE - OWN[lang]
    lines = NAMES.sub("", text).splitlines()
    return [line for line in lines if wrong & set(re.findall(r"\b[a-z]+\b", line.lower()))]
