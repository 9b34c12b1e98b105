"""The arena as a table, and the players: what everybody can see, in 72 columns.

One line a creature, one column a row. A cell shows the strength of the visible card (`s` before it for a
spectator) and the letter of the token above. Made from a View alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from engine.games.arena.cards import is_spectator, strength_of
from engine.games.arena.report_names import LETTERS, card, creature, creatures, seat, series
from engine.games.arena.standing import ROW_VALUES, SECRET_VALUE
from engine.games.arena.state import ROUNDS
from engine.games.arena.view import CellView, ColumnView, SeatView, View
from engine.kernel.newest import newest
from engine.kernel.prose import Say, plural, say, words
from engine.kernel.report import heading, pairs, paragraph, table

_MARK_FALLEN = "x"
_MARK_TURN = ">"
_FEW = 4


def worth(column: ColumnView) -> Mapping[str, int]:
    """Gold of the public tokens on a creature, by seat (HU p.4, p.6)."""
    totals: dict[str, int] = {}
    for cell, value in zip(column.rows, ROW_VALUES, strict=False):
        if cell.token:
            totals[cell.token] = totals.get(cell.token, 0) + value
    for name in column.revealed:
        totals[name] = totals.get(name, 0) + SECRET_VALUE
    return totals


def gold(view: View, name: str) -> int:
    """What a seat's public tokens on the living creatures are worth as it stands."""
    return _standings(view.columns, view.dead).get(name, 0)


@newest  # asked for each seat, and again for each reader
def _standings(columns: Mapping[str, ColumnView], dead: tuple[str, ...]) -> Mapping[str, int]:
    totals: dict[str, int] = {}
    for one, column in columns.items():
        if one not in dead:
            for name, value in worth(column).items():
                totals[name] = totals.get(name, 0) + value
    return totals


def alive(view: View) -> tuple[str, ...]:
    """The living creatures in the order of the row."""
    return tuple(name for name in view.creatures if name not in view.dead)


def board(view: View, lang: str) -> str:
    """The table of the arena with its legend, and what would happen at the next check."""
    row = 0 if view.ended else view.row
    return _arena(view.columns, view.creatures, (view.dead, view.order), row, lang)


@newest  # the letters of a turn show one arena
def _arena(
    columns: Mapping[str, ColumnView],
    creatures: tuple[str, ...],
    known: tuple[tuple[str, ...], tuple[str, ...]],
    row: int,
    lang: str,
) -> str:
    """`known`: who is dead, and the seats in turn order; `row` is 0 once the game is over."""
    dead, order = known
    aside = words(_round(row), lang) if row else ""
    rows = [*_heads(lang), *(_line(columns[name], name, name in dead, lang) for name in creatures)]
    cells = table(rows, "<<" + "<" * ROUNDS + "<<")
    parts = [heading(words(say("The arena"), lang), aside), cells, "", _legend(order, lang)]
    if row:
        living = [name for name in creatures if name not in dead]
        tops = {name: columns[name].rows[row - 1].top for name in living}
        parts += ["", paragraph(words(_danger(tops, row), lang))]
    return "\n".join(parts)


def _round(row: int) -> Say:
    return plural(
        "round {round} of {rounds}: a bet is worth {n} gold",
        "round {round} of {rounds}: a bet is worth {n} gold",
        ROW_VALUES[row - 1],
        round=row,
        rounds=ROUNDS,
    )


