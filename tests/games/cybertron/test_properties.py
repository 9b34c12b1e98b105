"""What holds in every position of every game: pieces, cards, zones, neighbours; and that cutting a turn changes no roll."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Held,
    Lapsed,
    Outcome,
    Position,
    Refused,
    Table,
    encode,
    find_bot,
    play,
    start,
    timeout,
    waiting,
)
from engine.games.cybertron import standing
from engine.games.cybertron.board import STANDARD, Atlas, atlas
from engine.games.cybertron.state import State, cards_of, map_of
from engine.games.cybertron.vet_board import board_of
from tests.contract.playing import Case, Play, chance, played
from tests.games.cybertron.worlds import CYBERTRON, FOUR, THREE, TWO, charter, dice, torus

TORUS = atlas(board_of(torus()["board"]))
PLAYS = settings(max_examples=5, deadline=None)
"""A play is a whole game by chance: few in each run, more with `make soak`."""


def holds(state: State) -> None:
    """Everything that is conserved, and where pieces may stand (FI p.4, p.6; section 7.1)."""
    where = map_of(state)
    cards = [*state.pile, *state.discards, *(card for one in state.players.values() for card in one.hand)]
    assert sorted(cards) == sorted(cards_of(state).ids)
    assert len(cards) == 42
    opened = {where.factory_of[zone] for zone in state.opened if zone in where.factory_of}
    for place, zone in enumerate(where.ids):
        on_the_board = place < where.normal or place in opened
        leaders = [seat for seat, one in state.players.items() if one.leader == zone]
        pieces = state.robots[place] + len(leaders)
        assert (pieces > 0) == bool(state.owner[place]), zone
        assert all(state.owner[place] == seat for seat in leaders), zone
        assert bool(state.owner[place]) <= on_the_board, zone
        assert bool(state.owner[place]) or not (state.day and on_the_board), f"{zone} is empty"
    for seat, player in state.players.items():
        held = sum(n for n, owner in zip(state.robots, state.owner, strict=True) if owner == seat)
        assert held == player.placed - player.destroyed, seat
        assert player.out == (bool(state.day) and not state.owner.count(seat)), seat


def states(one: Play) -> list[State]:
    return [outcome.position.state for outcome in one.outcomes()]


@PLAYS
@given(seats=st.sampled_from((2, 3, 4)), seed=st.integers(0, 10_000), world=st.sampled_from(("", "torus")))
def test_what_holds_in_every_position(seats: int, seed: int, world: str) -> None:
    one = played(Case(CYBERTRON, seats, seed, world))
    for state in states(one):
        holds(state)
    last = states(one)[-1]
    places = standing.places(last)
    assert places[0].place == 1
    assert [place.place for place in places] == sorted(place.place for place in places)


@pytest.mark.parametrize("where", [STANDARD, TORUS], ids=["standard", "torus"])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_neighbours_are_neighbours_of_each_other_whatever_is_open(where: Atlas, data: Any) -> None:
    """Turned and slid in any way (FI p.9-10); a closed special zone keeps no neighbour that it has open."""
    opened = tuple(zone for zone in where.specials if data.draw(st.booleans(), label=zone))
    links = where.links(opened)
    for place, near in enumerate(links):
        assert place not in near
        assert list(near) == sorted(set(near))
        assert all(place in links[other] for other in near), where.ids[place]
    for spinner in where.board.spinners:
        gated = {where.place[zone] for zone in spinner.opens_to}
        here = set(links[where.place[spinner.zone]])
        assert gated <= here if spinner.zone in opened else not gated & here
    for slider, factory in where.factory_of.items():
        assert links[factory] == ((where.place[slider],) if slider in opened else ())


HELD = STANDARD.ids[: STANDARD.normal]
"""The zones after which the cards are called."""


class Turn:
    """A turn of the steady bot in a game of steady bots: where it begins, and the orders of its first mail."""

    def __init__(self, seats: tuple[str, ...], seed: int, skipped: int) -> None:
        self.table = Table(CYBERTRON, charter(seats))
        self.name = f"cut/{seats}/{seed}"
        outcome = start(self.table, {seat: CYBERTRON.setup() for seat in seats}, (), dice(self.name))
        bot, below = find_bot(CYBERTRON), chance("cut", seed)
        while True:
            self.position: Position[Any] = outcome.position
            self.seat = waiting(self.table, self.position)[0]
            view = CYBERTRON.view(self.position.state, self.seat)
            self.orders = bot(CYBERTRON, view, self.seat, below)
            if skipped <= 0 and len(self.orders) > 2:
                return
            skipped -= 1
            outcome = self.send(self.position, self.orders)[0]
            if outcome.result is not None:
                skipped, outcome = 0, start(self.table, {}, (), dice(self.name))

    def send(self, now: Position[Any], orders: tuple[Any, ...]) -> tuple[Outcome, Any]:
        rolls = dice(f"{self.name}/{now.state.turn}")
        return play(self.table, now, Held(self.seat, tuple(orders)), rolls), rolls


@settings(max_examples=25, deadline=None)
@given(
    seats=st.sampled_from((TWO, THREE, FOUR)),
    seed=st.integers(0, 500),
    skipped=st.integers(0, 8),
    cuts=st.sets(st.integers(1, 30)),
)
def test_a_turn_cut_into_mails_changes_no_roll(
    seats: tuple[str, ...], seed: int, skipped: int, cuts: set[int]
) -> None:
    """One mail, or several (section 8.4): an order that would lapse in the one is refused at the head of another."""
    turn = Turn(seats, seed, skipped)
    whole, rolls = turn.send(turn.position, turn.orders)
    now, events, drawn = turn.position, list[Any](), list[Any]()
    bounds = sorted({0, *(cut for cut in cuts if cut < len(turn.orders)), len(turn.orders)})
    for first, last in pairwise(bounds):
        mail = turn.orders[first:last]
        while mail:
            try:
                outcome, thrown = turn.send(now, mail)
            except Refused:
                mail = mail[1:]
                continue
            now = outcome.position
            events += outcome.events
            drawn += thrown.public
            break
    assert encode(drawn) == encode(rolls.public)
    assert encode(now) == encode(whole.position)
    told = [[event for event in some if not isinstance(event, Lapsed)] for some in (events, whole.events)]
    assert encode(told[0]) == encode(told[1])


@settings(max_examples=30, deadline=None)
@given(
    pair=st.lists(st.sampled_from(HELD), min_size=2, max_size=2, unique=True),
    ask=st.booleans(),
    dice_count=st.integers(1, 3),
)
def test_what_a_defender_holds_shows_nowhere_while_he_keeps_it(
    pair: list[str], ask: bool, dice_count: int
) -> None:
    """A question, its timing and everything that is told are the same whichever card he holds (rules 8.3)."""
    told: list[bytes] = []
    for zone in pair:
        table = Table(CYBERTRON, charter(reactions="ask" if ask else "standing"))
        rest = [f"card_{other}" for other in HELD if other not in pair]
        state = CYBERTRON.place(
            table.charter,
            {
                "zones": {
                    "hexima": {"seat": "optimus_prime", "robots": 5},
                    "launch_pad": {"seat": "megatron", "robots": 3},
                },
                "rest": "megatron",
                "players": {"megatron": {"hand": [f"card_{zone}"]}},
                "pile": [*rest, "rest"],
                "agenda": [{"task": word, "seat": "optimus_prime"} for word in ("attack", "back_up")],
            },
        )
        order = {"do": "attack", "from": "hexima", "to": "launch_pad", "dice": dice_count, "until": 1}
        outcome = play(table, Position(state, ()), Held("optimus_prime", (order,)), dice("held"))
        asked = waiting(table, outcome.position)
        assert asked == (("megatron",) if ask else ("optimus_prime",))
        if ask:
            outcome = timeout(table, outcome.position, "megatron", dice("held"))
        after = outcome.position.state
        for seat in ("optimus_prime", None):
            seen = CYBERTRON.view(after, seat)
            heard = [CYBERTRON.hear(event, seat) for event in outcome.events]
            told.append(
                encode([seen, heard, CYBERTRON.menu(seen), CYBERTRON.report(seen, tuple(heard), "en")])
            )
            assert f"card_{zone}".encode() not in encode([seen, heard])
    assert told[0] == told[2]
    assert told[1] == told[3]
