"""A letter as mail bytes, the same on every machine and Python version.

Decides headers, encodings and boundaries; knows no game. The standard library folds headers and picks
boundaries differently from version to version and by chance, and letters must come out byte for byte:
so the few forms that letters need are written here. Headers are ASCII and made of our own data only.
"""

from __future__ import annotations

import base64
import hashlib
import quopri

import msgspec

from engine import break_lines, newest

_LINE = 900
UNSUBSCRIBE = "unsubscribe"
"""The subject of such a mail: a command that asks, and changes nothing. There is no address for one click (RFC 8058)."""
_WORD = 42
"""Bytes in an encoded word: 56 letters of base64 and 12 around them."""


class Attachment(msgspec.Struct, frozen=True):
    """A file in a letter; the name is ours, never a sender's."""

    name: str
    type: str
    data: bytes


class Mail(msgspec.Struct, frozen=True):
    """A letter ready to be written down. `date` is a record's instant, `YYYY-MM-DDTHH:MM:SSZ`.

    `message_id` and `references` are without angle brackets. `answer` marks a reply to somebody's mail.
    `unsubscribe` is the address to which a mail program's own button writes that its owner wants no more.
    """

    sender: str
    reply_to: str
    to: str
    subject: str
    date: str
    message_id: str
    text: str
    references: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    answer: bool = False
    list_id: str = ""
    unsubscribe: str = ""


def render(mail: Mail) -> bytes:
    """The mail's bytes with CRLF line ends. ValueError if a header but the subject is more than printable ASCII."""
    head = _headers(mail)
    text = _text_part(mail.text)
    if not mail.attachments:
        return _join([*head, *text])
    boundary = "=_" + hashlib.sha256(mail.message_id.encode() + mail.text.encode()).hexdigest()[:32]
    lines = [*head, f'Content-Type: multipart/mixed; boundary="{boundary}"', "", f"--{boundary}", *text]
    for one in mail.attachments:
        lines += (f"--{boundary}", *attached(one))
    return _join([*lines, f"--{boundary}--"])


def _headers(mail: Mail) -> list[str]:
    named = [
        ("From", mail.sender),
        ("Reply-To", mail.reply_to),
        ("To", mail.to),
        ("Subject", encoded(mail.subject)),
        ("Date", rfc5322_date(mail.date)),
        ("Message-ID", f"<{mail.message_id}>"),
        ("In-Reply-To", f"<{mail.references[-1]}>" if mail.references else ""),
        ("References", " ".join(f"<{name}>" for name in mail.references)),
        ("Auto-Submitted", "auto-replied" if mail.answer else "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("List-Id", f"<{mail.list_id}>" if mail.list_id else ""),
        (
            "List-Unsubscribe",
            f"<mailto:{mail.unsubscribe}?subject={UNSUBSCRIBE}>" if mail.unsubscribe else "",
        ),
        ("MIME-Version", "1.0"),
    ]
    fields = [f"{name}: {value}" for name, value in named if value]
    for field in fields:
        if not (field.isascii() and field.isprintable()):
            raise ValueError(f"header {field.partition(':')[0]} holds more than printable ASCII")
    return [line for field in fields for line in break_lines(field, 78, "", " ")]


def encoded(text: str) -> str:
    """A header's text in ASCII: words that are not, and what stands between them, as encoded words of RFC 2047.

    A line end or another control character becomes a blank, so that no header can follow from a text.
    """
    if text.isascii() and text.isprintable() and "=?" not in text:
        return text
    words = "".join(char if char.isprintable() else " " for char in text).split(" ")
    odd = [place for place, word in enumerate(words) if not word.isascii() or word.startswith("=?")]
    if not odd:
        return " ".join(words)
    before, after = words[: odd[0]], words[odd[-1] + 1 :]
    coded = [
        f"=?utf-8?b?{base64.b64encode(part).decode('ascii')}?="
        for part in _pieces(" ".join(words[odd[0] : odd[-1] + 1]))
    ]
    return " ".join([*before, *coded, *after])


def _pieces(text: str) -> list[bytes]:
    """The text in UTF-8, cut between characters into pieces that fit an encoded word of at most 75 characters."""
    pieces = [b""]
    for char in text:
        data = char.encode("utf-8", "replace")
        if len(pieces[-1]) + len(data) > _WORD:
            pieces.append(b"")
        pieces[-1] += data
    return pieces


def _text_part(text: str) -> list[str]:
    body = text if text.endswith("\n") else text + "\n"
    data = body.encode("utf-8")
    if data.isascii() and _has_short_lines(data):
        coding, coded = "7bit", body
    else:
        coding, coded = "quoted-printable", quopri.encodestring(data).decode("ascii")
    head = ["Content-Type: text/plain; charset=utf-8", f"Content-Transfer-Encoding: {coding}", ""]
    return [*head, coded.removesuffix("\n").replace("\n", "\r\n")]


def _has_short_lines(data: bytes) -> bool:
    """Whether every line may stand in a mail as it is."""
    # from line end to the last one within reach: a few steps, where to look at each line takes hundreds
    at = 0
    while len(data) - at > _LINE:
        at = data.rfind(b"\n", at, at + _LINE + 1) + 1
        if not at:
            return False
    return True


def attached(one: Attachment) -> list[str]:
    """The lines of a part that is a file; what stands as it is comes as one piece."""
    head = [
        f'Content-Type: {one.type}; name="{one.name}"',
        f'Content-Disposition: attachment; filename="{one.name}"',
    ]
    if one.data.isascii() and b"\r" not in one.data and _has_short_lines(one.data):
        return [
            *head,
            "Content-Transfer-Encoding: 7bit",
            "",
            one.data.replace(b"\n", b"\r\n").decode("ascii"),
        ]
    coded = base64.b64encode(one.data).decode("ascii")
    return [
        *head,
        "Content-Transfer-Encoding: base64",
        "",
        *(coded[i : i + 76] for i in range(0, len(coded), 76)),
    ]


def _join(lines: list[str]) -> bytes:
    return ("\r\n".join(lines) + "\r\n").encode("ascii")


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@newest  # the letters of a turn have one date
def rfc5322_date(instant: str) -> str:
    """`2026-11-30T12:00:00Z` as `Mon, 30 Nov 2026 12:00:00 +0000`; no locale, no clock."""
    year, month, day = (int(part) for part in instant[:10].split("-"))
    weekday = _DAYS[_days(year, month, day) % 7]
    return f"{weekday}, {day:02d} {_MONTHS[month - 1]} {year:04d} {instant[11:19]} +0000"


def _days(year: int, month: int, day: int) -> int:
    """Days since a Monday (1 January of year 1, proleptic Gregorian)."""
    before = year - 1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return before * 365 + before // 4 - before // 100 + before // 400 + sum(lengths[: month - 1]) + day - 1
