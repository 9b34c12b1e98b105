"""`python -m pbem.cli.refusals_page FILE`: docs/refusals.md, written anew from the tables (`make docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

from engine import Code
from pbem.cli.codes import table
from pbem.disk import write_file

HEAD = """# Refusals

Every reason why pbem does not accept something, by code: what is expected, what was found, what to do next. A
word in braces stands for what the answer names. Nothing has changed when something is refused, and what was
refused may be mended and sent again with the same link. Written by `make docs`; do not edit.
"""

AREAS = {
    "file": "Files and their bytes",
    "mail": "Mails",
    "seal": "Signatures and seats",
    "schema": "The shape of what was sent",
    "fresh": "The right moment in the game",
    "order": "Orders that are wrong whatever the dice say",
    "moment": "Orders that cannot be done here and now",
    "game": "Games that cannot be played so",
    "log": "Faults of a log, level 1",
    "audit": "Faults of an archive, level 2",
    "archive": "Archives, many or in part",
    "fork": "Two histories of one game",
    "text": "Game records as text",
    "anchor": "Time stamps beside an archive",
    "about": "What is said beside an archive",
    "position": "Positions of scenarios",
    "scenario": "Scenario files",
    "kit": "The player's kit",
    "cli": "The command line",
    "disk": "Folders",
    "folder": "A game in a folder",
    "host": "The host's home",
}


def page(codes: dict[str, Code]) -> str:
    """The whole page: one heading an area, one entry a code, in order of the codes."""
    areas = sorted({code.partition("/")[0] for code in codes}, key=lambda area: (_rank(area), area))
    parts = [HEAD]
    for area in areas:
        parts.append(f"## {AREAS.get(area, area)}\n")
        parts += [_entry(codes[code]) for code in sorted(codes) if code.partition("/")[0] == area]
    return "\n".join(parts)


def _rank(area: str) -> int:
    return list(AREAS).index(area) if area in AREAS else len(AREAS)


def _entry(code: Code) -> str:
    expected, found, todo = code.texts
    return f"### `{code.code}`\n\n- Expected: {expected}\n- Found: {found}\n- What to do: {todo}\n"


if __name__ == "__main__":
    write_file(Path(sys.argv[1]), page(table()).encode("utf-8"))
