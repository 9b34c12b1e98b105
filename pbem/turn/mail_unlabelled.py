"""Transfer encodings that no label tells of: a gateway has lost it, encoded twice, or the file stands in the text so.

Law: text in, the texts that lie in it under base64, uuencode, quoted-printable or the escapes of an address
(`%22`, in which a `mailto:` carries what a page hands over); knows no JSON, and reads what is damaged as far as it
goes. Every step is one pass over the text.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from pbem.turn import mail_parts, mail_text
from pbem.turn.unquote import unquoted

LINE, RUN = 40, 120
"""Characters of a line of base64, the last one excepted, and of all lines of it: fewer are a word or a digest."""

_DIGITS = re.compile(r"[ \t>|]*+([A-Za-z0-9+/_-]++={0,2})[ \t]*+")
_FULL_LINE = re.compile(rf"^[ \t>|]*+[A-Za-z0-9+/_-]{{{LINE}}}", re.MULTILINE)
_WEB = str.maketrans("-_", "+/")
_UU = re.compile(r"^begin [0-7]{3,4} [^\n]{0,200}\n((?:[!-`][ -`]{0,84}\n)*+)", re.MULTILINE)
_ESCAPED = "%22payload%22"
_ESCAPE = re.compile("%([0-7][0-9A-Fa-f])")  # a file of ours is ASCII
_PRINTABLE = re.compile(r"=(?:[0-9A-Fa-f]{2}|[ \t]*+\n)")


def undone(text: str, charset: str = "") -> Iterator[str]:
    """The texts within a text; none in one that has nothing encoded in it."""
    for body in (*_base64(text), *_uuencoded(text)):
        yield mail_text.text(mail_parts.unix(body), charset)
    if _ESCAPED in text:
        yield _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text.replace("+", " "))
    if _PRINTABLE.search(text):
        for each in dict.fromkeys((text, unquoted(text))):
            yield mail_text.text(mail_parts.printable(each.encode("utf-8", "replace")), charset)


def _base64(text: str) -> Iterator[bytes]:
    """Each run of lines that are base64 and nothing else, quote marks aside."""
    if not _FULL_LINE.search(text):
        return
    run: list[str] = []
    for line in (*text.split("\n"), ""):
        found = _DIGITS.fullmatch(line)
        if found and (len(found[1]) >= LINE or run):
            run.append(found[1])
        if run and (found is None or len(found[1]) < LINE):
            digits = "".join(run)
            run = []
            if len(digits) >= RUN:
                yield mail_parts.base64(digits.translate(_WEB).encode("ascii"))


def _uuencoded(text: str) -> Iterator[bytes]:
    """Each file between `begin 644 name` and `end`; a line that is none ends it."""
    for found in _UU.finditer(text):
        yield b"".join(_uu_lines(found[1]))


def _uu_lines(body: str) -> Iterator[bytes]:
    for line in body.splitlines():
        try:
            yield binascii.a2b_uu(line.encode("ascii"))
        except binascii.Error:
            return
