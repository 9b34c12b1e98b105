"""Orders written as short lines, and back: `attack north south 3 until captured keep 2 #kite`.

A line is a verb, the values that it needs in their order, then whatever else is wanted as name and value; a list
is written with commas or in square brackets, an object in round ones. The word after `#` at a line's end is its
check word (see `check_words`). Decides what a line says and where it is wrong; whether the order is legal, the
rules decide.
"""

from __future__ import annotations

import difflib
from typing import Any

import msgspec

from engine import Refusal, Refused, refuse
from pbem.player.check_words import check_word
from pbem.player.grammar import Grammar, Node, Slot
from pbem.player.order_lines import order_line
from pbem.player.order_words import Word, cut

Order = dict[str, Any]
_YES, _NO = ("yes", "true"), ("no", "false")
MOST_LINES, MOST_LENGTH, MOST_DEPTH = 200, 2_000, 12


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a line: its number from 1, the line itself, the columns from 0 it is about, and the reason."""

    number: int
    line: str
    start: int
    end: int
    refusal: Refusal


class Line(msgspec.Struct, frozen=True):
    """A line that was understood: the order, and its words with their places."""

    number: int
    line: str
    order: Order
    words: tuple[Word, ...]
    check: Word | None


class Compiled(msgspec.Struct, frozen=True):
    """A text: the lines understood, and what is wrong with the others."""

    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, in their order."""
        return tuple(line.order for line in self.lines)


def compile_text(text: str, grammar: Grammar) -> Compiled:
    """The orders of a text, one a line; blank lines count for nothing. Every line is looked at, and no fault hides another.

    Refused `line/too-long`. Faults: `line/…`.
    """
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(rows) > MOST_LINES or any(len(row) > MOST_LENGTH for row in rows):
        raise refuse("line/too-long", lines=MOST_LINES, length=MOST_LENGTH)
    lines: list[Line] = []
    faults: list[Fault] = []
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            lines.append(_line(number, row, grammar))
        except _Wrong as wrong:
            faults.append(Fault(number, row, wrong.start, wrong.end, wrong.refusal))
    if not faults:
        faults = _check(lines, grammar)
    return Compiled(tuple(lines), tuple(faults))


def _check(lines: list[Line], grammar: Grammar) -> list[Fault]:
    """The check words held against the lines: none at all, or one a line. One fault at most: later words depend on it."""
    if all(line.check is None for line in lines):
        return []
    texts: list[str] = []
    for line in lines:
        texts.append(order_line(line.order, grammar))
        end = len(line.line.rstrip())
        if line.check is None:
            return [Fault(line.number, line.line, end, end + 1, refuse("line/no-check-word").refusal)]
        if line.check.text != check_word(texts):
            reason = refuse("line/check-word", word=line.check.text, line=texts[-1])
            return [Fault(line.number, line.line, line.check.start, line.check.end, reason.refusal)]
    return []


class _Wrong(Exception):
    def __init__(self, start: int, end: int, refused: Refused) -> None:
        super().__init__(refused.refusal.code)
        self.start, self.end, self.refusal = start, end, refused.refusal


def _line(number: int, row: str, grammar: Grammar) -> Line:
    try:
        words = cut(row)
    except Refused as refused:
        start = int(str(refused.refusal.args["column"])) - 1
        raise _Wrong(start, len(row), refused) from None
    check = words[-1] if words and words[-1].mark == "check" else None
    body = words[:-1] if check is not None else words
    reader = _Reader(body, grammar, len(row.rstrip()) if check is None else check.start)
    return Line(number, row, reader.order(), body, check)


