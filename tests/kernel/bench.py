"""A table at which the kernel's tests sit: the toy game, positions placed on it, dice that fall as told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Below, Charter, Dice, Held, Lapsed, Outcome, Position, Source, Table, play
from tests.toy import GAME
from tests.toy.state import Options, State

SEATS = ("ash", "birch", "cedar")
BID: dict[str, Any] = {"do": "bid", "coins": 0}
DONE: dict[str, Any] = {"do": "done"}
LOOK: dict[str, Any] = {"do": "look"}


def table(*seats: str, ask: bool = False) -> Table:
    """Three seats unless named; `ask` lets struck seats be asked."""
    options = Options(reactions="ask" if ask else "standing")
    return Table(GAME, Charter(seats or SEATS, options))


def fallen(**labels: tuple[int, ...]) -> Source:
    """Dice by label, `duel_1=(6, 1)` for `duel/1`; every other stream gives the lowest number."""

    def source(label: str, *, hidden: bool) -> Below:
        faces = iter(labels.get(label.replace("/", "_"), ()))
        return lambda n: next(faces, 1) - 1

    return source


def dice(**labels: tuple[int, ...]) -> Dice:
    """Dice that fall as told."""
    return Dice(fallen(**labels))


def bid(coins: int) -> dict[str, Any]:
    """The order that offers coins."""
    return {"do": "bid", "coins": coins}


def strike(seat: str) -> dict[str, Any]:
    """The order that strikes a seat."""
    return {"do": "strike", "seat": seat}


def sell(*gems: str) -> dict[str, Any]:
    """The order that sells gems."""
    return {"do": "sell", "gems": list(gems)}


def bidding(where: Table, **parts: Any) -> Position[State]:
    """Turn 1 open, every seat due."""
    return Position(state=GAME.place(where.charter, parts), due=where.charter.seats)


def acting(where: Table, seat: str, hands: Mapping[str, tuple[str, ...]] | None = None) -> Position[State]:
    """Turn 1 open, all bids in, `seat` to act."""
    held = hands or {}
    players = [{"seat": one, "coins": 10, "hand": list(held.get(one, ()))} for one in where.charter.seats]
    agenda = [{"seat": seat, "kind": "act"}]
    return Position(state=GAME.place(where.charter, {"players": players, "agenda": agenda}), due=())


def send(where: Table, position: Position[Any], seat: str, *orders: dict[str, Any], **more: Any) -> Outcome:
    """A move; `on_lapse` and dice by label may follow."""
    on_lapse = more.pop("on_lapse", "go_on")
    return play(where, position, Held(seat, orders, on_lapse), dice(**more))


def lapses(outcome: Outcome) -> list[tuple[str, int, str]]:
    """Seat, number and code of each lapse."""
    return [(one.seat, one.order, one.refusal.code) for one in outcome.events if isinstance(one, Lapsed)]


def kinds(outcome: Outcome) -> list[str]:
    """What happened, by tag."""
    return [event.__struct_config__.tag for event in outcome.events]
