"""The mail that takes an envelope to the host: as text to be pasted, or as a file that a mail program opens.

Decides words, names and bytes; sends nothing. The same envelope gives the same mail, which has no date and no
Message-ID unless the caller brings them: both belong to whoever sends it.
"""

from __future__ import annotations

import base64
import hashlib
import textwrap

import msgspec

from engine import Say, say, words
from pbem.log.envelope import Envelope
from pbem.player.opening import Reply, is_address

_WIDTH = 72
_LINE = 900
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class Heading(msgspec.Struct, frozen=True):
    """What stands above the answer: `reply`, the letter that is answered; `date` and `message_id` if it is sent at once."""

    sender: str = ""
    reply: Reply | None = None
    date: str = ""
    message_id: str = ""


def file_name(*parts: str) -> str:
    """Parts joined by hyphens, without anything that means something to a file system.

    Where something had to be changed a digest is added, so that two names never become the same.
    """
    plain = "-".join(parts)
    name = "".join(char if char in _SAFE else "_" for char in plain)[:120]
    if name == plain and name:
        return name
    return f"{name}-{hashlib.sha256(plain.encode('utf-8')).hexdigest()[:8]}"


def subject(envelope: Envelope) -> Say:
    """The subject of the mail."""
    match envelope.kind:
        case "join":
            return say("[pbem {game}] join as {seat}", game=envelope.game, seat=envelope.seat)
        case "ready":
            return say("[pbem {game}] {seat} confirms", game=envelope.game, seat=envelope.seat)
        case "standing":
            return say("[pbem {game}] standing orders of {seat}", game=envelope.game, seat=envelope.seat)
        case "press":
            return say("[pbem {game}] a message: {seat}", game=envelope.game, seat=envelope.seat)
        case "take":
            return say("[pbem {game}] a new key for the seat: {seat}", game=envelope.game, seat=envelope.seat)
        case "resign":
            return say("[pbem {game}] {seat} leaves the game", game=envelope.game, seat=envelope.seat)
        case _:
            turn = str(envelope.payload.get("turn", ""))
            return say(
                "[pbem {game}] turn {turn}: move of {seat}", game=envelope.game, turn=turn, seat=envelope.seat
            )


def mail_text(envelope: Envelope, address: str, lang: str = "en") -> str:
    """All that a person needs to mail an envelope by hand: where to ("" if not known), under which subject, and what
    to paste.
    """
    how = say(
        "Send a mail to this address. Attach the file, or paste all that stands below the line into the mail,"
        " from the first brace to the last. The signature in it is yours; if anything is changed, it no"
        " longer fits and nothing happens. Your mail program may wrap or quote the text as it likes."
    )
    to = say("To: {address}", address=address) if address else say("To: the address in the letter you answer")
    lines = [
        words(to, lang),
        words(say("Subject: {subject}", subject=subject(envelope)), lang),
        "",
        textwrap.fill(words(how, lang), _WIDTH),
        "",
        "-" * _WIDTH,
        envelope.text().decode("ascii"),
    ]
    return "\n".join(lines)


def answer_eml(envelope: Envelope, address: str, heading: Heading | None = None, lang: str = "en") -> bytes:
    """The mail as a file, with CRLF line ends: a short text, and the envelope attached.

    Without a Message-ID it is marked as not yet sent, so that a mail program opens it ready to be sent.
    """
    top = heading or Heading()
    text = words(say("My answer is attached. It is signed, and whole as it is."), lang) + "\n"
    data = envelope.text()
    boundary = "=_" + hashlib.sha256(data).hexdigest()[:32]
    name = f"{file_name(envelope.game, envelope.seat)}.{envelope.kind}.json"
    lines = [
        *_headers(envelope, address, top, lang),
        f'Content-Type: multipart/mixed; boundary="{boundary}"',
        "",
        f"--{boundary}",
        *_part("text/plain; charset=utf-8", text.encode("utf-8")),
        f"--{boundary}",
        *_part(f'application/json; name="{name}"', data, f'attachment; filename="{name}"'),
        f"--{boundary}--",
    ]
    return ("\r\n".join(lines) + "\r\n").encode("ascii")


def _headers(envelope: Envelope, address: str, top: Heading, lang: str) -> list[str]:
    reply = top.reply or Reply("", "", "")
    sender = top.sender or reply.reader
    named = [
        ("From", sender if is_address(sender) else ""),
        ("To", address),
        ("Subject", _word(words(subject(envelope), lang))),
        ("Date", top.date),
        ("Message-ID", f"<{top.message_id}>" if top.message_id else ""),
        ("In-Reply-To", f"<{reply.message_id}>" if reply.message_id else ""),
        ("References", f"<{reply.message_id}>" if reply.message_id else ""),
        ("X-Unsent", "" if top.message_id else "1"),
        ("MIME-Version", "1.0"),
    ]
    return [f"{name}: {_one_line(value)}" for name, value in named if value]


def _word(text: str) -> str:
    """A header's text; as one encoded word where it is not ASCII, or holds what a header can't."""
    if text.isascii() and text.isprintable():
        return text
    return "=?utf-8?b?" + base64.b64encode(text.encode("utf-8")).decode("ascii") + "?="


def _one_line(value: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise ValueError("a header holds more than printable ASCII")
    return value


def _part(kind: str, data: bytes, disposition: str = "") -> list[str]:
    head = [f"Content-Type: {kind}", *([f"Content-Disposition: {disposition}"] if disposition else [])]
    rows = data.decode("latin-1").removesuffix("\n").split("\n")
    if data.isascii() and b"\r" not in data and all(len(row) <= _LINE for row in rows):
        return [*head, "Content-Transfer-Encoding: 7bit", "", *rows]
    coded = base64.b64encode(data).decode("ascii")
    return [
        *head,
        "Content-Transfer-Encoding: base64",
        "",
        *(coded[i : i + 76] for i in range(0, len(coded), 76)),
    ]
