"""What mail programs do to a text: each a function from the text of a file to text.

Written from what programs do, not from what the finder can mend.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable

from tests.turn.mime.sample import VIEW, pretty, report

TextDamage = Callable[[str], str]


def quoted(mark: str) -> TextDamage:
    return lambda text: "".join(f"{mark}{line}\n" for line in text.splitlines())


def folded(width: int) -> TextDamage:
    """Every line cut at a column, as `fold -w` does: also in the midst of numbers, escapes and keys."""

    def damage(text: str) -> str:
        return "\n".join(
            line[at : at + width] for line in text.split("\n") for at in range(0, max(1, len(line)), width)
        )

    return damage


def folded_and_trimmed(width: int) -> TextDamage:
    """As `folded`, and then a program takes blanks at line ends away."""
    return lambda text: re.sub(r"[ \t]+$", "", folded(width)(text), flags=re.MULTILINE)


def wrapped(width: int, **options: bool | str) -> TextDamage:
    """Each line wrapped at blanks, words longer than a line cut: what most composers do."""

    def damage(text: str) -> str:
        out: list[str] = []
        for line in text.split("\n"):
            out += textwrap.wrap(line, width, **options) or [""]  # type: ignore[arg-type]
        return "\n".join(out)

    return damage


def refilled(width: int) -> TextDamage:
    """All lines run together and filled anew, as a reformatting editor does (M-q, gq)."""
    return lambda text: textwrap.fill(text, width)


def cut_after_998(text: str) -> str:
    """The file as one line, and Postfix's CR LF and blank after each 998 bytes."""
    one = " ".join(text.split("\n"))
    one = one.replace('"kind"', " " * 1500 + '"kind"')  # so that a cut falls into strings of the end, too
    return "\n ".join(one[at : at + 998] for at in range(0, len(one), 998))


def flowed(width: int, del_sp: bool = False) -> TextDamage:
    """format=flowed: stuffed, soft breaks; with `del_sp` also within words."""

    def damage(text: str) -> str:
        out: list[str] = []
        for line in text.rstrip("\n").split("\n"):
            rest = " " + line if line[:1] in (" ", ">") else line
            while len(rest) > width:
                at = width if del_sp else rest.rfind(" ", 1, width) + 1
                if at <= len(rest) - len(rest.lstrip()):
                    break
                out.append(rest[:at] + " " * del_sp)
                rest = rest[at:]
                rest = " " + rest if rest[:1] in (" ", ">") else rest
            out.append(rest)
        return "\n".join(out) + "\n"

    return damage


def smart(opening: str, closing: str) -> TextDamage:
    """Typographic quotes for straight ones, and what else such programs set."""

    def damage(text: str) -> str:
        pieces = text.split('"')
        marks = [closing if number % 2 else opening for number in range(len(pieces) - 1)] + [""]
        return "".join(map("".join, zip(pieces, marks, strict=True))).replace("'", "\u2019")

    return damage


def no_break(text: str) -> str:
    return re.sub(" (?= )|(?<= ) ", "\xa0", text).replace(": ", ":\xa0")


def every_space(text: str) -> str:
    return text.replace(" ", "\xa0")


def zero_width(text: str) -> str:
    return "\ufeff" + re.sub(r"([,:])", "\\1\u200b", text)


def line_separators(text: str) -> str:
    return text.replace("\n", "\u2028")


def tabs(text: str) -> str:
    return re.sub(r"(?m)^ +", lambda found: "\t" * (len(found[0]) // 2), text)


def flat(text: str) -> str:
    return re.sub(r"(?m)^ +| +$", "", text)


def doubled_lines(text: str) -> str:
    return text.replace("\n", "\n\n")


def html_escaped(text: str) -> str:
    return html.escape(text, quote=True)


def half_quoted(text: str) -> str:
    """Quoted, then wrapped by a program that gives the rest of a line no mark of its own."""
    return wrapped(72, break_on_hyphens=False)(quoted("> ")(text))


def below_prose(text: str) -> str:
    return 'Hi, here it is { "so they say }:\n\n' + text


def above_report(text: str) -> str:
    return text + "\nOn Saturday the game wrote:\n" + report(3_000)


def below_report(text: str) -> str:
    return report(3_000) + "\n" + text


def above_truncated(text: str) -> str:
    """After an old file whose end is lost in the midst of a string."""
    old = pretty(VIEW)
    return old[: old.index("troll, then")] + "\n\n" + text


def signature_block(text: str) -> str:
    return text + '-- \nRed Player\n"Nobody is perfect" {me}\n'


def list_footer(text: str) -> str:
    return (
        text
        + "_" * 47
        + "\nplayers mailing list -- players@example.org\nhttps://lists.example.org/{players}\n"
    )


TEXTS: dict[str, TextDamage] = {
    "none": lambda text: text,
    "quoted": quoted("> "),
    "quoted twice": quoted("> > "),
    "quoted twice tightly": quoted(">>"),
    "quoted with a bar": quoted("| "),
    "quoted with initials": quoted("RP> "),
    "quoted with a hash": quoted("# "),
    "quoted with blanks": quoted(" > "),
    **{f"folded at {width}": folded(width) for width in (60, 66, 72, 76, 78)},
    "folded at 76 and trimmed": folded_and_trimmed(76),
    **{f"wrapped at {width}": wrapped(width) for width in (60, 65, 70, 72, 76, 78)},
    "wrapped at 72, not at hyphens": wrapped(72, break_on_hyphens=False),
    "wrapped at 72, indented": wrapped(72, subsequent_indent="    "),
    "refilled at 72": refilled(72),
    "refilled at 64": refilled(64),
    "cut after 998": cut_after_998,
    "flowed, label lost": flowed(72),
    "flowed within words, label lost": flowed(72, del_sp=True),
    "smart quotes, English": smart("\u201c", "\u201d"),
    "smart quotes, German": smart("\u201e", "\u201c"),
    "smart quotes, Swedish": smart("\u201d", "\u201d"),
    "smart quotes, French": smart("\xab\xa0", "\xa0\xbb"),
    "smart quotes, Danish": smart("\xbb", "\xab"),
    "no-break spaces": no_break,
    "no-break spaces everywhere": every_space,
    "zero-width spaces": zero_width,
    "line separators": line_separators,
    "tabs": tabs,
    "indentation lost": flat,
    "lines doubled": doubled_lines,
    "HTML references in plain text": html_escaped,
    "quoted, then wrapped": half_quoted,
    "below prose with a stray brace": below_prose,
    "above a report": above_report,
    "below a report": below_report,
    "below a truncated file": above_truncated,
    "above a signature block": signature_block,
    "above a list footer": list_footer,
}
