"""Orders put into lines of text: the one way of writing each order, of which its check word is made too."""

from __future__ import annotations

import json
from typing import Any, cast

from engine import Refused
from pbem.player.grammar import Grammar, Node, Slot
from pbem.player.order_words import cut

Order = dict[str, Any]


def order_line(order: Order, grammar: Grammar) -> str:
    """The line of an order that has the shape its game publishes."""
    fields = _fields(order, grammar.forms[grammar.verbs[order["do"]]], grammar)
    return " ".join([str(order["do"]), *fields])


def _fields(filled: Order, slots: tuple[Slot, ...], grammar: Grammar) -> list[str]:
    names = {slot.name for slot in slots}
    needed = [slot for slot in slots if slot.required]
    others = [slot for slot in slots if not slot.required and slot.name in filled]
    parts = [_value(filled[slot.name], slot.node, grammar, names) for slot in needed]
    for slot in others:
        flag = slot.node.kind == "flag" and filled[slot.name] is True
        parts += [slot.name] if flag else [slot.name, _value(filled[slot.name], slot.node, grammar, set())]
    return parts


def _value(value: Any, node: Node, grammar: Grammar, names: set[str]) -> str:
    """A value in words; a word that would be read as one of `names` is quoted."""
    if node.kind == "either":
        return _value(value, next(one for one in node.items if _fits(value, one)), grammar, names)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _word(value, node, names)
    if isinstance(value, (list, tuple)):
        return _list(cast("list[Any]", value), node, grammar, names)
    return _object(cast("Order", value), node, grammar)


def _fits(value: Any, node: Node) -> bool:
    kinds: dict[str, type[Any] | tuple[type[Any], ...]] = {
        "word": str, "number": int, "flag": bool, "list": (list, tuple), "record": dict, "map": dict,
    }  # fmt: skip
    if node.kind == "choice":
        return value in node.words
    return isinstance(value, kinds[node.kind]) and isinstance(value, bool) == (node.kind == "flag")


def _word(value: str, node: Node, names: set[str]) -> str:
    try:
        words = cut(value)
    except Refused:
        words = ()
    plain = len(words) == 1 and words[0].mark == "word" and words[0].text == value
    number = node.kind == "word" and value.removeprefix("-").isdigit()
    if plain and not number and value not in names:
        return value
    return json.dumps(value, ensure_ascii=False)


def _list(values: list[Any], node: Node, grammar: Grammar, names: set[str]) -> str:
    items = [
        _value(value, node.items[min(place, len(node.items) - 1)], grammar, names if place == 0 else set())
        for place, value in enumerate(values)
    ]
    nested = any(one.kind in ("list", "either") for one in node.items)
    return "[" + ", ".join(items) + "]" if nested or not items else ", ".join(items)


def _object(value: Order, node: Node, grammar: Grammar) -> str:
    if node.kind == "map":
        parts = [
            f"{_word(name, node, set())} {_value(one, node.items[0], grammar, set())}"
            for name, one in value.items()
        ]
        return "(" + " ".join(parts) + ")"
    tag = str(value[node.tag]) if node.tag else ""
    parts = _fields(value, grammar.forms[node.forms[tag]], grammar)
    if tag and not parts:
        return tag
    return "(" + " ".join([tag, *parts] if tag else parts) + ")"
