"""Mails of Apple's programs, of free ones, and of web mailers. As `clients`."""

from __future__ import annotations

import base64
import binascii
import html

from tests.turn.mime.habits import (
    BASED,
    FORWARDED,
    FOUND,
    HTML8,
    LETTER,
    ON,
    PRINTABLE,
    SENT,
    UTF8,
    Mails,
    attachment,
    curly,
    del_sp,
    divs,
    escaped,
    flowed,
    lower_printable,
    nbsp,
    printable,
    quoted,
    wrapped,
)
from tests.turn.mime.sample import TEXT, mail, multipart, part

APPLE: Mails = {
    "apple mail, the file between two texts": (
        multipart(
            part("Here:\n\n", UTF8),
            attachment(
                TEXT,
                'text/plain;\n\tx-unix-mode=0644;\n\tname="move.json.txt"',
                'inline;\n\tfilename="move.json.txt"',
                "Content-Transfer-Encoding: 7bit",
            ),
            part("\n\nRed\n", UTF8),
            boundary="Apple-Mail=_1234-ABCD",
        ),
        FOUND,
    ),
    "apple mail, inside related inside alternative": (
        multipart(
            part("Here\n", UTF8),
            multipart(
                part("<html><body>Here</body></html>", HTML8),
                BASED,
                kind="multipart/related",
                boundary="Apple-Mail=_2",
                head="",
            ),
            kind="multipart/alternative",
            boundary="Apple-Mail=_1",
        ),
        FOUND,
    ),
    "apple mail, appledouble": (
        multipart(
            multipart(
                attachment(
                    base64.encodebytes(b"\x00\x05\x16\x07" + b"\0" * 60),
                    "application/applefile; name=move.json",
                    "attachment; filename=move.json",
                    SENT,
                ),
                BASED,
                kind="multipart/appledouble",
                boundary="Apple-Mail-3",
                head="",
            ),
            boundary="Apple-Mail-4",
        ),
        FOUND,
    ),
    "apple mail, DelSp": (
        mail(del_sp(TEXT), "text/plain; charset=us-ascii; format=flowed; delsp=yes", "7bit"),
        FOUND,
    ),
    "apple mail, DelSp, answered with it quoted": (
        mail(
            quoted(del_sp(TEXT)).replace("\n> \n", "\n>\n"),
            "text/plain; charset=us-ascii; format=flowed; delsp=yes",
            "7bit",
        ),
        FOUND,
    ),
    "iphone, pasted with smart punctuation, small hex": (
        mail(
            lower_printable(curly(TEXT) + "\n\nVon meinem iPhone gesendet\n"),
            "text/plain; charset=utf-8",
            "quoted-printable",
        ),
        FOUND,
    ),
    "iphone, pasted between the halves of a quoted letter": (
        mail(
            printable(
                f"{curly(TEXT)}\nSent from my iPhone\n\n"
                f"> On 1. Aug 2026, at 10:00, games@pbem.example.org wrote:\n> \n> \ufeff{quoted(LETTER)}"
            ),
            UTF8[14:],
            "quoted-printable",
        ),
        FOUND,
    ),
    "textedit's rich text, attached": (
        multipart(
            part("move\n", UTF8),
            attachment(
                '{\\rtf1\\ansi\n\\f0 \\{\\\n  "payload": \\{\\\n "v": 1\\\n\\}\\}}\n',
                "text/rtf; name=move.rtf",
                "attachment; filename=move.rtf",
            ),
        ),
        "mail/other-file",
    ),
}

