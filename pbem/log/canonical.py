"""The one way from untrusted bytes to JSON values, and the one way back (protocol.md section 2).

Decides what is JSON here: the subset in which canonical bytes equal RFC 8785. Knows no field of any file.

Two roads lead through `read`. Bytes that equal their own canonical encoding cannot hold a key twice, a
number or a string written in a second way, or anything after the value: they are decoded by msgspec and
walked once. All others take the exact road, which names the first thing that is wrong. Both end in the
same walk.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NoReturn, cast

import msgspec

from engine import refuse

MAX_INTEGER = 2**53 - 1
MAX_DIGITS = 16
RAW_FACTOR = 4
"""Mail indents and escapes: the text may be this many times as long as the canonical bytes."""


class Limits(msgspec.Struct, frozen=True):
    """Canonical size in bytes; depth in nested lists and objects (`{}` is 1, a bare number 0)."""

    size: int
    depth: int


ENVELOPE = Limits(32 * 1024, 24)
VIEW = Limits(64 * 1024, 24)
"""An envelope of the host's: a view with its menu and news is longer than anything that a player sends."""
LINE = Limits(64 * 1024, 32)

_ENCODER = msgspec.json.Encoder(order="sorted")
_KNOWN_KEYS: set[str] = set()
"""Keys seen and found good, at most so many and so long: a cache, which decides nothing."""
_MOST_KEYS = 4096
_LONG_KEY = 64
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_NESTING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BOM = b"\xef\xbb\xbf"


def canonical(obj: object) -> bytes:
    """The canonical bytes of a value or Struct of the subset: keys sorted, no spaces, UTF-8."""
    return _ENCODER.encode(obj)


def pretty(obj: object) -> bytes:
    """The same value for people and for mail: indented, ASCII only, LF at the end."""
    data = _ENCODER.encode(obj)
    return laid_out(data)


def laid_out(data: bytes) -> bytes:
    """`pretty` of what lies behind canonical bytes."""
    # what is ASCII already needs no escapes, and is laid out in C; json.dumps would escape DEL too
    if data.isascii() and b"\x7f" not in data:
        return msgspec.json.format(data, indent=2) + b"\n"
    plain = msgspec.json.decode(data)
    return (json.dumps(plain, indent=2, ensure_ascii=True, sort_keys=True) + "\n").encode("ascii")


def digest(data: bytes) -> str:
    """SHA-256 in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def read(data: bytes, limits: Limits) -> Any:
    """The value that the bytes spell, within the subset and the limits.

    Raises Refused with a `file/…` code: too-long, encoding, too-deep, not-json, key-twice, bad-key, float,
    null, integer, surrogate. Never any other exception, whatever the bytes are.
    """
    value = _decode_canonical(data, limits)
    if value is None:
        value = _decode_exactly(data, limits)
        walk(value, limits.depth)
        if len(canonical(value)) > limits.size:
            raise refuse("file/too-long", size=len(canonical(value)), limit=limits.size)
        return value
    walk(value, limits.depth)
    return value


def reread(data: bytes, limits: Limits) -> Any:
    """The value behind bytes that `canonical` has just made, within the subset and the limits. Refused as `read`.

    They are canonical by their making, so only what they hold is looked at.
    """
    if len(data) > limits.size:
        raise refuse("file/too-long", size=len(data), limit=limits.size)
    value = msgspec.json.decode(data)
    walk(value, limits.depth)
    return value


def walk(value: object, depth: int) -> None:
    """Refuses what the subset leaves out; `depth` is how many more nested lists and objects may come.

    Every log line passes here, so the plain cases come first and cost no call.
    """
    items: Iterable[object]
    if type(value) is dict:
        members = cast("dict[str, object]", value)
        if not _KNOWN_KEYS.issuperset(members):
            _check_keys(members)
        items = members.values()
    elif type(value) is list:
        items = cast("list[object]", value)
    else:
        _check_scalar(value)
        return
    if depth < 1:
        raise refuse("file/too-deep")
    for item in items:
        if type(item) is str and item.isascii():
            continue
        if type(item) is int and -MAX_INTEGER <= item <= MAX_INTEGER:
            continue
        walk(item, depth - 1)


def _check_scalar(value: object) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise refuse("file/integer")
    elif isinstance(value, str):
        if _SURROGATE.search(value):
            raise refuse("file/surrogate")
    elif value is None:
        raise refuse("file/null")
    elif isinstance(value, float):
        raise refuse("file/float")
    else:
        raise TypeError(f"no JSON value: {type(value).__name__}")


def _check_keys(keys: Iterable[str]) -> None:
    for key in keys:
        if not _KEY.fullmatch(key):
            raise refuse("file/bad-key", key=key[:80].encode("ascii", "backslashreplace").decode("ascii"))
        if len(_KNOWN_KEYS) < _MOST_KEYS and len(key) <= _LONG_KEY:
            _KNOWN_KEYS.add(key)


def _decode_canonical(data: bytes, limits: Limits) -> Any:
    """The value if the bytes are their own canonical encoding and within the size, else None."""
    if len(data) > limits.size:
        return None
    try:
        value = msgspec.json.decode(data)
        return value if _ENCODER.encode(value) == data else None
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def _decode_exactly(data: bytes, limits: Limits) -> Any:
    # 1. size of the text
    if len(data) > RAW_FACTOR * limits.size:
        raise refuse("file/too-long", size=len(data), limit=RAW_FACTOR * limits.size)
    # 2. UTF-8, no byte order mark
    if data.startswith(_BOM):
        raise refuse("file/encoding")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise refuse("file/encoding") from None
    # 3. depth, before anything recursive sees the text
    _check_nesting(data, limits.depth)
    # 4. JSON and nothing after it; no key twice; no number but integers
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_refuse_float,
            parse_int=_integer,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise refuse("file/not-json", row=error.lineno, column=error.colno) from None


def _check_nesting(data: bytes, limit: int) -> None:
    depth = 0
    for match in _NESTING.finditer(data):
        token = data[match.start()]
        if token in b"[{":
            depth += 1
            if depth > limit:
                raise refuse("file/too-deep")
        elif token in b"]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        _check_keys((key,))
        if key in members:
            raise refuse("file/key-twice", key=key)
        members[key] = value
    return members


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise refuse("file/integer")
    return int(digits)


def _refuse_float(_text: str) -> NoReturn:
    raise refuse("file/float")


def _refuse_constant(_text: str) -> NoReturn:
    raise refuse("file/not-json", row=1, column=1)
