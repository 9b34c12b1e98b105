"""The vectors of protocol.md section 5."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import Stream, roll, shuffle
from pbem.log import chain, draws

EXPECTED: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "rng_vectors.json").read_text()
)["expected"]
GAME = "01j9zk3q8y"
HOST, RED, BLUE = bytes(range(32)), b"\x11" * 32, b"\x12" * 32
HIDDEN = b"\x22" * 32
CHARTER = hashlib.sha256(b"charter line").digest()
LABEL = "battle/1/a-b/0/attack-d6"


def setup() -> bytes:
    seats = [
        (key, chain.tip(seed, GAME, who), chain.chain_link(seed, GAME, who, 1))
        for key, seed, who in ((b"\x02" * 32, RED, "red"), (b"\x01" * 32, BLUE, "blue"))
    ]
    return draws.setup_digest(CHARTER, chain.chain_link(HOST, GAME, "host", 1), seats)


def acc1() -> bytes:
    host, red = chain.chain_link(HOST, GAME, "host", 2), chain.chain_link(RED, GAME, "red", 2)
    return draws.acc_next(draws.acc0(setup()), 1, host, [red, b""])


def public_stream() -> Stream:
    return Stream(draws.public_key(acc1(), GAME, 1, LABEL))


def hidden_stream() -> Stream:
    return Stream(draws.hidden_key(HIDDEN, GAME, "deck/0", draws.acc0(setup())))


BYTES: dict[str, Callable[[], bytes]] = {
    "tip_host": lambda: chain.tip(HOST, GAME, "host"),
    "host_link_1": lambda: chain.chain_link(HOST, GAME, "host", 1),
    "tip_red": lambda: chain.tip(RED, GAME, "red"),
    "tip_blue": lambda: chain.tip(BLUE, GAME, "blue"),
    "setup": setup,
    "acc0": lambda: draws.acc0(setup()),
    "acc1": acc1,
    "hidden_commit": lambda: draws.hidden_commit(GAME, HIDDEN),
    "public_key": lambda: draws.public_key(acc1(), GAME, 1, LABEL),
    "hidden_key": lambda: draws.hidden_key(HIDDEN, GAME, "deck/0", draws.acc0(setup())),
    "seat_seed": lambda: chain.seat_seed(b"\x33" * 32, GAME, "red", CHARTER),
    "state_key": lambda: draws.state_key(HIDDEN, GAME, 7),
}


@pytest.mark.parametrize("name", sorted(BYTES))
def test_bytes(name: str) -> None:
    assert BYTES[name]().hex() == EXPECTED[name]


def test_dice() -> None:
    assert list(roll(public_stream().below, 6, 10)) == EXPECTED["d6_x10"]
    assert list(roll(public_stream().below, 8, 10)) == EXPECTED["d8_x10"]


def test_below() -> None:
    stream = public_stream()
    assert [stream.below(1), 1 + stream.below(6)] == EXPECTED["below_1_then_d6"]
    assert [public_stream().below(1 << 32)] == EXPECTED["below_2_32"]


def test_shuffles() -> None:
    deck = shuffle(hidden_stream().below, [str(number) for number in range(102)])
    assert [int(card) for card in deck] == EXPECTED["shuffle_0_102"]
    few = shuffle(hidden_stream().below, [str(number) for number in range(7)])
    assert [int(item) for item in few[:3]] == EXPECTED["choose_3_of_0_6"]


def test_a_thousand_values_with_rejection() -> None:
    values = hashlib.sha256()
    stream = public_stream()
    for _ in range(1000):
        values.update(stream.below(3_000_000_000).to_bytes(4, "big"))
    assert values.hexdigest() == EXPECTED["hash1000"]
    again, words, kept = public_stream(), 0, 0
    while kept < 1000:
        words += 1
        kept += again.word() < 3_000_000_000
    assert words == EXPECTED["words1000"]


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 200, 4096])
def test_every_link_follows_its_predecessor_up_and_down(n: int) -> None:
    links = [chain.chain_link(RED, GAME, "red", k, n) for k in range(n + 1)]
    assert links[n] == RED
    assert links == [chain.chain_link(RED, GAME, "red", k, n) for k in range(n, -1, -1)][::-1]
    assert all(chain.follows(GAME, "red", links[k], links[k - 1]) for k in range(1, n + 1))
    assert not chain.follows(GAME, "blue", links[1], links[0])
    assert not chain.follows("other", "red", links[1], links[0])


@pytest.mark.parametrize("k", [-1, 4097])
def test_no_link_outside_the_chain(k: int) -> None:
    with pytest.raises(ValueError, match="link"):
        chain.chain_link(RED, GAME, "red", k)


def test_a_hidden_draw_without_the_key_is_our_fault() -> None:
    dice = draws.source(acc1(), None, GAME, 1)
    with pytest.raises(ValueError, match="hidden key"):
        dice("deck/0", hidden=True)


def test_a_source_shows_no_key() -> None:
    assert HIDDEN.hex() not in repr(draws.source(acc1(), HIDDEN, GAME, 1))
    assert repr(HIDDEN) not in repr(draws.source(acc1(), HIDDEN, GAME, 1))