FREE: Mails = {
    "thunderbird, flowed": (mail(flowed(TEXT), "text/plain; charset=UTF-8; format=flowed", "7bit"), FOUND),
    "thunderbird, flowed, answered below it": (
        mail(
            ON + quoted(flowed(TEXT)) + "\nlooks good\n", "text/plain; charset=UTF-8; format=flowed", "7bit"
        ),
        FOUND,
    ),
    "thunderbird, pre": (
        mail(
            f'<html><body><pre class="moz-quote-pre" wrap="">{html.escape(TEXT, quote=False)}</pre>'
            '<div class="moz-cite-prefix">x</div></body></html>',
            "text/html; charset=UTF-8",
        ),
        FOUND,
    ),
    "thunderbird, forwarded inline": (
        mail(FORWARDED + TEXT, "text/plain; charset=UTF-8; format=flowed"),
        FOUND,
    ),
    "thunderbird, forwarded as an attachment": (
        multipart(
            part("\n", UTF8),
            attachment(mail(TEXT), 'message/rfc822; name="move.eml"', "attachment; filename=move.eml"),
        ),
        "mail/attached-message",
    ),
    "thunderbird, the forwarded mail called octet-stream": (
        multipart(
            part("\n", UTF8),
            attachment(
                mail(TEXT), 'application/octet-stream; name="move.eml"', "attachment; filename=move.eml"
            ),
        ),
        FOUND,
    ),
    "thunderbird, signed with OpenPGP, header fields protected": (
        multipart(
            multipart(
                multipart(
                    part(printable(TEXT), "Content-Type: text/plain; charset=UTF-8", PRINTABLE),
                    boundary="----in",
                    head="",
                ),
                boundary="----mid",
                head="",
                kind='multipart/mixed; protected-headers="v1"',
            ),
            attachment(
                "-----BEGIN PGP SIGNATURE-----\n\niQ=\n-----END PGP SIGNATURE-----\n",
                "application/pgp-signature; name=OpenPGP_signature.asc",
                "attachment; filename=OpenPGP_signature",
            ),
            kind='multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"',
            boundary="----out",
        ),
        FOUND,
    ),
    "S/MIME, signed beside the text": (
        multipart(
            part(TEXT, UTF8),
            attachment(
                "MIIG\n",
                "application/pkcs7-signature; name=smime.p7s",
                "attachment; filename=smime.p7s",
                SENT,
            ),
            kind='multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256',
        ),
        FOUND,
    ),
    "S/MIME, signed around the text": (
        mail(
            base64.encodebytes(
                b"0\x82\x05\x00\x06\x09*\x86H\x86\xf7\r\x01\x07\x02\xa0\x80$\x80\x04\x82\x04\x00"
                b"Content-Type: text/plain\r\n\r\n" + TEXT.replace("\n", "\r\n").encode() + b"\0\0"
            ),
            "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
            "base64",
        ),
        FOUND,
    ),
    "S/MIME, enveloped": (
        mail(
            base64.encodebytes(b"0\x82\x05\x00\x06\x09*\x86H\x86\xf7\r\x01\x07\x03" + bytes(range(256))),
            "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
            "base64",
        ),
        "mail/encrypted",
    ),
    "mutt, PGP inline, signed": (
        mail(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n- -- dashes\n"
            + TEXT
            + '-----BEGIN PGP SIGNATURE-----\n\niQ{"=\n-----END PGP SIGNATURE-----\n'
        ),
        FOUND,
    ),
    "mutt, PGP inline, encrypted": (
        mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"),
        "mail/encrypted",
    ),
    "PGP inline, encrypted, answered and quoted": (
        mail("> -----BEGIN PGP MESSAGE-----\n> \n> hQEMA\n> -----END PGP MESSAGE-----\n"),
        "mail/encrypted",
    ),
    "mutt, quoted with bars of two depths": (mail(quoted(quoted(TEXT, "| "), "> ")), FOUND),
    "emacs, cut here": (
        mail(
            "--8<---------------cut here---------------start------------->8---\n"
            + TEXT
            + "--8<---------------cut here---------------end--------------->8---\n"
        ),
        FOUND,
    ),
    "emacs, cited by name": (mail("".join(f"Red> {line}\n" for line in TEXT.splitlines())), FOUND),
    "pine, uuencoded within the text": (
        mail(
            "move:\n\nbegin 644 move.json\n"
            + "".join(binascii.b2a_uu(TEXT.encode()[at : at + 45]).decode() for at in range(0, len(TEXT), 45))
            + "`\nend\n"
        ),
        FOUND,
    ),
    "k-9, answered, quoted by another with long lines broken": (
        mail("\n" + quoted(wrapped(quoted(TEXT), 72))),
        FOUND,
    ),
    "proton, HTML only": (
        mail(
            base64.encodebytes(
                (
                    '<div style="font-family: Arial, sans-serif; font-size: 14px;">'
                    + "".join(
                        f"<span>{nbsp(escaped(line)) or '<br>'}</span><br>" for line in TEXT.split("\n")
                    )
                    + '</div><div class="protonmail_signature_block"><div>'
                    'Sent with <a target="_blank" href="https://proton.example.org/">Proton Mail</a>.</div></div>'
                ).encode()
            ),
            "text/html; charset=utf-8",
            "base64",
        ),
        FOUND,
    ),
    "proton, with the public key": (
        multipart(
            part(base64.encodebytes(b"move"), UTF8, SENT),
            BASED,
            attachment(
                "LS0tLS1CRUdJTiBQR1AgUFVCTElDIEtFWSBCTE9DSy0tLS0t\n",
                'application/pgp-keys; filename="publickey - red.asc"',
                "attachment",
                SENT,
            ),
        ),
        FOUND,
    ),
    "gmx, HTML with references for every blank": (
        mail(
            '<html><head></head><body><div style="font-family: Verdana;"><div>'
            + escaped(TEXT).replace(" ", "&#160;").replace("\n", "</div>\n\n<div>")
            + "</div></div></body></html>",
            "text/html; charset=UTF-8",
        ),
        FOUND,
    ),
    "gmx, Latin-1 with no-break spaces": (
        mail(TEXT.replace("  ", "\xa0 ").encode("latin-1"), "text/plain; charset=iso-8859-1"),
        FOUND,
    ),
    "samsung, a paragraph a line": (
        mail(
            base64.encodebytes(
                f'<html><head><meta name="x" content="{{"></head><body>{divs(TEXT, "p", "&nbsp;")}</body></html>'.encode()
            ),
            "text/html; charset=utf-8",
            "base64",
        ),
        FOUND,
    ),
    "a markdown composer, fenced": (mail("Hi\n\n```json\n" + TEXT + "```\n"), FOUND),
    "a table in HTML, a row a line": (
        mail(
            "<TABLE>"
            + "".join(
                f"<TR><TD>{number}</TD><TD>{nbsp(escaped(line))}</TD></TR>"
                for number, line in enumerate(TEXT.splitlines())
            )
            + "</TABLE>",
            "text/html",
        ),
        "mail/damaged",
    ),
}

CLIENTS: Mails = APPLE | FREE
