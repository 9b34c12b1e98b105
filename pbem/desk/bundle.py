"""JavaScript modules as one script, so that a page needs no second file.

Decides how modules become functions: each is called once, in the order in which they import each other, and
gives the object of its exports. Modules are named by their path from the folder that holds `pbem` and
`engine`, with slashes. ValueError for a form of import or export that is not one of those used here.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.{1,2}/[a-z0-9_/.]+\.mjs)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function\*?|class) ([A-Za-z0-9_]+))", re.MULTILINE)
_FORWARD = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_SHARED = "pbem/site/js/"


@cache
def source(path: str) -> str:
    """The text of a module. FileNotFoundError."""
    package, _, inside = path.partition("/")
    return resources.files(package).joinpath(*inside.split("/")).read_text(encoding="utf-8")


def is_there(path: str) -> bool:
    """Whether there is such a module."""
    package, _, inside = path.partition("/")
    return resources.files(package).joinpath(*inside.split("/")).is_file()


@cache
def bundle(*entries: str) -> str:
    """One script of modules and all that they need."""
    order: list[str] = []
    for entry in entries:
        _visit(entry, order, ())
    return "".join(_wrapped(path) for path in order)


def name_of(path: str) -> str:
    """What a module's exports are called in a bundle."""
    return "module_" + path.removeprefix(_SHARED).removesuffix(".mjs").replace("/", "_")


def _visit(path: str, order: list[str], above: tuple[str, ...]) -> None:
    if path in above:
        raise ValueError(f"{path} imports itself by way of {above[-1]}")
    for match in _IMPORT.finditer(source(path)):
        needed = _beside(path, match[2])
        if needed not in order:
            _visit(needed, order, (*above, path))
    if path not in order:
        order.append(path)


def _beside(path: str, reference: str) -> str:
    return normpath(join(dirname(path), reference))


def _wrapped(path: str) -> str:
    text = source(path)
    exported = [match[2] for match in _EXPORT.finditer(text)]
    exported += [
        word.strip() for match in _FORWARD.finditer(text) for word in match[1].split(",") if word.strip()
    ]
    body = _FORWARD.sub("", _IMPORT.sub(lambda match: _taken(path, match), text))
    body = _EXPORT.sub(r"\1", body)
    if other := _OTHER.search(body):
        raise ValueError(f"{path}: {other[0]}")
    return f"const {name_of(path)} = (() => {{\n{body}\nreturn {{ {', '.join(map(_given, exported))} }};\n}})();\n"


def _given(word: str) -> str:
    """An export in the object of all: `a as b` is `b: a`."""
    own, _, called = word.partition(" as ")
    return f"{called}: {own}" if called else own


def _taken(path: str, match: re.Match[str]) -> str:
    """An import as a constant: `{ a as b }` is `{ a: b }` of the module's exports, `* as a` all of them."""
    found = name_of(_beside(path, match[2]))
    whole = match[1].removeprefix("* as ")
    return f"const {whole.replace(' as ', ': ')} = {found};\n"
