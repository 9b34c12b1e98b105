"""Labelled draws, and the stream of protocol.md section 5 against its vectors."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Below, Dice, Draw, Stream, encode, roll, shuffle

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "rng_vectors.json").read_text(encoding="utf-8")
)
EXPECTED = VECTORS["expected"]


def public() -> Stream:
    return Stream(bytes.fromhex(EXPECTED["public_key"]))


def hidden() -> Stream:
    return Stream(bytes.fromhex(EXPECTED["hidden_key"]))


@pytest.mark.parametrize("sides", [6, 8])
def test_dice_vectors(sides: int) -> None:
    assert list(roll(public().below, sides, 10)) == EXPECTED[f"d{sides}_x10"]


def test_one_word_is_drawn_even_where_there_is_no_choice() -> None:
    stream = public()
    assert [stream.below(1), 1 + stream.below(6)] == EXPECTED["below_1_then_d6"]


def test_the_widest_choice_is_a_whole_word() -> None:
    assert [public().below(1 << 32)] == EXPECTED["below_2_32"]


def test_shuffle_vector() -> None:
    items = [str(number) for number in range(102)]
    assert [int(item) for item in shuffle(hidden().below, items)] == EXPECTED["shuffle_0_102"]


def test_choosing_is_the_head_of_a_shuffle() -> None:
    chosen = {
        name: [int(item) for item in shuffle(stream().below, "0123456")[:3]]
        for name, stream in (("public", public), ("hidden", hidden))
    }
    assert EXPECTED["choose_3_of_0_6"] in chosen.values()


def test_words_are_thrown_away_where_they_would_favour_some() -> None:
    stream, taken = public(), 0
    word = stream.word

    def counted() -> int:
        nonlocal taken
        taken += 1
        return word()

    class Counted(Stream):
        __slots__ = ()

        def word(self) -> int:
            return counted()

    drawn = Counted(b"")
    digest = hashlib.sha256(b"".join(drawn.below(3_000_000_000).to_bytes(4, "big") for _ in range(1000)))
    assert digest.hexdigest() == EXPECTED["hash1000"]
    assert taken == EXPECTED["words1000"]


@given(st.binary(min_size=32, max_size=32))
def test_words_are_the_blocks_read_from_the_front(key: bytes) -> None:
    stream = Stream(key)
    blocks = b"".join(hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(2))
    assert b"".join(stream.word().to_bytes(4, "big") for _ in range(16)) == blocks


@pytest.mark.parametrize("n", [0, -1, (1 << 32) + 1])
def test_a_choice_among_none_or_too_many_is_our_fault(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        public().below(n)


@given(st.binary(min_size=1, max_size=8), st.integers(1, 1 << 32))
def test_a_choice_is_in_its_range(key: bytes, n: int) -> None:
    assert 0 <= Stream(key).below(n) < n


@given(st.binary(min_size=1, max_size=8), st.lists(st.text(max_size=2), max_size=12))
def test_a_shuffle_loses_nothing_and_leaves_its_input_alone(key: bytes, items: list[str]) -> None:
    before = list(items)
    mixed = shuffle(Stream(key).below, items)
    assert sorted(mixed) == sorted(before)
    assert items == before


def test_dice_are_even() -> None:
    counts = Counter(roll(public().below, 6, 6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert all(900 < count < 1100 for count in counts.values()), counts


def stream_of(label: str, *, hidden: bool) -> Below:
    return Stream(f"{label} {hidden}".encode()).below


def test_each_label_has_a_stream_of_its_own() -> None:
    """Adding a draw shifts no other."""
    alone, among = Dice(stream_of), Dice(stream_of)
    among.roll("first", 6, 3)
    assert alone.roll("second", 6, 5) == among.roll("second", 6, 5)


def test_public_and_hidden_draws_are_kept_apart_in_order() -> None:
    dice = Dice(stream_of)
    first = dice.roll("duel/1", 6, 2)
    deck = dice.shuffle("deck/0", ["a", "b", "c"], hidden=True)
    order = dice.shuffle("order", ["ash", "birch"])
    secret = dice.roll("trap/1", 8, 1, hidden=True)
    assert dice.public == [Draw("duel/1", first, sides=6), Draw("order", order, items=("ash", "birch"))]
    assert dice.hidden == [Draw("deck/0", deck, items=("a", "b", "c")), Draw("trap/1", secret, sides=8)]


def test_a_hidden_draw_is_not_the_public_one_of_its_label() -> None:
    dice = Dice(stream_of)
    assert dice.roll("x", 100, 8) != dice.roll("x", 100, 8, hidden=True)


def test_a_draw_is_written_as_the_log_has_it() -> None:
    assert encode(Draw("duel/1", (6, 1), sides=6)) == b'{"label":"duel/1","sides":6,"values":[6,1]}'
    assert (
        encode(Draw("o", ("b", "a"), items=("a", "b")))
        == b'{"items":["a","b"],"label":"o","values":["b","a"]}'
    )
