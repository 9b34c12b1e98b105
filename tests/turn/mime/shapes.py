"""Mails in the shapes that have stopped other programs, rebuilt: what each is, and what must come of it.

`python -m tests.turn.mime.shapes` writes them into fixtures/mails/shape, with expected.json beside them. The reports
they are made after are named by their numbers in the comment of each.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import msgspec

from tests.turn.mime.carriage import attached
from tests.turn.mime.damage import quoted
from tests.turn.mime.sample import HEADERS, OTHER, PLAIN, TEXT, mail, multipart, part, pretty

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "mails" / "shape"

FOUND = "found"
ID = "<1234.5678@example.org>"
SENDER = "red@example.org"
SUBJECT = "Re: [pbem summer-cup] turn 7: your move"


class Shape(msgspec.Struct, frozen=True):
    """`outcome` is FOUND or the refusal's code; the rest is what the header fields must be read as."""

    raw: bytes
    outcome: str = FOUND
    auto: bool = False
    message_id: str = ID
    sender: str = SENDER
    subject: str = SUBJECT
    received: int = 0


def headed(*fields: str, without: str = "", body: str = TEXT) -> bytes:
    """A plain mail with these fields on top, and without the usual one of that name."""
    usual = "".join(
        f"{line}\n" for line in HEADERS.splitlines() if not (without and line.startswith(f"{without}:"))
    )
    return ("".join(f"{field}\n" for field in fields) + usual + "\n" + body).encode()


def typed(kind: str) -> bytes:
    return mail(TEXT, kind)


def tiny_parts(count: int) -> bytes:
    return (
        f'{HEADERS}Content-Type: multipart/mixed; boundary="b"\n\n'.encode() + b"--b\n\n" * count + b"--b--\n"
    )


def nested(depth: int) -> bytes:
    body = part(TEXT, "Content-Type: text/plain")
    for level in range(depth):
        head = HEADERS if level == depth - 1 else ""
        body = multipart(body, head=head, boundary=f"b{level}")
    return body


def inside_message(*before: bytes) -> bytes:
    return multipart(*before, part(mail(TEXT), "Content-Type: message/rfc822"))


def bounced() -> bytes:
    status = part("Action: failed\nStatus: 5.1.1\n", "Content-Type: message/delivery-status")
    text = part("Could not be delivered.\n", "Content-Type: text/plain")
    original = part(mail(TEXT), "Content-Type: message/rfc822")
    head = HEADERS.replace(
        "Red Player <red@example.org>", "Mail Delivery System <MAILER-DAEMON@mx.example.org>"
    )
    return multipart(text, status, original, kind="multipart/report", head="Return-Path: <>\n" + head)


def packed(kind: str, name: str, first: bytes) -> bytes:
    body = base64.encodebytes(first + bytes(range(256)))
    disposition = f"Content-Disposition: attachment; filename={name}"
    return multipart(
        PLAIN, part(body, f"Content-Type: {kind}", disposition, "Content-Transfer-Encoding: base64")
    )


DAEMON = "MAILER-DAEMON@mx.example.org"
TWO = TEXT + "\nand my older one:\n" + quoted("> ")(pretty(OTHER))

