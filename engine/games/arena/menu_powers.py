"""The powers in a menu: for a card that its backer may lay now, the power's fields with every legal value.

`after` is the position with the card laid, in which powers are judged. So that a menu stays small, equal
parts are shared: an Ettin's second cards are one form for all first cards in hand, which may name a card that
only another first card would show. In a list of preferences such an entry is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.games.arena import bet, orders, powers
from engine.games.arena.cards import creature_of, in_order, pack
from engine.games.arena.powers import Use
from engine.games.arena.state import (
    State,
    ToPlayAgain,
    active,
    cell_at,
    current_row,
    living,
    top,
    with_cell,
    with_player,
)
from engine.games.arena.table import visible
from engine.games.arena.wording import PREFERENCE_WORDS
from engine.kernel.menu import Field, Option
from engine.kernel.pool import Pool, choice
from engine.kernel.prose import say

Cards: TypeAlias = tuple[str, ...]
PlayFields: TypeAlias = Callable[[Pool, State, str, Cards], tuple[Field, ...]]
"""How the form of a card to play is made; an Ettin's second cards need it again."""
Ways: TypeAlias = tuple[tuple[str, tuple[Field, ...]], ...]
"""Ways to use a power: a name for each, and its fields after `use`."""


class Laid(msgspec.Struct, frozen=True):
    """A power about to be used: its use, the card just laid, and the cards that may lie on top instead of
    the first card, where this is the second card of an Ettin.
    """

    use: Use
    card: str
    instead: Cards


SECOND_CARD_SOURCES = ("ettin", "seraphim")
"""Whose card may be the first of two in a turn."""

POWER = say("Use its power")
USE = say("The power")
TOKEN = say("The token to take back")
CREATURE = say("The creature")
ROW = say("The row")
SECRET = say("Your hidden secret bet")
REVEALED = say("The creature above which your revealed secret bet lies")
SEAT = say("The player")
THEN = say("The second card: the first of these that can be played")
SECOND = say("A second card")
COPIED = say("The power of a dead creature")
KEEP = say("What to keep: the first of these that fits")
WORD = say("A card or a word")
TAKE = say("The visible card of an earlier row to take")
SWAP = say("The two visible cards to swap")


def power_field(pool: Pool, after: State, laid: Laid, play_fields: PlayFields) -> tuple[Field, ...]:
    """The optional field `power` of the card just laid; nothing if it can't be activated."""
    options = _alternatives(pool, after, laid, laid.use.source, play_fields)
    return (Field("power", "record", POWER, options=options, optional=True),) if options else ()


def _alternatives(
    pool: Pool, after: State, laid: Laid, name: str, play_fields: PlayFields
) -> tuple[Option, ...]:
    head = choice("use", USE, (name,))
    ways = _ways(pool, after, laid, name, play_fields)
    return tuple(Option(way, form=pool.form(way, (head, *fields))) for way, fields in ways)


def _ways(pool: Pool, after: State, laid: Laid, name: str, play_fields: PlayFields) -> Ways:
    """Every way to use the power of the creature `name`; none if it has no legal target."""
    use = laid.use
    match name:
        case "amazon":
            return ((name, ()),) if after.deck else ()
        case "magus":
            return ((name, ()),)
        case "colossus":
            return _colossus(pool, after, use)
        case "cyclops":
            return _at_seat(pool, after, use, 1, (name, ()))
        case "daimon":
            return _daimon(pool, after, use)
        case "ettin":
            return () if use.second else _ettin(pool, after, laid, play_fields)
        case "gorgon":
            creatures = Field("creature", "zone", CREATURE, sets=pool.names("living", living(after)))
            return _at_seat(pool, after, use, 0, (name, (creatures,)))
        case "seraphim":
            return _seraphim(pool, after, laid, play_fields)
        case "titan":
            return _at_seat(pool, after, use, powers.TITAN_DRAW, (name, (_keep(pool, after),)))
        case "troll":
            cards = powers.troll_cards(after, use.source)
            return ((name, (choice("take", TAKE, cards, "card"),) if cards else ()),)
        case "unicorn":
            return _unicorn(after, laid)
        case _:
            return _wyrm(after, use)


def _at_seat(pool: Pool, after: State, use: Use, least: int, way: tuple[str, tuple[Field, ...]]) -> Ways:
    seats = tuple(
        seat for seat in active(after) if seat != use.seat and powers.check_victim(after, seat, least) is None
    )
    name, fields = way
    return (
        ((name, (Field("seat", "seat", SEAT, sets=pool.names("players", seats)), *fields)),) if seats else ()
    )


