"""The one place where a position changes: start, play, timeout, resign and standing orders.

The law. A turn opens with the seats that are *due*; nothing runs before each of them has given its
orders, timed out or resigned, and what comes early is sealed. Then order lists run in charter order.
The first order of a list must be legal, else the whole list is refused; a later one that has become
impossible is a lapse, and the list goes on or stops as its author said. Decisions that fall to others
are answered by standing orders where the game says so, else the list rests until they are answered.
A turn closes when the game says so by its number; whatever it leaves unsaid stays open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal

import msgspec

from engine.kernel import codec
from engine.kernel.dice import Dice
from engine.kernel.game import AnyGame, Charter, Decision, Result, S
from engine.kernel.misfit import misfit_args
from engine.kernel.refusal import Code, Refusal, Refused, refuse

MOST_ORDERS = 100
ENOUGH = 400
"""Events, public draws and automatic answers after which a move carries out no further order: a record must fit in
a log line."""

OnLapse = Literal["go_on", "stop"]

CODES = (
    Code(
        "order/shape",
        "An order of this game with exactly its own fields. Here: {expected}.",
        "{found}.",
        "Compare the order with the game's page of orders, or write it with `pbem fill`.",
    ),
    Code(
        "order/too-many",
        "At most {most} orders in one move.",
        "{count} orders.",
        "Send the first {most} now; the turn stays open for the rest.",
    ),
    Code(
        "moment/not-your-turn",
        "A move from one of the seats that must decide now: {seats}.",
        "A move from {seat}.",
        "Wait for the letter that says it is your move.",
    ),
    Code(
        "moment/game-over",
        "A game that is still being played.",
        "The game is over.",
        "Nothing is left to do; the archive holds the result.",
    ),
    Code(
        "moment/turn-over",
        "Orders that end with the order that ends the turn.",
        "An order after the turn had ended.",
        "Leave the orders after the end of the turn out.",
    ),
    Code(
        "moment/enough",
        "A move after which its record still fits in one line of the log.",
        "An order after so much had happened that the line is full.",
        "Send this order and those after it in your next move; the turn is still open.",
    ),
)


class Held(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order list that waits: sealed until all are in, or resting until somebody else has answered.

    `first` is the number of its first order in the move file; `silent` marks a seat that timed out, `skip` one that
    gives up what it does not say.
    """

    seat: str
    orders: tuple[dict[str, Any], ...]
    on_lapse: OnLapse = "go_on"
    first: int = 1
    silent: bool = False
    skip: bool = False


class Filed(msgspec.Struct, frozen=True):
    """Standing orders that wait for the next turn."""

    seat: str
    policy: dict[str, Any]


class Position(msgspec.Struct, Generic[S], frozen=True, omit_defaults=True):
    """Everything about a game in progress that the rules know; this is what the log's `state` digest is of."""

    state: S
    due: tuple[str, ...]
    sealed: tuple[Held, ...] = ()
    rest: tuple[Held, ...] = ()
    filed: tuple[Filed, ...] = ()
    standing: tuple[str, ...] = ()
    """Seats that have sent standing orders, in charter order."""


class Lapsed(msgspec.Struct, frozen=True, tag_field="event", tag="lapsed"):
    """An order that was fine when written and had become impossible. Only its author hears of it."""

    seat: str
    order: int
    quote: str
    refusal: Refusal