SHAPES: dict[str, Shape] = {
    # 1: cpython#105802, cleanup-maildir#7
    "message-id-in-brackets": Shape(
        headed("Message-ID: <[83c48d@example.org]>", without="Message-ID"), message_id=""
    ),
    # 2: cpython#148518
    "to-is-a-lone-quote": Shape(headed('To: "', without="To")),
    # 3: cpython#151857
    "cc-is-a-comment-as-group": Shape(headed("Cc: (c):")),
    "parameter-star-without-value": Shape(typed("text/plain; name*")),
    # 4: cpython#125648, #134151. Read without harm, so the move in it counts
    "parameter-name-plain-and-numbered": Shape(typed("text/plain; name*0=a; name*=b")),
    "parameter-with-a-nul": Shape(typed("text/plain; name*=utf-8''a%00b; charset*=utf-8''utf-8%00")),
    # 6: mailarchive#3510
    "cc-ends-in-a-comma": Shape(headed("Cc: e@example.org,")),
    # 7: cpython#81091, #83281
    "from-without-end": Shape(headed("From: =?utf-8?q?Red?= <red@example.org", without="From")),
    "from-is-no-address": Shape(headed("From: Red (at home) <>, ;;", without="From"), sender=""),
    "from-is-empty-reply-to-is-not": Shape(headed("From:", "Reply-To: <red@example.org>", without="From")),
    # 9: django-mailbox#96
    "attachment-named-in-koi8": Shape(
        attached("application/octet-stream", "=?koi8-r?B?yM/ELmpzb24=?=")(TEXT)
    ),
    # 10: django-mailbox#52
    "attachment-is-text-plain": Shape(attached("text/plain", "move.txt", "7bit")(TEXT)),
    # 11: django-mailbox#230, #102
    "move-in-an-attached-mail": Shape(inside_message(PLAIN), "mail/attached-message"),
    "move-beside-an-attached-mail": Shape(
        inside_message(part(pretty(OTHER), "Content-Type: text/plain")), "found-other"
    ),
    # 12: django-mailbox#212, mail_room#75: the same mail again, by another way
    "same-mail-again": Shape(headed("Received: from a by b; now", "Received: from c by a; then"), received=2),
    # 14: patchwork#512
    "name-not-ascii": Shape(headed('From: "Jörg Ünruh" <red@example.org>', without="From")),
    # 15: patchwork#399
    "in-reply-to-with-prose": Shape(headed("In-Reply-To: <1@pbem.example.org> (message from Jo on Sat)")),
    # 17: discourse#3023, #4148, #21367
    "auto-submitted-reply": Shape(headed("Auto-Submitted: auto-replied (vacation)"), auto=True),
    "auto-submitted-no": Shape(headed("Auto-Submitted: No ; a=b")),
    "null-return-path": Shape(headed("Return-Path: <>"), auto=True),
    "response-suppressed-by-exchange": Shape(headed("X-Auto-Response-Suppress: All")),
    # 18: discourse#1835, #4846
    "utf-8-labelled-latin-1": Shape(mail("Grüße: “hier”\n" + TEXT, "text/plain; charset=ISO-8859-1")),
    "utf-8-labelled-gb2312": Shape(mail("Grüße: “hier”\n" + TEXT, "text/plain; charset=GB2312")),
    # 20: hermes-agent#55383, messaging-daemon#6
    "charset-bogus": Shape(typed("text/plain; charset=bogus")),
    "charset-is-a-codec-of-python": Shape(typed("text/plain; charset=zlib")),
    "subject-of-unknown-charset": Shape(
        headed("Subject: =?x-unknown?B?R3LDvMOfZQ==?=", without="Subject"), subject="Grüße"
    ),
    "subject-with-a-line-end": Shape(
        headed("Subject: =?utf-8?q?a=0D=0ABcc:_b=40example.org?=", without="Subject"),
        subject="a Bcc: b@example.org",
    ),
    # 22: zammad#2403
    "only-winmail-dat": Shape(
        packed("application/ms-tnef", "winmail.dat", b"\x78\x9f\x3e\x22"), "mail/winmail"
    ),
    # 23: Email-MIME#66, emailjs-mime-parser#39
    "many-tiny-parts": Shape(tiny_parts(500), "mail/too-many-parts"),
    "parts-41": Shape(tiny_parts(41), "mail/too-many-parts"),
    "nested-8": Shape(nested(8)),
    "nested-9": Shape(nested(9), "mail/too-many-parts"),
    # 26: freescout#634, helpdesk#3628
    "bounce": Shape(bounced(), "mail/bounce", auto=True, sender=DAEMON),
    "from-a-mailer-daemon": Shape(headed(f"From: <{DAEMON}>", without="From"), auto=True, sender=DAEMON),
    "precedence-bulk": Shape(headed("Precedence: Bulk"), auto=True),
    "through-a-list": Shape(headed("List-Id: <players.example.org>"), auto=True),
    # 28: aiosmtpd#517, salmon#48: routed by the envelope, whatever stands here
    "two-recipients": Shape(
        headed("To: g+a.red.k7x@pbem.example.org, g+b.blue.k7x@pbem.example.org", without="To")
    ),
    # 29: aiosmtpd#285, in small; the full size is made by its test
    "header-too-long": Shape(headed("X-Long: " + "x" * 33_000), "mail/long-header"),
    # 30: triplea#3438
    "to-and-cc-swapped": Shape(
        headed("To: blue@example.org", "Cc: g+summer-cup.red.k7x@pbem.example.org", without="To")
    ),
    # what else is refused with a way out
    "zip": Shape(packed("application/octet-stream", "move.zip", b"PK\x03\x04"), "mail/zip"),
    "pdf": Shape(packed("application/pdf", "move.pdf", b"%PDF-1.7"), "mail/other-file"),
    "key-instead-of-move": Shape(
        mail('{"kind": "pbem-key", "private_key": "' + "0" * 64 + '", "v": 1}\n'), "mail/key"
    ),
    "encrypted-openpgp": Shape(
        multipart(
            part("Version: 1\n", "Content-Type: application/pgp-encrypted"), kind="multipart/encrypted"
        ),
        "mail/encrypted",
    ),
    "encrypted-smime": Shape(packed("application/pkcs7-mime", "smime.p7m", b"0\x80"), "mail/encrypted"),
    "part-header-too-long": Shape(
        multipart(PLAIN, part("no move", "X-Long: " + "x" * 9_000)), "mail/malformed"
    ),
    "part-header-too-long-move-in-it": Shape(multipart(PLAIN, part(TEXT, "X-Long: " + "x" * 9_000))),
    "line-missing": Shape(mail(TEXT.replace('"orders": [', "")), "mail/damaged"),
    "end-missing": Shape(mail(TEXT[:900]), "mail/damaged"),
    "not-signed": Shape(mail(TEXT.replace('"sig"', '"sog"')), "test/not-an-envelope"),
    "no-move": Shape(headed(body='I bet on the troll, {"payload"} or not.\n'), "mail/no-move"),
    "empty": Shape(b"", "mail/no-move", message_id="", sender="", subject=""),
    "two-moves": Shape(mail(TWO), "mail/two-moves"),
    "same-move-twice": Shape(
        multipart(part(quoted("> ")(TEXT)), part(TEXT, "Content-Type: application/json"))
    ),
    "move-of-a-stranger-beside": Shape(mail(pretty(OTHER).replace("summer-cup", "other-cup") + TEXT)),
    "signature-broken": Shape(mail(TEXT.replace('"rev": 1', '"rev": 2')), "test/bad-signature"),
}


def expected(shape: Shape) -> dict[str, object]:
    """A line of expected.json."""
    fields = ("outcome", "auto", "message_id", "sender", "subject", "received")
    return {name: getattr(shape, name) for name in fields}


def write(folder: Path) -> None:
    """All mails and their table."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        (folder / f"{name}.eml").write_bytes(shape.raw)
    table = {name: expected(shape) for name, shape in sorted(SHAPES.items())}
    (folder / "expected.json").write_text(json.dumps(table, indent=2) + "\n")


if __name__ == "__main__":
    write(FOLDER)
