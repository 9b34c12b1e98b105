"""The menu: what a seat may do now, as data, so that whoever fills in a turn needs to know no rule.

A menu asks one or more decisions; each offers acts (verbs); an act has a form; a form is a row of
fields; an option may open further fields, which is how later fields depend on earlier ones. Forms and
option sets are named and shared, so that a menu stays small. It is a function of a view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement
from typing import Any, Literal, cast

import msgspec

from engine.kernel.prose import Say

Value = str | int | bool | tuple[str, ...]
Kind = Literal["zone", "card", "seat", "number", "choice", "list", "record"]
Order = dict[str, Any]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One legal value. `form` names a form whose fields follow once this value is chosen.

    In a field of kind `record` the value is only the name of an alternative and is not written.
    """

    value: Value
    say: Say | None = None
    form: str = ""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place to fill in.

    `options`, or `sets` (the name of a shared option set), give the legal values, less those that the
    earlier fields named in `without` already hold. `number` has `low` and `high` instead. `list` has `low`
    to `high` `item`s, in order, each at most once if `distinct`. `record` is a nested object whose fields
    are those of the chosen option's form. A field that is `optional` may be left out.
    """

    name: str
    kind: Kind
    say: Say
    options: tuple[Option, ...] = ()
    sets: str = ""
    low: int = 0
    high: int = 0
    item: Field | None = None
    distinct: bool = False
    optional: bool = False
    without: tuple[str, ...] = ()
    default: Any = None


class Form(msgspec.Struct, frozen=True):
    """A named row of fields."""

    name: str
    fields: tuple[Field, ...]


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verb that may be used now: the order is `{"do": do, …fields of form…}`."""

    do: str
    say: Say
    form: str = ""


class Asked(msgspec.Struct, frozen=True):
    """A decision that waits for the seat, and the acts that answer it."""

    decision: str
    say: Say
    acts: tuple[Act, ...]


class OptionSet(msgspec.Struct, frozen=True):
    """A named set of options that several fields share."""

    name: str
    options: tuple[Option, ...]


