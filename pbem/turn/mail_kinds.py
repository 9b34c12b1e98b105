"""Parts of a mail that are not text, and what its sender is to be told of them if no move is found in it.

Law: decides what kind of file a part is, by its media type, the end of its name, or its first bytes; opens none of
them. A kind that is not named here (a picture, a calendar, a signature) is nobody's try at a move. Names of kinds are
names of formats, which are the same in every language.
"""

from __future__ import annotations

import msgspec

from engine import Refusal
from pbem.turn.mail_parts import Broken, Container, Part, Piece

PACKED, OTHER, WINMAIL, SEALED, KEY = (
    "mail/zip",
    "mail/other-file",
    "mail/winmail",
    "mail/encrypted",
    "mail/key",
)
# Of several troubles the one that a sender can do most about is told.
_TROUBLES = (
    KEY,
    WINMAIL,
    PACKED,
    OTHER,
    SEALED,
    "mail/attached-message",
    "mail/bounce",
    "mail/malformed",
)


class Kind(msgspec.Struct, frozen=True):
    """A kind of file: the code that is told of it, its name, and what shows it.

    `types`: media types, one that ends in a dot or a dash stands for all that begin so. `ends`: of file names. `marks`:
    first bytes, behind the place where they stand.
    """

    code: str
    name: str
    types: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    marks: tuple[bytes, ...] = ()
    at: int = 0


_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE = (".docx", ".xlsx", ".pptx", ".doc", ".xls", ".ppt", ".docm")
_KINDS: tuple[Kind, ...] = (
    Kind(
        WINMAIL,
        "winmail.dat",
        ("application/ms-tnef", "application/vnd.ms-tnef"),
        ("winmail.dat",),
        (b"\x78\x9f\x3e\x22",),
    ),
    Kind(SEALED, "OpenPGP", ("application/pgp-encrypted",), (".gpg", ".pgp")),
    Kind(SEALED, "S/MIME", ("application/pkcs7-mime", "application/x-pkcs7-mime"), (".p7m",)),
    # an office file of today is a zip, so it stands above that
    Kind(
        OTHER,
        "Microsoft Office",
        ("application/vnd.openxmlformats-officedocument.", "application/msword", "application/vnd.ms-excel"),
        _OFFICE,
    ),
    Kind(OTHER, "OpenDocument", ("application/vnd.oasis.opendocument.",), (".odt", ".ods")),
    Kind(OTHER, "Apple Pages", ("application/vnd.apple.pages", "application/x-iwork-"), (".pages",)),
    Kind(OTHER, "Outlook .msg", ("application/vnd.ms-outlook",), (".msg",)),
    Kind(OTHER, "Microsoft Office", marks=(_OLE,)),
    Kind(OTHER, "PDF", ("application/pdf", "application/x-pdf"), (".pdf",), (b"%PDF-",)),
    Kind(OTHER, "RTF", ("text/rtf", "application/rtf"), (".rtf",), (b"{\\rtf",)),
    Kind(OTHER, "webarchive", ("application/x-webarchive",), (".webarchive",), (b"bplist00",)),
    Kind(
        PACKED, "zip", ("application/zip", "application/x-zip", "application/x-zip-"), (".zip",), (b"PK\3\4",)
    ),
    Kind(
        PACKED,
        "gzip",
        ("application/gzip", "application/x-gzip"),
        (".gz", ".tgz"),
        (b"\x1f\x8b", b"\x1f\x9d"),
    ),
    Kind(PACKED, "bzip2", ("application/x-bzip", "application/x-bzip2"), (".bz2",), (b"BZh",)),
    Kind(PACKED, "xz", ("application/x-xz", "application/x-lzma"), (".xz",), (b"\xfd7zXZ\0",)),
    Kind(PACKED, "zstd", ("application/zstd",), (".zst",), (b"\x28\xb5\x2f\xfd",)),
    Kind(PACKED, "7z", ("application/x-7z-compressed",), (".7z",), (b"7z\xbc\xaf",)),
    Kind(
        PACKED,
        "rar",
        ("application/x-rar", "application/x-rar-", "application/vnd.rar"),
        (".rar",),
        (b"Rar!",),
    ),
    Kind(PACKED, "cab", ("application/vnd.ms-cab-",), (".cab",), (b"MSCF\0",)),
    Kind(PACKED, "tar", ("application/x-tar", "application/x-gtar"), (".tar",), (b"ustar",), 257),
)
# All of them at once: hardly any part is one.
_TYPES = tuple(one for kind in _KINDS for one in kind.types)
_ENDS = tuple(end for kind in _KINDS for end in kind.ends)
_MARKS = tuple(mark for kind in _KINDS for mark in kind.marks if not kind.at)
_FURTHER = tuple((kind.marks, kind.at) for kind in _KINDS if kind.at)
_SEALED_TEXT = b"-----BEGIN PGP MESSAGE-----"
_KEY_SIGNS, _PRIVATE = b"pbem-key", (b"private_key", b"locked")


def worst(pieces: tuple[Piece, ...]) -> Refusal | None:
    """Of all troubles of the pieces, the one to be told; None if nothing in them may hide a move."""
    found = [trouble for piece in pieces if (trouble := trouble_of(piece)) is not None]
    return min(found, key=lambda trouble: _TROUBLES.index(trouble.code), default=None)


def trouble_of(piece: Piece) -> Refusal | None:
    """Why a piece may hide a move; None if it can not."""
    match piece:
        case Broken():
            return Refusal("mail/malformed")
        case Container(kind="message/rfc822" | "message/global"):
            return Refusal("mail/attached-message")
        case Container(kind="multipart/encrypted"):
            return Refusal(SEALED)
        case Container(kind="multipart/report"):
            return Refusal("mail/bounce")
        case Container():
            return Refusal("mail/malformed")
        case Part():
            return _of_part(piece)


def _of_part(part: Part) -> Refusal | None:
    if _KEY_SIGNS in part.body and any(sign in part.body for sign in _PRIVATE):
        return Refusal(KEY)
    if (kind := kind_of(part)) is not None:
        return Refusal(kind.code, {"kind": kind.name} if kind.code in (PACKED, OTHER) else {})
    return Refusal(SEALED) if _SEALED_TEXT in part.body else None


def kind_of(part: Part) -> Kind | None:
    """The kind of a part that is no text; None for any other."""
    name, body = part.name.lower(), part.body
    if not (
        part.kind.startswith(_TYPES)
        or name.endswith(_ENDS)
        or body.startswith(_MARKS)
        or any(body.startswith(marks, at) for marks, at in _FURTHER)
    ):
        return None
    for kind in _KINDS:
        by_type = any(
            part.kind.startswith(one) if one[-1] in ".-" else part.kind == one for one in kind.types
        )
        if by_type or name.endswith(kind.ends) or body.startswith(kind.marks, kind.at):
            return kind
    return None
