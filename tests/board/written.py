"""`python -m tests.board.written`: the JavaScript modules that are made from data of the project and never by hand.

The advances of the bundled font, the grammar of each game's orders, and what can be wrong with lines of them. A test
tells when one of them is out of step.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

import engine
from engine import AnyGame
from pbem.player.codes_line import LINE
from pbem.player.grammar import grammar_of
from pbem.render.metrics import Face, face

ROOT = Path(__file__).resolve().parents[2]
_BY = "// Written by `python -m tests.board.written`; not to be edited.\n"
_WIDTH = 116


def files() -> Iterator[tuple[Path, str]]:
    """Each module and its text."""
    yield ROOT / "pbem" / "desk" / "js" / "advances.mjs", advances()
    yield ROOT / "pbem" / "desk" / "js" / "turn" / "line_codes.mjs", line_codes()
    games: tuple[AnyGame, ...] = engine.GAMES
    for game in games:
        page = ROOT / "engine" / "games" / game.id / "page"
        if page.is_dir():
            yield page / "grammar.mjs", grammar(game)


def advances() -> str:
    """How wide each letter is, plain and bold: runs of codes, each with its first code."""
    plain, bold = face(False), face(True)
    assert plain.em == bold.em
    return (
        "// How wide each letter of the bundled font is, plain and bold, in parts of the em.\n"
        f"{_BY}\n"
        f"export const EM = {plain.em};\n"
        f"export const MISSING = [{plain.missing}, {bold.missing}];\n\n"
        "const unfold = (runs) =>\n"
        "  new Map(runs.flatMap(([first, wide]) => wide.map((one, place) => [first + place, one])));\n\n"
        "// By code.\n"
        f"export const ADVANCES = [\n{_runs(plain)}{_runs(bold)}];\n"
    )


def _runs(one: Face) -> str:
    runs: list[tuple[int, list[int]]] = []
    for code in sorted(one.advances):
        if runs and runs[-1][0] + len(runs[-1][1]) == code:
            runs[-1][1].append(one.advances[code])
        else:
            runs.append((code, [one.advances[code]]))
    rows = "".join(f"    [{first}, [\n{_rows(map(str, wide), ', ', 6)}    ]],\n" for first, wide in runs)
    return f"  unfold([\n{rows}  ]),\n"


def _rows(items: Iterator[str], between: str, indent: int) -> str:
    """Items in lines of about the same length."""
    rows: list[str] = []
    for item in items:
        if rows and indent + len(rows[-1]) + len(between) + len(item) < _WIDTH:
            rows[-1] += between + item
        else:
            rows.append(item)
    return "".join(f"{' ' * indent}{row}{between.rstrip()}\n" for row in rows)


def line_codes() -> str:
    """What was expected, what was found and what to do, for each code of lines."""
    rows = "".join(
        f'  "{code.code}": [\n{"".join(f"    {_json(text)},{chr(10)}" for text in code.texts)}  ],\n'
        for code in LINE
    )
    return (
        "// The words of what can be wrong with orders written as lines of text.\n"
        f"{_BY}\n"
        f"export const LINE_CODES = {{\n{rows}}};\n"
    )


def grammar(game: AnyGame) -> str:
    """How the orders of a game are written as lines of text."""
    shapes = grammar_of(game)
    forms = "".join(
        f"    {name}: [\n{''.join(f'      {_json(slot)},{chr(10)}' for slot in slots)}    ],\n"
        for name, slots in shapes.forms.items()
    )
    verbs = _json(shapes.verbs)
    return (
        "// How the orders of this game are written as lines of text.\n"
        f"{_BY}\n"
        f"export const grammar = {{\n  verbs: {verbs},\n  forms: {{\n{forms}  }},\n}};\n"
    )


def _json(value: object) -> str:
    """In the order of the fields, which is that of the lists of words in answers."""
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
