"""Whole games played by chance, and remembered step by step: what the kit's checks look at.

A case (game, number of seats, seed) always gives the same play. Even seeds play smoothly; odd ones also let
seats fall silent, resign, send standing orders, and write orders that cannot be carried out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from engine import (
    AnyGame,
    Below,
    Charter,
    Chooser,
    Dice,
    Draw,
    Held,
    Lapsed,
    Outcome,
    Position,
    Refused,
    Source,
    Stream,
    Table,
    encode,
    fill,
    find_bot,
    foresee,
    plain,
    play,
    random_turn,
    start,
    waiting,
)
from engine.kernel.replay import Instructed, Later, Moved, Resigned, Started, Step, TimedOut, advance
from tests.contract import shapes
from tests.contract.worlds import worlds

POSITIONS = 24
"""How many positions of a play the costly checks look at."""
MOST_STEPS = 4_000
"""A game that is not over after so many records does not end by itself."""


@dataclass(frozen=True)
class Case:
    """What one play is made from; the same case, the same play."""

    game: AnyGame
    seats: int
    seed: int
    world: str = ""
    """The custom data it is played with, by name; none for the game's own."""
    bot: str = ""
    """Who writes the orders, by name; without a name, chance."""

    @property
    def name(self) -> str:
        where = f" in {self.world}" if self.world else ""
        by = f" by {self.bot}" if self.bot else ""
        return f"{self.game.id}-{self.game.version}{where}{by} with {self.seats} seats, seed {self.seed}"

    @property
    def rough(self) -> bool:
        return self.seed % 2 == 1


@dataclass(frozen=True)
class Taken:
    """One step that was played: before it, what came of it, and the draws it made."""

    number: int
    step: Later
    before: Position[Any]
    outcome: Outcome
    public: tuple[Draw, ...]
    hidden: tuple[Draw, ...]
    foreseen: int
    """How many orders from the first on a seat was sure of; -1 where nothing was asked."""


