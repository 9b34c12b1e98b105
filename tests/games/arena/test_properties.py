"""Random games to the end: what holds in every position, and that everything happens in some game."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import pytest

from engine import Charter, decode, encode, foresee, plain, random_turn
from engine.games.arena.cards import pack
from engine.games.arena.events import Event
from engine.games.arena.orders import Options
from engine.games.arena.place import laid, piles
from engine.games.arena.setup import SEATS
from engine.games.arena.state import State, current_row, living
from tests.games.arena.kit import ARENA, Json, action, play, position, random_game, rows, use
from tests.games.arena.kit import charter as agreed

# By chance only once in a hundred games, or never; the rule tests bring them about.
RARE = {"seat_resigned", "hand_shown", "secret_bet_taken_back"}


def options(seed: int) -> Options:
    return Options(reactions="ask" if seed % 3 == 0 else "standing", stalemate=seed % 2 == 1)


def holds(state: State) -> None:
    """Cards and tokens are conserved, columns as long as they lived, hands in order, secrets one a seat."""
    cards = [card for _, some in piles(state) for card in some]
    assert sorted(cards) == sorted(pack(state.creatures))
    for seat, player in state.players.items():
        assert laid(state, seat) + player.stock + bool(player.secret) == 5
        assert list(player.hand) == [card for card in pack(state.creatures) if card in player.hand]
    for name in living(state):
        assert len(state.columns[name].rows) == current_row(state) or state.ended
    for number, name in enumerate(state.dead, 1):
        assert len(state.columns[name].rows) == number
    secrets = [seat for column in state.columns.values() for seat in column.revealed]
    secrets += [seat for seat, player in state.players.items() if player.secret]
    assert len(secrets) == len(set(secrets))


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 12 else pytest.mark.soak) for n in range(20)]
)
def test_what_holds_in_every_position(seed: int) -> None:
    def each(state: State, seat: str, order: Any) -> None:
        holds(state)
        before = encode(state)
        assert decode(ARENA.state, before) == state
        assert encode(decode(ARENA.state, before)) == before
        assert action(plain(order)) == order
        refused = ARENA.check(state, seat, order)
        assert refused is None, (plain(order), refused)
        for viewer in (*state.order, None):
            seen = ARENA.view(state, viewer)
            imagined = ARENA.imagine(seen)
            assert ARENA.view(imagined, viewer) == seen
            assert decode(ARENA.view_type, encode(seen)) == seen
            assert ARENA.tally(imagined) == ARENA.tally(state)
        assert ARENA.check(ARENA.imagine(ARENA.view(state, seat)), seat, order) is None
        assert encode(state) == before

    table = Charter(SEATS[: 2 + seed % 4], options(seed))
    last, events = random_game(seed, table, each)
    holds(last)
    result = ARENA.result(last)
    assert result is not None
    assert [place.place for place in result.places] == list(range(1, len(table.seats) + 1))
    assert all(decode(Event, encode(event)) == event for event in events)
    for event in events:
        for seat in (*table.seats, None):
            assert ARENA.hear(event, seat) is not None


def test_every_event_and_end_happens_by_chance() -> None:
    happened: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for seed in range(40):
        last, events = random_game(seed, Charter(SEATS[: 2 + seed % 4], options(seed)))
        happened.update(str(type(event).__struct_config__.tag) for event in events)
        ends[last.ended] += 1
    known = {str(kind.__struct_config__.tag) for kind in get_args(Event)}
    assert known - set(happened) <= RARE
    assert set(happened) <= known
    assert {"pile", "last_round"} <= set(ends)


@pytest.mark.parametrize("seed", range(6))
def test_what_a_seat_foresees_comes_true(seed: int) -> None:
    import random

    stream = random.Random(seed)

    def each(state: State, seat: str, order: Any) -> None:
        if stream.randrange(6):
            return
        seen = ARENA.view(state, seat)
        turn = random_turn(ARENA, seen, seat, stream.randrange)
        ahead = foresee(ARENA, seen, seat, turn)
        assert all(step.certainty != "refused" for step in ahead.steps)
        from engine import Dice
        from tests.games.arena.kit import in_order

        dice = Dice(in_order)
        for step, one in zip(ahead.steps, turn, strict=True):
            if step.certainty != "sure":
                return
            assert ARENA.check(state, seat, action(one)) is None, one
            state, _ = ARENA.apply(state, seat, action(one), dice)

    random_game(seed, Charter(SEATS[: 2 + seed % 4], options(seed)), each)


def certainties(state: State, *orders: Json) -> list[str]:
    ahead = foresee(ARENA, ARENA.view(state, "red"), "red", orders)
    return [step.certainty for step in ahead.steps]


END: Json = {"do": "end_turn"}


def test_orders_are_sure_until_they_depend_on_hidden_things() -> None:
    columns = {"titan": rows("red"), "troll": rows((["troll-1", "troll-9"], "red"))}
    hand = ["titan-1", "troll-2", "prefect-1"]
    state = position(
        agreed(),
        columns=columns,
        dead=["magus"],
        players={"red": {"hand": hand}, "green": {"hand": ["wyrm-1", "wyrm-2", "wyrm-3"]}},
    )
    titan = play("titan-1", power=use("titan", seat="green", keep=["highest"]))
    assert certainties(state, play("troll-2"), END) == ["sure", "sure"]
    assert certainties(state, titan, END) == ["sure", "hidden"]
    uncovering = play("prefect-1", take="troll-9")
    assert certainties(state, uncovering, END) == ["sure", "hidden"]
    assert certainties(state, play("titan-2"), END) == ["refused", "refused"]