class Menu(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a seat may do now; nothing asked means that it is not the seat's time."""

    asked: tuple[Asked, ...] = ()
    forms: tuple[Form, ...] = ()
    sets: tuple[OptionSet, ...] = ()

    def form(self, name: str) -> tuple[Field, ...]:
        """The fields of a form; none for the empty name."""
        return next((form.fields for form in self.forms if form.name == name), ())

    def options(self, field: Field, earlier: Order) -> tuple[Option, ...]:
        """The options of a field, once the earlier fields of the same object are filled in."""
        options = field.options or next((s.options for s in self.sets if s.name == field.sets), ())
        taken = {_text(earlier[name]) for name in field.without if name in earlier}
        return tuple(option for option in options if _text(option.value) not in taken) if taken else options


def _text(value: Any) -> bytes:
    """A value as JSON, which tells `1` from `true` where Python does not."""
    return msgspec.json.encode(value, order="sorted")


class Chooser:
    """How a form is filled in: one answer a question. `below(n)` is any source of numbers 0 … n−1."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def pick(self, menu: Menu, field: Field, options: tuple[Option, ...]) -> Option:
        """One of the options."""
        return options[self._below(len(options))]

    def number(self, field: Field) -> int:
        """A number from low to high."""
        return field.low + self._below(field.high - field.low + 1)

    def wants(self, field: Field) -> bool:
        """Whether to fill in an optional field."""
        return self._below(2) == 1


def fill(menu: Menu, act: Act, chooser: Chooser) -> Order:
    """An order made by answering every field of an act's form through the chooser."""
    return {"do": act.do, **_fill_form(menu, act.form, chooser)}


def _fill_form(menu: Menu, form: str, chooser: Chooser) -> Order:
    filled: Order = {}
    queue = list(menu.form(form))
    while queue:
        field = queue.pop(0)
        if field.optional and not (fillable(menu, field, filled) and chooser.wants(field)):
            continue
        value, more = _fill_field(menu, field, filled, chooser)
        filled[field.name] = value
        queue = [*menu.form(more), *queue]
    return filled


def fillable(menu: Menu, field: Field, earlier: Order) -> bool:
    """Whether a field has any value at all just now."""
    if field.kind == "number":
        return field.low <= field.high
    if field.kind == "list":
        return field.low == 0 or (field.item is not None and fillable(menu, field.item, earlier))
    return bool(menu.options(field, earlier))


def _fill_field(menu: Menu, field: Field, earlier: Order, chooser: Chooser) -> tuple[Any, str]:
    if field.kind == "number":
        return chooser.number(field), ""
    if field.kind == "list":
        return _fill_list(menu, field, earlier, chooser), ""
    option = chooser.pick(menu, field, menu.options(field, earlier))
    if field.kind == "record":
        return _fill_form(menu, option.form, chooser), ""
    return (list(option.value) if isinstance(option.value, tuple) else option.value), option.form


def _fill_list(menu: Menu, field: Field, earlier: Order, chooser: Chooser) -> list[Any]:
    assert field.item is not None
    length = chooser.number(field)
    items: list[Any] = []
    for _ in range(length):
        if not fillable(menu, field.item, earlier):
            break
        value, _more = _fill_field(menu, field.item, earlier, chooser)
        if not (field.distinct and _holds(items, value)):
            items.append(value)
    while len(items) < field.low:
        values = (value for value, _ in _values(menu, field.item, earlier))
        items.append(next(value for value in values if not (field.distinct and _holds(items, value))))
    return items


def _holds(items: list[Any], value: Any) -> bool:
    return _text(value) in map(_text, items)


def admits(menu: Menu, order: Order) -> bool:
    """Whether the menu, filled in some way, gives exactly this order."""
    return any(
        act.do == order.get("do")
        and _admits_form(menu, menu.form(act.form), {k: v for k, v in order.items() if k != "do"}, {})
        for asked in menu.asked
        for act in asked.acts
    )


def _admits_form(menu: Menu, fields: tuple[Field, ...], rest: Order, earlier: Order) -> bool:
    if not fields:
        return not rest
    field, later = fields[0], fields[1:]
    if field.name not in rest:
        return field.optional and _admits_form(menu, later, rest, earlier)
    value = rest[field.name]
    left = {k: v for k, v in rest.items() if k != field.name}
    known = {**earlier, field.name: value}
    return any(
        _admits_form(menu, (*menu.form(more), *later), left, known)
        for more in _ways(menu, field, value, earlier)
    )


def _ways(menu: Menu, field: Field, value: Any, earlier: Order) -> Iterator[str]:
    """The forms that may follow if `value` is legal in the field; nothing if it is not."""
    if field.kind == "number":
        if isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high:
            yield ""
    elif field.kind == "list":
        if isinstance(value, list) and _admits_list(menu, field, cast("list[object]", value), earlier):
            yield ""
    elif field.kind == "record":
        for option in menu.options(field, earlier):
            if isinstance(value, dict) and _admits_form(
                menu, menu.form(option.form), cast("Order", value), {}
            ):
                yield ""
    else:
        for option in menu.options(field, earlier):
            plain = list(option.value) if isinstance(option.value, tuple) else option.value
            if type(plain) is type(value) and plain == value:
                yield option.form


def _admits_list(menu: Menu, field: Field, items: list[Any], earlier: Order) -> bool:
    item = field.item
    assert item is not None
    if not field.low <= len(items) <= field.high:
        return False
    if field.distinct and len({_text(one) for one in items}) < len(items):
        return False
    return all(any(True for _ in _ways(menu, item, value, earlier)) for value in items)


def every(menu: Menu, act: Act) -> Iterator[Order]:
    """Every order an act allows; of lists, those of up to two items taken in menu order, for a list may be long."""
    for filled in _every_form(menu, menu.form(act.form), {}):
        yield {"do": act.do, **filled}


def _every_form(menu: Menu, fields: tuple[Field, ...], filled: Order) -> Iterator[Order]:
    if not fields:
        yield filled
        return
    field, later = fields[0], fields[1:]
    if field.optional:
        yield from _every_form(menu, later, filled)
    for value, more in _values(menu, field, filled):
        yield from _every_form(menu, (*menu.form(more), *later), {**filled, field.name: value})


def _values(menu: Menu, field: Field, earlier: Order) -> Iterator[tuple[Any, str]]:
    if field.kind == "number":
        yield from ((number, "") for number in range(field.low, field.high + 1))
    elif field.kind == "list":
        assert field.item is not None
        items = {_text(value): value for value, _ in _values(menu, field.item, earlier)}.values()
        taken = combinations if field.distinct else combinations_with_replacement
        for length in range(field.low, min(field.high, max(2, field.low)) + 1):
            yield from ((list(some), "") for some in taken(items, length))
    elif field.kind == "record":
        for option in menu.options(field, earlier):
            yield from ((nested, "") for nested in _every_form(menu, menu.form(option.form), {}))
    else:
        for option in menu.options(field, earlier):
            yield (list(option.value) if isinstance(option.value, tuple) else option.value), option.form
