"""Every refusal that a command may end with: the table of the turn, and of what is loaded only when needed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from engine import CATALOG_CODES, Code
from pbem.turn.refusals import TABLE

AREAS = (
    "pbem.cli.refusals",
    "pbem.player.codes",
    "pbem.service.codes",
    "pbem.audit.codes",
    "pbem.lab.codes",
    "pbem.scenario.codes",
)
"""Modules with a table `CODES` of their own."""


@cache
def table() -> dict[str, Code]:
    """All codes of this installation, by name."""
    whole = {code.code: code for code in CATALOG_CODES} | TABLE
    for name in AREAS:
        if find_spec(name) is not None:
            whole |= {code.code: code for code in import_module(name).CODES}
    return whole