@dataclass(frozen=True)
class Play:
    """A game from its start to its end. `refusals` came of orders written wrong on purpose."""

    case: Case
    table: Table
    setups: dict[str, Any]
    opening: Outcome
    taken: tuple[Taken, ...]
    refusals: tuple[Any, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step, the start first."""
        return (Started(), *(one.step for one in self.taken))

    def outcomes(self) -> Iterator[Outcome]:
        yield self.opening
        yield from (one.outcome for one in self.taken)

    def positions(self, most: int) -> Iterator[tuple[str, Position[Any]]]:
        """Positions spread evenly over the play, at most so many, each with a name for messages."""
        all_of_them = [(f"record {n}", outcome.position) for n, outcome in enumerate(self.outcomes())]
        for name, position in all_of_them[:: max(1, -(-len(all_of_them) // most))]:
            yield f"{self.case.name}, {name}", position


def source(seed: str, turn: int) -> Source:
    """Numbers for one turn: as in a real game every label has a stream of its own, public apart from hidden."""

    def of_label(label: str, *, hidden: bool) -> Below:
        key = hashlib.sha256(f"{seed}/{turn}/{label}/{hidden}".encode()).digest()
        return Stream(key).below

    return of_label


def chance(*about: Any) -> Below:
    """`below` for choices that are no part of the game."""
    return Stream(hashlib.sha256(repr(about).encode()).digest()).below


def table_of(case: Case) -> Table:
    """The seats first in the manual's order, and one of the options' alternatives."""
    game = case.game
    seats = game.seats[: case.seats]
    data: Mapping[str, Any] = worlds(game.id)[case.world] if case.world else {}
    variants = [msgspec.convert(one, game.options) for one in shapes.alternatives(game.options)]
    playable = [options for options in variants if game.vet(seats, options, data) is None]
    assert playable, f"{case.name}: vet refuses every choice of options, the defaults too"
    return Table(game, Charter(seats, playable[case.seed // 2 % len(playable)], data))


def setups_of(table: Table, below: Below) -> dict[str, Any]:
    """A setup for each seat that the game accepts."""
    game, charter = table.game, table.charter
    variants = [msgspec.convert(one, game.setup) for one in shapes.alternatives(game.setup)]
    chosen: dict[str, Any] = {}
    for seat in charter.seats:
        fit = [setup for setup in variants if game.vet_setup(charter, seat, setup) is None]
        assert fit, f"{game.id}: vet_setup refuses every setup of {seat}, the defaults too"
        chosen[seat] = fit[below(len(fit))]
    return chosen


def words_of(table: Table, state: Any) -> tuple[str, ...]:
    """Every string that occurs in a position: seats, cards, zones … and one that means nothing."""
    leaves = shapes.leaves(plain(state))
    found = {leaf for _, leaf in leaves if isinstance(leaf, str)}
    found |= {key for path, _ in leaves for key in path if isinstance(key, str)}
    return (*sorted(found | set(table.charter.seats)), "nonsense")


def heard(table: Table, events: tuple[Any, ...], seat: str | None) -> tuple[Any, ...]:
    """Events as a seat hears them; a lapse is heard by its author alone."""
    one_by_one = (
        (event if event.seat == seat else None) if isinstance(event, Lapsed) else table.game.hear(event, seat)
        for event in events
    )
    return tuple(event for event in one_by_one if event is not None)


_PLAYED: dict[str, Play] = {}


def played(case: Case) -> Play:
    """The case's play, made once. AssertionError, with words, where the game breaks down on the way."""
    if case.name not in _PLAYED:
        _PLAYED[case.name] = _Player(case).run()
    return _PLAYED[case.name]


class _Player:
    """Plays one case: owns the chances and what has been taken down."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.table = table_of(case)
        self.below = chance("player", case.name)
        self.taken: list[Taken] = []
        self.refusals: list[Any] = []
        self.gone: set[str] = set()

    def run(self) -> Play:
        setups = setups_of(self.table, self.below)
        opening = start(self.table, setups, (), Dice(source(self.case.name, 0)))
        outcome, number = opening, 0
        while not (outcome.closed and outcome.result is not None):
            number += 1
            assert number <= MOST_STEPS, f"{self.case.name}: not over after {MOST_STEPS} records"
            outcome = self.take(number, outcome.position)
        return Play(self.case, self.table, setups, opening, tuple(self.taken), tuple(self.refusals))

    def take(self, number: int, position: Position[Any]) -> Outcome:
        step, sure = self.choose(position)
        dice = Dice(source(self.case.name, position.state.turn))
        try:
            outcome = advance(self.table, position, step, dice)
        except Refused as refused:
            raise AssertionError(
                f"{self.case.name}, record {number}: {refused.refusal} for {step}, which the menu offered"
            ) from refused
        self.taken.append(
            Taken(number, step, position, outcome, tuple(dice.public), tuple(dice.hidden), sure)
        )
        return outcome

    def choose(self, position: Position[Any]) -> tuple[Later, int]:
        table, below = self.table, self.below
        ready = waiting(table, position)
        assert ready, f"{self.case.name}: nobody is to move in turn {position.state.turn}, and no result"
        seat = ready[below(len(ready))]
        odd = below(100) if self.case.rough else 99
        if table.game.result(position.state) is not None:
            return Moved(seat, ()), -1
        if odd < 6:
            return TimedOut(seat), -1
        if odd < 12 and (policy := self.policy(position)) is not None:
            return policy, -1
        if odd == 12 and below(2) == 0 and (leaver := self.leaver()):
            self.gone.add(leaver)
            return Resigned(leaver), -1
        return self.move(position, seat)

    def leaver(self) -> str:
        left = [seat for seat in self.table.charter.seats if seat not in self.gone]
        return left[self.below(len(left))] if left else ""

    def policy(self, position: Position[Any]) -> Instructed | None:
        """Standing orders of some seat, unless the game refuses them."""
        table, below = self.table, self.below
        seats = [seat for seat in table.charter.seats if seat not in self.gone]
        seat = seats[below(len(seats))]
        policy = shapes.invent(table.game.policy, below, words_of(table, position.state))
        try:
            typed = msgspec.convert(policy, table.game.policy)
        except msgspec.ValidationError:
            return None
        refusal = table.game.vet_policy(table.charter, seat, typed)
        if refusal is not None:
            self.refusals.append(refusal)
        return Instructed(seat, policy) if refusal is None else None

    def move(self, position: Position[Any], seat: str) -> tuple[Moved, int]:
        """Orders from the menu; in a rough game often with more behind them than can be foreseen."""
        table, below = self.table, self.below
        game = table.game
        view = game.view(position.state, seat)
        orders = self.written(view, seat)
        assert orders, f"{self.case.name}: {seat} is to move, but its menu asks nothing"
        acts = [act for asked in game.menu(view).asked for act in asked.acts]
        hopes = [fill(game.menu(view), acts[below(len(acts))], Chooser(below)) for _ in range(1 + below(3))]
        spoilt = Moved(seat, (*orders, *hopes), "stop" if below(4) == 0 else "go_on")
        if self.case.rough and below(2) == 0 and self.accepted(position, spoilt):
            return spoilt, _sure(game, view, seat, spoilt.orders)
        return Moved(seat, orders), _sure(game, view, seat, orders)

    def written(self, view: Any, seat: str) -> tuple[dict[str, Any], ...]:
        """What the bot writes, or chance."""
        game, below = self.table.game, self.below
        if self.case.bot:
            return find_bot(game, self.case.bot)(game, view, seat, below)
        return random_turn(game, view, seat, below, 1 + below(8))

    def accepted(self, position: Position[Any], move: Moved) -> bool:
        dice = Dice(source(self.case.name, position.state.turn))
        try:
            play(self.table, position, Held(move.seat, move.orders, move.on_lapse), dice)
        except Refused as refused:
            self.refusals.append(refused.refusal)
            return False
        return True


def _sure(game: AnyGame, view: Any, seat: str, orders: tuple[Any, ...]) -> int:
    """How many orders, from the first on, the seat could be sure of."""
    count = 0
    for step in foresee(game, view, seat, orders).steps:
        if step.certainty != "sure":
            break
        count += 1
    return count


def same(one: Any, other: Any) -> bool:
    """Whether two pieces of data have the same canonical bytes."""
    return encode(one) == encode(other)
