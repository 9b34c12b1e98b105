"""Mails as mail programs and web mailers make them of a move that somebody attaches, pastes, answers or forwards with.

Each is written from what the program does, byte by byte where that is odd, and not from what the finder can mend.
`outcome` is FOUND, or the code of the refusal that its sender must be told.
"""

from __future__ import annotations

import base64

from tests.turn.mime.habits import (
    BASE64,
    FOUND,
    HTML8,
    LARGE,
    LETTER,
    ON,
    PRINTABLE,
    SENT,
    UTF8,
    Mails,
    attachment,
    curly,
    divs,
    escaped,
    gmail,
    nbsp,
    printable,
    quoted,
    trimmed,
    word_html,
    wrapped,
)
from tests.turn.mime.sample import HEADERS, TEXT, mail, multipart, part

GMAIL: Mails = {
    "gmail, attached": (
        gmail(
            "my move\n",
            '<div dir="ltr">my move</div>\n',
            attachment(
                BASE64,
                'application/json; name="summer-cup-red.move.json"',
                'attachment; filename="summer-cup-red.move.json"',
                SENT,
                "Content-ID: <f_m1x2>",
                "X-Attachment-Id: f_m1x2",
            ),
        ),
        FOUND,
    ),
    "gmail, pasted": (
        gmail(wrapped(TEXT, 78), f'<div dir="ltr">{nbsp(escaped(TEXT)).replace(chr(10), "<br>")}</div>'),
        FOUND,
    ),
    "gmail, pasted, the text part is only a greeting": (
        gmail("Hi\n", f'<div dir="ltr"><div>Hi</div>{divs(TEXT)}</div>'),
        FOUND,
    ),
    "gmail on a phone, pasted with smart punctuation": (
        gmail(wrapped(curly(TEXT), 78), f'<div dir="auto">{divs(curly(TEXT))}</div>'),
        FOUND,
    ),
    "gmail, answered above a long letter": (
        gmail(
            wrapped(TEXT, 78) + ON + quoted(LARGE[:80_000]),
            f'<div dir="ltr">{escaped(TEXT).replace(chr(10), "<br>")}</div>'
            f'<div class="gmail_quote"><blockquote>{escaped(LARGE[:20_000])}</blockquote></div>',
        ),
        FOUND,
    ),
    "gmail, answered between the quoted lines": (
        mail(quoted(LETTER) + "\n" + TEXT + "\n" + quoted(LETTER), UTF8[14:]),
        FOUND,
    ),
    "gmail, forwarded inline": (
        mail(
            "---------- Forwarded message ---------\nFrom: Red <red@example.org>\n"
            "Date: Sat\nSubject: move\nTo: <x@example.org>\n\n\n" + TEXT
        ),
        FOUND,
    ),
    "gmail, a photo of the screen": (
        gmail(
            "see the picture\n",
            "<p>see the picture</p>",
            attachment("iVBORw0KGgo=\n", "image/png; name=IMG_1.png", "attachment; filename=IMG_1.png", SENT),
        ),
        "mail/no-move",
    ),
    "gmail, a link to a drive instead of the file": (
        gmail(
            "move.json <https://drive.example.org/file/d/1?usp=sharing>\n",
            '<a href="https://drive.example.org/file/d/1">move.json</a>',
        ),
        "mail/no-move",
    ),
    "yahoo, pasted, HTML in base64": (
        HEADERS.encode()
        + multipart(
            part(base64.encodebytes(trimmed(TEXT).replace("\n", " \n").encode()), UTF8, SENT),
            part(
                base64.encodebytes(
                    f'<html><body><div class="ydp1yahoo-style-wrap">{divs(TEXT, "span", "")}</div></body></html>'.encode()
                ),
                HTML8,
                SENT,
            ),
            kind="multipart/alternative",
            boundary="----=_Part_1_2.3",
            head="",
        ),
        FOUND,
    ),
}

