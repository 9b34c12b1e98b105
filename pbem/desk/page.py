"""The desk page as one file: its script, its style, and the words and codes that the script speaks with.

Decides what stands in the file and that nothing else can be loaded or run: the policy names the digests of the
scripts and the one style sheet, and no address. The page comes in two forms that do the same: `desk_page` can be
read, `packed_page` is a third as long, ASCII only, and has its script and words compressed: it goes into mails.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from string import Template
from typing import Any

from engine import GAMES, Code, Counted, encode, pages, translations
from pbem import __version__
from pbem.desk.bundle import bundle, is_there, name_of

_APP = "pbem/desk/js/app.mjs"
_PANEL = "pbem/desk/js/turn/panel.mjs"
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*')
_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_COLUMNS = 100
_STYLES = ("desk.css", "turn.css")
_LANGS = ("de", "fi", "hu")
_FORMS = (0, 1, 2, 3, 5, 11, 21, 22, 25, 101, 111)
"""Numbers that languages treat differently; the page knows two forms, one of them for 1 only."""

Json = dict[str, Any]


def desk_page(codes: Mapping[str, Code]) -> bytes:
    """The page as HTML in UTF-8; `codes` has the words of all refusals that its script may name."""
    script, style = _script(), _style()
    body = f'<script type="application/json" id="data">{_data(script, codes)}</script>\n<script>{script}</script>'
    return _page(_policy(style, script), style, body)


def packed_page(codes: Mapping[str, Code]) -> bytes:
    """The same, compressed."""
    script, style, loader = _lean(_script()), _style(), _read("templates", "loader.js")
    whole = f"{_data(script, codes)}\n{script}".encode()
    packed = f'<script type="text/plain" id="packed">\n{_base64(zlib.compress(whole, 9))}\n</script>'
    body = f"{packed}\n<script>{loader}</script>"
    return _page(_policy(style, loader, script), style, body)


def _page(policy: str, style: str, body: str) -> bytes:
    text = Template(_read("templates", "desk.html")).substitute(policy=policy, style=style, body=body)
    return text.encode("utf-8")


def _data(script: str, codes: Mapping[str, Code]) -> str:
    """What the script is given, in one line."""
    catalogs = {lang: found for lang in _LANGS if (found := catalog_of(script, lang, codes))}
    return _as_data({"version": __version__, "codes": codes_of(script, codes.values()), "catalogs": catalogs})


def _lean(script: str) -> str:
    """Without the lines that are comments, and without indentation; a text that runs over lines stays as it is."""
    lines: list[str] = []
    inside = False
    for line in script.split("\n"):
        bare = line if inside else line.lstrip(" ")
        if not inside and (not bare or bare.startswith("//")):
            continue
        inside ^= bare.count("`") % 2 == 1
        lines.append(bare)
    return "\n".join(("", *lines, ""))


def _base64(data: bytes) -> str:
    text = base64.b64encode(data).decode("ascii")
    return "\n".join(text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS))


@cache
def _script() -> str:
    """The modules of the page and of all games, and the call that starts them."""
    panel = [_PANEL] if is_there(_PANEL) else []
    games = [path for path in pages() if is_there(path)]
    parts = [f"games: [{', '.join(map(name_of, games))}]"]
    parts += [f"turnPanel: {name_of(path)}.turnPanel" for path in panel]
    parts.append('data: JSON.parse(document.getElementById("data").textContent)')
    modules = bundle(*games, *panel, _APP)
    return f"\n{modules}{name_of(_APP)}.start({{ {', '.join(parts)} }});\n"


def codes_of(script: str, codes: Iterable[Code]) -> dict[str, list[str | Json]]:
    """What was expected, found and to be done, of every code that stands in the script, and of the games'."""
    own = {code.code for game in GAMES for code in game.codes} if any(map(is_there, pages())) else set[str]()
    return {
        code.code: [_open(text) for text in (code.expected, code.found, code.todo)]
        for code in codes
        if f'"{code.code}"' in script or code.code in own
    }


def _open(text: str | Counted) -> str | Json:
    return text if isinstance(text, str) else {"by": text.by, "one": text.one, "many": text.many}


@cache
def literals(script: str) -> frozenset[str]:
    """Every string in double quotes of a script, joined ones as one."""
    found: set[str] = set()
    for match in _LITERAL.finditer(script):
        pieces = [_plain(piece) for piece in _PIECE.findall(match[0])]
        if None not in pieces:
            found.add("".join(piece for piece in pieces if piece is not None))
            found.update(piece for piece in pieces if piece is not None)
    return frozenset(found)


def _plain(literal: str) -> str | None:
    """The text of a literal; None for what JSON does not know, such as `\\s` in a pattern."""
    try:
        return str(json.loads(literal))
    except ValueError:
        return None


def catalog_of(script: str, lang: str, codes: Mapping[str, Code]) -> Json:
    """The translations of a script's sentences and of the codes': by message id, or by the singular's a list of forms.

    Nothing where there is no catalog. ValueError for a language whose plural forms the page does not know.
    """
    catalog = translations(lang)
    if not isinstance(catalog, GNUTranslations):
        return {}
    found: Json = {}
    said = [text for texts in codes_of(script, codes.values()).values() for text in texts]
    ids = literals(script) | {text for text in said if isinstance(text, str)}
    ids |= {str(text[form]) for text in said if isinstance(text, dict) for form in ("one", "many")}
    for id in sorted(ids - {""}):
        # most have no forms; two questions show that
        if {catalog.ngettext(id, id, 1), catalog.ngettext(id, id, 2)} != {id}:
            one, *more = (catalog.ngettext(id, id, n) for n in (1, *_FORMS))
            if any(form != (one if n == 1 else more[0]) for n, form in zip(_FORMS, more, strict=True)):
                raise ValueError(f"plural forms of {lang}")
            found[id] = [one, more[0]]
        elif (text := catalog.gettext(id)) != id:
            found[id] = text
    return found


def _policy(style: str, *scripts: str) -> str:
    """This style sheet, these scripts, and nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_allowed, scripts))}",
            f"style-src {_allowed(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _as_data(value: object) -> str:
    """JSON that may stand in a script element: no `<` in it can end the element or begin a comment."""
    return encode(value).decode("utf-8").replace("<", "\\u003c")


def _style() -> str:
    """The style sheets: the page's, and the turn panel's."""
    return "".join(_read("css", name) for name in _STYLES)


@cache
def _read(folder: str, name: str) -> str:
    return resources.files("pbem.desk").joinpath(folder, name).read_text(encoding="utf-8")
