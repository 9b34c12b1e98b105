"""Strangers' words made fit for a page: what no HTML or XML document may hold is replaced, and nothing else."""

from __future__ import annotations

import json
import re

_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_REPLACED = "\ufffd"


def clean(text: str) -> str:
    """The text with controls, surrogates and noncharacters replaced by U+FFFD."""
    return _UNFIT.sub(_REPLACED, text)


def clean_json(text: str) -> str:
    """JSON of the same value that may stand in a script element of HTML."""
    return _UNFIT.sub(lambda found: json.dumps(found[0])[1:-1], text).replace("<", "\\u003c")
