"""A letter's text taken apart: headings, paragraphs, lists, labels with their texts, and what must keep its columns.

Decides what a line belongs to by its indent and by where it was broken, and knows no word of any language. What it
does not recognise stays as it stands. Nothing is added and nothing is left out but rules, indents and soft line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

WIDTH = 72
_RULE = re.compile(r"-{3,}")
_ITEM = re.compile(r" +\* (\S.*)")
_PAIR = re.compile(r" {2}(\S+(?: \S+)*)( {2,})(\S.*)")
_ASIDE = re.compile(r"(\S+(?: \S+)*) {2,}(\S.*)")
_HANGING = re.compile(r" {4}\S")
_COLUMNS = re.compile(r"\S {2,}\S")
_CODE = re.compile(r" {5}\S+| +(?:[0-9a-f]{4} )+[0-9a-f]{4}")


class Heading(msgspec.Struct, frozen=True, tag="heading"):
    """A title, and what stood to its right."""

    text: str
    aside: str = ""


class Paragraph(msgspec.Struct, frozen=True, tag="paragraph"):
    """Lines that were meant to begin where they do; each is as long as it likes."""

    lines: tuple[str, ...]


class Items(msgspec.Struct, frozen=True, tag="items"):
    """Points of a list."""

    texts: tuple[str, ...]


class Pairs(msgspec.Struct, frozen=True, tag="pairs"):
    """Labels and what belongs to them."""

    rows: tuple[tuple[str, str], ...]


class Columns(msgspec.Struct, frozen=True, tag="columns"):
    """Lines whose blanks mean something."""

    text: str


Block = Heading | Paragraph | Items | Pairs | Columns


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in its order."""
    found: list[Block] = []
    for lines in _stretches(text):
        rest = lines
        while len(rest) > 1 and _RULE.fullmatch(rest[1]):
            aside = _ASIDE.fullmatch(rest[0].strip())
            found.append(Heading(aside[1], aside[2]) if aside else Heading(rest[0].strip()))
            rest = rest[2:]
        if rest:
            found += _body(rest)
    return tuple(found)


def _stretches(text: str) -> Iterator[list[str]]:
    """Lines between blank ones."""
    stretch: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            stretch.append(line.rstrip())
        elif stretch:
            yield stretch
            stretch = []


def _body(lines: Sequence[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        for take in (_items, _pairs, _code, _columns):
            taken = take(lines[at:])
            if taken is not None:
                block, count = taken
                break
        else:
            block, count = _paragraph(lines[at:])
        yield block
        at += count


def _items(lines: Sequence[str]) -> tuple[Block, int] | None:
    texts: list[str] = []
    count = 0
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item:
            texts.append(item[1])
        elif texts and line.startswith("    "):
            texts[-1] += f" {line.strip()}"
        else:
            break
        count += 1
    return (Items(tuple(texts)), count) if texts else None


def _pairs(lines: Sequence[str]) -> tuple[Block, int] | None:
    """Labels in one column and texts in another; None as soon as there is a third."""
    rows: list[tuple[str, str]] = []
    column = count = 0
    for line in lines:
        pair = _PAIR.fullmatch(line)
        if rows and line.startswith(" " * column) and line[column : column + 1].strip():
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
        elif pair and (not rows or pair.start(3) == column):
            column = pair.start(3)
            rows.append((pair[1], pair[3]))
        else:
            break
        count += 1
    if not rows or any(_COLUMNS.search(text) for _, text in rows):
        return None
    return Pairs(tuple(rows)), count


def _code(lines: Sequence[str]) -> tuple[Block, int] | None:
    count = 0
    while count < len(lines) and _CODE.fullmatch(lines[count]):
        count += 1
    return (Columns("\n".join(line.strip() for line in lines[:count])), count) if count else None


def _columns(lines: Sequence[str]) -> tuple[Block, int] | None:
    if not any(_COLUMNS.search(line) for line in lines):
        return None
    return Columns("\n".join(lines)), len(lines)


def _paragraph(lines: Sequence[str]) -> tuple[Block, int]:
    """Prose up to the next line of another kind; a line end is soft where the next word would not have fitted."""
    hangs = any(_HANGING.match(line) for line in lines)
    told: list[str] = []
    before, count = "", 0
    for line in lines:
        if count and (_ITEM.fullmatch(line) or _CODE.fullmatch(line)):
            break
        text = line.strip()
        full = len(before) + 1 + len(text.partition(" ")[0]) > WIDTH
        soft = line.startswith("    ") or (not hangs and full)
        if told and soft:
            told[-1] += f" {text}"
        else:
            told.append(text)
        before, count = line, count + 1
    return Paragraph(tuple(told)), count