MICROSOFT: Mails = {
    "outlook, pasted, HTML only, Windows-1252": (
        mail(printable(word_html(TEXT), "cp1252"), 'text/html; charset="Windows-1252"', "quoted-printable"),
        FOUND,
    ),
    "outlook, pasted, the text part made of it by Exchange": (
        multipart(
            part(
                printable(curly(TEXT).replace("\n", "\n\n"), "cp1252"),
                'Content-Type: text/plain; charset="Windows-1252"',
                PRINTABLE,
            ),
            part(
                printable(word_html(TEXT), "cp1252"),
                'Content-Type: text/html; charset="Windows-1252"',
                PRINTABLE,
            ),
            kind="multipart/alternative",
            boundary="_000_AM0PR01MB_",
        ),
        FOUND,
    ),
    "outlook, attached, with dates and sizes": (
        multipart(
            part("move\n", UTF8),
            attachment(
                BASE64,
                'application/octet-stream;\n\tname="move.json"',
                'attachment;\n\tfilename="move.json"; size=1234;\n\t'
                'creation-date="Sat, 01 Aug 2026 08:00:00 GMT";\n\t'
                'modification-date="Sat, 01 Aug 2026 08:00:00 GMT"',
                "Content-Description: move.json",
                SENT,
            ),
            boundary="_004_AM0PR01MB_",
        ),
        FOUND,
    ),
    "outlook, attached as text without a name": (
        multipart(
            part("move\n", UTF8),
            attachment(BASE64, 'text/plain; name="ATT00001.txt"', 'inline; filename="ATT00001.txt"', SENT),
        ),
        FOUND,
    ),
    "outlook, answered, the move above the old letter": (
        mail(
            TEXT + "\n-----Original Message-----\nFrom: games@pbem.example.org <games@pbem.example.org>\n"
            "Sent: Saturday, 1 August 2026\nTo: Red\n"
            "Subject: [pbem]\n\n" + LETTER
        ),
        FOUND,
    ),
    "outlook with rich text: winmail.dat, a greeting": (
        multipart(
            part("move\n", UTF8),
            attachment(
                base64.encodebytes(b"\x78\x9f\x3e\x22\x01\x00compressed"),
                "application/ms-tnef; name=winmail.dat",
                "attachment; filename=winmail.dat",
                SENT,
            ),
        ),
        "mail/winmail",
    ),
    "outlook with rich text: winmail.dat under another name": (
        multipart(
            part("move\n", UTF8),
            attachment(
                base64.encodebytes(b"\x78\x9f\x3e\x22\x01\x00compressed"),
                "application/octet-stream; name=ATT00002.dat",
                "attachment; filename=ATT00002.dat",
                SENT,
            ),
        ),
        "mail/winmail",
    ),
    "outlook, recalled": (mail('Red would like to recall the message, "move".\n'), "mail/no-move"),
    "outlook on a phone": (
        mail(
            printable(
                f'<html><body><div dir="ltr" style="font-family: -apple-system">{divs(TEXT)}'
                '<div>&nbsp;</div>Get <a href="https://aka.example.org/o0">'
                "Outlook for iOS</a></div></body></html>"
            ),
            "text/html; charset=utf-8",
            "quoted-printable",
        ),
        FOUND,
    ),
    "exchange, a banner above and a disclaimer below": (
        multipart(
            part(
                '[EXTERNAL] Do not click {links} unless you "trust" them.\n\n'
                + TEXT
                + "\n"
                + "_" * 30
                + '\nThis e-mail {and any files} is "confidential".\n',
                UTF8,
            ),
            part(
                f'<table bgcolor="#ff0"><tr><td>[EXTERNAL] {{}}</td></tr></table>{divs(TEXT)}<p>confidential "{{"</p>',
                HTML8,
            ),
            kind="multipart/alternative",
        ),
        FOUND,
    ),
    "exchange, links of the note made safe": (
        mail(
            TEXT.replace(
                "100% of them", "https://eur03.safelinks.example.org/?url=https%3A%2F%2Fx&amp;data=05 of them"
            )
        ),
        "test/bad-signature",
    ),
    "a word file": (
        multipart(
            part("move\n", UTF8),
            attachment(
                base64.encodebytes(b"PK\x03\x04\x14\x00word/document.xml"),
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document; name=move.docx",
                "attachment; filename=move.docx",
                SENT,
            ),
        ),
        "mail/other-file",
    ),
}

CLIENTS: Mails = GMAIL | MICROSOFT
