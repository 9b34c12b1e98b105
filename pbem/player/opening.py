"""What a player hands to the kit, opened: a file as it was attached, or a whole mail saved by his mail program.

Decides which texts in it may be what a command looks for, and which are pieces of a log. Trusts none of
them: whoever asked for a view or an invitation reads the texts and checks the signature.
"""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from pbem.turn import mail_parts, mail_text, mime
from pbem.turn.mail_parts import Container, Fields, Part, Piece

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_MESSAGE_ID = re.compile(r"<([!-;=?-~]{1,240})>")
_OPEN = (b"{", b"[")


class Reply(msgspec.Struct, frozen=True):
    """What a letter says of itself, for the answer: who was written to, its Message-ID, its subject; "" if unknown."""

    reader: str
    message_id: str
    subject: str


class OpenedFile(msgspec.Struct, frozen=True):
    """`texts`: JSON texts, likeliest first. `logs`: pieces of logs. `reply`: of a mail only."""

    texts: tuple[bytes, ...]
    logs: tuple[bytes, ...] = ()
    reply: Reply | None = None


class _Head(msgspec.Struct):
    n: int
    prev: str


def open_file(data: bytes) -> OpenedFile:
    """The texts of a file or of a saved mail. Refused `mail/…` for a mail beyond all bounds."""
    if first_number(data) is not None:
        return OpenedFile((), (data,))
    if data.lstrip().startswith(_OPEN) or data.startswith(b"\xef\xbb\xbf"):
        return OpenedFile((data,))
    fields, body = mail_parts.head(mail_parts.unix(data))
    texts: list[bytes] = []
    logs: list[bytes] = []
    for part in _parts(mail_parts.pieces(fields, body)):
        if first_number(part.body) is not None:
            logs.append(part.body)
        elif part.body.lstrip().startswith(_OPEN):
            texts.append(part.body)
    return OpenedFile((*texts, *_pasted(data)), tuple(logs), _reply(fields))


def first_number(data: bytes) -> int | None:
    """The record number of a log's first line, None if that is no such line."""
    try:
        return msgspec.json.decode(data.partition(b"\n")[0], type=_Head).n
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


def as_object(value: object) -> dict[str, Any] | None:
    """A value of the strict reader if it is an object, else None."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """A value of the strict reader if it is a list, else None."""
    return cast("list[object]", value) if isinstance(value, list) else None


def address_of(text: str) -> str:
    """The first mail address in a text, or ""."""
    found = _ADDRESS.search(text, text.rfind("<") + 1) or _ADDRESS.search(text)
    return found[0] if found else ""


def is_address(text: str) -> bool:
    """Whether the text is one plain address, safe to stand in a header."""
    return _ADDRESS.fullmatch(text) is not None


def _parts(pieces: tuple[Piece, ...]) -> tuple[Part, ...]:
    """The leaves; of a forwarded mail, those of the mail inside too."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Container) and piece.kind == "message/rfc822":
            found += mail_parts.pieces(*mail_parts.split(piece.body, mail_parts.HEAD_BYTES))
        else:
            found.append(piece)
    return tuple(piece for piece in found if isinstance(piece, Part))


def _pasted(data: bytes) -> tuple[bytes, ...]:
    """Texts that stand in the midst of others, or were damaged on the way, as the host's own reader finds them."""
    return mime.open_mail(data).candidates


def _reply(fields: Fields) -> Reply:
    message_id = _MESSAGE_ID.search(_text(fields, "message-id"))
    return Reply(
        reader=address_of(_text(fields, "to")),
        message_id=message_id[1] if message_id else "",
        subject=mail_text.header(mail_parts.first(fields, "subject")),
    )


def _text(fields: Fields, name: str) -> str:
    return mail_parts.first(fields, name)[:1_000].decode("latin-1")
