"""Typed data in and out of JSON."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from engine import CODES, Refused, decode, encode, plain, quote, sentences, words
from engine.kernel import codec
from tests.toy import GAME
from tests.toy.state import Bid, Bold, Sell, State, Strike

KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert encode(value) == rfc8785.dumps(value)


@given(VALUES)
def test_canonical_bytes_come_back(value: Any) -> None:
    assert json.loads(encode(value)) == value
    assert encode(msgspec.json.decode(encode(value))) == encode(value)


def test_keys_are_sorted_whatever_the_order_of_fields() -> None:
    assert (
        encode(Strike("birch", Bold(2))) == b'{"do":"strike","ruse":{"stake":2,"use":"bold"},"seat":"birch"}'
    )


def test_what_is_absent_is_left_out() -> None:
    assert plain(Strike("birch")) == {"do": "strike", "seat": "birch"}


def test_plain_data_is_just_what_a_reader_gets() -> None:
    """Lists and never tuples, so that it equals what comes from a file."""
    value = plain({"pair": ("a", ("b", 1)), "order": Sell(("gem-1", "gem-2"))})
    assert value == {"pair": ["a", ["b", 1]], "order": {"do": "sell", "gems": ["gem-1", "gem-2"]}}
    assert type(value["pair"]) is list
    assert type(value["order"]["gems"]) is list


def test_an_order_finds_its_type() -> None:
    assert codec.action(GAME, {"do": "bid", "coins": 3}, 1) == Bid(3)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({"do": "bid"}, ("The field coins at the top", "It is not there")),
        ({"do": "bid", "coins": "3"}, ("A whole number under coins", "A text in quotes")),
        (
            {"do": "bid", "coins": 3, "more": 1},
            ("Only the fields that belong at the top", "The field more as well"),
        ),
        ({"do": None}, ("A text in quotes under do", "The word null")),
        ({"do": ["bid"]}, ("A text in quotes under do", "A list in square brackets")),
        ({"do": "bet", "coins": 3}, ("One of the words that are known under do", "'bet'")),
        ({"do": "sell", "gems": ["gem-1", 2]}, ("A text in quotes under gems[2]", "A whole number")),
        ({"do": "sell", "gems": []}, ("A list of 1 entry or more under gems", "Another")),
        (
            {"do": "strike", "seat": "ash", "ruse": {"use": "bold", "stake": 4}},
            ("A number up to 3 under ruse.stake", "Another"),
        ),
        ([], ("An object in braces at the top", "A list in square brackets")),
        (None, ("An object in braces at the top", "The word null")),
    ],
)
def test_a_misfit_is_a_refusal_in_a_players_words(order: Any, told: tuple[str, str]) -> None:
    with pytest.raises(Refused) as caught:
        codec.action(GAME, order, 7)
    refusal = caught.value.refusal
    assert (refusal.code, refusal.order) == ("order/shape", 7)
    assert refusal.quote == encode(order).decode()
    expected, found, _ = sentences(refusal, {code.code: code for code in CODES})
    assert words(expected) == f"An order of this game with exactly its own fields. Here: {told[0]}."
    assert words(found) == f"{told[1]}."


def test_bytes_that_are_not_ours_are_an_error() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(State, b'{"turn":1}')


def test_a_quote_is_one_line_and_at_most_300_characters() -> None:
    assert quote({"b": 1, "a": "x\ny"}) == '{"a":"x\\ny","b":1}'
    fits, long = {"a": "x" * 292}, {"a": "x" * 293}
    assert len(quote(fits)) == 300
    assert quote(fits).endswith('"}')
    assert len(quote(long)) == 300
    assert quote(long).endswith("x…")
