"""Bytes to text: character sets, header words, and HTML as a person would see it.

Law: decides what characters a part has, whatever its label says; knows no JSON. The name of a character set
is the sender's word, so only names on the list here are looked up (`zlib`, `idna` and names with NUL end in
odd errors). Everything is one pass over the text, and no answer depends on a Unicode table of the Python at
hand.
"""

from __future__ import annotations

import binascii
import codecs
import html
import re
from collections.abc import Callable
from functools import lru_cache

_ISO = {f"iso-8859-{n}": f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)}
_WINDOWS = {f"windows-125{n}": f"cp125{n}" for n in range(9)}
_SELF = (
    "koi8-r",
    "koi8-u",
    "gb2312",
    "gbk",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
)
CHARSETS: dict[str, str] = {
    **dict.fromkeys(("utf-8", "utf8", "us-ascii", "ascii"), "utf-8"),
    **_ISO,
    **_WINDOWS,
    # programs that write Windows-1252 call it so, curly quotes and all
    **dict.fromkeys(("iso-8859-1", "latin1"), "cp1252"),
    **{name: name for name in _SELF},
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac-roman"),
    **{f"cp125{n}": f"cp125{n}" for n in range(9)},
    **dict.fromkeys(("x-sjis", "sjis", "windows-31j", "cp932"), "cp932"),
    **dict.fromkeys(("ks_c_5601-1987", "cp949"), "cp949"),
    **dict.fromkeys(("tis-620", "windows-874"), "cp874"),
    **dict.fromkeys(("cp936", "ms936", "windows-936", "x-gbk"), "gbk"),
    **dict.fromkeys(("big5-hkscs", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e"), "iso8859-8"),
    **{f"{maker}{page}": f"cp{page}" for maker in ("ibm", "cp") for page in (437, 850, 852, 866)},
    **dict.fromkeys(("iso-2022-jp-2", "iso-2022-jp-3", "cp50220", "cp50221"), "iso-2022-jp"),
}
UTF_7 = ("utf-7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7")
"""It looks like ASCII, so only the label tells it."""

_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

_LAST = ("utf-8", "cp1252")  # nothing to try between UTF-8 and the last of all
_SHIFTING = ("iso-2022-jp",)  # what a byte means hangs on the lines above it
_WINDOWS_1252 = bytes(range(256)).decode("cp1252", "replace")

_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?\s]{0,800})\?=([ \t]+(?==\?))?")
_CONTROL = re.compile("[\x00-\x20\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+")

# HTML. `pre` keeps its line ends; everywhere else they are blanks, and the tags of LINES end a line.
_HIDDEN = (("<!--", "-->"), ("<head>", "</head>"), ("<style", "</style>"), ("<script", "</script>"))
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15})[^<>]*+>|<[!?][^<>]*+>")
_LINES = re.compile(
    "address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|tr|ul", re.IGNORECASE
)
_BLANKS = re.compile(r"[ \t\n\f]+")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")

_FREQUENT = (("&nbsp;", "\xa0"), ("&quot;", '"'), ("&#34;", '"'), ("&gt;", ">"), ("&lt;", "<"))


def text(body: bytes, charset: str = "") -> str:
    """The text of a part. UTF-16 or UTF-32 if its bytes say so; UTF-8 if it is that, else line by line (a list's
    footer may be of another set than the text): UTF-8, else the declared set if listed, else Windows-1252 with gaps.
    """
    name = charset.strip().lower()
    seven = ("utf-7",) if name in UTF_7 else ()
    if wide := _wide(body):
        return body.decode(wide, "replace").removeprefix("\ufeff")
    for codec in (*seven, "utf-8"):
        try:
            return body.decode(codec).removeprefix("\ufeff")
        except UnicodeError:
            continue
    return _by_lines(body, CHARSETS.get(name, "utf-8")).removeprefix("\ufeff")


def _by_lines(body: bytes, declared: str) -> str:
    """Each line by itself: UTF-8, else the declared set, else Windows-1252; what several are of is decoded at once, for
    a line that is tried by itself, and fails, costs twenty times as much.
    """
    raw = body.split(b"\n")
    shown = body.decode("utf-8", "replace").split("\n")
    odd = [at for at, line in enumerate(shown) if "\ufffd" in line]  # one at least
    for decode in (_declared(declared), _windows) if declared not in _LAST else (_windows,):
        for at, line in zip(odd, decode([raw[at] for at in odd]), strict=True):
            shown[at] = line
        if not (odd := [at for at in odd if "\ufffd" in shown[at]]):
            break
    return "\n".join(shown)


