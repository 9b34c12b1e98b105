"""A picture as tables in plain HTML: the same facts for whoever does not see it. No style, no script, no id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from engine import Group, Part, Picture, Say, words


def to_tables(picture: Picture, lang: str = "en") -> str:
    """One table for each group with a head, in the picture's order; first what the picture shows, in a sentence."""
    lines = [f'<p lang="{escape(lang)}">{_words(picture.about, lang)}</p>']
    for group in _with_head(picture.groups):
        lines += _table(group, lang)
    return "".join(f"{line}\n" for line in lines)


def _table(group: Group, lang: str) -> Iterator[str]:
    yield f'<table lang="{escape(lang)}">'
    yield f"<caption>{_words(group.title, lang)}</caption>"
    heads = "".join(f'<th scope="col">{_words(head, lang)}</th>' for head in group.head)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for row in _rows(group.parts):
        first, *rest = row
        cells = "".join(f"<td>{_words(cell, lang)}</td>" for cell in rest)
        yield f'<tr><th scope="row">{_words(first, lang)}</th>{cells}</tr>'
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


def _words(sentence: Say, lang: str) -> str:
    return escape(words(sentence, lang))
