"""A position from parts of it, as a scenario gives them.

Whatever is not given is as in a fresh first turn: the charter's eight creatures (the first eight of the
catalogue if they are drawn at random), seats in charter order, the first seat to bet, an empty table, empty
hands. A player's stock is what his five tokens leave. Rows that a column does not give are empty.

Cards. The word `rest`, once, in the deck, the discards, `gone`, a hand or among frozen cards, stands for every
card that lies nowhere else, in catalogue order. Without that word they are the deck, or out of play (`gone`) if
the deck is given: so `"deck": ["troll-3"]` is a pile of one card, `"deck": ["troll-3", "rest"]` begins with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from engine.games.arena.cards import CREATURES, creature_of, in_order, is_spectator, names, pack
from engine.games.arena.orders import Options, Policy
from engine.games.arena.setup import is_row, opening
from engine.games.arena.state import (
    ROUNDS,
    TOKENS,
    WITHOUT_STALEMATES,
    Cell,
    Column,
    How,
    Player,
    Stalemate,
    State,
    Task,
    ToBet,
    ToDiscard,
    ToEnd,
    ToGive,
    ToKeep,
    ToObject,
    ToPlay,
    ToPlayAgain,
    current_row,
)
from engine.kernel.game import Charter
from engine.kernel.misfit import misfit_problem
from engine.kernel.refusal import refuse

REST = "rest"
Cards = tuple[str, ...]


class GivenPlayer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Parts of a Player; the stock is worked out if it is not given."""

    hand: Cards = ()
    frozen: Cards = ()
    secret: str = ""
    stock: int | UnsetType = UNSET
    resigned: bool = False
    policy: Policy = Policy()