def _declared(codec: str) -> Callable[[list[bytes]], list[str]]:
    """Lines to text, with U+FFFD in those that are not of the set."""

    def decode(lines: list[bytes]) -> list[str]:
        found = b"\n".join(lines).decode(codec, "replace").split("\n")
        if codec not in _SHIFTING and len(found) == len(lines):
            return found
        return [line.decode(codec, "replace") for line in lines]

    return decode


def _windows(lines: list[bytes]) -> list[str]:
    block = b"\n".join(lines)
    # a table may be a text, and that is fastest
    return codecs.charmap_decode(block, "strict", _WINDOWS_1252)[0].split("\n")  # pyright: ignore[reportArgumentType]


def _wide(body: bytes) -> str:
    """UTF-32 or UTF-16, if a mark tells so, or NUL at every fourth or second place, for our files are ASCII; or ""."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return codec
    nul = [body[at::4].count(0) for at in range(4)]
    enough = len(body) // 16
    if sum(nul) <= enough:
        return ""
    if min(nul[1], nul[2]) > enough:
        return "utf-32-le" if nul[3] > nul[0] else "utf-32-be"
    return "utf-16-be" if nul[0] + nul[2] > nul[1] + nul[3] else "utf-16-le"


def header(value: bytes, limit: int = 200) -> str:
    """An unstructured header field to show: encoded words decoded where that is safe, no line end or
    control left.
    """
    raw, at, out = text(value[:1_000]), 0, list[str]()
    for found in _WORD.finditer(raw):
        out += (raw[at : found.start()], _word(found))
        at = found.end()
    out.append(raw[at:])
    return _CONTROL.sub(" ", "".join(out)).strip()[:limit]


def _word(found: re.Match[str]) -> str:
    """One encoded word decoded; as it stands if it cannot be."""
    coded = found[3].encode("utf-8", "replace")
    try:
        body = binascii.a2b_base64(coded + b"==") if found[2] in "bB" else binascii.a2b_qp(coded, header=True)
    except binascii.Error:
        return found[0]
    return text(body, found[1].partition("*")[0])


def from_html(source: str) -> str:
    """What a reader sees of an HTML text: tags gone, blocks on lines of their own, references resolved."""
    shown = source
    for opening, closing in _HIDDEN:
        shown = _without(shown, opening, closing)
    out = ["\n"]
    kept = at = 0
    for tag in _TAG.finditer(shown):
        out.append(_seen(shown[at : tag.start()], kept > 0, out[-1] == "\n"))
        at = tag.end()
        name = tag[2] or ""
        if _LINES.fullmatch(name):
            out.append("\n")
        if name in ("pre", "PRE"):
            kept = max(0, kept - 1) if tag[1] else kept + 1
    out.append(_seen(shown[at:], kept > 0, out[-1] == "\n"))
    return "".join(out[1:])


def _seen(run: str, kept: bool, fresh: bool) -> str:
    """A run between tags as shown, `kept` inside `pre`; blanks that begin a `fresh` line are not shown."""
    if not kept:
        run = _BLANKS.sub(" ", run)
        run = run.removeprefix(" ") if fresh else run
    return resolved(run)


def resolved(run: str) -> str:
    """Character references (`&quot;`, `&#34;`) resolved; only well-formed ones of a sane length reach Python."""
    if "&" not in run:
        return run
    for reference, character in _FREQUENT:  # none of these makes a reference of what is around it
        run = run.replace(reference, character)
    return _REFERENCE.sub(lambda found: _character(found[0]), run) if "&" in run else run


@lru_cache(maxsize=1_000)
def _character(reference: str) -> str:
    """A mail that has many has the same ones again and again."""
    return html.unescape(reference)


def _without(source: str, opening: str, closing: str) -> str:
    """The text without what stands from each `opening` to the next `closing` (any case); unclosed ones
    stay.
    """
    lower, at, out = source.translate(_LOWER), 0, list[str]()
    while (start := lower.find(opening, at)) >= 0 and (end := lower.find(closing, start)) >= 0:
        out.append(source[at:start])
        at = end + len(closing)
    return "".join((*out, source[at:]))
