"""How a text is carried: each a function from the text of a file to a whole mail, the labels right or wrong."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
from collections.abc import Callable

from tests.turn.mime.damage import flowed, quoted, smart, wrapped
from tests.turn.mime.sample import PLAIN, mail, multipart, part, report

Carrier = Callable[[str], bytes]


def printable(text: str) -> bytes:
    return mail(quopri.encodestring(text.encode()), encoding="quoted-printable")


def printable_crlf(text: str) -> bytes:
    return printable(text).replace(b"\n", b"\r\n")


def printable_soft_blanks(text: str) -> bytes:
    return printable(text).replace(b"=\n", b"= \n")


def printable_unlabelled(text: str) -> bytes:
    """Every quote sign as =22, and no word of it in the header."""
    coded = quopri.encodestring(text.encode()).replace(b'"', b"=22")
    return mail(coded, encoding="7bit" if coded.isascii() else "8bit")


def base64_body(text: str) -> bytes:
    return mail(base64.encodebytes(text.encode()), encoding="base64")


def base64_with_footer(text: str) -> bytes:
    return base64_body(text) + b"_______________\nplayers mailing list\nhttps://lists.example.org\n"


def base64_by_line(text: str) -> bytes:
    """Each chunk padded on its own."""
    raw = text.encode()
    return mail(
        b"".join(binascii.b2a_base64(raw[at : at + 50]) for at in range(0, len(raw), 50)), encoding="base64"
    )


def base64_mislabelled(text: str) -> bytes:
    return mail(text, encoding="base64")


def charset(name: str, label: str = "") -> Carrier:
    return lambda text: mail(text.encode(name, "xmlcharrefreplace"), f'text/plain; charset="{label or name}"')


def bom(text: str) -> bytes:
    return mail(b"\xef\xbb\xbf" + text.encode())


def crlf(text: str) -> bytes:
    return mail(text).replace(b"\n", b"\r\n")


def cr(text: str) -> bytes:
    return mail(text).replace(b"\n", b"\r")


def crcrlf(text: str) -> bytes:
    return mail(text).replace(b"\n", b"\r\r\n")


def flowed_mail(del_sp: bool) -> Carrier:
    label = "text/plain; charset=utf-8; format=flowed" + "; delsp=yes" * del_sp
    return lambda text: mail(flowed(72, del_sp)(text), label)


def flowed_and_quoted(text: str) -> bytes:
    return mail(quoted(">")(flowed(70)(text)), "text/plain; format=flowed")


def html_lines(text: str) -> bytes:
    body = html.escape(text).replace("  ", "&nbsp; ").replace("\n", "<br>\n")
    page = f'<html><head><style>p {{color: #123}}</style></head><body><!-- {{"payload" --><div>{body}</div></body></html>'
    return mail(page, "text/html; charset=utf-8")


def html_paragraphs(text: str) -> bytes:
    """A word processor's: each line a paragraph of spans, typographic quotes, the source wrapped at blanks."""
    lines = [html.escape(smart("\u201c", "\u201d")(text), quote=False) for text in text.split("\n")]
    body = "".join(
        f"<p class=MsoNormal><span lang='EN-US'>{line or '&nbsp;'}<o:p></o:p></span></p>\n" for line in lines
    )
    return mail(
        wrapped(76, break_long_words=False, break_on_hyphens=False)(body).encode(
            "ascii", "xmlcharrefreplace"
        ),
        "text/html",
    )


def html_pre(text: str) -> bytes:
    return mail(f"<blockquote><pre>{html.escape(text)}</pre></blockquote>", "text/html")


def html_in_printable(text: str) -> bytes:
    body = "<div>" + html.escape(text, quote=False).replace("\n", "<div>&nbsp;</div>") + "</div>"
    return mail(quopri.encodestring(body.encode()), "text/html; charset=utf-8", "quoted-printable")


