"""The start (FI p.4-5): who plays with whom, who begins, which zones and robots everybody gets."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.cybertron import CYBERTRON
from engine.games.cybertron.orders import Claim, Options, Setup
from engine.games.cybertron.state import State, map_of
from engine.kernel.dice import Below, Dice
from engine.kernel.game import Charter
from tests.games.cybertron.kit import FOUR, PAIR, THREE, owner, robots


def first_of_all(label: str, *, hidden: bool) -> Below:
    """Every draw gives the first there is, so shuffles turn lists round and the first seat begins."""
    return lambda n: 0


def begun(seats: tuple[str, ...], options: Options | None = None, **setups: Setup) -> State:
    charter = Charter(seats, options or Options())
    chosen: dict[str, Any] = {seat: setups.get(seat, Setup()) for seat in seats}
    state, _ = CYBERTRON.new(charter, chosen, Dice(first_of_all))
    return state


@pytest.mark.parametrize("setup", ["lists", "dealt"])
@pytest.mark.parametrize(
    ("seats", "zones"), [(PAIR, (21, 21)), (THREE, (14, 14, 14)), (FOUR, (11, 11, 10, 10))]
)
def test_zones_and_robots_are_the_manuals(seats: tuple[str, ...], zones: tuple[int, ...], setup: str) -> None:
    """FI p.4-5, section 1.3: 30 robots each; the zones in the order of turns; nobody has a card (FI p.5)."""
    state = begun(seats, Options(setup=setup))  # type: ignore[arg-type]
    assert tuple(state.owner.count(seat) for seat in state.order) == zones
    for seat in state.order:
        held = sum(n for n, who in zip(state.robots, state.owner, strict=True) if who == seat)
        assert (held, state.players[seat].hand) == (30, ())
        assert owner(state, state.players[seat].leader) == seat
    assert (state.turn, state.day, len(state.pile)) == (1, 1, 42)


@pytest.mark.parametrize(
    ("seats", "sound"),
    [
        (("optimus_prime", "megatron"), True),
        (("barricade", "bumblebee"), True),
        (("optimus_prime", "bumblebee"), False),
        (("megatron", "barricade"), False),
        (("megatron", "barricade", "bumblebee"), True),
        (("megatron", "optimus_prime", "bumblebee"), False),
        (FOUR, True),
        (("optimus_prime",), False),
        (("optimus_prime", "optimus_prime"), False),
    ],
)
def test_which_leaders_can_play_together(seats: tuple[str, ...], sound: bool) -> None:
    """FI p.4: one of each side; one Autobot and both Decepticons; all four."""
    found = CYBERTRON.vet(seats, Options(), {})
    assert (found.code if found else "") == ("" if sound else "game/leaders")


@pytest.mark.parametrize("first", ["random", *FOUR])
def test_turns_alternate_between_the_teams(first: str) -> None:
    """FI p.4: team-mates sit opposite each other, and an agreed first seat begins (section 7.1, Seating)."""
    state = begun(FOUR, Options(first=first))
    leaders = map_of(state).leaders
    sides = [leaders[seat].faction for seat in state.order]
    assert sides[0] == sides[2] != sides[1] == sides[3]
    assert first == "random" or state.order[0] == first


def test_a_claim_takes_the_first_zone_on_the_list_that_is_still_empty() -> None:
    """Section 7.1, Claim list: else the first empty zone in board order."""
    lists = {
        "optimus_prime": Setup(claim=("launch_pad", "hexima", "kaon")),
        "megatron": Setup(claim=("launch_pad", "kaon")),
    }
    state = begun(PAIR, Options(first="optimus_prime"), **lists)
    assert owner(state, "launch_pad") == "optimus_prime"
    assert owner(state, "kaon") == "megatron"
    assert owner(state, "hexima") == "optimus_prime"
    assert owner(state, "neutral_territories") == "megatron"  # the first empty one at its second claim


def test_spare_robots_go_round_the_list_and_skip_foreign_zones() -> None:
    """Section 7.1, Spread list: nine spares in turn; a zone that stands there twice gets twice as many."""
    lists = {
        "optimus_prime": Setup(claim=("hexima",), spread=("autobase", "primus", "hexima", "autobase")),
        "megatron": Setup(spread=("autobase",)),
    }
    state = begun(PAIR, Options(first="optimus_prime"), **lists)
    assert (robots(state, "autobase"), robots(state, "hexima")) == (1 + 6, 1 + 3)
    first = map_of(state).ids[state.owner.index("megatron")]
    assert robots(state, first) == 1 + 9


def test_lists_are_for_games_that_use_them() -> None:
    """Section 7.1: in a dealt or live setup nothing is taken from a list."""
    lists = Setup(claim=("launch_pad",))
    for setup, code in (("lists", ""), ("dealt", "order/no-lists"), ("live", "order/no-lists")):
        found = CYBERTRON.vet_setup(Charter(PAIR, Options(setup=setup)), "megatron", lists)  # type: ignore[arg-type]
        assert (found.code if found else "") == code


def test_a_live_setup_is_one_claim_a_turn() -> None:
    """FI p.5: the turn of each seat is one zone; who claims one that is taken is refused."""
    state = begun(PAIR, Options(setup="live", first="optimus_prime"))
    assert [task.seat for task in state.agenda] == ["optimus_prime"]
    state, _ = CYBERTRON.apply(state, "optimus_prime", Claim("launch_pad"), Dice(first_of_all))
    assert (state.turn, state.seat, state.day) == (2, "megatron", 0)
    found = CYBERTRON.check(state, "megatron", Claim("launch_pad"))
    assert found is not None
    assert found.code == "moment/claimed"
