"""What a game is: a frozen record of functions over frozen data. A game is never subclassed.

The kernel calls these and nothing else. They are pure: randomness comes in as `Dice`, and there is no
clock, no file and no seat called `host`. In their arguments `seat` is one of the charter's seats, and
`None` stands for the public: what everybody may know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from engine.kernel.dice import Below, Dice
from engine.kernel.menu import Menu, Order
from engine.kernel.prose import Say
from engine.kernel.refusal import Code, Refusal
from engine.kernel.shapes import Draws


class HasTurn(Protocol):
    """Every State carries the number of its turn: 0 before the first opens, then 1, 2 … never falling."""

    @property
    def turn(self) -> int: ...


S = TypeVar("S", bound=HasTurn)
A = TypeVar("A", bound=msgspec.Struct)
E = TypeVar("E", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)


class Unseen(Exception):
    """Raised by a rule that would have to look at a blank, or a die, which a view does not hold.

    `why` is `hidden` or `dice`. Only States made by `imagine` hold blanks, so a real game never raises it.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Decision(msgspec.Struct, frozen=True):
    """Who must decide what. Several at once are answered in any order, sealed until all are in."""

    seat: str
    kind: str


class Charter(msgspec.Struct, frozen=True):
    """What a game is played with: its seats in charter order, its options, and custom data by name."""

    seats: tuple[str, ...]
    options: Any
    data: Mapping[str, Any] = {}


class Answer(msgspec.Struct, frozen=True):
    """An automatic answer to a decision in somebody else's turn; `shown` if an event shows it to all anyway."""

    action: Any
    shown: bool = False


class Place(msgspec.Struct, frozen=True):
    """One seat's final place (1 is best; equal places are shared) and its score."""

    seat: str
    place: int
    score: int


class Result(msgspec.Struct, frozen=True):
    """How a game ended: `how` is a word of the ruleset (`last_round`, `pile`, `resigned` …)."""

    how: str
    places: tuple[Place, ...]


class Tried(msgspec.Struct, frozen=True):
    """A case that standing orders were tried on, and what they answer. `past`: it has happened in this game."""

    situation: Say
    answer: Say
    past: bool = False


class NoGuard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guards of a game that knows none: a move in advance is played whenever its turn comes."""


def _all_hold(view: Any, guard: Any) -> Say | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, A, E, V]):
    """The rules of one game, in one version whose behaviour never changes once released."""

    id: str
    version: int
    title: Say
    seats: tuple[str, ...]
    """Every seat that there can be, in an order of which the first so many can always play together."""
    players: tuple[int, int]
    """Fewest and most seats."""

    # The shapes on the wire; a Struct each, or a union tagged by `do` (actions) and `event` (events).
    options: type[msgspec.Struct]
    setup: type[msgspec.Struct]
    policy: type[msgspec.Struct]
    action: Any
    event: Any
    state: type[S]
    view_type: type[V]
    codes: tuple[Code, ...]
    seat_names: Mapping[str, Say]

    vet: Callable[[tuple[str, ...], Any, Mapping[str, Any]], Refusal | None]
    """(seats, options, data): is this a game that can be played?"""
    vet_setup: Callable[[Charter, str, Any], Refusal | None]
    """(charter, seat, setup): the choices a seat makes with its `ready`."""
    vet_policy: Callable[[Charter, str, Any], Refusal | None]
    """(charter, seat, policy): standing orders, judged by public facts alone."""
    new: Callable[[Charter, Mapping[str, Any], Dice], tuple[S, tuple[E, ...]]]
    """(charter, setups by seat, dice): the position in which turn 1 opens, and what happened on the way."""
    order: Callable[[S], tuple[str, ...]]
    """Seats in turn order."""
    pending: Callable[[S], tuple[Decision, ...]]
    """The decisions that the head of the agenda waits for; none once the game is over."""
    legal: Callable[[S, Decision], tuple[A, ...]]
    """A finite sample of legal actions, never empty."""
    check: Callable[[S, str, A], Refusal | None]
    """(state, seat, action): the authority. `order/…` codes do not depend on dice or hidden facts."""
    apply: Callable[[S, str, A, Dice], tuple[S, tuple[E, ...]]]
    """(state, seat, action that check accepts, dice): the next state, and events in the past tense."""
    instruct: Callable[[S, str, Any], S]
    """(state, seat, policy): standing orders come into force; called when a turn opens."""
    answer: Callable[[S, Decision], Answer | None]
    """What standing orders or their default say; None where the seat itself is to be asked."""
    default: Callable[[S, Decision], A]
    """The safe action when time runs out."""
    resign: Callable[[S, str, Dice], tuple[S, tuple[E, ...]]]
    """(state, seat, dice): the seat leaves. Out of turn it must draw nothing: that waits for the turn's end."""
    view: Callable[[S, str | None], V]
    """What a seat may know."""
    hear: Callable[[E, str | None], E | None]
    """An event as a seat hears it: whole, with parts left out, or not at all."""
    menu: Callable[[V], Menu]
    """What may be done now; a function of the view alone."""
    imagine: Callable[[V], S]
    """A state that looks just like this view, with blanks where the view sees nothing."""
    report: Callable[[V, tuple[Any, ...], str], str]
    """(view, heard events and lapses, language): the text a player reads. It cannot see a State."""
    shapes: Draws[V]
    """(view, heard events and lapses or nothing): the picture that a player sees. It cannot see a State either."""
    result: Callable[[S], Result | None]
    """The result once the game is over."""
    tally: Callable[[S], Mapping[str, int]]
    """What is conserved: name → count, equal in every state of a game."""
    place: Callable[[Charter, Mapping[str, Any]], S]
    """(charter, parts of a position as JSON): a state for a scenario; Refused `position/…` if impossible."""
    long_report: Callable[[V, tuple[Any, ...], str], str] | None = None
    """The longer form of `report`, for whoever asks for it; None where the game has no other form."""
    around: Callable[[V, tuple[Any, ...], str], str] | None = None
    """The same without what `shapes` draws, for a letter that has the picture; None where a report has no such parts."""
    trial: Callable[[V, tuple[Any, ...], Any], tuple[Tried, ...]] | None = None
    """(view, the game's public events so far, policy): what those standing orders would have answered to what has
    happened to the view's seat, and to a list of typical cases; None where a game asks nothing out of turn."""
    guard: type[msgspec.Struct] = NoGuard
    """What a move in advance may be bound to: a Struct of conditions, none of them when it is empty."""
    unmet: Callable[[V, Any], Say | None] = _all_hold
    """(view, guard): the first condition that does not hold, in words; None if all hold. It cannot see a State."""
    give_up: Callable[[S, Decision], A] | None = None
    """The action that gives up a decision, where silence is to skip the seat; None: the rules know only `default`."""
    bots: Mapping[str, Bot] = field(default_factory=dict[str, "Bot"])
    """The bots that know this game, by name, the best one first. `random` plays every game, and is not named."""


AnyGame = Game[Any, Any, Any, Any]
"""A game whose own types do not matter to the caller."""

Bot = Callable[[AnyGame, Any, str, Below], tuple[Order, ...]]
"""(game, view, seat, chance): orders for what the view's menu asks, none to say nothing; never a State."""
