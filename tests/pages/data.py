"""`python -m tests.pages.data`: what the page knows of a game's own board and deck, written anew from the game's data.

A module in the page can not read a file, so `data.mjs` holds what the rules keep of them; a test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine import plain
from engine.games.cybertron import board, deck
from pbem.disk import write_file
from tests.contract.shapes import as_list

ROOT = Path(__file__).parents[2]
CYBERTRON = ROOT / "engine" / "games" / "cybertron" / "page" / "data.mjs"
HEAD = """\
// The board and the deck that lie in the game's folder, as a view would hold them.
//
// Written by `python -m tests.pages.data`; not to be edited.

"""


def text() -> str:
    """The module `data.mjs` of cybertron."""
    parts = {"BOARD": plain(board.STANDARD.board), "DECK": plain(deck.STANDARD.deck)}
    return HEAD + "\n".join(_constant(name, value) for name, value in parts.items())


def _constant(name: str, value: dict[str, Any]) -> str:
    """One line an entry of a list, so that a change is seen where it is."""
    rows = [f"  {_spelt(key)}: {_listed(entry)},\n" for key, entry in value.items()]
    return f"export const {name} = {{\n{''.join(rows)}}};\n"


def _listed(value: Any) -> str:
    entries = as_list(value)
    if entries is None:
        return _spelt(value)
    return "[\n" + "".join(f"    {_spelt(entry)},\n" for entry in entries) + "  ]"


def _spelt(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    write_file(CYBERTRON, text().encode())
