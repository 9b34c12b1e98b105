"""Menus made up by hypothesis: fields of every kind, dependent, nested, optional, distinct, shared."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from engine import Act, Asked, Field, Form, Menu, Option, OptionSet, say
from engine.kernel.menu import Kind

PLAIN: tuple[Kind, ...] = ("card", "zone", "seat", "choice")
ASK = say("Which?")
VALUES: list[Any] = ["elf", "orc", "north", 0, 1, 7, True, False, ("a", "b"), ("b", "a")]
SET = OptionSet("shared", tuple(Option(value) for value in ("elf", "orc", 1, True)))


def options(forms: list[str]) -> st.SearchStrategy[tuple[Option, ...]]:
    one = st.builds(Option, value=st.sampled_from(VALUES), form=st.sampled_from(["", "", *forms]))
    return st.lists(one, min_size=1, max_size=4, unique_by=lambda option: repr(option.value)).map(tuple)


@st.composite
def choices(draw: st.DrawFn, name: str, forms: list[str]) -> Field:
    """A card, zone, seat or choice, its options its own or shared."""
    kind: Kind = draw(st.sampled_from(PLAIN))
    if draw(st.booleans()):
        return Field(name, kind, ASK, sets="shared")
    return Field(name, kind, ASK, options=draw(options(forms)))


def numbers(name: str) -> st.SearchStrategy[Field]:
    spans = st.tuples(st.integers(-3, 3), st.integers(0, 4))
    return spans.map(lambda span: Field(name, "number", ASK, low=span[0], high=span[0] + span[1]))


@st.composite
def lists(draw: st.DrawFn, name: str, forms: list[str]) -> Field:
    """A list of up to three numbers, choices or records; its least length is one that can be reached."""
    records = options(forms).map(lambda some: Field("item", "record", ASK, options=some))
    item = draw(st.one_of(numbers("item"), choices("item", []), records))
    distinct = draw(st.booleans())
    low = draw(st.integers(0, 1 if distinct else 2))
    return Field(name, "list", ASK, low=low, high=low + draw(st.integers(0, 2)), item=item, distinct=distinct)


@st.composite
def rows(draw: st.DrawFn, prefix: str, forms: list[str]) -> tuple[Field, ...]:
    """A row of fields; a choice may exclude what an earlier choice holds, and is then optional."""
    fields: list[Field] = []
    for index in range(draw(st.integers(0, 3))):
        name = f"{prefix}{index}"
        field = draw(
            st.one_of(
                choices(name, forms),
                numbers(name),
                lists(name, forms),
                options(forms).map(lambda some, name=name: Field(name, "record", ASK, options=some)),  # type: ignore[misc]
            )
        )
        earlier = [one.name for one in fields if one.kind not in {"number", "list", "record"}]
        if earlier and field.kind not in {"number", "list", "record"} and draw(st.booleans()):
            field = _changed(field, without=(draw(st.sampled_from(earlier)),), optional=True)
        elif draw(st.integers(0, 3)) == 0:
            field = _changed(field, optional=True)
        fields.append(field)
    return tuple(fields)


def _changed(field: Field, **changes: Any) -> Field:
    return msgspec.structs.replace(field, **changes)


@st.composite
def menus(draw: st.DrawFn) -> Menu:
    """Two decisions; forms refer to later forms only, so every form ends."""
    inner = Form("inner", draw(rows("i", [])))
    middle = Form("middle", draw(rows("m", ["inner"])))
    outer = Form("outer", draw(rows("o", ["inner", "middle"])))
    acts = tuple(Act(do, ASK, form) for do, form in (("go", "outer"), ("stay", ""), ("turn", "middle")))
    asked = (Asked("move", ASK, acts[:2]), Asked("answer", ASK, acts[2:]))
    return Menu(asked, (inner, middle, outer), (SET,))