def attached(kind: str, name: str, coding: str = "base64") -> Carrier:
    def damage(text: str) -> bytes:
        body = base64.encodebytes(text.encode()) if coding == "base64" else text.encode()
        fields = (f"Content-Type: {kind}", f'Content-Disposition: attachment; filename="{name}"')
        return multipart(PLAIN, part(body, *fields, f"Content-Transfer-Encoding: {coding}"))

    return damage


def attached_utf16(text: str) -> bytes:
    body = base64.encodebytes(text.encode("utf-16"))
    return multipart(PLAIN, part(body, "Content-Type: text/plain", "Content-Transfer-Encoding: base64"))


def alternative(text: str) -> bytes:
    """The plain part empty, as some phones send it, the move in the HTML part only."""
    page = html.escape(text, quote=False).replace("\n", "<br>")
    return multipart(
        part("\n", "Content-Type: text/plain"),
        part(page, "Content-Type: text/html"),
        kind="multipart/alternative",
    )


def nested(text: str) -> bytes:
    inner = multipart(PLAIN, part(text, "Content-Type: text/plain"), head="", boundary="=_b1_x")
    related = multipart(inner, head="", kind="multipart/related", boundary="in ner")
    return multipart(multipart(related, head="", boundary="b'2(+)"), PLAIN, kind="multipart/signed")


def unclosed(text: str) -> bytes:
    """The last delimiter lost, and with it the rest of the mail."""
    return multipart(PLAIN, part(text, "Content-Type: application/json")).rpartition(b"--=_b1--")[0]


def no_boundary(text: str) -> bytes:
    return mail(text, "multipart/mixed")


def no_header(text: str) -> bytes:
    return text.encode()


def in_large_report(text: str) -> bytes:
    return mail(text + "\n" + report(200_000))


def below_large_report(text: str) -> bytes:
    return mail(report(200_000) + "\n" + text)


MAILS: dict[str, Carrier] = {
    "plain": mail,
    "quoted-printable": printable,
    "quoted-printable, CRLF": printable_crlf,
    "quoted-printable, blanks after soft breaks": printable_soft_blanks,
    "quoted-printable, unlabelled": printable_unlabelled,
    "base64": base64_body,
    "base64 with a list footer": base64_with_footer,
    "base64, each chunk padded": base64_by_line,
    "not base64, but labelled so": base64_mislabelled,
    "Latin-1": charset("iso-8859-1"),
    "UTF-8 labelled Latin-1": charset("utf-8", "iso-8859-1"),
    "UTF-8 labelled GB2312": charset("utf-8", "gb2312"),
    "UTF-8 labelled bogus": charset("utf-8", "bogus"),
    "UTF-8 labelled zlib": charset("utf-8", "zlib"),
    "Windows-1252 labelled US-ASCII": charset("cp1252", "us-ascii"),
    "KOI8-R": charset("koi8-r"),
    "UTF-16": charset("utf-16"),
    "UTF-16, no mark": charset("utf-16-le"),
    "byte order mark": bom,
    "CRLF": crlf,
    "CR": cr,
    "CR CR LF": crcrlf,
    "flowed": flowed_mail(False),
    "flowed, DelSp": flowed_mail(True),
    "flowed and quoted": flowed_and_quoted,
    "HTML lines": html_lines,
    "HTML of a word processor": html_paragraphs,
    "HTML pre": html_pre,
    "HTML in quoted-printable": html_in_printable,
    "attached": attached("application/json", "move.json"),
    "attached, renamed": attached("application/octet-stream", "../../noname.bin"),
    "attached as a picture": attached("image/jpeg", "move.jpg"),
    "attached as HTML": attached("text/html", "move.htm", "8bit"),
    "attached as text": attached("text/plain; name=move", "move.json.txt", "7bit"),
    "attached, type unheard of": attached("x; y", "=?koi8-r?B?yM/E?=", "x-none"),
    "attached, UTF-16": attached_utf16,
    "alternative": alternative,
    "nested": nested,
    "unclosed": unclosed,
    "multipart without a boundary": no_boundary,
    "no header": no_header,
    "above a report of 200 kB": in_large_report,
    "below a report of 200 kB": below_large_report,
}
