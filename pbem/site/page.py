"""The replay page: one file with the tale of a log, the log itself and the script that judges it.

Decides what stands in the file and that nothing else can be loaded or run: the policy names the digests of the
one script and the one style sheet, and no address. Takes the bytes of a log and gives the bytes of a page; the
same log, language and version give the same page. It stands whatever the log is: a fault is shown and told.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup

from engine import encode, words
from pbem import __version__
from pbem.audit.audit import sentences_of
from pbem.audit.level2 import Auditor
from pbem.log.canonical import digest
from pbem.site.bundle import bundle
from pbem.site.phrases import code_sentences, labels, phrases
from pbem.site.tale import Told, tell
from pbem.site.text import clean, clean_json
from pbem.site.written import written_on

_COLUMNS = 100


def page_of(log: bytes, lang: str = "en", auditor: Auditor | None = None) -> bytes:
    """The page of a log as HTML in UTF-8."""
    return page(log, tell(log, lang, auditor))


def page(log: bytes, story: Told) -> bytes:
    """The same of a log whose tale is told already."""
    tale, lang = story.tale, story.tale.lang
    script, style = "\n" + bundle("page"), _style(tale.shades)
    text = (
        templates()
        .get_template("page.html")
        .render(
            tale=tale,
            told=any(moment.eyes for moment in tale.moments),
            turns=sorted({moment.turn for moment in tale.moments}),
            words=labels(lang),
            audited=[words(sentence, lang) for sentence in sentences_of(story.report)],
            heads=[phrases(lang)[f"verdict.{key}"] for key in ("expected", "found", "next")],
            play=phrases(lang)["control.play"],
            policy=policy(style, script),
            version=__version__,
            style=Markup(style),  # noqa: S704 - ours, without a word from the log
            script=Markup(script),  # noqa: S704 - ours
            table=_table(lang),
            told_json=as_data(tale),
            changed=phrases(lang)["verdict.tale"],
            log=_wrapped(log),
        )
    )
    own = digest(written_on(text).encode("utf-8"))
    return text.replace('data-digest=""', f'data-digest="{own}"', 1).encode("utf-8")


@cache
def templates() -> jinja2.Environment:
    """The templates of this package. Everything put into them is escaped unless it says that it is markup."""
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: read_file("templates", name)),
        autoescape=True,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )


def _shown(value: object) -> object:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def read_file(folder: str, name: str) -> str:
    """A text file of this package."""
    return resources.files("pbem.site").joinpath(folder, name).read_text(encoding="utf-8")


def allowed(text: str) -> str:
    """The source expression of a policy for one inline script or style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def policy(style: str, script: str = "") -> str:
    """A page's policy: this style sheet, this script or none, and nothing from anywhere."""
    run = allowed(script) if script else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {run}",
            f"style-src {allowed(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


@cache
def _table(lang: str) -> Markup:
    return as_data({"words": phrases(lang), "codes": code_sentences(lang)})


def as_data(value: object) -> Markup:
    """JSON that may stand in a script element: no `<` in it can end the element or begin a comment."""
    return Markup(clean_json(encode(value).decode("utf-8")))  # noqa: S704 - no markup is left in it


def _style(shades: dict[str, list[str]]) -> str:
    """The style sheet, with the colours of the pictures' roles for light and for dark."""
    light = "".join(f"--pic-{role}:{both[0]};" for role, both in shades.items())
    dark = "".join(f"--pic-{role}:{both[1]};" for role, both in shades.items())
    return (
        read_file("css", "page.css")
        + f":root{{{light}}}\n"
        + f':root[data-theme="dark"]{{{dark}}}\n'
        + f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}\n'
    )


def _wrapped(log: bytes) -> str:
    """Base64 in lines, as `base64 -d` takes it."""
    text = base64.b64encode(log).decode("ascii")
    return "\n".join(text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS))
