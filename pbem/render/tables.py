"""A picture as tables: the same facts for whoever does not see it; in plain HTML, no style, no script, no id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import msgspec

from engine import Group, Part, Picture, Say, words


class Table(msgspec.Struct, frozen=True):
    """A table in a reader's language: its title, a head, rows as long as it, whose first cell names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables_of(picture: Picture, lang: str = "en") -> tuple[Table, ...]:
    """One table for each group with a head, in the picture's order."""
    return tuple(
        Table(
            words(group.title, lang),
            _all(group.head, lang),
            tuple(_all(row, lang) for row in _rows(group.parts)),
        )
        for group in _with_head(picture.groups)
    )


def to_tables(picture: Picture, lang: str = "en") -> str:
    """The tables as HTML; first what the picture shows, in a sentence."""
    about = escape(words(picture.about, lang))
    lines = [f'<p lang="{escape(lang)}">{about}</p>']
    for table in tables_of(picture, lang):
        lines += _table(table, lang)
    return "".join(f"{line}\n" for line in lines)


def _table(table: Table, lang: str) -> Iterator[str]:
    yield f'<table lang="{escape(lang)}">'
    yield f"<caption>{escape(table.title)}</caption>"
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in table.head)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for first, *rest in table.rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        yield f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"


def _with_head(parts: Iterable[Part]) -> Iterator[Group]:
    for part in parts:
        if isinstance(part, Group):
            if part.head:
                yield part
            yield from _with_head(part.parts)


def _rows(parts: Iterable[Part]) -> Iterator[tuple[Say, ...]]:
    for part in parts:
        if isinstance(part, Group) and not part.head:
            if part.row:
                yield part.row
            yield from _rows(part.parts)


def _all(sentences: tuple[Say, ...], lang: str) -> tuple[str, ...]:
    return tuple(words(one, lang) for one in sentences)
