"""The JavaScript modules of `js/` as one script, so that a page needs no second file.

Decides how modules become functions: each is called once, in the order in which they import each other, and
gives the object of its exports. ValueError for a form of import or export that is not one of those used here.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([a-z0-9]+)\.mjs";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) ([A-Za-z0-9_]+))", re.MULTILINE)
_FORWARD = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def source(name: str) -> str:
    """The text of a module, by its name without `.mjs`."""
    return resources.files("pbem.site").joinpath("js", f"{name}.mjs").read_text(encoding="utf-8")


@cache
def bundle(entry: str) -> str:
    """One script of a module and all that it needs."""
    order: list[str] = []
    _visit(entry, order)
    return "".join(_wrapped(name) for name in order)


def _visit(name: str, order: list[str]) -> None:
    for match in _IMPORT.finditer(source(name)):
        if match[2] not in order:
            _visit(match[2], order)
    if name not in order:
        order.append(name)


def _wrapped(name: str) -> str:
    text = source(name)
    exported = [match[2] for match in _EXPORT.finditer(text)]
    exported += [word.strip() for match in _FORWARD.finditer(text) for word in match[1].split(",")]
    body = _FORWARD.sub("", _IMPORT.sub(r"const \1 = module_\2;\n", text))
    body = _EXPORT.sub(r"\1", body)
    if other := _OTHER.search(body):
        raise ValueError(f"{name}: {other[0]}")
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
