"""A letter as HTML: its text, the board as a picture, and the same board as tables.

Decides how a letter looks, and only from what the letter itself says and shows. It holds nothing that mail programs
take out: no script, no style sheet, no address of anything elsewhere; looks are inline, and no colour is set that would
be in the way of a dark screen. All of it is ASCII, in lines that no mail server breaks.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import jinja2
import msgspec

from engine import Picture, break_lines, say, words
from pbem.render import tables_of
from pbem.turn.blocks import blocks

SHOWN = 540
"""The picture's greatest width, in pixels of the screen."""
_LINE = 900


class Told(msgspec.Struct, frozen=True):
    """What an HTML letter is made of: the text before the report, what the report says beside the board, the text after.

    `image` is the Content-ID of the picture; empty: there is none.
    """

    before: str
    around: str
    after: str
    picture: Picture
    image: str = ""


def to_html(told: Told, lang: str) -> str:
    """The letter as a document, in ASCII, its lines ended by LF."""
    picture = told.picture
    title, about = words(picture.title, lang), words(picture.about, lang)
    alt = words(
        say(
            "{title}. {about} The picture is in words further down.", title=picture.title, about=picture.about
        ),
        lang,
    )
    text = _template().render(
        lang=lang,
        title=title,
        about=about,
        alt=alt,
        in_words=words(say("The picture in words"), lang),
        image=told.image,
        width=SHOWN,
        before=_plain(told.before),
        around=_plain(told.around),
        after=_plain(told.after),
        tables=tables_of(picture, lang),
    )
    return mailable(text)


def mailable(text: str) -> str:
    """HTML or SVG in ASCII and in lines that no mail server breaks; they are broken at blanks, where it does not matter."""
    lines = text.encode("ascii", "xmlcharrefreplace").decode("ascii").split("\n")
    return "\n".join(line if len(line) <= _LINE else "\n".join(break_lines(line, _LINE)) for line in lines)


def _plain(text: str) -> list[dict[str, object]]:
    """The blocks of a text, each with its kind."""
    found: list[dict[str, object]] = [
        {"kind": type(block).__name__.lower(), **msgspec.structs.asdict(block)} for block in blocks(text)
    ]
    return found


@cache
def _template() -> jinja2.Template:
    source = resources.files("pbem.turn").joinpath("templates", "letter.html").read_text("utf-8")
    return jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(source)
