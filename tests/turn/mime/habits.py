"""What mail programs do to what is written in them, as functions: quoting, flowing, smart punctuation, HTML."""

from __future__ import annotations

import base64
import html
import quopri
import re

from tests.turn.mime.sample import HEADERS, TEXT, multipart, part, report

FOUND = "found"
Mails = dict[str, tuple[bytes, str]]

BASE64 = base64.encodebytes(TEXT.encode()).decode()
SENT = "Content-Transfer-Encoding: base64"
PRINTABLE = "Content-Transfer-Encoding: quoted-printable"
EIGHT = "Content-Transfer-Encoding: 8bit"
UTF8, HTML8 = 'Content-Type: text/plain; charset="UTF-8"', 'Content-Type: text/html; charset="UTF-8"'


def printable(text: str, charset: str = "utf-8") -> bytes:
    return quopri.encodestring(text.encode(charset))


def lower_printable(text: str) -> bytes:
    """Quoted-printable with small hex digits, as some libraries write it."""
    return re.sub(rb"=[0-9A-F]{2}", lambda found: found[0].lower(), printable(text))


def escaped(text: str) -> str:
    return html.escape(text).replace("&#x27;", "&#39;")


def nbsp(text: str) -> str:
    """Runs of blanks as HTML editors keep them: all but the last of a run."""
    return re.sub(r"^ +| {2,}", lambda run: "&nbsp;" * (len(run[0]) - 1) + " ", text, flags=re.MULTILINE)


def curly(text: str) -> str:
    """The smart punctuation of a phone: quotes, apostrophe, dash."""
    text = re.sub(r'(^|[\s({\[])"', "\\1\u201c", text).replace('"', "\u201d")
    return text.replace("'", "\u2019").replace("--", "\u2014").replace("...", "\u2026")


def divs(text: str, tag: str = "div", blank: str = "<br>") -> str:
    lines = (nbsp(escaped(line)) or blank for line in text.rstrip("\n").split("\n"))
    return "".join(f"<{tag}>{line}</{tag}>" for line in lines)


def word_html(text: str) -> str:
    """Outlook's editor is Word: paragraphs of spans, a style sheet full of braces, typographic quotes."""
    style = "<style><!--\n/* Fonts */\n@font-face\n\t{font-family:Calibri;}\np.MsoNormal\n\t{margin:0cm;}\n--></style>"
    lines = "".join(
        f'<p class="MsoNormal"><span lang="EN-GB" style="font-size:11.0pt">'
        f"{nbsp(html.escape(curly(line), quote=False)) or '&nbsp;'}"
        "<o:p></o:p></span></p>\r\n"
        for line in text.rstrip("\n").split("\n")
    )
    return (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>\r\n<meta http-equiv="Content-Type" '
        f'content="text/html; charset=Windows-1252">{style}<!--[if gte mso 9]><xml><o:a v="{{1}}"/></xml><![endif]-->'
        f'</head><body lang="DE" link="#0563C1"><div class="WordSection1">{lines}</div></body></html>'
    )


def flowed(text: str, width: int = 72) -> str:
    """RFC 3676 as Thunderbird writes it: stuffed, lines broken behind a blank."""
    out: list[str] = []
    for each in text.split("\n"):
        line = _stuffed(each)
        while len(line) > width and (at := line.rfind(" ", 2, width)) > len(line) - len(line.lstrip()):
            out.append(line[: at + 1])
            line = _stuffed(line[at + 1 :])
        out.append(line)
    return "\n".join(out)


def _stuffed(line: str) -> str:
    return f" {line}" if line[:1] in (" ", ">") or line.startswith("From ") else line


def del_sp(text: str, width: int = 70) -> str:
    """Apple Mail of old: DelSp=yes, lines broken anywhere, a blank behind each break."""
    lines = (f" {line}" if line[:1] in (" ", ">") else line for line in text.split("\n"))
    return "\n".join(
        " \n".join(line[at : at + width] for at in range(0, max(1, len(line)), width)) for line in lines
    )


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}".rstrip(" ") + "\n" for line in text.splitlines())


def trimmed(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def wrapped(text: str, width: int) -> str:
    """Broken at the last blank before `width`; a word that is too long stays."""
    out: list[str] = []
    for each in text.split("\n"):
        line = each
        while len(line) > width:
            at = line.rfind(" ", len(line) - len(line.lstrip()) + 1, width)
            at = at if at > 0 else line.find(" ", width)
            if at < 0:
                break
            out.append(line[:at])
            line = line[at + 1 :]
        out.append(line)
    return "\n".join(out)


def gmail(plain: str, page: str, *more: bytes) -> bytes:
    both = multipart(
        part(plain, UTF8),
        part(printable(page), HTML8, PRINTABLE),
        kind="multipart/alternative",
        boundary="000000000000a1",
        head="",
    )
    if not more:
        return HEADERS.encode() + both
    return multipart(both, *more, boundary="000000000000b2")


def attachment(body: str | bytes, kind: str, disposition: str, *more: str) -> bytes:
    return part(body, f"Content-Type: {kind}", f"Content-Disposition: {disposition}", *more)


BASED = attachment(BASE64, "application/json; name=move.json", "attachment; filename=move.json", SENT)
ON = "\nOn Sat, 1 Aug 2026 at 10:00, <games@pbem.example.org> wrote:\n\n"
LETTER = 'It is your turn, Red. {Bets} are open; say "yes".\n'
FORWARDED = (
    "\n-------- Forwarded Message --------\nSubject: \tRe: turn 7\nDate: \tSat, 1 Aug 2026 10:00:00 +0200\n"
    "From: \tgames@pbem.example.org\nTo: \tred@example.org\n\n\n\n"
)
LARGE = report(120_000)
