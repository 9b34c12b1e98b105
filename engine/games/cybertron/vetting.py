"""What a game can be played with (FI p.4), and what standing orders and setups may say.

The law. Two leaders of opposite sides, one Autobot against two Decepticons, or all four. Custom data is a board, a deck
or both (vet_board.py). Policies and setups are judged by names and numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.games.cybertron.board import Atlas, Board, atlas
from engine.games.cybertron.deck import Catalogue, Deck, catalogue, deck_of
from engine.games.cybertron.orders import MOST_ROBOTS, Options, Policy, Setup
from engine.games.cybertron.state import MOST_ATTACKERS
from engine.games.cybertron.vet_board import SEATS, board_of, check_board, check_deck
from engine.kernel.game import Charter
from engine.kernel.refusal import Refusal

PLAYERS = (2, 4)
AUTOBOTS = SEATS[:2]
MOST_LINES = 42
MOST_SPREAD = 100
BOARD, DECK = "board", "deck"


def vet(seats: tuple[str, ...], options: Options, data: Mapping[str, Any]) -> Refusal | None:
    """Whether this can be played."""
    known = len(set(seats)) == len(seats) and set(seats) <= set(SEATS)
    autobots = sum(seat in AUTOBOTS for seat in seats)
    if not (known and (len(seats), autobots) in ((2, 1), (3, 1), (4, 2))):
        return Refusal("game/seats", {"seats": ", ".join(SEATS), "found": ", ".join(seats)})
    if options.first != "random" and options.first not in seats:
        return Refusal("game/first", {"found": options.first, "seats": ", ".join(seats)})
    for name in sorted(data):
        if name not in (BOARD, DECK):
            return Refusal("game/data", {"name": name})
    refusal = check_board(data[BOARD]) if BOARD in data else None
    if refusal is None and data:
        refusal = check_deck(data.get(DECK), atlas(board_of(data[BOARD]) if BOARD in data else None))
    return refusal


def parts_of(data: Mapping[str, Any]) -> tuple[Board | None, Deck | None]:
    """The board and the deck of a game's own, where it has them."""
    return board_of(data[BOARD]) if BOARD in data else None, deck_of(data[DECK]) if DECK in data else None


def known(charter: Charter) -> tuple[Atlas, Catalogue]:
    """The board and the deck of a game."""
    board, deck = parts_of(charter.data)
    return atlas(board), catalogue(deck)


def vet_setup(charter: Charter, seat: str, choices: Setup) -> Refusal | None:
    """Whether lists are asked for, and hold zones that can be claimed (FI p.5)."""
    if charter.options.setup != "lists":
        return Refusal("order/no-lists") if choices.claim or choices.spread else None
    where, _ = known(charter)
    if len(choices.spread) > MOST_SPREAD:
        return Refusal(
            "order/too-long", {"most": MOST_SPREAD, "field": "spread", "count": len(choices.spread)}
        )
    return next(_zones(where, choices.claim), None) or next(_zones(where, choices.spread, often=True), None)


def _zones(where: Atlas, zones: tuple[str, ...], *, often: bool = False) -> Iterator[Refusal]:
    for number, zone in enumerate(zones):
        if zone not in where.place:
            yield Refusal("order/unknown-zone", {"zone": zone})
        elif where.place[zone] >= where.normal:
            yield Refusal("order/no-claim", {"zone": zone})
        elif not often and zone in zones[:number]:
            yield Refusal("order/twice", {"word": zone})


def vet_policy(charter: Charter, seat: str, policy: Policy) -> Refusal | None:
    """Whether standing orders make sense: zones of the board, defence cards of the deck, numbers in range."""
    return next(_faults(charter, policy), None)


def _faults(charter: Charter, policy: Policy) -> Iterator[Refusal]:
    where, deck = known(charter)
    leader = () if isinstance(policy.leader, str) else policy.leader
    lists = {"one_in": policy.one_in, "leader": leader, "refuge": policy.refuge}
    for zones in (*lists.values(), *(line.zones for line in policy.cards)):
        for number, zone in enumerate(zones):
            if zone not in where.place:
                yield Refusal("order/unknown-zone", {"zone": zone})
            if zone in zones[:number]:
                yield Refusal("order/twice", {"word": zone})
    for number, word in enumerate(policy.ask):
        if word in policy.ask[:number]:
            yield Refusal("order/twice", {"word": word})
    if len(policy.cards) > MOST_LINES:
        yield Refusal("order/too-long", {"most": MOST_LINES, "field": "cards", "count": len(policy.cards)})
    defensive = [upgrade.id for upgrade in deck.deck.upgrades if upgrade.when == "defence"]
    for line in policy.cards:
        upgrade = deck.cards[line.card].upgrade if line.card in deck.cards else line.card
        if upgrade not in defensive:
            yield Refusal("order/unknown-upgrade", {"card": line.card, "known": ", ".join(defensive)})
        for field, value, high in (("dice", line.dice, MOST_ATTACKERS), ("pieces", line.pieces, MOST_ROBOTS)):
            if not 1 <= value <= high:
                yield Refusal("order/number", {"field": field, "low": 1, "high": high, "found": value})
