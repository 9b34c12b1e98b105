"""Moves in mails whose character set is odd, or not what its label says. As `gateways`."""

from __future__ import annotations

import base64
import quopri
import re

from tests.turn.mime.habits import (
    FOUND,
    Mails,
    curly,
    divs,
    quoted,
    trimmed,
)
from tests.turn.mime.sample import HEADERS, TEXT, mail


def moji(text: str) -> str:
    """UTF-8 read as Windows-1252 and written as UTF-8 again."""
    return text.encode("utf-8").decode("latin-1")


def moji1252(text: str) -> str:
    return "".join(
        bytes([byte]).decode("cp1252", "replace") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
        for byte in text.encode()
    )


def labelled(charset: str, text: str = TEXT, codec: str = "utf-8") -> bytes:
    return mail(text.encode(codec), f"text/plain; charset={charset}")


def coded(body: str | bytes, coding: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    return mail(body, kind, coding)


def typed(kind: str, *parts: bytes, boundary: str = "=_b1") -> bytes:
    """A multipart whose Content-Type is given as it stands."""
    inner = b"".join(b"--" + boundary.encode() + b"\n" + each.rstrip(b"\n") + b"\n" for each in parts)
    return f"{HEADERS}Content-Type: {kind}\n\n".encode() + inner + f"--{boundary}--\n".encode()


NBSP = TEXT.replace("  ", "\xa0 ")

CHARSETS: Mails = {
    **{
        f"UTF-8 called {name}": (labelled(name, NBSP), FOUND)
        for name in (
            "unknown-8bit",
            "utf8mb4",
            "utf_8",
            "'utf-8'",
            '"UTF-8',
            "utf-8format=flowed",
            "x-user-defined",
            "binary",
            "iso-2022-jp",
            "utf-7",
            "hz-gb-2312",
            "cp-850",
            "=?utf-8?q?utf-8?=",
        )
    },
    "UTF-8 called UTF-16": (labelled("utf-16", NBSP), FOUND),
    "UTF-16 called UTF-8": (labelled("utf-8", NBSP, "utf-16"), FOUND),
    "UTF-16, big end first, no mark, called nothing": (
        mail(base64.encodebytes(TEXT.encode("utf-16-be")), "application/octet-stream", "base64"),
        FOUND,
    ),
    "UTF-16 called unicode, quoted-printable": (
        coded(
            quopri.encodestring(("\ufeff" + TEXT).encode("utf-16-le")),
            "quoted-printable",
            "text/plain; charset=unicode",
        ),
        FOUND,
    ),
    "UTF-16 below a greeting with an umlaut first": (
        mail(("\u00dcbrigens:\n" + TEXT).encode("utf-16-le"), "text/plain; charset=utf-16le"),
        FOUND,
    ),
    "UTF-16 with Japanese first, no mark": (
        mail(("\u79c1\u306e\u624b\n" + TEXT).encode("utf-16-be"), "text/plain; charset=utf-16be"),
        FOUND,
    ),
    "UTF-32": (
        mail(base64.encodebytes(TEXT.encode("utf-32")), "application/json; charset=utf-32", "base64"),
        FOUND,
    ),
    "UTF-7": (coded(TEXT.encode("utf-7"), "7bit", "text/plain; charset=utf-7"), FOUND),
    "Windows-1252 with curly quotes, called so": (labelled("windows-1252", curly(TEXT), "cp1252"), FOUND),
    "Windows-1252 with curly quotes, called Latin-1": (labelled("iso-8859-1", curly(TEXT), "cp1252"), FOUND),
    "Windows-1252 with curly quotes, called US-ASCII": (labelled("us-ascii", curly(TEXT), "cp1252"), FOUND),
    "Windows-1252 with curly quotes, called UTF-8": (labelled("utf-8", curly(TEXT), "cp1252"), FOUND),
    "Windows-1251 with no-break spaces": (
        labelled("windows-1251", "\u041f\u0440\u0438\u0432\u0435\u0442\n" + NBSP, "cp1251"),
        FOUND,
    ),
    "KOI8-R with no-break spaces": (
        labelled("koi8-r", "\u041f\u0440\u0438\u0432\u0435\u0442\n" + NBSP, "koi8-r"),
        FOUND,
    ),
    "KOI8-R called Windows-1251": (
        labelled("windows-1251", "\u041f\u0440\u0438\u0432\u0435\u0442\n" + TEXT, "koi8-r"),
        FOUND,
    ),
    "ISO-2022-JP": (
        labelled("iso-2022-jp", "\u79c1\u306e\u624b\n" + TEXT + "\u4ee5\u4e0a\n", "iso-2022-jp"),
        FOUND,
    ),
    "ISO-2022-JP, its text in the Roman set": (
        mail(b"\x1b(J" + TEXT.encode() + b"\x1b(B", "text/plain; charset=iso-2022-jp"),
        FOUND,
    ),
    "ISO-2022-JP, its label lost": (mail(("\u79c1\u306e\u624b\n" + TEXT).encode("iso-2022-jp")), FOUND),
    "Shift_JIS": (labelled("shift_jis", "\u79c1\u306e\u624b\n" + TEXT, "shift_jis"), FOUND),
    "Big5 with curly quotes": (labelled("big5", "\u6211\u7684\n" + curly(TEXT), "big5"), FOUND),
    "GB2312 with curly quotes": (labelled("gb2312", "\u6211\u7684\n" + curly(TEXT), "gb18030"), FOUND),
    "GBK with curly quotes, called cp936": (labelled("cp936", "\u6211\u7684\n" + curly(TEXT), "gbk"), FOUND),
    "Big5 with curly quotes, called big5-hkscs": (
        labelled("big5-hkscs", "\u6211\u7684\n" + curly(TEXT), "big5hkscs"),
        FOUND,
    ),
    "code page 850 with no-break spaces": (labelled("ibm850", "Gr\xfc\xdfe\n" + NBSP, "cp850"), FOUND),
    "code page 866 with no-break spaces": (
        labelled("cp866", "\u041f\u0440\u0438\u0432\u0435\u0442\n" + NBSP, "cp866"),
        FOUND,
    ),
    "curly quotes with colons and commas of a Chinese keyboard": (
        mail(curly(TEXT).replace(": ", "\uff1a").replace(",\n", "\uff0c\n")),
        FOUND,
    ),
    "Macintosh with curly quotes": (labelled("macintosh", curly(TEXT), "mac-roman"), FOUND),
    "Macintosh with curly quotes, called x-mac-roman": (
        labelled("x-mac-roman", curly(TEXT), "mac-roman"),
        FOUND,
    ),
    "UTF-8 encoded twice, no-break spaces": (mail(moji(NBSP)), FOUND),
    "UTF-8 encoded twice, curly quotes": (mail(moji1252(curly(TEXT))), FOUND),
    "a byte order mark encoded twice": (mail(moji("\ufeff") + TEXT), FOUND),
    "a byte order mark behind the quote marks": (mail(quoted("\ufeff" + TEXT)), FOUND),
    "full-width punctuation": (
        mail(
            TEXT.replace(":", "\uff1a")
            .replace(",", "\uff0c")
            .replace("{", "\uff5b")
            .replace("}", "\uff5d")
            .replace('"', "\uff02")
        ),
        FOUND,
    ),
    "an emoji in every greeting": (mail("\U0001f3b2\ufe0f go!\n" + TEXT + "\U0001f44d\U0001f3fd\n"), FOUND),
    "right-to-left marks around lines": (
        mail("".join(f"\u202b{line}\u202c\n" for line in TEXT.splitlines())),
        FOUND,
    ),
    "isolates around lines": (mail("".join(f"\u2066{line}\u2069\n" for line in TEXT.splitlines())), FOUND),
    "marks of direction at the quotes": (mail(TEXT.replace('": "', '"\u200e: \u200f"')), FOUND),
    "soft hyphens in long words": (mail(re.sub(r"([0-9a-f]{16})(?=[0-9a-f])", "\\1\u00ad", TEXT)), FOUND),
    "zero-width spaces in long words": (
        mail(re.sub(r"([0-9a-f]{20})(?=[0-9a-f])", "\\1\u200b", TEXT)),
        FOUND,
    ),
    "word joiners and Mongolian separators": (mail(TEXT.replace('": ', '"\u2060:\u180e ')), FOUND),
    "no-break hyphens": (mail(TEXT.replace("-", "\u2011")), FOUND),
    "wbr in long words": (
        mail("<pre>" + re.sub(r"([0-9a-f]{16})(?=[0-9a-f])", r"\1<wbr>", TEXT) + "</pre>", "text/html"),
        FOUND,
    ),
    "entities escaped twice": (
        mail("<div>" + divs(TEXT).replace("&", "&amp;") + "</div>", "text/html"),
        FOUND,
    ),
    "tabs for blanks, blanks at line ends gone": (
        mail(trimmed(re.sub(r"(?m)^ +", lambda run: "\t" * (len(run[0]) // 2), TEXT))),
        FOUND,
    ),
}