@lru_cache(maxsize=64)
def _heads(lang: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two lines above the creatures', which are always the same."""
    numbers = [words(say("row {row}", row=row), lang) for row in range(1, ROUNDS + 1)]
    values = [words(plural("{n} gold", "{n} gold", value), lang) for value in ROW_VALUES]
    secret = [words(say("secret"), lang), words(plural("{n} gold", "{n} gold", SECRET_VALUE), lang)]
    return ("", "", *numbers, secret[0], ""), ("", "", *values, secret[1], words(say("backer"), lang))


@lru_cache(maxsize=1024)
def _line(column: ColumnView, name: str, fallen: bool, lang: str) -> tuple[str, ...]:
    """A creature's line; most of a turn's lines are those of the turn before, and of the other seats' reports."""
    cells = [_cell(cell, lang) for cell in column.rows]
    blank = [""] * (ROUNDS - len(cells))
    revealed = " ".join(words(LETTERS[one], lang) for one in column.revealed)
    backer = words(seat(column.backer), lang) if column.backer and not fallen else ""
    return (_MARK_FALLEN if fallen else "", words(creature(name), lang), *cells, *blank, revealed, backer)


def _cell(cell: CellView, lang: str) -> str:
    strength = "-"
    if cell.top:
        strength = f"s{strength_of(cell.top)}" if is_spectator(cell.top) else str(strength_of(cell.top))
    token = words(LETTERS[cell.token], lang) if cell.token else ""
    return f"{strength:>3} {token}".rstrip()


@lru_cache(maxsize=64)
def _legend(order: tuple[str, ...], lang: str) -> str:
    """The letters of the tokens, and the other signs of the table."""
    tokens = tuple(say("{letter} {seat}", letter=LETTERS[name], seat=seat(name)) for name in order)
    return paragraph(words(say("{tokens}; s spectator, - no card, x fallen.", tokens=series(tokens)), lang))


def _danger(tops: Mapping[str, str], row: int) -> Say:
    """What the elimination check would say to the row as it lies, by its visible cards (HU p.9)."""
    bare = tuple(name for name, one in tops.items() if not one)
    if len(bare) > _FEW:
        return plural(
            "Nobody can fall yet: {n} creature has no card in row {row}.",
            "Nobody can fall yet: {n} creatures have no card in row {row}.",
            len(bare),
            row=row,
        )
    if bare:
        return plural(
            "Nobody can fall before the {creatures} has a card in row {row}.",
            "Nobody can fall before {creatures} have cards in row {row}.",
            len(bare),
            creatures=creatures(bare),
            row=row,
        )
    low = min(strength_of(one) for one in tops.values())
    lowest = tuple(name for name, one in tops.items() if strength_of(one) == low)
    if len(lowest) == 1:
        return say(
            "As the row lies, the {creature} falls: {low} is the one lowest strength.",
            creature=creature(lowest[0]),
            low=low,
        )
    return say(
        "As the row lies, nobody falls: {creatures} share the lowest strength, {low}.",
        creatures=creatures(lowest),
        low=low,
    )


def players(view: View, lang: str) -> str:
    """The players in turn order, with what everybody knows of them; at the end their places."""
    if view.ended:
        return _places(view, lang)
    above, head = _above_players(lang)
    rows = [head]
    rows += [(_MARK_TURN if name == view.seat else "", *_player(view, name, lang)) for name in view.order]
    lines = [above, table(rows, "<<>>>^>"), "", _piles(view.deck, view.discards, view.discard, lang)]
    if view.stalemate.began:
        lines.append(paragraph(words(stalemate(view), lang)))
    return "\n".join(lines)


@lru_cache(maxsize=64)
def _above_players(lang: str) -> tuple[str, tuple[str, ...]]:
    """The heading and the first line of the players' table, which are always the same."""
    head = (say("hand"), say("frozen"), say("tokens"), say("secret bet"), say("gold so far"))
    above = heading(words(say("The players"), lang), words(say("> whose turn it is"), lang))
    return above, ("", "", *(words(one, lang) for one in head))


def stalemate(view: View) -> Say:
    """What the stalemate variant adds to how things stand; only in a game that has begun with it."""
    began = say("{seat} began the round.", seat=seat(view.stalemate.began))
    if not view.stalemate.declared:
        return began
    return say("{began} {seat} has declared a stalemate.", began=began, seat=seat(view.stalemate.declared))


def _player(view: View, name: str, lang: str) -> tuple[str, ...]:
    known = view.seats[name]
    called = words(_called(view, name), lang)
    secret = _secret(view, name, known)
    hidden = words(secret, lang) if secret else ""
    if known.resigned:
        return called, "-", "", "", hidden, str(gold(view, name))
    frozen = str(known.frozen) if known.frozen else ""
    return called, str(known.hand), frozen, str(known.stock), hidden, str(gold(view, name))


def _secret(view: View, name: str, known: SeatView) -> Say | None:
    if not known.secret:
        return None
    if name == view.me:
        return card(view.own.secret)
    return say("hidden")


def title(view: View, name: str) -> Say:
    """A seat in a table or heading."""
    return say("{seat} (you)", seat=seat(name)) if name == view.me else seat(name)


def _called(view: View, name: str) -> Say:
    """A seat in a table that has no other place to say who has resigned."""
    if not view.seats[name].resigned:
        return title(view, name)
    if name == view.me:
        return say("{seat} (you, resigned)", seat=seat(name))
    return say("{seat} (resigned)", seat=seat(name))


@newest  # the letters of a turn show one pile
def _piles(deck: int, discards: int, discard: str, lang: str) -> str:
    pile = plural("{n} card in the pile.", "{n} cards in the pile.", deck)
    if not discards:
        return paragraph(words(say("{pile} No discards.", pile=pile), lang))
    thrown = plural(
        "{pile} {n} discard: {card}.",
        "{pile} {n} discards, {card} on top.",
        discards,
        pile=pile,
        card=card(discard),
    )
    return paragraph(words(thrown, lang))


def _places(view: View, lang: str) -> str:
    """The final table."""
    ranked = sorted(view.order, key=lambda name: view.seats[name].place)
    rows = [
        (
            f"{view.seats[name].place}.",
            words(
                plural(
                    "{seat}, {n} gold", "{seat}, {n} gold", view.seats[name].gold, seat=_called(view, name)
                ),
                lang,
            ),
        )
        for name in ranked
    ]
    said = [say("{seat} wins.", seat=seat(ranked[0])), *_why_so(view, ranked)]
    text = paragraph(" ".join(words(one, lang) for one in said))
    return "\n".join([heading(words(say("The result"), lang)), pairs(rows), "", text])


def _why_so(view: View, ranked: Sequence[str]) -> Iterator[Say]:
    """What the gold alone does not tell of the places (HU p.9, #57, #2.1)."""
    neighbours = [(view.seats[one], view.seats[other]) for one, other in pairwise(ranked)]
    if any(one.gold == other.gold and one.resigned == other.resigned for one, other in neighbours):
        yield say("Of players with equal gold, the one whose turn was most recent is ahead.")
    if any(one.resigned != other.resigned and one.gold <= other.gold for one, other in neighbours):
        yield say("Who has resigned comes after all others.")
