"""Values of any msgspec type, made up by chance, and what types there are inside a type.

This is how the kit writes policies and odd orders for a game that it knows nothing about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import inspect

Below = Callable[[int], int]
Json = Any
_kind: Callable[[Any], object] = type


def as_object(value: Json) -> dict[str, Json] | None:
    """The value as a JSON object, if it is one."""
    return cast("dict[str, Json]", value) if isinstance(value, dict) else None


def as_list(value: Json) -> list[Json] | None:
    """The value as a JSON list, if it is one."""
    return list(cast("list[Json]", value)) if isinstance(value, list | tuple) else None


@cache
def type_info(kind: Any) -> inspect.Type:
    """What msgspec knows of a type, looked up once."""
    return inspect.type_info(kind)


@cache
def structs(kind: Any) -> tuple[type[msgspec.Struct], ...]:
    """Every tagged Struct that may occur inside a value of this type, each once."""
    found: dict[type[msgspec.Struct], None] = {}
    _collect(type_info(kind), found)
    return tuple(one for one in found if one.__struct_config__.tag is not None)


def _collect(info: Any, found: dict[type[msgspec.Struct], None]) -> None:
    if isinstance(info, inspect.StructType):
        if info.cls in found:
            return
        found[info.cls] = None
        for field in info.fields:
            _collect(field.type, found)
        return
    for inner in _inside(info):
        _collect(inner, found)


def _inside(info: Any) -> Iterator[Any]:
    for name in ("item_type", "value_type", "type"):
        if hasattr(info, name):
            yield getattr(info, name)
    for name in ("types", "item_types"):
        yield from getattr(info, name, ())


def parts(value: Any) -> Iterator[msgspec.Struct]:
    """The Structs inside a typed value, itself included."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name))
    for item in as_list(value) or (as_object(value) or {}).values():
        yield from parts(item)


def alternatives(kind: type[msgspec.Struct]) -> tuple[dict[str, Json], ...]:
    """The JSON of a Struct with defaults, and again with one word or flag of it changed: every choice once."""
    found: list[dict[str, Json]] = [{}]
    info = type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        found += [{field.encode_name: value} for value in _choices(field.type) if value != field.default]
    return tuple(found)


def _choices(info: Any) -> tuple[Json, ...]:
    match info:
        case inspect.LiteralType(values=values):
            return values
        case inspect.BoolType():
            return (False, True)
        case inspect.UnionType(types=types):
            return tuple(value for one in types for value in _choices(one))
        case _:
            return ()


def invent(kind: Any, below: Below, words: Sequence[str]) -> Json:
    """JSON that fits a type; strings come from `words`, numbers are small."""
    return _invent(type_info(kind), below, words)


def _invent(info: Any, below: Below, words: Sequence[str]) -> Json:
    match info:
        case inspect.StructType():
            return _invent_struct(info, below, words)
        case inspect.UnionType(types=types):
            real = [one for one in types if not isinstance(one, inspect.NoneType)]
            return _invent(real[below(len(real))], below, words)
        case inspect.LiteralType(values=values):
            return values[below(len(values))]
        case inspect.BoolType():
            return below(2) == 1
        case inspect.IntType(ge=low, le=high):
            return below(14) - 1 if low is None or high is None else low + below(high - low + 1)
        case inspect.StrType():
            return words[below(len(words))]
        case inspect.VarTupleType(item_type=item, min_length=least):
            return [_invent(item, below, words) for _ in range((least or 0) + below(3))]
        case inspect.TupleType(item_types=items):
            return [_invent(item, below, words) for item in items]
        case inspect.DictType(value_type=item):
            return {words[below(len(words))]: _invent(item, below, words) for _ in range(below(3))}
        case inspect.Metadata(type=inner):
            return _invent(inner, below, words)
        case _:
            raise TypeError(f"the kit cannot make up a {info}; teach tests/contract/shapes.py")


def _invent_struct(info: inspect.StructType, below: Below, words: Sequence[str]) -> Json:
    made: dict[str, Json] = {}
    if info.tag_field is not None:
        made[info.tag_field] = info.tag
    for field in info.fields:
        if field.required or below(2):
            made[field.encode_name] = _invent(field.type, below, words)
    return made


Path = tuple[str | int, ...]


def leaves(value: Json) -> list[tuple[Path, Json]]:
    """Every place in JSON that holds no object or list, and what stands there."""
    found: list[tuple[Path, Json]] = []
    _leaves(value, (), found)
    return found


def _leaves(value: Any, path: Path, found: list[tuple[Path, Json]]) -> None:
    kind = _kind(value)
    if kind is dict:
        for key, item in value.items():
            _leaves(item, (*path, key), found)
    elif kind is list or kind is tuple:
        for index, item in enumerate(value):
            _leaves(item, (*path, index), found)
    else:
        found.append((path, value))


def atoms(value: Any) -> list[Json]:
    """What `leaves` finds, in no special order and without the places: the kit asks for it all the time."""
    found: list[Json] = []
    queue = [value]
    for one in queue:  # which grows meanwhile
        kind = _kind(one)
        if kind is dict:
            queue.extend(one.values())
        elif kind is list or kind is tuple:
            queue.extend(one)
        else:
            found.append(one)
    return found


def names(value: Any) -> list[str]:
    """The strings among the atoms."""
    return [one for one in atoms(value) if type(one) is str]


def replaced(value: Json, path: Path, new: Json) -> Json:
    """JSON with another value in one place."""
    if not path:
        return new
    head, rest = path[0], path[1:]
    if (fields := as_object(value)) is not None:
        return {key: replaced(item, rest, new) if key == head else item for key, item in fields.items()}
    items = as_list(value) or []
    return [replaced(item, rest, new) if index == head else item for index, item in enumerate(items)]


def items(value: Json, path: Path = ()) -> Iterator[Path]:
    """The place of every item of every list in JSON."""
    for key, item in (as_object(value) or {}).items():
        yield from items(item, (*path, key))
    for index, item in enumerate(as_list(value) or ()):
        yield (*path, index)
        yield from items(item, (*path, index))


def without(value: Json, path: Path) -> Json:
    """JSON with one item of a list left out, and the list with it if that was all it held."""
    head, rest = path[0], path[1:]
    if (fields := as_object(value)) is not None:
        changed = without(fields[str(head)], rest)
        return {
            key: changed if key == head else item for key, item in fields.items() if key != head or changed
        }
    listed = as_list(value) or []
    if not rest:
        return [item for index, item in enumerate(listed) if index != head]
    return [without(item, rest) if index == head else item for index, item in enumerate(listed)]


def mutated(order: dict[str, Json], below: Below, words: Sequence[str]) -> Json:
    """An order with one leaf changed, or one field less."""
    places = [(path, leaf) for path, leaf in leaves(order) if path != ("do",)]
    if not places:
        return order
    path, leaf = places[below(len(places))]
    if isinstance(leaf, bool):
        return replaced(order, path, not leaf)
    if isinstance(leaf, int):
        return replaced(order, path, leaf + 1 - below(3))
    if below(5) == 0 and len(path) == 1:
        return {key: item for key, item in order.items() if key != path[0]}
    return replaced(order, path, words[below(len(words))])
