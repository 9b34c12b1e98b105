"""Mails as gateways, lists, scanners and broken labels leave them: the move of a player on a bad road.

As in `clients`, each is written from what such software does. `outcome` is FOUND, or the code of the refusal that the
sender must be told.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from urllib.parse import quote, quote_plus

from tests.turn.mime.habits import (
    BASE64,
    BASED,
    EIGHT,
    FOUND,
    HTML8,
    LETTER,
    PRINTABLE,
    SENT,
    UTF8,
    Mails,
    attachment,
    curly,
    divs,
    printable,
    quoted,
    trimmed,
    wrapped,
)
from tests.turn.mime.labels import coded, typed
from tests.turn.mime.sample import HEADERS, PLAIN, TEXT, mail, multipart, part, report

FOOTER = '__________________________\nplayers mailing list -- players@example.org\nTo unsubscribe {go} to "lists"\n'
LIST = "List-Unsubscribe: <mailto:leave@example.org>\n"


NBSP = TEXT.replace("  ", "\xa0 ")
FLAT64 = BASE64.replace("\n", "")

GATEWAYS: Mails = {
    "mailman, the footer as a part of its own": (
        multipart(
            part(TEXT, UTF8),
            part(FOOTER, 'Content-Type: text/plain; charset="us-ascii"', "Content-Disposition: inline"),
        ),
        FOUND,
    ),
    "mailman, the attachment scrubbed": (
        mail(
            "move\n-------------- next part --------------\nA non-text attachment was scrubbed...\nName: move.json\nURL: <https://lists.example.org/attachment.json>\n"
        ),
        "mail/no-move",
    ),
    "google groups, a footer of another charset": (
        mail(
            TEXT.encode()
            + "\n-- \nSie erhalten diese Nachricht, weil Sie \u201emitglied\u201c sind.\n".encode("cp1252"),
            "text/plain; charset=utf-8",
        ),
        FOUND,
    ),
    "a list's footer below base64 of one line": (coded(FLAT64 + "\n" + FOOTER, "base64"), FOUND),
    "a list's footer below quoted-printable, not encoded": (
        coded(printable(NBSP) + b"\n--=20\nplayers = list, 100 =% =zz\n", "quoted-printable"),
        FOUND,
    ),
    "a disclaimer behind the last boundary": (
        multipart(PLAIN, BASED) + b'\nThis mail {is} "confidential".\n',
        FOUND,
    ),
    "a disclaimer in front of the first boundary": (
        multipart(PLAIN, BASED).replace(b"This is a multi-part message.\n", b"CONFIDENTIAL {\n"),
        FOUND,
    ),
    "a scanner's report with the mail attached": (
        multipart(
            part("Spam detection software has identified this mail.\n", UTF8),
            attachment(mail(TEXT), "message/rfc822; x-spam-type=original", "inline"),
        ),
        "mail/attached-message",
    ),
    "a scanner has taken the attachment": (
        multipart(
            PLAIN,
            attachment(
                "WARNING: move.json was removed by our mail policy.\n",
                'text/plain; name="DELETED0.TXT"',
                "attachment; filename=DELETED0.TXT",
            ),
        ),
        "mail/no-move",
    ),
    "a scanner's line in the midst of the base64": (
        coded(BASE64[:770] + "[scanned: clean]\n" + BASE64[770:], "base64"),
        "mail/damaged",
    ),
    "a scanner's line below each text part": (
        multipart(
            part(TEXT + '\n---\nThis e-mail was checked for viruses {by} "us".\n', UTF8),
            part(divs(TEXT) + "<hr><p>checked</p>", HTML8),
            kind="multipart/alternative",
        ),
        FOUND,
    ),
    "a subject tagged, a flood of header fields": (
        ("".join(f"X-Scan-{n}: {'y' * 60}\n" for n in range(60)) + "Subject: [SPAM?] Re: {x}\n").encode()
        + mail(TEXT),
        FOUND,
    ),
    "list-unsubscribe alone is of a person's company": (LIST.encode() + mail(TEXT), FOUND),
    "quoted once more at every hop, wrapped between": (
        mail(quoted(quoted(quoted(TEXT, ">"), ">"), ">")),
        FOUND,
    ),
    "quoted in depths that differ line by line": (
        mail(
            "".join(
                ("> ", ">> ", "> > ")[number % 3] + line + "\n"
                for number, line in enumerate(TEXT.splitlines())
            )
        ),
        FOUND,
    ),
    "quoted, blanks behind the mark lost": (
        mail("".join(">" + line.lstrip() + "\n" for line in TEXT.splitlines())),
        FOUND,
    ),
    "quoted by a program that wraps at 76 and quotes the rest": (mail(quoted(wrapped(TEXT, 74))), FOUND),
    "quoted with a tab": (mail(quoted(TEXT, ">\t")), FOUND),
    "the whole letter of 200 kB below it, quoted": (mail(TEXT + "\nGames wrote:\n" + report(200_000)), FOUND),
    "the whole letter of 200 kB below it, quoted twice, CRLF": (
        mail((TEXT + "\nGames wrote:\n" + quoted(report(180_000), ">")).replace("\n", "\r\n")),
        FOUND,
    ),
}

CODINGS: Mails = {
    "base64, all on one line": (coded(FLAT64, "base64"), FOUND),
    "base64, lines of 998": (
        coded("\n".join(FLAT64[at : at + 998] for at in range(0, len(FLAT64), 998)), "base64"),
        FOUND,
    ),
    "base64, lines of 73, not of 4": (
        coded("\n".join(FLAT64[at : at + 73] for at in range(0, len(FLAT64), 73)), "BASE64"),
        FOUND,
    ),
    "base64, blank lines between": (coded(BASE64.replace("\n", "\n\n"), "base64"), FOUND),
    "base64, quoted": (coded(quoted(BASE64), "base64"), FOUND),
    "base64, padding lost": (coded(BASE64.rstrip("=\n"), "base64"), FOUND),
    "base64, the last line lost": (coded("\n".join(BASE64.splitlines()[:-2]), "base64"), "mail/damaged"),
    "base64, of the web's alphabet": (
        coded(base64.urlsafe_b64encode(NBSP.encode() + b"\xff\xfe??>>"), "base64"),
        FOUND,
    ),
    "base64, twice": (coded(base64.encodebytes(BASE64.encode()), "base64"), FOUND),
    "base64, its label lost": (coded(BASE64, "7bit"), FOUND),
    "base64, its label in quotes": (coded(BASE64, '"base64"'), FOUND),
    "base64, its label with a comment": (coded(BASE64, "base64 (by gateway)"), FOUND),
    "base64, its label with a semicolon": (coded(BASE64, "base64;"), FOUND),
    "base64, attached, its label lost": (
        multipart(
            PLAIN, attachment(BASE64, "application/json; name=move.json", "attachment; filename=move.json")
        ),
        FOUND,
    ),
    "quoted-printable, twice": (coded(quopri.encodestring(printable(NBSP)), "quoted-printable"), FOUND),
    "quoted-printable, small hex": (
        coded(re.sub(rb"=[0-9A-F]{2}", lambda found: found[0].lower(), printable(NBSP)), "Quoted-Printable"),
        FOUND,
    ),
    "quoted-printable, soft breaks lost their line end's mark": (
        coded(printable(TEXT).replace(b"=\n", b"=\r\n\r\n"), "quoted-printable"),
        FOUND,
    ),
    "quoted-printable, every blank at a line's end gone": (
        coded(trimmed(printable(TEXT).decode()), "quoted-printable"),
        FOUND,
    ),
    "quoted-printable, quoted and not decoded": (mail(quoted(printable(NBSP).decode())), FOUND),
    "quoted-printable, decoded by nobody, forwarded as HTML": (
        mail(divs(printable(NBSP).decode()), "text/html"),
        FOUND,
    ),
    "binary, with a NUL at the end and a ^Z": (mail(TEXT.encode() + b"\x1a\0\0"), FOUND),
    "a form feed between pages": (mail(TEXT.replace('"rev"', '\f"rev"')), FOUND),
    "the high bit cut off": (
        mail(bytes(byte & 0x7F for byte in ("Gr\u00fc\u00dfe!\n" + TEXT).encode())),
        FOUND,
    ),
    "the high bit cut off from its blanks": (
        mail(bytes(byte & 0x7F for byte in NBSP.encode())),
        "mail/damaged",
    ),
    "question marks for what a charset has not": (
        mail(curly(TEXT).encode("ascii", "replace")),
        "mail/no-move",
    ),
    "question marks for its blanks": (mail(NBSP.encode("ascii", "replace")), "mail/damaged"),
    "uuencoded, with its label": (
        coded(
            "begin 644 move.json\n"
            + "".join(binascii.b2a_uu(TEXT.encode()[at : at + 45]).decode() for at in range(0, len(TEXT), 45))
            + " \nend\n",
            "x-uuencode",
        ),
        FOUND,
    ),
    "line ends CR alone": (mail(TEXT).replace(b"\n", b"\r"), FOUND),
    "line ends mixed": (
        mail(TEXT).replace(b"\n", b"\r\n").replace(b",\r\n", b",\r").replace(b"{\r\n", b"{\n"),
        FOUND,
    ),
    "line ends written out": (mail(TEXT.replace("\n", "\\n")), "mail/damaged"),
    "cut after 998 with CR LF and a blank": (
        mail("\r\n ".join(re.findall(r"(?s).{1,998}", TEXT.replace("\n", " ")))),
        FOUND,
    ),
    "cut after 990 with an exclamation mark": (
        mail(
            "!\r\n ".join(
                re.findall(r"(?s).{1,990}", TEXT.replace("\n", " ").replace('"kind"', " " * 300 + '"kind"'))
            )
        ),
        FOUND,
    ),
}

MIME: Mails = {
    "boundary not in quotes, with equals signs": (
        typed(
            "multipart/mixed; boundary=----=_NextPart_000_0001_01D9.12",
            PLAIN,
            BASED,
            boundary="----=_NextPart_000_0001_01D9.12",
        ),
        FOUND,
    ),
    "boundary in pieces of RFC 2231": (
        typed(
            'multipart/mixed;\n\tboundary*0="----=_Next";\n\tboundary*1="Part_0"',
            PLAIN,
            BASED,
            boundary="----=_NextPart_0",
        ),
        FOUND,
    ),
    "boundary with a blank at its end": (
        typed('multipart/mixed; boundary="ab cd "', PLAIN, BASED, boundary="ab cd"),
        FOUND,
    ),
    "boundary not as its header says": (
        typed('multipart/mixed; boundary="abc"', PLAIN, BASED, boundary="xyz"),
        FOUND,
    ),
    "boundary that begins another": (
        multipart(PLAIN, multipart(part("x", UTF8), BASED, boundary="b1", head=""), boundary="b"),
        FOUND,
    ),
    "no final boundary, cut within base64's padding": (
        multipart(PLAIN, BASED).rpartition(b"\n--=_b1--")[0].rstrip(b"="),
        FOUND,
    ),
    "no Content-Type at the top, parts all the same": (
        HEADERS.encode() + b"\n" + multipart(PLAIN, BASED).partition(b"\n\n")[2],
        FOUND,
    ),
    "a line in the header that is no field": (
        HEADERS.encode() + b"Received from a broken gateway\n" + multipart(PLAIN, BASED, head=""),
        FOUND,
    ),
    "an empty line before the header": (b"\n" + multipart(PLAIN, BASED), FOUND),
    "a mark of order before the header": (b"\xef\xbb\xbf" + multipart(PLAIN, BASED), FOUND),
    "header names with blanks before the colon": (
        multipart(PLAIN, BASED).replace(b"Content-Type: multipart", b"Content-Type : multipart"),
        FOUND,
    ),
    "Content-Type folded in the midst of its value": (
        typed("multipart/mixed;\n  \n boundary==_b1", PLAIN, BASED),
        FOUND,
    ),
    "Content-Type twice": (
        multipart(PLAIN, BASED).replace(b"MIME-Version", b"Content-Type: text/plain\nMIME-Version"),
        FOUND,
    ),
    "parts without any header": (multipart(part(TEXT)), FOUND),
    "digest of mails": (multipart(part(mail(TEXT)), kind="multipart/digest"), "mail/attached-message"),
    "partial message": (mail(TEXT, 'message/partial; id="a@b"; number=1; total=2'), "mail/malformed"),
    "a body kept elsewhere": (
        multipart(
            PLAIN,
            part("\n", 'Content-Type: message/external-body; access-type=URL; URL="https://x.example.org/m"'),
        ),
        "mail/malformed",
    ),
    "report of reading with nothing else": (
        multipart(
            part("read", UTF8),
            part(
                "Disposition: manual-action/MDN-sent-manually; displayed\n",
                "Content-Type: message/disposition-notification",
            ),
            kind="multipart/report; report-type=disposition-notification",
        ),
        "mail/bounce",
    ),
    **{
        f"attached as {name}, {kind}": (multipart(PLAIN, attachment(BASE64, kind, disposition, SENT)), FOUND)
        for name, kind, disposition in (
            (
                "move.json.txt",
                'text/plain; charset=utf-16; name="move.json.txt"',
                "attachment; filename=move.json.txt",
            ),
            ("move.dat", "application/octet-stream", "attachment; filename=move.dat"),
            ("move(1).json", "application/x-javascript", "attachment; filename=move(1).json"),
            (
                "a name of RFC 2231",
                "application/json",
                "attachment; filename*0*=utf-8''z%C3%BCg%E2%80; filename*1*=%9C%2Ejson",
            ),
            (
                "a name in encoded words",
                'application/json; name="=?utf-8?B?esO8Zy5qc29u?="',
                'attachment; filename="=?utf-8?B?esO8Zy5qc29u?="',
            ),
            ("a picture", "image/heic; name=move.json", "attachment"),
            ("nothing", "", "attachment"),
            ("HTML", "text/html; name=move.json", "attachment; filename=move.json"),
            ("a calendar", "text/calendar; method=REQUEST", "attachment; filename=move.ics"),
        )
    },
    "attached, gzip": (
        multipart(
            PLAIN,
            attachment(
                base64.encodebytes(b"\x1f\x8b\x08\0\0"),
                "application/octet-stream",
                "attachment; filename=move.json.gz",
                SENT,
            ),
        ),
        "mail/zip",
    ),
    "attached twice, once beside its HTML": (
        multipart(part(TEXT, UTF8), part(divs(TEXT), HTML8), BASED),
        FOUND,
    ),
    "attached, quoted-printable and 8bit nbsp": (
        multipart(
            PLAIN,
            attachment(printable(NBSP), "application/json", "attachment", PRINTABLE),
            part("\xa0", UTF8, EIGHT),
        ),
        FOUND,
    ),
    "a form in urlencoded": (
        mail(f"move={quote_plus(TEXT)}\n", "application/x-www-form-urlencoded"),
        FOUND,
    ),
    "a mailto that a web mailer has not decoded": (
        mail(printable(quote(TEXT.replace("\n", "\r\n"))), "text/plain; charset=utf-8", "quoted-printable"),
        FOUND,
    ),
    "a mailto that was not decoded, in HTML": (
        mail(printable(f"<div>{quote(TEXT)}</div>"), "text/html; charset=utf-8", "quoted-printable"),
        FOUND,
    ),
    "a letter of ours answered without anything": (mail(quoted(LETTER)), "mail/no-move"),
}
