"""fill, admits and every agree on what a menu allows."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Act,
    Asked,
    Chooser,
    Field,
    Form,
    Menu,
    Option,
    OptionSet,
    Stream,
    admits,
    decode,
    encode,
    every,
    fill,
    say,
)
from engine.kernel.menu import fillable
from tests.kernel.menus import ASK, menus


def chooser(seed: int) -> Chooser:
    return Chooser(Stream(seed.to_bytes(8, "big")).below)


def acts(menu: Menu) -> list[Act]:
    return [act for asked in menu.asked for act in asked.acts]


def one_field(field: Field, *more: Field, sets: tuple[OptionSet, ...] = ()) -> Menu:
    act = Act("do", ASK, "form")
    return Menu((Asked("decide", ASK, (act,)),), (Form("form", (field, *more)),), sets)


def orders(menu: Menu) -> list[dict[str, Any]]:
    return list(every(menu, acts(menu)[0]))


def values(*some: Any) -> tuple[Option, ...]:
    return tuple(Option(value) for value in some)


@given(menus(), st.integers(0, 2**32))
def test_what_is_filled_in_is_admitted_and_nothing_more_or_less(menu: Menu, seed: int) -> None:
    optional = {field.name for form in menu.forms for field in form.fields if field.optional}
    for act in acts(menu):
        order = fill(menu, act, chooser(seed))
        assert order["do"] == act.do
        assert admits(menu, order), order
        assert msgspec.json.decode(encode(order)) == order
        assert not admits(menu, {**order, "more": "nothing like it"})
        for name in [name for name in order if name != "do" and name not in optional]:
            less = {key: value for key, value in order.items() if key != name}
            assert not admits(menu, less), f"{order} without {name}"


@given(menus())
def test_every_order_is_admitted_and_there_is_one(menu: Menu) -> None:
    for act in acts(menu):
        some = list(islice(every(menu, act), 60))
        assert some, act
        for order in some:
            assert admits(menu, order), order


@given(menus())
def test_a_menu_survives_the_wire(menu: Menu) -> None:
    assert decode(Menu, encode(menu)) == menu


def small(menu: Menu, act: Act) -> bool:
    """Whether `every` is complete: no list may be longer than two, or have an order."""
    return not any(field.kind == "list" for form in menu.forms for field in form.fields)


@given(menus(), st.integers(0, 2**32))
def test_every_has_all_that_can_be_filled_in_where_there_are_no_lists(menu: Menu, seed: int) -> None:
    for act in acts(menu):
        if small(menu, act):
            whole = [encode(order) for order in islice(every(menu, act), 3_000)]
            assert len(whole) == 3_000 or encode(fill(menu, act, chooser(seed))) in whole


def test_a_number_is_a_number_in_its_range() -> None:
    menu = one_field(Field("n", "number", ASK, low=2, high=4))
    assert orders(menu) == [{"do": "do", "n": n} for n in (2, 3, 4)]
    for wrong in (1, 5, "3", True, 2.0, None, [3]):
        assert not admits(menu, {"do": "do", "n": wrong}), wrong


@pytest.mark.parametrize("wrong", [True, 1.0, "1", [1]])
def test_values_are_told_apart_by_type(wrong: Any) -> None:
    menu = one_field(Field("v", "choice", ASK, options=values(1, "true")))
    assert admits(menu, {"do": "do", "v": 1})
    assert not admits(menu, {"do": "do", "v": wrong})


def test_a_pair_is_one_value() -> None:
    menu = one_field(Field("swap", "card", ASK, options=values(("a", "b"), ("b", "c"))))
    assert orders(menu) == [{"do": "do", "swap": ["a", "b"]}, {"do": "do", "swap": ["b", "c"]}]
    assert not admits(menu, {"do": "do", "swap": ["b", "a"]})


def test_an_option_opens_further_fields() -> None:
    more = Form("more", (Field("on", "seat", ASK, options=values("ash")),))
    menu = one_field(Field("card", "card", ASK, options=(Option("knight"), Option("spy", form="more"))))
    menu = msgspec.structs.replace(menu, forms=(*menu.forms, more))
    assert orders(menu) == [{"do": "do", "card": "knight"}, {"do": "do", "card": "spy", "on": "ash"}]
    assert not admits(menu, {"do": "do", "card": "spy"})
    assert not admits(menu, {"do": "do", "card": "knight", "on": "ash"})


def test_a_value_may_have_two_ways_to_go_on() -> None:
    """The same value with two forms, as where a power is used or not: either row is admitted."""
    more = Form("more", (Field("on", "seat", ASK, options=values("ash")),))
    menu = one_field(Field("card", "card", ASK, options=(Option("spy"), Option("spy", form="more"))))
    menu = msgspec.structs.replace(menu, forms=(*menu.forms, more))
    assert admits(menu, {"do": "do", "card": "spy"})
    assert admits(menu, {"do": "do", "card": "spy", "on": "ash"})


def test_a_later_field_leaves_out_what_an_earlier_one_holds() -> None:
    gems = OptionSet("gems", values("a", "b"))
    menu = one_field(
        Field("keep", "card", ASK, sets="gems"),
        Field("give", "card", ASK, sets="gems", without=("keep",)),
        sets=(gems,),
    )
    assert orders(menu) == [{"do": "do", "keep": "a", "give": "b"}, {"do": "do", "keep": "b", "give": "a"}]
    assert not admits(menu, {"do": "do", "keep": "a", "give": "a"})


def test_an_optional_field_without_options_is_left_out() -> None:
    menu = one_field(
        Field("keep", "card", ASK, options=values("a")),
        Field("give", "card", ASK, options=values("a"), without=("keep",), optional=True),
    )
    assert fill(menu, acts(menu)[0], Chooser(lambda n: n - 1)) == {"do": "do", "keep": "a"}
    assert orders(menu) == [{"do": "do", "keep": "a"}]


def test_a_record_is_an_object_of_one_alternatives_fields() -> None:
    forms = (
        Form(
            "bold",
            (
                Field("use", "choice", ASK, options=values("bold")),
                Field("stake", "number", ASK, low=1, high=1),
            ),
        ),
        Form("sly", (Field("use", "choice", ASK, options=values("sly")),)),
    )
    menu = one_field(
        Field(
            "ruse", "record", ASK, options=(Option("b", form="bold"), Option("s", form="sly")), optional=True
        )
    )
    menu = msgspec.structs.replace(menu, forms=(*menu.forms, *forms))
    assert orders(menu) == [
        {"do": "do"},
        {"do": "do", "ruse": {"use": "bold", "stake": 1}},
        {"do": "do", "ruse": {"use": "sly"}},
    ]
    strange: list[Any] = [{}, {"use": "bold"}, {"use": "sly", "stake": 1}, "sly", [], {"use": "b"}]
    for wrong in strange:
        assert not admits(menu, {"do": "do", "ruse": wrong}), wrong


def test_a_list_counts_its_items() -> None:
    item = Field("gem", "card", ASK, options=values("a", "b", "c"))
    menu = one_field(Field("gems", "list", ASK, low=1, high=2, item=item, distinct=True))
    assert admits(menu, {"do": "do", "gems": ["c", "a"]})
    for wrong in ([], ["a", "a"], ["a", "b", "c"], ["d"], "a", {"a": 1}, [["a"]]):
        assert not admits(menu, {"do": "do", "gems": wrong}), wrong
    assert {"do": "do", "gems": ["a", "c"]} in orders(menu)


def test_a_list_that_need_not_be_distinct_may_repeat() -> None:
    item = Field("gem", "card", ASK, options=values("a"))
    menu = one_field(Field("gems", "list", ASK, low=2, high=2, item=item))
    assert admits(menu, {"do": "do", "gems": ["a", "a"]})
    assert fill(menu, acts(menu)[0], Chooser(lambda n: 0)) == {"do": "do", "gems": ["a", "a"]}
    assert orders(menu) == [{"do": "do", "gems": ["a", "a"]}]


def test_a_list_may_be_empty() -> None:
    item = Field("gem", "card", ASK, options=())
    menu = one_field(Field("gems", "list", ASK, low=0, high=3, item=item))
    assert orders(menu) == [{"do": "do", "gems": []}]
    assert fill(menu, acts(menu)[0], Chooser(lambda n: n - 1)) == {"do": "do", "gems": []}


def test_an_empty_menu_admits_nothing() -> None:
    assert not admits(Menu(), {"do": "do"})
    assert not admits(Menu(), {})


def test_an_order_needs_its_verb() -> None:
    menu = one_field(Field("n", "number", ASK, low=1, high=1))
    assert not admits(menu, {"n": 1})
    assert not admits(menu, {"do": "undo", "n": 1})


def test_what_can_be_filled() -> None:
    menu = one_field(Field("n", "number", ASK, low=2, high=1))
    assert not fillable(menu, menu.form("form")[0], {})
    assert fillable(menu, Field("n", "number", ASK, low=1, high=1), {})
    assert not fillable(menu, Field("c", "card", ASK, sets="none"), {})
    nothing = Field("c", "card", ASK)
    assert fillable(menu, Field("l", "list", ASK, low=0, high=2, item=nothing), {})
    assert not fillable(menu, Field("l", "list", ASK, low=1, high=2, item=nothing), {})


def test_forms_and_sets_that_are_not_there_are_empty() -> None:
    menu = one_field(Field("c", "card", ASK, sets="none"))
    assert menu.form("nowhere") == ()
    assert menu.options(menu.form("form")[0], {}) == ()
    assert say("Which?") == ASK
