"""How the orders of a game are written as lines of text: a grammar made from the shapes that the game publishes.

Plain data, so that a page can be given it as JSON. It knows no game: verbs, fields and their order are those of the
action Structs. What a value means, and whether it is legal, is for the rules to say.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import inspect

from engine import AnyGame

Kind = Literal["word", "number", "flag", "choice", "list", "record", "map", "either"]


class Node(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shape of one value.

    `choice`: one of `words`. `list`: `items` of one shape, or one shape a place with `fixed`. `record`: the form named
    in `forms`, or, with a `tag`, the one whose key the word names. `map`: names with `items`. `either`: one of
    `items`, tried in order.
    """

    kind: Kind
    words: tuple[str | int, ...] = ()
    items: tuple[Node, ...] = ()
    fixed: bool = False
    tag: str = ""
    forms: dict[str, str] = {}


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a form. What is `required` is written in order without its name, all else after its name."""

    name: str
    node: Node
    required: bool = False


class Grammar(msgspec.Struct, frozen=True):
    """The verbs of a game's orders with the form of each, and all forms by name."""

    verbs: dict[str, str]
    forms: dict[str, tuple[Slot, ...]]


def grammar_of(game: AnyGame) -> Grammar:
    """The grammar of a game's orders."""
    forms: dict[str, tuple[Slot, ...]] = {}
    node = _node(inspect.type_info(game.action), forms)
    return Grammar(node.forms, forms)


def _node(kind: inspect.Type, forms: dict[str, tuple[Slot, ...]]) -> Node:
    match kind:
        case inspect.UnionType(types=types):
            return _union(types, forms)
        case inspect.StructType():
            return _record((kind,), forms)
        case inspect.StrType():
            return Node("word")
        case inspect.IntType():
            return Node("number")
        case inspect.BoolType():
            return Node("flag")
        case inspect.LiteralType(values=values):
            return Node("choice", words=tuple(value for value in values if isinstance(value, (str, int))))
        case inspect.TupleType(item_types=types):
            return Node("list", items=tuple(_node(one, forms) for one in types), fixed=True)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return Node("list", items=(_node(item, forms),))
        case inspect.DictType(value_type=value):
            return Node("map", items=(_node(value, forms),))
        case _:
            raise TypeError(f"an order with a {type(kind).__name__} can not be written as text")


def _union(types: tuple[inspect.Type, ...], forms: dict[str, tuple[Slot, ...]]) -> Node:
    records = tuple(one for one in types if isinstance(one, inspect.StructType))
    others = tuple(one for one in types if not isinstance(one, (inspect.StructType, inspect.NoneType)))
    nodes = [_node(one, forms) for one in sorted(others, key=_narrow)]
    if records:
        nodes.insert(0, _record(records, forms))
    return nodes[0] if len(nodes) == 1 else Node("either", items=tuple(nodes))


def _narrow(kind: inspect.Type) -> int:
    """What takes fewer words is tried first: numbers, fixed words, lists, any word."""
    order: tuple[type[Any], ...] = (inspect.BoolType, inspect.IntType, inspect.LiteralType, inspect.StrType)
    return next((place for place, one in enumerate(order) if isinstance(kind, one)), len(order) - 1)


def _record(kinds: tuple[inspect.StructType, ...], forms: dict[str, tuple[Slot, ...]]) -> Node:
    named: dict[str, str] = {}
    for kind in kinds:
        name = kind.cls.__name__
        named["" if kind.tag is None else str(kind.tag)] = name
        if name not in forms:
            forms[name] = ()  # a form may hold itself
            forms[name] = tuple(
                Slot(field.encode_name, _node(field.type, forms), field.required) for field in kind.fields
            )
    return Node("record", tag=kinds[0].tag_field or "", forms=named)
