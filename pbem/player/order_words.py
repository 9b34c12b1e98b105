"""Lines of orders cut into words: what a phone, a mail program or a friend's hand does to a line is undone here.

Capital letters, typographic dashes and quotation marks, full-width characters and odd blanks count as what they
stand for. A text in double quotes is taken as it is.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Literal

import msgspec

from engine import refuse

Mark = Literal["word", "quoted", "check", "(", ")", "[", "]", ","]
_MARKS = "()[],"
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_QUOTES = dict.fromkeys(map(ord, "“”„‟«»"), '"')
_OTHERS = {ord("≥"): ">=", ord("≤"): "<=", 0xFEFF: "", 0x200B: "", 0xAD: ""}


class Word(msgspec.Struct, frozen=True):
    """One word of a line: what it says once it is tidied up, and where it stands (columns from 0, end excluded)."""

    text: str
    mark: Mark
    start: int
    end: int


def cut(line: str) -> tuple[Word, ...]:
    """The words of a line. Refused: `line/open-quote`, `line/escape`."""
    found: list[Word] = []
    at = 0
    while at < len(line):
        sign = _tidy(line[at])
        if not sign.strip():
            at += 1
        elif sign in _MARKS:
            found.append(Word(sign, sign, at, at + 1))  # type: ignore[arg-type]
            at += 1
        elif sign == '"':
            word = _quoted(line, at)
            found.append(word)
            at = word.end
        else:
            end = at
            while end < len(line) and _inside(_tidy(line[end])):
                end += 1
            text = _tidy(line[at:end]).casefold()
            mark: Mark = "check" if text.startswith("#") else "word"
            found.append(Word(text.removeprefix("#"), mark, at, end))
            at = end
    return tuple(found)


def _tidy(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_DASHES | _QUOTES | _OTHERS))


def _inside(sign: str) -> bool:
    return sign == "" or (bool(sign.strip()) and sign not in _MARKS and sign != '"')


def _quoted(line: str, start: int) -> Word:
    """A text in quotes, with the escapes of JSON; straight marks close what they opened.

    Refused: `line/open-quote`, `line/escape`.
    """
    closing = '"' if line[start] == '"' else "".join(map(chr, _QUOTES)) + '"'
    at = start + 1
    while at < len(line) and line[at] not in closing:
        at += 2 if line[at] == "\\" else 1
    if at >= len(line):
        raise refuse("line/open-quote", column=start + 1)
    try:
        text = str(json.loads(f'"{line[start + 1 : at]}"', strict=False))
    except ValueError:
        raise refuse("line/escape", column=start + 1) from None
    return Word(text, "quoted", start, at + 1)