def _by_row(pool: Pool, name: str, rows: dict[str, tuple[int, ...]]) -> tuple[Field, ...]:
    """A creature, and a row that depends on it."""
    options: list[Option] = []
    for creature, numbers in rows.items():
        row = Field("row", "choice", ROW, options=tuple(Option(number) for number in numbers))
        options.append(Option(creature, form=pool.form(name, (row,))))
    return (Field("creature", "zone", CREATURE, options=tuple(options)),)


def _colossus(pool: Pool, after: State, use: Use) -> Ways:
    rows = {
        name: tuple(row for row, cell in enumerate(after.columns[name].rows, 1) if cell.token == use.seat)
        for name in after.creatures
    }
    laid = {name: numbers for name, numbers in rows.items() if numbers}
    tokens: list[tuple[str, tuple[Field, ...]]] = []
    if laid:
        tokens.append(("cell", _by_row(pool, "row", laid)))
    if after.players[use.seat].secret:
        tokens.append(("secret", (Field("secret", "choice", SECRET, options=(Option(True),)),)))
    shown = tuple(name for name in after.creatures if use.seat in after.columns[name].revealed)
    if shown:
        tokens.append(("revealed", (choice("revealed", REVEALED, shown, "zone"),)))
    options = tuple(Option(kind, form=pool.form(f"token/{kind}", fields)) for kind, fields in tokens)
    return (("colossus", (Field("token", "record", TOKEN, options=options),)),) if options else ()


def _daimon(pool: Pool, after: State, use: Use) -> Ways:
    rows = {
        name: tuple(
            row
            for row in range(1, current_row(after) + 1)
            if bet.check_cell(after, use.seat, name, row) is None
        )
        for name in living(after)
    }
    free = {name: numbers for name, numbers in rows.items() if numbers}
    return (("daimon", _by_row(pool, "row", free)),) if free else ()


def _ettin(pool: Pool, after: State, laid: Laid, play_fields: PlayFields) -> Ways:
    seat, source = laid.use.seat, laid.use.source
    hand = after.players[seat].hand
    firsts = in_order((laid.card, *(card for card in hand if creature_of(card) == source)))
    cell = after.columns[source].rows[-1]
    second = with_cell(after, source, current_row(after), cards=(*cell.cards[:-1], firsts[0]))
    if len(firsts) > 1:
        second = with_player(second, seat, hand=(*hand, laid.card))
    second = replace(second, agenda=(ToPlayAgain(seat), *second.agenda))
    fields = play_fields(pool, second, seat, firsts[1:])
    if not fields:
        return (("ettin", ()),)
    item = Field("play", "record", SECOND, options=(Option("card", form=pool.form("second", fields)),))
    most = orders.MOST_SECOND_PLAYS
    return (("ettin", (Field("then", "list", THEN, high=most, item=item, optional=True),)),)


def _seraphim(pool: Pool, after: State, laid: Laid, play_fields: PlayFields) -> Ways:
    options = tuple(
        option
        for name in after.dead
        if name != "seraphim"
        for option in _alternatives(pool, after, laid, name, play_fields)
    )
    return (("seraphim", (Field("as", "record", COPIED, options=options),)),) if options else ()


def _keep(pool: Pool, after: State) -> Field:
    words = pool.names("preferences", (*PREFERENCE_WORDS, *pack(after.creatures)))
    item = Field("word", "choice", WORD, sets=words)
    most = orders.MOST_PREFERENCES
    usual = [orders.HIGHEST]  # a list: this is how it comes out of a view
    return Field("keep", "list", KEEP, high=most, item=item, distinct=True, optional=True, default=usual)


def _unicorn(after: State, laid: Laid) -> Ways:
    """Pairs in groups that many cards share: with the card just laid, by Ettin and Seraphim, all others."""
    groups: dict[str, list[Option]] = {}
    places = [(card, name, row) for card, name, row in visible(after)]
    hidden = laid.use.source
    places += [(card, n, current_row(after)) for card in laid.instead if (n := creature_of(card)) != hidden]
    for one, two in permutations(places, 2):
        (first, name, row), (second, other, at) = one, two
        if name == other and row != at:
            apart = name if name in SECOND_CARD_SOURCES else "unicorn"
            way = "unicorn/laid" if laid.card in {first, second} else f"unicorn/{apart}"
            groups.setdefault(way, []).append(Option((first, second)))
    return tuple(
        (way, (Field("swap", "choice", SWAP, options=tuple(pairs)),)) for way, pairs in groups.items()
    )


def _wyrm(after: State, use: Use) -> Ways:
    row = current_row(after)
    creatures = tuple(name for name in living(after) if name != use.source and top(cell_at(after, name, row)))
    return (("wyrm", (choice("creature", CREATURE, creatures, "zone"),)),) if creatures else ()
