"""The modules of `js/` as one script of a page."""

from __future__ import annotations

from pbem.desk import bundle as modules


def source(name: str) -> str:
    """The text of a module, by its name without `.mjs`."""
    return modules.source(_path(name))


def bundle(entry: str) -> str:
    """One script of a module and all that it needs."""
    return modules.bundle(_path(entry))


def _path(name: str) -> str:
    return f"pbem/site/js/{name}.mjs"
