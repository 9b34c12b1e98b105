"""Orders in words, found by holding them against the menu that they were filled in from.

Decides nothing: an order that no menu offers, behind a battle say, is told as a line of order text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from engine import AnyGame, Field, Menu, Option, Say, foresee, quote, say
from pbem.player.grammar import grammar_of
from pbem.player.opening import as_list
from pbem.player.order_lines import order_line

Order = dict[str, Any]
Rows = tuple[Say, ...]


def describe_all(game: AnyGame, view: Any, seat: str, orders: Sequence[Order]) -> tuple[Rows, ...]:
    """For each order its rows: the act, then what was chosen. Each is held against the menu of its own moment."""
    found: list[Rows] = []
    menu = game.menu(view)
    for number, order in enumerate(orders):
        seen = foresee(game, view, seat, orders[:number])
        menu = game.menu(seen.view) if seen.view is not None else menu
        found.append(describe(menu, order) or (say("{order}", order=_line(game, order)),))
    return tuple(found)


def _line(game: AnyGame, order: Order) -> str:
    """The order as a line of text; as it was written if it has no shape that its game knows."""
    if _is_shaped(game, order):
        return order_line(order, grammar_of(game))
    return quote(order)


def _is_shaped(game: AnyGame, order: Order) -> bool:
    try:
        msgspec.convert(order, game.action)
    except msgspec.ValidationError:
        return False
    return True


def describe(menu: Menu, order: Order) -> Rows:
    """The rows of one order; none where the menu does not offer it."""
    fields = {name: value for name, value in order.items() if name != "do"}
    for asked in menu.asked:
        for act in asked.acts:
            if act.do == order.get("do"):
                for rows in _form(menu, menu.form(act.form), fields, {}):
                    return (act.say, *rows)
    return ()


def option_say(option: Option) -> Say:
    """What an option is called; its value where it has no name."""
    return option.say or value_say(option.value)


def value_say(value: object) -> Say:
    """A plain value as a sentence."""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, list | tuple):
        return say("{values}", values=tuple(value_say(one) for one in cast("list[object]", value)))
    return say("{value}", value=value if isinstance(value, int) else str(value))


def _form(menu: Menu, fields: tuple[Field, ...], rest: Order, earlier: Order) -> Iterator[Rows]:
    """The ways in which a form's fields say what is left of an order; none if it has something else."""
    if not fields:
        if not rest:
            yield ()
        return
    field, later = fields[0], fields[1:]
    if field.name not in rest:
        if field.optional:
            yield from _form(menu, later, rest, earlier)
        return
    value = rest[field.name]
    left = {name: other for name, other in rest.items() if name != field.name}
    known = {**earlier, field.name: value}
    for rows, more in _field(menu, field, value, earlier):
        for others in _form(menu, (*menu.form(more), *later), left, known):
            yield (*rows, *others)


def _field(menu: Menu, field: Field, value: Any, earlier: Order) -> Iterator[tuple[Rows, str]]:
    """What a field says with a value, and the form that then follows."""
    if field.kind == "number":
        yield (_row(field, value_say(value)),), ""
    elif field.kind == "list":
        yield from _list(menu, field, value, earlier)
    elif field.kind == "record":
        if isinstance(value, dict):
            for option in menu.options(field, earlier):
                for rows in _form(menu, menu.form(option.form), cast(Order, value), {}):
                    yield (_row(field, option_say(option)), *rows), ""
    else:
        for option in menu.options(field, earlier):
            plain = list(option.value) if isinstance(option.value, tuple) else option.value
            if plain == value:
                lone = len(menu.options(field, earlier)) == 1
                yield () if lone else (_row(field, option_say(option)),), option.form


def _list(menu: Menu, field: Field, value: Any, earlier: Order) -> Iterator[tuple[Rows, str]]:
    items = as_list(value)
    if items is None or field.item is None:
        return
    names: list[Say] = []
    more: list[Say] = []
    for one in items:
        rows = next((rows for rows, _ in _field(menu, field.item, one, earlier)), None)
        if rows is None:
            return
        first = cast(Say, rows[0].args["value"]) if rows else value_say(one)
        names.append(first)
        more += rows[1:]
    yield (_row(field, say("{values}", values=tuple(names))), *more), ""


def _row(field: Field, value: Say) -> Say:
    return say("{field}: {value}", field=field.say, value=value)
