"""The bytes of a mail cut into header fields and leaf parts, within budgets.

Law: decides where parts begin and end and takes their transfer encoding off; knows no JSON and no character
set. File names are read as a hint of what a part is, and go nowhere else.

The cutting is done here and not by `email`, for what a stranger can do to it (CPython 3.11, compat32): a
parameter of 64,000 semicolons in a part's header costs 2 s and twice as many 8 s; 2,000 nested parts end in
RecursionError, and `name*0=a; name*=b` in TypeError while parsing. Here every step is one pass over the
bytes, or one for each of at most DEPTH levels, and a damaged part is text like any other.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engine import Refused, refuse

SIZE = 256 * 1024
HEAD_BYTES, HEAD_LINES = 32 * 1024, 400
PART_HEAD_BYTES = 8 * 1024
PARTS, DEPTH = 40, 8
VALUE = 2_000  # bytes of one field that are looked at
DASHES = 400  # lines that begin with "--": delimiters, or rules in a quoted report
TYPES = 100  # "Content-Type:" anywhere

_FIELD = re.compile(rb"([!-9;-~]{1,76})[ \t]{0,8}:(.*)", re.DOTALL)
_PARAM = re.compile(
    rb';[ \t\n]*+([^\s=;"]{1,40})[ \t\n]*+=[ \t\n]*+("(?:[^"\\]|\\.)*+"?|[^;\s]*+)', re.DOTALL
)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_KIND = re.compile(rb"\s*([a-z0-9.+_-]{1,60}/[a-z0-9.+_-]{1,80})", re.IGNORECASE)
_CODING = re.compile(
    rb"[\s\"']*+([A-Za-z0-9-]+)"
)  # in quotes, or before a comment or a semicolon, it counts, too
_BASE64 = re.compile(rb"([A-Za-z0-9+/]+)=*")
_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
)
_NOT_PRINTABLE = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*+(?:\n|\Z))")
_SOFT_BREAK = re.compile(rb"=[ \t]++\n")

Fields = tuple[tuple[str, bytes], ...]


class Part(msgspec.Struct, frozen=True):
    """A leaf of the MIME tree. `kind` is lower case (`text/plain`), `body` has its transfer encoding taken
    off. `raw`: the body as it came, if it cannot be of the encoding that its label tells; else empty.
    """

    kind: str
    params: dict[str, str]
    name: str
    body: bytes
    raw: bytes = b""


class Container(msgspec.Struct, frozen=True):
    """A part that is not looked into, by its kind alone (`message/rfc822`, `multipart/encrypted`)."""

    kind: str
    body: bytes


class Broken(msgspec.Struct, frozen=True):
    """A part whose header fields are beyond the budget."""


Piece = Part | Container | Broken


def unix(raw: bytes) -> bytes:
    """Line ends of every kind as LF; CR CR LF, which a careless gateway makes of CRLF, is one of them."""
    return raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def check_size(raw: bytes) -> None:
    """Refused: `mail/too-long`, on the bytes as they came."""
    if len(raw) > SIZE:
        raise refuse("mail/too-long", size=len(raw), limit=SIZE)


@lru_cache(maxsize=8)
def opened(raw: bytes) -> tuple[Fields, bytes]:
    """`head` of a mail as it came; whoever asks after the first one is told at once. Refused: `mail/long-header`."""
    return head(unix(raw))


def top(raw: bytes) -> Fields:
    """The first header fields of a mail of whatever size: those within HEAD_BYTES and HEAD_LINES."""
    lines = unix(raw[:HEAD_BYTES]).split(b"\n")
    # the last line of many may be cut, and is not looked at
    return split(b"\n".join(lines[: min(HEAD_LINES, len(lines) - 1)]) + b"\n", HEAD_BYTES)[0]


def head(raw: bytes) -> tuple[Fields, bytes]:
    """The header fields of the mail and its body, line ends already LF. Refused: `mail/long-header`."""
    fields, body = split(raw, HEAD_BYTES)
    size = len(raw) - len(body)
    if size > HEAD_BYTES or raw.count(b"\n", 0, size) > HEAD_LINES:
        raise refuse("mail/long-header", limit=HEAD_BYTES, lines=HEAD_LINES)
    return fields, body


def split(raw: bytes, limit: int) -> tuple[Fields, bytes]:
    """Fields (name in lower case, value unfolded) up to the first line that is none, and the bytes after
    them.

    A body begins after an empty line, or where a line is no field: text without any header is body
    altogether. Reading stops past `limit` bytes; the caller sees that by the length of the body.
    """
    fields: list[tuple[str, bytes]] = []
    at = 0
    while at < len(raw) and at <= limit:
        end = raw.find(b"\n", at)
        end = len(raw) if end < 0 else end
        line = raw[at:end]
        if not line.strip(b" \t"):
            return tuple(fields), raw[end + 1 :]
        if line[:1] in b" \t" and fields:
            name, value = fields[-1]
            if len(value) < VALUE:
                fields[-1] = (name, value + b" " + line.strip(b" \t"))
        elif found := _FIELD.match(line):
            fields.append((found[1].decode("ascii").lower(), found[2].strip(b" \t")[:VALUE]))
        elif at or not line.startswith((b"From ", b">From ")):  # the mbox line above a mail is no part of it
            return tuple(fields), raw[at:]
        at = end + 1
    return tuple(fields), raw[at:]


def first(fields: Fields, name: str) -> bytes:
    """The value of the first field of that name, or nothing."""
    return next((value for key, value in fields if key == name), b"")


def params(value: bytes) -> dict[str, str]:
    """Parameters of a Content-Type or Content-Disposition, names in lower case, RFC 2231 pieces put together.

    Values as Latin-1 text, so that no byte is lost. Of equal names the first counts.
    """
    pieces: dict[str, list[str]] = {}
    for found in _PARAM.finditer(value[:VALUE]):
        name, star, tail = found[1].decode("latin-1").lower().partition("*")
        text = found[2]
        if text[:1] == b'"':
            text = _ESCAPED.sub(rb"\1", text[1:].removesuffix(b'"'))
        if star and (not tail or tail.endswith("*")):
            text = _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), text.split(b"'", 2)[-1])
        if name not in pieces:
            pieces[name] = [text.decode("latin-1")]
        elif star and tail[:1] in tuple("123456789"):
            pieces[name].append(text.decode("latin-1"))
    return {name: "".join(texts) for name, texts in pieces.items()}


def kind_of(fields: Fields, usual: str = "text/plain") -> str:
    """The media type in lower case; `usual` where there is none or it is not well-formed."""
    found = _KIND.match(first(fields, "content-type"))
    return found[1].decode("ascii").lower() if found else usual


def pieces(fields: Fields, body: bytes) -> tuple[Piece, ...]:
    """All leaves, in reading order. Refused: `mail/too-many-parts`."""
    if body.count(b"\n--") > DASHES or len(re.findall(rb"content-type:", body, re.IGNORECASE)) > TYPES:
        raise crowded()
    found: list[Piece] = []
    for piece in walk(fields, body, 0):
        found.append(piece)
        if len(found) > PARTS:
            raise crowded()
    return tuple(found)


def crowded() -> Refused:
    """`mail/too-many-parts`."""
    return refuse("mail/too-many-parts", limit=PARTS, depth=DEPTH)


def walk(fields: Fields, body: bytes, depth: int, usual: str = "text/plain") -> Iterator[Piece]:
    """The leaves of one entity, depth first; what has the type of a container and no parts is a leaf of
    text. `usual` is the type of what tells none.
    """
    kind = kind_of(fields, usual)
    if depth > DEPTH:
        raise crowded()
    if kind.startswith("message/") or kind in ("multipart/encrypted", "multipart/report"):
        yield Container(kind, body)
        return
    attributes = params(first(fields, "content-type"))
    if kind.startswith("multipart/"):
        inner = entities(body, attributes.get("boundary", ""))
        below_usual = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for entity in inner:
            below, rest = split(entity, PART_HEAD_BYTES)
            if len(entity) - len(rest) > PART_HEAD_BYTES:
                yield Broken()
            else:
                yield from walk(below, rest, depth + 1, below_usual)
        if inner:
            return
        kind = "text/plain"
    disposition = params(first(fields, "content-disposition"))
    name = disposition.get("filename") or attributes.get("name", "")
    encoding = first(fields, "content-transfer-encoding")
    yield Part(kind, attributes, name, decoded(encoding, body), body if lies(encoding, body) else b"")


def entities(body: bytes, boundary: str) -> tuple[bytes, ...]:
    """What stands between the delimiter lines of a boundary; the last one need not be closed. Preamble and
    epilogue fall.
    """
    if not boundary:
        return ()
    mark = re.escape(boundary.rstrip(" ").encode("latin-1"))
    found: list[bytes] = []
    start = -1
    for line in re.finditer(rb"^--" + mark + rb"(--)?[ \t]*+$", body, re.MULTILINE):
        if start >= 0:
            found.append(body[start : max(start, line.start() - 1)])
        if len(found) > PARTS:
            raise crowded()
        start = line.end() + 1
        if line[1]:
            return tuple(found)
    if start >= 0:
        found.append(body[start:])
    return tuple(found)


def lies(encoding: bytes, body: bytes) -> bool:
    """Whether a body called encoded shows that it is not: by a brace in base64, or an `=` that nothing is encoded with
    in quoted-printable (signatures end in two).
    """
    found = _CODING.match(encoding)
    match found[1].lower() if found else b"":
        case b"base64":
            return b"{" in body
        case b"quoted-printable":
            return bool(_NOT_PRINTABLE.search(body))
        case _:
            return False


def decoded(encoding: bytes, body: bytes) -> bytes:
    """The body without its transfer encoding; unknown encodings are left alone, damaged ones read as far
    as they go.
    """
    found = _CODING.match(encoding)
    match found[1].lower() if found else b"":
        case b"base64":
            return base64(body)
        case b"quoted-printable":
            return printable(body)
        case _:
            return body


def base64(body: bytes) -> bytes:
    """Base64 read piece by piece between paddings, anything foreign (quote marks, blanks, a list's footer)
    left out.
    """
    out: list[bytes] = []
    for found in _BASE64.finditer(body.translate(None, _NOT_BASE64)):
        digits = found[1]
        whole = digits[: -1 if len(digits) % 4 == 1 else None]
        out.append(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)))
    return b"".join(out)


def printable(body: bytes) -> bytes:
    """Quoted-printable; blanks that a gateway left after the `=` of a soft line break are overlooked."""
    return binascii.a2b_qp(_SOFT_BREAK.sub(b"=\n", body))
