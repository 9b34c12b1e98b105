"""A move pasted into pages, as web mailers and editors make them, above the letter that is answered.

Each is a function from the file's text and the quoted letter to the body of an HTML mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.turn.mime.habits import HTML8, LETTER, PRINTABLE, Mails, curly, escaped, nbsp, printable, quoted
from tests.turn.mime.sample import TEXT, multipart, part

FOUND = "found"
Page = Callable[[str, str], str]


def _lines(text: str) -> list[str]:
    return [nbsp(escaped(line)) for line in text.splitlines()]


def _each(before: str, after: str, empty: str = "<br>") -> Callable[[str], str]:
    return lambda text: "".join(f"{before}{line or empty}{after}" for line in _lines(text))


def _pre(text: str) -> str:
    return f"<pre>{escaped(text)}</pre>"


def _broken(text: str) -> str:
    return "<br>".join(_lines(text))


def _wrapped(text: str) -> str:
    """The source wrapped at blanks, as Word does it."""
    line = re.compile(r"(?=.{60})(.{40,60}) ")
    return "".join(
        f'<p class="MsoNormal">{line.sub(chr(92) + "1" + chr(10), each)}</p>\n' for each in _lines(text)
    )


LONG = re.compile(r"([A-Za-z0-9+/]{20})(?=[A-Za-z0-9+/])")

PAGES: dict[str, Page] = {
    "new outlook, answered": lambda text, old: (
        f'<div class="elementToProof" style="font-family: Aptos">{_broken(text)}</div><div id="appendonsend"></div>'
        f'<hr style="width:98%"><div id="divRplyFwdMsg"><b>From:</b> games@pbem.example.org<br></div>{_pre(old)}'
    ),
    "classic outlook, answered": lambda text, old: (
        "<div class=WordSection1>"
        + _each("<p class=MsoPlainText>", "<o:p></o:p></p>\n", "&nbsp;")(text)
        + f"<div style='border:none'><p class=MsoNormal><b>Von:</b> games<o:p></o:p></p></div>{_pre(old)}</div>"
    ),
    "classic outlook, its source wrapped": lambda text, _: _wrapped(text),
    "classic outlook, indented with tabs": lambda text, _: _each(
        "<p class=MsoNormal><span style='mso-tab-count:1'>        </span>", "<o:p></o:p></p>"
    )(text),
    "apple mail, answered": lambda text, old: (
        _each("<div>", "</div>")(text)
        + f'<br><blockquote type="cite"><div>Le 5 janv. 2026, games a \xe9crit :</div><div>{_broken(old)}</div></blockquote>'
    ),
    "yahoo, answered": lambda text, old: (
        f'<div class="yahoo-style-wrap">{_each("<div dir=ltr>", "</div>")(text)}</div>'
        f'<div id="yahoo_quoted_1">{_broken(old)}</div>'
    ),
    "gmx, answered": lambda text, old: (
        "".join(
            f"<div>{escaped(line).replace(' ', '&nbsp;') or '&nbsp;'}</div>" for line in text.splitlines()
        )
        + f'<div name="quote" style="border-left:2px solid #C3D9E5;"><div>{_broken(old)}</div></div>'
    ),
    "k-9, answered": lambda text, old: (
        f'{_broken(text)}<br><div class="gmail_quote">wrote:<blockquote class="gmail_quote">'
        f'<pre class="k9mail">{escaped(old)}</pre></blockquote></div>'
    ),
    "proton, answered": lambda text, old: (
        _each("<span>", "</span><br>")(text)
        + f'<div class="protonmail_quote"><blockquote type="cite">{_broken(old)}</blockquote></div>'
    ),
    "zimbra, answered": lambda text, old: (
        _each("<div>", "</div>", "<br data-mce-bogus=1>")(text)
        + f"<hr id=zwchr><blockquote>{_broken(old)}</blockquote>"
    ),
    "outlook on the web, below the letter": lambda text, old: (
        f"<blockquote>{_broken(old)}</blockquote><br>{_broken(text)}"
    ),
    "a browser's translation": lambda text, _: _each(
        '<div><font style="vertical-align: inherit;"><font style="vertical-align: inherit;">',
        "</font></font></div>",
    )(text),
    "a list with numbers": lambda text, _: f"<ol>{_each('<li><code>', '</code></li>')(text)}</ol>",
    "numbers of lines that are no text": lambda text, _: (
        f"<table>{_each('<tr><td data-line-number=1></td><td>', '</td></tr>')(text)}</table>"
    ),
    "coloured by an editor": lambda text, _: (
        "<pre><code>"
        + re.sub(r"(&quot;[^&]*&quot;)", r'<span style="color: #0451a5;">\1</span>', escaped(text))
        + "</code></pre>"
    ),
    "each quote sign in a span": lambda text, _: _broken(text).replace("&quot;", "<span>&quot;</span>"),
    "quoted twice": lambda text, _: (
        f"<blockquote><blockquote>{_each('<div>', '</div>')(text)}</blockquote></blockquote>"
    ),
    "large tags, a bracket in an attribute": lambda text, _: (
        f'<DIV title="a > b"><PRE>{escaped(text)}</PRE></DIV>'
    ),
    "an object in an attribute": lambda text, _: f"<div data-x='{{\"payload\": 1}}'>{_pre(text)}</div>",
    "in a text field": lambda text, _: f"<textarea>{escaped(text)}</textarea>",
    "below a hidden line": lambda text, _: f"<div style='display:none'>look: {{\"payload\"</div>{_pre(text)}",
    "below a comment of Word": lambda text, _: f"<!--[if mso]><p>{{</p><![endif]--><p>{_broken(text)}</p>",
    "above a comment without end": lambda text, _: f"<p>{_broken(text)}</p><!-- cut",
    "below a style sheet without end": lambda text, _: f"<style>p{{}}<body>{_pre(text)}",
    "each character a number": lambda text, _: (
        "<pre>" + "".join(f"&#{ord(char)};" for char in text) + "</pre>"
    ),
    "brackets by name": lambda text, _: (
        f"<pre>{escaped(text).replace('{', '&lcub;').replace('}', '&rcub;').replace(':', '&colon;')}</pre>"
    ),
    "smileys between the lines": lambda text, _: (
        "<pre>"
        + escaped(text).replace("\n", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">\n', 3)
        + "</pre>"
    ),
    "long words that may be broken": lambda text, _: "<br>".join(
        LONG.sub(r"\1<wbr>", line) for line in _lines(text)
    ),
    "soft hyphens and joiners": lambda text, _: "<br>".join(
        f"{LONG.sub(chr(92) + '1&shy;', line)}&zwnj;" for line in _lines(text)
    ),
    "digits taken for telephone numbers": lambda text, _: (
        "<pre>"
        + re.sub(r"([0-9]{4,})", r'<a href="tel:\1" x-apple-data-detectors="true">\1</a>', escaped(text))
        + "</pre>"
    ),
    "a title within": lambda text, _: f'<title>{{"payload":</title>{_pre(text)}',
    "all on one line": lambda text, _: (
        f"<div>{' '.join(line.strip() for line in escaped(text).splitlines())}</div>"
    ),
    "from a word processor on the web": lambda text, _: (
        '<b style="font-weight:normal">'
        + "".join(
            f'<p dir="ltr"><span style="white-space:pre-wrap">{escaped(line)}</span></p>'
            for line in text.splitlines()
        )
        + "</b>"
    ),
}


def _mail(page: str) -> bytes:
    shown = part(
        printable(f"<html><head><style>p{{margin:0}}</style></head><body>{page}</body></html>"),
        HTML8,
        PRINTABLE,
    )
    words = part("See below.\n\n" + quoted(LETTER), "Content-Type: text/plain; charset=utf-8")
    return multipart(words, shown, kind="multipart/alternative")


ROADS: Mails = {
    f"{name}{how}": (_mail(page(change(TEXT), LETTER * 20)), FOUND)
    for name, page in PAGES.items()
    for how, change in (("", str), (", smart punctuation", curly))
}
