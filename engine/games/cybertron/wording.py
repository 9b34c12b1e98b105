"""What is wrong with an order whatever the position: `order/…`. It looks at the names of this game only.

Zones and cards must be of this game, numbers in range, lists without repeats, and each card must carry exactly the
fields that go with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import UNSET

from engine.games.cybertron import orders
from engine.games.cybertron.backup import JUMPER, of_card
from engine.games.cybertron.deck import When as CardTime
from engine.games.cybertron.orders import MOST_MOVED, MOST_ROBOTS, MOST_UNTIL, Action
from engine.games.cybertron.standing import is_allied
from engine.games.cybertron.state import MOST_ATTACKERS, MOST_DEFENDERS, State, cards_of, map_of
from engine.kernel.refusal import Refusal


def check_wording(state: State, seat: str, action: Action) -> Refusal | None:
    """The first fault in the words of an order, or None."""
    return next(_faults(state, seat, action), None)


def _faults(state: State, seat: str, action: Action) -> Iterator[Refusal]:  # noqa: C901, PLR0912 (a case an order)
    match action:
        case orders.Attack():
            yield from _attack(state, action)
        case orders.Place():
            yield from _zone(state, action.zone)
            if action.robots != "rest":
                yield from _number("robots", action.robots, 1, MOST_ROBOTS)
        case orders.BackUp():
            yield from _move(state, action)
        case orders.PlayCard():
            yield from _play_card(state, action)
        case orders.Claim():
            yield from _zone(state, action.zone)
            if map_of(state).place[action.zone] >= map_of(state).normal:
                yield Refusal("order/no-claim", {"zone": action.zone})
        case orders.RecallLeader() | orders.Spare() | orders.Flee():
            yield from _zone(state, action.zone)
        case orders.Morph():
            yield from _morph(state, action)
        case orders.Jump():
            yield from _zone(state, action.target)
            if seat != JUMPER:
                yield Refusal("order/not-optimus", {"seat": seat})
        case orders.Give():
            yield from _zone(state, action.zone)
            if not is_allied(state):
                yield Refusal("order/no-team-mate")
        case orders.Defend():
            yield from _number("dice", action.dice, 1, MOST_DEFENDERS)
            yield from _cards_of(state, action.cards, "defence")
        case orders.Bonus():
            yield from _number("plus", action.plus, 0, MOST_ROBOTS)
        case orders.FlipLeader() | orders.EndTurn():
            return
        case _:
            assert_never(action)


def _zone(state: State, zone: str) -> Iterator[Refusal]:
    if zone not in map_of(state).place:
        yield Refusal("order/unknown-zone", {"zone": zone})


def _zones(state: State, zones: Sequence[str]) -> Iterator[Refusal]:
    yield from _once(zones)
    for zone in zones:
        yield from _zone(state, zone)


def _card(state: State, card: str) -> Iterator[Refusal]:
    if card not in cards_of(state).cards:
        yield Refusal("order/unknown-card", {"card": card})


def _number(field: str, number: int, low: int, high: int) -> Iterator[Refusal]:
    if not low <= number <= high:
        yield Refusal("order/number", {"field": field, "low": low, "high": high, "found": number})


def _once(words: Sequence[str]) -> Iterator[Refusal]:
    yield from (
        Refusal("order/twice", {"word": word}) for place, word in enumerate(words) if word in words[:place]
    )


def _cards_of(state: State, cards: Sequence[str], time: CardTime) -> Iterator[Refusal]:
    """Cards of an attack or a defence, each once."""
    yield from _once(cards)
    for card in cards:
        yield from _card(state, card)
        upgrade = cards_of(state).upgrade(card)
        if upgrade.when != time:
            yield Refusal("order/other-card", {"card": card, "upgrade": upgrade.id})


def _attack(state: State, order: orders.Attack) -> Iterator[Refusal]:
    yield from _zone(state, order.origin)
    yield from _zone(state, order.target)
    yield from _number("dice", order.dice, 1, MOST_ATTACKERS)
    yield from _cards_of(state, order.cards, "attack")
    if order.until != "captured":
        yield from _number("until", order.until, 1, MOST_UNTIL)
    yield from _number("keep", order.keep, 0, MOST_ROBOTS)
    if not isinstance(order.move_in, str):
        yield from _number("move_in", order.move_in, 1, MOST_MOVED)
    yield from _guards(state, order.when)


def _guards(state: State, when: orders.When) -> Iterator[Refusal]:
    for zones in (when.held, when.not_held, when.captured):
        yield from _zones(state, zones)
    limits: tuple[tuple[str, Mapping[str, int], int], ...] = (
        ("at_least", when.at_least, 1),
        ("at_most", when.at_most, 0),
    )
    for field, limit, low in limits:
        for zone, number in sorted(limit.items()):
            yield from _zone(state, zone)
            yield from _number(field, number, low, MOST_ROBOTS)


def _move(state: State, move: orders.BackUp) -> Iterator[Refusal]:
    yield from _zone(state, move.origin)
    yield from _zone(state, move.target)
    if move.origin == move.target:
        yield Refusal("order/same-zone", {"zone": move.origin})
    yield from _number("robots", move.robots, 0 if move.leader else 1, MOST_ROBOTS)


def _morph(state: State, order: orders.Morph) -> Iterator[Refusal]:
    yield from _card(state, order.card)
    yield from _zone(state, order.zone)
    if not cards_of(state).card(order.card).morph:
        yield Refusal("order/no-icon", {"card": order.card})
    specials = map_of(state).specials
    if order.zone not in specials:
        yield Refusal("order/not-special", {"zone": order.zone, "zones": ", ".join(specials)})


def _play_card(state: State, order: orders.PlayCard) -> Iterator[Refusal]:
    yield from _card(state, order.card)
    upgrade = cards_of(state).upgrade(order.card)
    if upgrade.when in ("attack", "defence"):
        yield Refusal("order/card-of-battle", {"card": order.card, "upgrade": upgrade.id})
    returns, moves = upgrade.when == "place", upgrade.when == "morph"
    given = {
        "zone": (bool(order.zone), returns),
        "form": (bool(order.form), returns),
        "from": (bool(order.origin), moves),
        "to": (bool(order.target), moves),
        "robots": (order.robots is not UNSET, moves),
        "leader": (order.leader, moves),
    }
    for field, (is_given, is_allowed) in given.items():
        if is_given and not is_allowed:
            yield Refusal("order/needless", {"card": order.card, "field": field})
    if returns:
        yield from _zone(state, order.zone)
    if moves:
        yield from _move(state, of_card(order))
