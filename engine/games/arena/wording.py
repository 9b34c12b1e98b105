"""What is wrong with an order whatever the position: `order/…`. It looks at the names of this game only.

Creatures, cards and seats must be of this game, lists short and without repeats, and each card must carry
exactly the fields that go with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import UNSET

from engine.games.arena import orders
from engine.games.arena.cards import MAGISTER, PREFECTS, STRENGTHS, creature_of, is_spectator, names
from engine.games.arena.orders import Action, CardPlay, Power
from engine.games.arena.state import ROUNDS, State
from engine.kernel.refusal import Refusal


def check_wording(state: State, seat: str, action: Action) -> Refusal | None:
    """The first fault in the words of an order, or None. Only names of creatures and seats are looked at."""
    return next(_faults(state, seat, action), None)


def _faults(state: State, seat: str, action: Action) -> Iterator[Refusal]:
    match action:
        case orders.Bet():
            yield from _creature(state, action.creature)
        case orders.SecretBet():
            yield from _combat_card(state, action.card)
        case orders.Play():
            yield from _play(state, seat, action)
        case orders.Discard():
            yield from _discards(state, action.cards)
        case orders.Keep():
            yield from _card(state, action.card)
        case orders.Give():
            yield from _combat_card(state, action.card)
        case orders.DeclareStalemate() | orders.Accept() | orders.ObjectTo():
            if not state.stalemate.began:
                yield Refusal("order/no-stalemates")
        case orders.RevealBet() | orders.ShowHand() | orders.EndTurn():
            return
        case _:
            assert_never(action)


def _creature(state: State, name: str) -> Iterator[Refusal]:
    if name not in state.creatures:
        yield Refusal("order/unknown-creature", {"creature": name, "creatures": ", ".join(state.creatures)})


def _card(state: State, card: str) -> Iterator[Refusal]:
    if card not in names(state.creatures):
        yield Refusal("order/unknown-card", {"card": card})


def _combat_card(state: State, card: str) -> Iterator[Refusal]:
    yield from _card(state, card)
    if not creature_of(card):
        yield Refusal("order/combat-card", {"card": card})


def _other_seat(state: State, seat: str, other: str) -> Iterator[Refusal]:
    if other not in state.order:
        yield Refusal("order/unknown-seat", {"seat": other, "seats": ", ".join(state.order)})
    if other == seat:
        yield Refusal("order/own-seat", {"seat": other})


def _row(row: int) -> Iterator[Refusal]:
    if not 1 <= row <= ROUNDS:
        yield Refusal("order/row", {"row": row})


def _once(words: Sequence[str]) -> Iterator[Refusal]:
    yield from (
        Refusal("order/twice", {"word": word}) for place, word in enumerate(words) if word in words[:place]
    )


def _discards(state: State, cards: tuple[str, ...]) -> Iterator[Refusal]:
    if not 1 <= len(cards) <= orders.MOST_DISCARDS:
        yield Refusal("order/discards", {"count": len(cards), "most": orders.MOST_DISCARDS})
    yield from _once(cards)
    for card in cards:
        if card != orders.ALL_DEAD:
            yield from _combat_card(state, card)


def _play(state: State, seat: str, play: CardPlay, *, second: bool = False) -> Iterator[Refusal]:
    card = play.card
    yield from _card(state, card)
    roams = is_spectator(card) or card == MAGISTER
    given = {"on": bool(play.on), "take": bool(play.take), "power": play.power is not UNSET}
    allowed = {"on": roams, "take": card in PREFECTS, "power": bool(creature_of(card))}
    for field, is_given in given.items():
        if is_given and not allowed[field]:
            yield Refusal("order/needless", {"card": card, "field": field})
    if roams:
        if not play.on:
            yield Refusal("order/where", {"card": card})
        yield from _creature(state, play.on)
    if play.take:
        yield from _combat_card(state, play.take)
    if play.power is not UNSET:
        name = name_of(play.power)
        if name != creature_of(card):
            yield Refusal("order/other-power", {"card": card, "power": name})
        yield from _power(state, seat, play.power, second=second)


def name_of(power: Power) -> str:
    """The creature whose power it is."""
    return type(power).__struct_config__.tag  # type: ignore[return-value]


def _power(  # noqa: C901 (a case a power)
    state: State, seat: str, power: Power, *, second: bool
) -> Iterator[Refusal]:
    match power:
        case orders.Amazon() | orders.Magus():
            return
        case orders.Colossus():
            yield from _token(state, power.token)
        case orders.Cyclops():
            yield from _other_seat(state, seat, power.seat)
        case orders.Daimon():
            yield from _creature(state, power.creature)
            yield from _row(power.row)
        case orders.Ettin():
            yield from _ettin(state, seat, power, second=second)
        case orders.Gorgon():
            yield from _other_seat(state, seat, power.seat)
            yield from _creature(state, power.creature)
        case orders.Seraphim():
            yield from _seraphim(state, seat, power, second=second)
        case orders.Titan():
            yield from _other_seat(state, seat, power.seat)
            yield from _preferences(state, power.keep)
        case orders.Troll():
            if power.take:
                yield from _combat_card(state, power.take)
        case orders.Unicorn():
            yield from _swap(state, power.swap)
        case orders.Wyrm():
            yield from _creature(state, power.creature)
        case _:
            assert_never(power)


def _token(state: State, token: orders.Token) -> Iterator[Refusal]:
    cell = bool(token.creature) and token.row != 0
    half = bool(token.creature) != (token.row != 0)
    if half or [cell, token.secret, bool(token.revealed)].count(True) != 1:
        yield Refusal("order/token")
    if not token.secret:
        yield from _creature(state, token.creature or token.revealed)
    if cell:
        yield from _row(token.row)


def _ettin(state: State, seat: str, power: orders.Ettin, *, second: bool) -> Iterator[Refusal]:
    if second:
        yield Refusal("order/ettin-twice")
    yield from _length("then", len(power.then), orders.MOST_SECOND_PLAYS)
    for play in power.then:
        yield from _play(state, seat, play, second=True)


def _seraphim(state: State, seat: str, power: orders.Seraphim, *, second: bool) -> Iterator[Refusal]:
    name = name_of(power.as_)
    if name == name_of(power):
        yield Refusal("order/copies-itself")
    yield from _creature(state, name)
    yield from _power(state, seat, power.as_, second=second)


def _swap(state: State, swap: tuple[str, str]) -> Iterator[Refusal]:
    first, second = swap
    yield from _combat_card(state, first)
    yield from _combat_card(state, second)
    if first == second or creature_of(first) != creature_of(second):
        yield Refusal("order/swap", {"first": first, "second": second})


def _length(field: str, count: int, most: int) -> Iterator[Refusal]:
    if count > most:
        yield Refusal("order/too-long", {"field": field, "count": count, "most": most})


def _preferences(state: State, words: tuple[str, ...]) -> Iterator[Refusal]:
    yield from _length("keep", len(words), orders.MOST_PREFERENCES)
    yield from _once(words)
    known = names(state.creatures)
    for word in words:
        if word not in known and word not in PREFERENCE_WORDS:
            yield Refusal("order/preference", {"word": word})


PREFERENCE_WORDS = (
    orders.HIGHEST,
    orders.LOWEST,
    orders.HIGHEST_BACKED,
    orders.REFEREE,
    *(f"{orders.SPECTATOR_FROM}{strength}" for strength in STRENGTHS),
)
"""The words of a preference list that are not cards."""