class _Reader:
    """Reads the words of one line from left to right."""

    def __init__(self, words: tuple[Word, ...], grammar: Grammar, end: int) -> None:
        self._words, self._grammar, self._end = words, grammar, end
        self._at = 0
        self._depth = 0

    def order(self) -> Order:
        verb = self._take_word(tuple(self._grammar.verbs), "line/unknown-verb", "line/no-verb")
        order: Order = {"do": verb.text, **self._form(self._grammar.verbs[verb.text], "")}
        if self._at < len(self._words):
            self._too_much(self._words[self._at], ())
        return order

    # Words

    def _next(self) -> Word | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def _wrong(self, at: Word | None, code: str, **args: Any) -> _Wrong:
        start, end = (at.start, at.end) if at is not None else (self._end, self._end + 1)
        return _Wrong(start, end, refuse(code, **args))

    def _take_word(self, known: tuple[str, ...], unknown: str, missing: str, **more: str) -> Word:
        word = self._next()
        if word is None or word.mark not in ("word", "quoted"):
            raise self._wrong(word, missing, words=", ".join(known), **more)
        if word.text not in known:
            raise self._wrong(word, unknown, word=word.text, words=nearest(word.text, known), **more)
        self._at += 1
        return word

    def _takes(self, mark: str) -> bool:
        word = self._next()
        if word is None or word.mark != mark:
            return False
        self._at += 1
        return True

    # Forms

    def _form(self, name: str, closing: str) -> Order:
        """Fields until the line, or the bracket, ends."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self._wrong(self._next(), "line/too-deep", depth=MOST_DEPTH)
        slots = self._grammar.forms[name]
        filled: Order = {}
        while (word := self._next()) is not None and word.mark != (closing or "end"):
            slot = self._slot(slots, filled, word)
            filled[slot.name] = self._value(slot)
        missing = [slot.name for slot in slots if slot.required and slot.name not in filled]
        if missing:
            raise self._wrong(self._next(), "line/missing", fields=", ".join(missing))
        self._depth -= 1
        return {slot.name: filled[slot.name] for slot in slots if slot.name in filled}

    def _slot(self, slots: tuple[Slot, ...], filled: Order, word: Word) -> Slot:
        """Which field comes now: the one that is named, or the next one that the order needs."""
        named = next((slot for slot in slots if slot.name == word.text and word.mark == "word"), None)
        if named is not None and named.name not in filled:
            self._at += 1
            return named
        needed = next((slot for slot in slots if slot.required and slot.name not in filled), None)
        if needed is None:
            names = tuple(slot.name for slot in slots if slot.name not in filled)
            self._too_much(word, names)
            raise AssertionError(word)  # pragma: no cover
        return needed

    def _too_much(self, word: Word, names: tuple[str, ...]) -> None:
        if not names:
            raise self._wrong(word, "line/too-much", word=word.text)
        raise self._wrong(word, "line/unknown-field", word=word.text, words=nearest(word.text, names))

    def _value(self, slot: Slot) -> Any:
        if slot.node.kind == "flag":
            word = self._next()
            if word is None or word.text not in (*_YES, *_NO):
                return True  # a flag's name alone
        return self._node(slot.node, slot.name)

    # Values

    def _node(self, node: Node, field: str) -> Any:
        match node.kind:
            case "list":
                return self._list(node, field)
            case "record":
                return self._record(node, field)
            case "map":
                return self._map(node, field)
            case "either":
                return self._either(node, field)
            case _:
                return self._plain(node, field)

    def _plain(self, node: Node, field: str) -> Any:
        word = self._next()
        if word is None or word.mark not in ("word", "quoted"):
            raise self._wrong(word, "line/no-value", field=field)
        value: Any = word.text
        if node.kind == "number":
            if not (
                word.mark == "word"
                and word.text.isascii()
                and word.text.removeprefix("-").isdigit()
                and len(word.text) < 10
            ):
                raise self._wrong(word, "line/not-a-number", word=word.text, field=field)
            value = int(word.text)
        elif node.kind == "flag":
            if word.text not in (*_YES, *_NO):
                raise self._wrong(word, "line/not-yes-or-no", word=word.text, field=field)
            value = word.text in _YES
        elif node.kind == "choice":
            known = {str(one): one for one in node.words}
            if word.text not in known:
                words = nearest(word.text, tuple(known))
                raise self._wrong(word, "line/unknown-word", word=word.text, field=field, words=words)
            value = known[word.text]
        self._at += 1
        return value

    def _either(self, node: Node, field: str) -> Any:
        """The first shape that fits; if none does, what the last one says."""
        start, depth = self._at, self._depth
        last: _Wrong | None = None
        for one in node.items:
            try:
                return self._node(one, field)
            except _Wrong as wrong:
                last = wrong if last is None or wrong.start >= last.start else last
                self._at, self._depth = start, depth
        assert last is not None
        raise last

    def _list(self, node: Node, field: str) -> list[Any]:
        bracket = self._takes("[")
        values: list[Any] = []
        if bracket and self._takes("]"):
            return self._whole(node, values, field)
        while True:
            item = node.items[min(len(values), len(node.items) - 1)]
            values.append(self._node(item, field))
            comma = self._takes(",")
            if bracket and self._takes("]"):
                return self._whole(node, values, field)
            if bracket and self._next() is None:
                raise self._wrong(None, "line/unclosed", sign="]")
            if not bracket and not comma:
                return self._whole(node, values, field)

    def _whole(self, node: Node, values: list[Any], field: str) -> list[Any]:
        if node.fixed and len(values) != len(node.items):
            raise self._wrong(
                self._next(), "line/how-many", field=field, n=len(node.items), found=len(values)
            )
        return values

    def _record(self, node: Node, field: str) -> Order:
        bracket = self._takes("(")
        if not bracket and not node.tag:
            raise self._wrong(self._next(), "line/no-bracket", field=field)
        filled: Order = {}
        name = node.forms.get("", "")
        if node.tag:
            word = self._take_word(tuple(node.forms), "line/unknown-word", "line/no-value", field=field)
            filled, name = {node.tag: word.text}, node.forms[word.text]
        if not bracket:
            needed = [slot.name for slot in self._grammar.forms[name] if slot.required]
            if needed:
                raise self._wrong(self._words[self._at - 1], "line/no-bracket", field=field)
            return filled
        filled |= self._form(name, ")")
        if not self._takes(")"):
            raise self._wrong(None, "line/unclosed", sign=")")
        return filled

    def _map(self, node: Node, field: str) -> Order:
        if not self._takes("("):
            raise self._wrong(self._next(), "line/no-bracket", field=field)
        filled: Order = {}
        while not self._takes(")"):
            word = self._next()
            if word is None:
                raise self._wrong(None, "line/unclosed", sign=")")
            if word.mark not in ("word", "quoted"):
                raise self._wrong(word, "line/no-value", field=field)
            self._at += 1
            filled[word.text] = self._node(node.items[0], word.text)
        return filled


def nearest(word: str, known: tuple[str, ...]) -> str:
    """The known words that look like this one; all of them if none does."""
    return ", ".join(difflib.get_close_matches(word, known, 3) or known)