class Auto(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of a seat that was answered for it; `answer` only where an event shows it to all."""

    seat: str
    decision: str
    by: Literal["standing", "default"]
    answer: Any = None


class Outcome(msgspec.Struct, frozen=True):
    """What came of it. `closed` with `next` as in the log; `events` whole, lapses among them."""

    position: Position[Any]
    events: tuple[Any, ...]
    auto: tuple[Auto, ...]
    closed: bool
    next: tuple[str, ...]
    result: Result | None


@dataclass(frozen=True)
class Table:
    """A game and what it is played with."""

    game: AnyGame
    charter: Charter


def start(table: Table, setups: Mapping[str, Any], filed: Sequence[Filed], dice: Dice) -> Outcome:
    """The start of a game from every seat's setup; standing orders filed before it count from turn 1."""
    state, events = table.game.new(table.charter, setups, dice)
    seats = {entry.seat for entry in filed}
    standing = tuple(seat for seat in table.charter.seats if seat in seats)
    position: Position[Any] = Position(state=state, due=(), filed=tuple(filed), standing=standing)
    return _close(table, position, tuple(events), ())


def file_standing(table: Table, position: Position[Any], seat: str, policy: dict[str, Any]) -> Position[Any]:
    """Standing orders take effect when the next turn opens. Refused if the game does not know such a policy."""
    game = table.game
    try:
        typed = msgspec.convert(policy, game.policy)
    except msgspec.ValidationError as misfit:
        raise refuse("order/shape", **misfit_args(misfit)) from None
    refusal = game.vet_policy(table.charter, seat, typed)
    if refusal is not None:
        raise Refused(refusal)
    kept = tuple(entry for entry in position.filed if entry.seat != seat)
    told = tuple(name for name in table.charter.seats if name == seat or name in position.standing)
    return msgspec.structs.replace(position, filed=(*kept, Filed(seat, policy)), standing=told)


def play(table: Table, position: Position[Any], held: Held, dice: Dice) -> Outcome:
    """A move. Refused, with nothing changed, if an order is wrong in itself or the first cannot be done."""
    seats = waiting(table, position)
    if held.seat not in seats:
        if not seats and table.game.result(position.state) is not None:
            raise refuse("moment/game-over")
        raise refuse("moment/not-your-turn", seat=held.seat, seats=", ".join(seats))
    _vet(table, position, held)
    run = _Run(table, position, dice)
    if held.seat in position.due:
        return run.enter(held)
    run.obey(held, strict=True)
    run.resume()
    return run.outcome()


class Silence(msgspec.Struct, frozen=True):
    """What is played for a silent seat: a bot's orders, then the safe default, or with `skip` what gives it up."""

    orders: tuple[dict[str, Any], ...] = ()
    skip: bool = False


def timeout(
    table: Table, position: Position[Any], seat: str, dice: Dice, silence: Silence | None = None
) -> Outcome:
    """A seat's time has run out: the safe default is played for it. Refused if nothing waits for it."""
    seats = waiting(table, position)
    if seat not in seats:
        raise refuse("moment/not-your-turn", seat=seat, seats=", ".join(seats))
    run = _Run(table, position, dice)
    said = silence or Silence()
    silent = Held(seat=seat, orders=said.orders, silent=True, skip=said.skip)
    if seat in position.due:
        return run.enter(silent)
    run.obey(silent, strict=False)
    run.resume()
    return run.outcome()


def resign(table: Table, position: Position[Any], seat: str, dice: Dice) -> Outcome:
    """A seat leaves the game, at any time. What it had sealed or left resting is dropped."""
    run = _Run(table, position, dice)
    run.leave(seat)
    return run.outcome()


def waiting(table: Table, position: Position[Any]) -> tuple[str, ...]:
    """The seats that may move now: those due; once all are in, those with an open decision."""
    if position.due:
        return position.due
    asked = {decision.seat for decision in table.game.pending(position.state)}
    return tuple(seat for seat in table.charter.seats if seat in asked)


def _vet(table: Table, position: Position[Any], held: Held) -> None:
    """Refuse what is wrong whatever the dice say: shapes, and `order/…` codes, of every order in the list."""
    if len(held.orders) > MOST_ORDERS:
        raise refuse("order/too-many", count=len(held.orders), most=MOST_ORDERS)
    for number, order in enumerate(held.orders, held.first):
        typed = codec.action(table.game, order, number)
        refusal = table.game.check(position.state, held.seat, typed)
        if refusal is None:
            continue
        alone = number == held.first and held.seat in position.due
        if refusal.area == "order" or (alone and table.game.result(position.state) is None):
            raise _numbered(refusal, number, order)


def _numbered(refusal: Refusal, number: int, order: Any) -> Refused:
    return Refused(msgspec.structs.replace(refusal, order=number, quote=codec.quote(order)))


def _close(table: Table, position: Position[Any], events: tuple[Any, ...], auto: tuple[Auto, ...]) -> Outcome:
    """A turn has closed: filed standing orders come into force, and the next seats are due."""
    game = table.game
    state = position.state
    result = game.result(state)
    if result is None:
        for entry in position.filed:
            state = game.instruct(state, entry.seat, msgspec.convert(entry.policy, game.policy))
    asked = () if result is not None else game.pending(state)
    seats = {decision.seat for decision in asked}
    due = tuple(seat for seat in table.charter.seats if seat in seats)
    fresh = Position(state=state, due=due, standing=position.standing)
    return Outcome(fresh, events, auto, True, due, result)


class _Run:
    """A position in motion: owns what has happened since the record began."""

    def __init__(self, table: Table, position: Position[Any], dice: Dice) -> None:
        self.table = table
        self.position = position
        self.state = position.state
        self.turn = position.state.turn
        self.dice = dice
        self.events: list[Any] = []
        self.auto: list[Auto] = []

    def enter(self, held: Held) -> Outcome:
        """A due seat comes in; when it is the last, every sealed list runs, in charter order."""
        due = tuple(seat for seat in self.position.due if seat != held.seat)
        sealed = (*self.position.sealed, held)
        if due:
            self._set(due=due, sealed=sealed)
            return self.outcome()
        self._set(due=(), sealed=())
        alone = len(sealed) == 1
        for one in self._in_order(sealed):
            self.obey(one, strict=alone and not one.silent)
        self.resume()
        return self.outcome()

    def leave(self, seat: str) -> None:
        """A seat resigns; the others' sealed lists run if they waited only for it."""
        due = tuple(other for other in self.position.due if other != seat)
        sealed = tuple(held for held in self.position.sealed if held.seat != seat)
        rest = tuple(held for held in self.position.rest if held.seat != seat)
        self._set(due=due, sealed=sealed, rest=rest)
        self.state, events = self.table.game.resign(self.state, seat, self.dice)
        self.events.extend(events)
        if not due and sealed:
            self._set(sealed=())
            for one in self._in_order(sealed):
                self.obey(one, strict=False)
        self._settle()
        self.resume()

    def obey(self, held: Held, *, strict: bool) -> None:
        """Run a list. `strict`: its first order must be legal, else everything is refused."""
        for index, order in enumerate(held.orders):
            number = held.first + index
            if not self.turn_over() and held.seat not in self._asked():
                left = msgspec.structs.replace(held, orders=held.orders[index:], first=number)
                self._set(rest=(*self.position.rest, left))
                return
            action = codec.action(self.table.game, order, number)
            refusal = self._refusal(held.seat, action)
            if refusal is None:
                self._apply(held.seat, action)
                self._settle()
                continue
            if strict and index == 0 and not self.over():
                raise _numbered(refusal, number, order)
            numbered = msgspec.structs.replace(refusal, order=number)
            self.events.append(Lapsed(held.seat, number, codec.quote(order), numbered))
            if held.on_lapse == "stop":
                return
        if held.silent:
            self._play_defaults(held.seat, skip=held.skip)

    def resume(self) -> None:
        """Go on with every list that rests, once its author is asked again or the turn has ended."""
        while (held := self._awake()) is not None:
            self._set(rest=tuple(other for other in self.position.rest if other is not held))
            self.obey(held, strict=False)

    def over(self) -> bool:
        """Whether the game is over."""
        return self.table.game.result(self.state) is not None

    def turn_over(self) -> bool:
        """Whether the turn in which this began has ended."""
        return self.state.turn != self.turn or self.over()

    def outcome(self) -> Outcome:
        """The position as it stands now, closed if the turn has ended and nobody is still due."""
        position = msgspec.structs.replace(self.position, state=self.state)
        if not position.due and self.turn_over():
            return _close(self.table, position, tuple(self.events), tuple(self.auto))
        if position.due and self.state.turn != self.turn:
            raise RuntimeError("a game closed a turn in which seats were still due")
        return Outcome(
            position, tuple(self.events), tuple(self.auto), False, (), self.table.game.result(self.state)
        )

    def _refusal(self, seat: str, action: Any) -> Refusal | None:
        if self.over():
            return Refusal("moment/game-over")
        if self.turn_over():
            return Refusal("moment/turn-over")
        if len(self.events) + len(self.dice.public) + len(self.auto) > ENOUGH:
            return Refusal("moment/enough")
        return self.table.game.check(self.state, seat, action)

    def _play_defaults(self, seat: str, *, skip: bool) -> None:
        game = self.table.game
        choose = game.give_up if skip and game.give_up is not None else game.default
        while not self.turn_over():
            mine = [decision for decision in self.table.game.pending(self.state) if decision.seat == seat]
            if not mine:
                return
            self._apply(seat, choose(self.state, mine[0]))
            self._settle()

    def _settle(self) -> None:
        """Answer what standing orders or their defaults answer, one decision after the other."""
        while not self.turn_over() and not self.position.due:
            found = self._first_answer()
            if found is None:
                return
            decision, answer = found
            by: Literal["standing", "default"] = (
                "standing" if decision.seat in self.position.standing else "default"
            )
            shown = codec.plain(answer.action) if answer.shown else None
            self.auto.append(Auto(decision.seat, decision.kind, by, shown))
            self._apply(decision.seat, answer.action)

    def _awake(self) -> Held | None:
        asked = self._asked()
        return next((held for held in self.position.rest if self.turn_over() or held.seat in asked), None)

    def _first_answer(self) -> tuple[Decision, Any] | None:
        for decision in self.table.game.pending(self.state):
            answer = self.table.game.answer(self.state, decision)
            if answer is not None:
                return decision, answer
        return None

    def _apply(self, seat: str, action: Any) -> None:
        self.state, events = self.table.game.apply(self.state, seat, action, self.dice)
        self.events.extend(events)

    def _asked(self) -> frozenset[str]:
        return frozenset(decision.seat for decision in self.table.game.pending(self.state))

    def _in_order(self, sealed: tuple[Held, ...]) -> list[Held]:
        return sorted(sealed, key=lambda held: self.table.charter.seats.index(held.seat))

    def _set(self, **changes: Any) -> None:
        self.position = msgspec.structs.replace(self.position, **changes)
