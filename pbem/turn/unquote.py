"""What mail programs do to lines, undone: quote marks, format=flowed, typographic characters.

Law: text in, less damaged text out; knows no JSON but that ours is ASCII. A wrong guess does no harm: only a
repair under which the signature is right is ever used. Every step is one pass over the text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pbem.turn.mail_text import resolved

# `> `, `>>`, `> > `, `| `, `JD> `; of the blanks after a mark the first belongs to it.
_MARKS = re.compile(r"^(?:[ \t\xa0]{0,3}[A-Za-z]{0,3}[>|\u2502\u2503\xbb][ \xa0]?)++", re.MULTILINE)
# Any other mark (`# `, `: `, `* `) shows in front of the first brace.
_OTHER_MARK = re.compile(r'^([^\w\s"{}\[\]\\>|][^\w"{}\[\]\\\n]{0,7})\{[ \t\xa0]*+(?:$|")', re.MULTILINE)
OTHER_MARKS = 3
_SOFT = re.compile(r"[^ \n] \n")
_SEPARATOR = re.compile(r"^-- $", re.MULTILINE)  # of a signature: no soft line
_AT_990 = re.compile(r"!\n(?<=[^\n]{980}!\n) ?")  # sendmail's break of a line that is too long

# Characters that software puts in place of ASCII. A file of ours has nothing but ASCII in it.
_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\uff02\xab\xbb"
_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_NOTHING = (
    "\xad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
_WIDE = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}  # of East Asian keyboards
_PLAIN = {
    **_WIDE,
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_SPACES, " "),
    **dict.fromkeys(_NOTHING, ""),
    **dict.fromkeys("\x0b\x0c\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    "\u2014": "--",
    "\u2026": "...",
}
_FREQUENT = "\xa0\u201c\u201d"
# Not `str.translate`: of a text full of other characters that costs twenty times as much.
_TYPED = re.compile(f"[{''.join(map(re.escape, _PLAIN))}]")
# UTF-8 that was read as Latin-1 or Windows-1252 and written as UTF-8 again: `\xc2\xa0`, a curly quote's three.
_TWICE = re.compile('\xc2[\x80-\xbf]|\xe2\u20ac[^\\s"]|[\xe2\xef][\x80-\xbf]{2}')
_BYTES = {
    char: bytes([byte]) for byte in range(0x80, 0xA0) for char in bytes([byte]).decode("cp1252", "ignore")
}
_FRENCH_OPEN = re.compile("\xab[\xa0\u202f]")
_FRENCH_CLOSE = re.compile("[\xa0\u202f]\xbb")


def readings(text: str, flowed: bool = False, del_sp: bool = False) -> tuple[str, ...]:
    """The text as it stands and with line damage undone in different ways, likeliest first, none twice.

    `flowed` and `del_sp` as the Content-Type declares them (RFC 3676); lists and forwards lose that label, so
    lines that end in a blank are taken for a sign, too.
    """
    found: list[str] = []
    text = _AT_990.sub("", text)
    for base in dict.fromkeys((text, plain(once(text)))):
        bare = unquoted(base)
        found.append(base)
        if flowed or len(_SOFT.findall(base)) > 1:
            both = [unflowed(each) for each in dict.fromkeys((base, bare))]
            joined = [pair[drop] for drop in (del_sp, not del_sp) for pair in both]
            found += (*joined, *map(unquoted, joined))
        found += (bare, unmarked(bare))
    distinct = list(dict.fromkeys(found))
    return tuple(dict.fromkeys([*distinct, *map(plain, distinct)]))


def unquoted(text: str) -> str:
    """Lines without their quote marks, however deep; lines that have none are left as they are."""
    return _MARKS.sub("", text)


def unmarked(text: str) -> str:
    """Lines without the odd marks that stand in front of an opening brace (the first OTHER_MARKS such marks)."""
    marks = dict.fromkeys(found[1].rstrip(" \t\xa0") for found in _OTHER_MARK.finditer(text))
    either = "|".join(re.escape(mark) for mark in list(marks)[:OTHER_MARKS])
    return re.sub(rf"^(?:{either})[ \xa0]?", "", text, flags=re.MULTILINE) if marks else text


def unflowed(text: str) -> tuple[str, str]:
    """RFC 3676: quote marks and stuffing off, soft line breaks joined; as it is, and with DelSp less their blank."""
    if not text.startswith(">") and "\n>" not in text:  # at once, where nothing is quoted
        lines = _SEPARATOR.sub("--\0", ("\n" + text).replace("\n ", "\n"))
        kept_all, dropped_all = lines.replace(" \n", " "), lines.replace(" \n", "")
        dropped_all = dropped_all[:-1] if lines[-1] == " " else dropped_all
        return kept_all[1:].replace("--\0", "-- "), dropped_all[1:].replace("--\0", "-- ")
    kept: list[str] = []
    dropped: list[str] = []
    soft, depth = False, 0
    for line in text.split("\n"):
        first = line[:1]
        rest = line.lstrip(">") if first == ">" else line
        marks = len(line) - len(rest)
        if first == " " or (marks and rest[:1] == " "):  # one blank of stuffing
            rest = rest[1:]
        if not soft or marks != depth:
            kept.append("\n")
            dropped.append("\n")
        soft, depth = rest[-1:] == " " and rest != "-- ", marks
        kept.append(rest)
        dropped.append(rest[:-1] if soft else rest)
    return "".join(kept[1:]), "".join(dropped[1:])


def once(text: str) -> str:
    """The text with characters that were encoded twice encoded once."""
    return text if text.isascii() else _TWICE.sub(lambda found: _decoded(found[0]), text)


@lru_cache(maxsize=1_000)
def _decoded(chars: str) -> str:
    """The one character that the bytes of these were, or they themselves."""
    try:
        return b"".join(_BYTES.get(char) or char.encode("latin-1") for char in chars).decode("utf-8")
    except UnicodeError:
        return chars


def plain(text: str) -> str:
    """Typographic characters as the ASCII they were made of; references resolved, as `&quot;` in plain text."""
    shown = resolved(text)
    if shown.isascii():
        return shown
    shown = _FRENCH_CLOSE.sub('"', _FRENCH_OPEN.sub('"', shown))
    for char in _FREQUENT:
        shown = shown.replace(char, _PLAIN[char])
    return _TYPED.sub(_typed, shown)


def _typed(found: re.Match[str]) -> str:
    return _PLAIN[found[0]]