class Given(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Parts of a State, under the same names."""

    turn: int = 1
    seat: str | UnsetType = UNSET
    order: Cards | UnsetType = UNSET
    creatures: Cards | UnsetType = UNSET
    columns: Mapping[str, Column] = {}
    players: Mapping[str, GivenPlayer] = {}
    agenda: tuple[Task, ...] | UnsetType = UNSET
    dead: Cards = ()
    deck: Cards | UnsetType = UNSET
    discards: Cards = ()
    gone: Cards = ()
    stirred: bool = False
    idle: int = 0
    ask: bool | UnsetType = UNSET
    ended: How = ""
    stalemate: Stalemate | UnsetType = UNSET


def place(charter: Charter, given: Mapping[str, Any]) -> State:
    """A state; Refused `position/…` if the parts can't stand together."""
    try:
        parts = msgspec.convert(given, Given)
    except msgspec.ValidationError as misfit:
        raise refuse("position/shape", problem=misfit_problem(misfit)) from None
    state = _frame(charter, parts)
    state = replace(state, columns=_columns(state, parts))
    state = replace(state, players=_players(state, parts))
    state = _with_rest(state, given_deck=parts.deck is not UNSET)
    _check_cards(state)
    _check_tokens(state)
    _check_stalemate(state)
    if not (state.deck or state.ended or state.stalemate.began):
        raise refuse("position/empty-pile")
    if not state.ended:
        _check_agenda(state)
    return state


def _frame(charter: Charter, parts: Given) -> State:
    """Everything but columns and players."""
    creatures = _creatures(charter.options) if parts.creatures is UNSET else parts.creatures
    if not is_row(creatures):
        raise refuse("position/creatures", found=", ".join(creatures), place="creatures")
    order = charter.seats if parts.order is UNSET else parts.order
    seat = (order or charter.seats)[0] if parts.seat is UNSET else parts.seat
    if sorted(order) != sorted(charter.seats) or seat not in order:
        raise refuse("position/order", found=", ".join((*order, seat)))
    most = ROUNDS if parts.ended else ROUNDS - 1
    if len(parts.dead) > most or len(set(parts.dead)) != len(parts.dead):
        raise refuse("position/dead", count=", ".join(parts.dead))
    for name in (*parts.dead, *parts.columns):
        if name not in creatures:
            raise refuse("position/creatures", found=name, place="dead, columns")
    if parts.turn < 1 or parts.idle < 0:
        raise refuse("position/number", turn=parts.turn, idle=parts.idle)
    fresh = opening(order, creatures, charter.options)
    tasks = () if parts.ended else (ToBet(seat), ToPlay(seat), ToDiscard(seat))
    return replace(
        fresh,
        turn=parts.turn,
        seat=seat,
        agenda=tasks if parts.agenda is UNSET else parts.agenda,
        dead=parts.dead,
        deck=() if parts.deck is UNSET else parts.deck,
        discards=parts.discards,
        gone=parts.gone,
        stirred=parts.stirred,
        idle=parts.idle,
        ask=fresh.ask if parts.ask is UNSET else parts.ask,
        ended=parts.ended,
        stalemate=_stalemate(fresh, parts),
    )


def _stalemate(fresh: State, parts: Given) -> Stalemate:
    if parts.stalemate is UNSET:
        return fresh.stalemate
    return WITHOUT_STALEMATES if parts.stalemate == WITHOUT_STALEMATES else parts.stalemate


def _creatures(options: Options) -> Cards:
    return CREATURES[:8] if isinstance(options.creatures, str) else options.creatures


def _columns(state: State, parts: Given) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for name in state.creatures:
        begun = state.dead.index(name) + 1 if name in state.dead else current_row(state)
        column = parts.columns.get(name, Column())
        if len(column.rows) > begun:
            raise refuse("position/rows", creature=name, count=len(column.rows), most=begun)
        for seat in (*column.revealed, *(cell.token for cell in column.rows if cell.token)):
            _known_seat(state, seat, name)
        columns[name] = replace(column, rows=column.rows + (Cell(),) * (begun - len(column.rows)))
    return columns


def _known_seat(state: State, seat: str, where: str) -> None:
    if seat not in state.order:
        raise refuse("position/seat", seat=seat, place=where)


def _players(state: State, parts: Given) -> dict[str, Player]:
    for seat in sorted(parts.players):
        _known_seat(state, seat, "players")
    players: dict[str, Player] = {}
    for seat in state.order:
        part = parts.players.get(seat, GivenPlayer())
        stock = TOKENS - laid(state, seat) - bool(part.secret) if part.stock is UNSET else part.stock
        players[seat] = Player(part.hand, part.frozen, part.secret, stock, part.resigned, part.policy)
    return players


def laid(state: State, seat: str) -> int:
    """How many tokens of a seat lie on the table, without a hidden secret bet."""
    return sum(
        column.revealed.count(seat) + sum(cell.token == seat for cell in column.rows)
        for column in state.columns.values()
    )


def piles(state: State) -> Iterator[tuple[str, Cards]]:
    """Every place where cards lie, by name; together they hold each of the 102 once."""
    yield "deck", state.deck
    yield "discards", state.discards
    yield "gone", state.gone
    for seat in state.order:
        player = state.players[seat]
        yield f"players.{seat}.hand", player.hand
        yield f"players.{seat}.frozen", player.frozen
        yield f"players.{seat}.secret", (player.secret,) if player.secret else ()
    for name in state.creatures:
        for row, cell in enumerate(state.columns[name].rows, 1):
            yield f"columns.{name}.rows.{row}", cell.cards


def _with_rest(state: State, *, given_deck: bool) -> State:
    placed = [card for _, cards in piles(state) for card in cards]
    _check_names(state)
    rest = tuple(card for card in pack(state.creatures) if card not in placed)
    if placed.count(REST) > 1:
        raise refuse("position/rest-twice", count=placed.count(REST))
    if REST not in placed:
        state = replace(state, gone=(*state.gone, REST)) if given_deck else replace(state, deck=(REST,))
    players = {
        seat: replace(player, hand=in_order(_spread(player.hand, rest)), frozen=_spread(player.frozen, rest))
        for seat, player in state.players.items()
    }
    return replace(
        state,
        deck=_spread(state.deck, rest),
        discards=_spread(state.discards, rest),
        gone=_spread(state.gone, rest),
        players=players,
    )


def _spread(cards: Cards, rest: Cards) -> Cards:
    return tuple(card for entry in cards for card in (rest if entry == REST else (entry,)))


def _check_names(state: State) -> None:
    known = {*names(state.creatures), REST}
    for where, cards in piles(state):
        for card in cards:
            if card not in known or (card == REST and where.startswith("columns")):
                raise refuse("position/unknown-card", card=card, place=where)


def _check_cards(state: State) -> None:
    placed: set[str] = set()
    for where, cards in piles(state):
        for card in cards:
            if card in placed:
                raise refuse("position/card-twice", card=card, place=where)
            placed.add(card)
    for seat, player in state.players.items():
        if player.secret and not creature_of(player.secret):
            raise refuse("position/wrong-card", card=player.secret, place=f"players.{seat}.secret")
    for name, column in state.columns.items():
        for row, cell in enumerate(column.rows, 1):
            for card in cell.cards:
                if creature_of(card) != name and not is_spectator(card):
                    raise refuse("position/wrong-card", card=card, place=f"columns.{name}.rows.{row}")


def _check_tokens(state: State) -> None:
    for seat, player in state.players.items():
        count = laid(state, seat) + player.stock + bool(player.secret)
        if count != TOKENS or player.stock < 0:
            raise refuse("position/tokens", seat=seat, count=count)
        revealed = sum(column.revealed.count(seat) for column in state.columns.values())
        if revealed + bool(player.secret) > 1:
            raise refuse("position/secret-twice", seat=seat)


AGENDAS: tuple[tuple[type[Task], ...], ...] = (
    (ToBet, ToPlay, ToDiscard),
    (ToPlay, ToDiscard),
    (ToPlayAgain, ToDiscard),
    (ToKeep, ToDiscard),
    (ToGive, ToDiscard),
    (ToDiscard,),
    (ToEnd,),
)
"""Every agenda that can come about."""


def _check_stalemate(state: State) -> None:
    """The part `stalemate`: seats of this game, and counts that can be."""
    now = state.stalemate
    seats = {*state.order, ""}
    begun = bool(now.began) or now == WITHOUT_STALEMATES
    fit = begun and now.began in seats and now.declared in seats and now.count >= 0
    if not (fit and 0 <= now.again <= current_row(state)):
        raise refuse("position/stalemate", began=now.began, declared=now.declared)


def _check_agenda(state: State) -> None:
    asked = tuple(task for task in state.agenda if isinstance(task, ToObject))
    kinds = tuple(type(task) for task in state.agenda[len(asked) :])
    known = (*AGENDAS, *(((),) if asked else ()))
    if asked and not (kinds in ((), AGENDAS[0]) and _are_questions(state, asked)):
        known = ()
    if kinds not in known or not all(_is_fit(state, task) for task in state.agenda):
        expected = "; ".join(", ".join(_tag(kind) for kind in kinds) for kinds in AGENDAS)
        raise refuse(
            "position/agenda", expected=expected, found=", ".join(_tag(type(t)) for t in state.agenda)
        )
    if state.players[state.seat].resigned:
        raise refuse("position/seat", seat=state.seat, place="seat")


def _are_questions(state: State, asked: tuple[ToObject, ...]) -> bool:
    """Whether a stalemate was declared that may be judged now, and each of these seats may object, once."""
    declared, seats = state.stalemate.declared, [task.seat for task in asked]
    fit = all(seat in state.order and not state.players[seat].resigned for seat in seats)
    known = bool(declared) and declared not in seats and not state.deck
    return known and fit and len(set(seats)) == len(seats) and state.agenda[: len(asked)] == asked


def _tag(kind: type[Task]) -> str:
    return str(kind.__struct_config__.tag)


def _is_fit(state: State, task: Task) -> bool:
    """Whether a task is one of this turn, and asks about what is there."""
    if isinstance(task, ToGive):
        other = task.seat in state.order and task.seat != state.seat == task.taker
        return other and task.creature in state.creatures and task.creature not in state.dead
    if isinstance(task, ToObject):
        return True
    if isinstance(task, ToKeep):
        hand = state.players[task.victim].hand if task.victim in state.order else ()
        fit = len(set(task.cards)) == len(task.cards) == 3 and set(task.cards) <= set(hand)
        return fit and task.victim != task.seat == state.seat
    return task.seat == state.seat
