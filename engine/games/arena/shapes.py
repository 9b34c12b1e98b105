"""The arena as a picture: creatures in lines, rounds in columns, then the players, the viewer's cards, the piles.

Made from a View and the events that its seat has heard; it can't see a State. The dead are grey and struck out,
what changed since the last letter has a frame of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.arena import events
from engine.games.arena.cards import creature_of, is_spectator, strength_of
from engine.games.arena.report_board import alive, gold, stalemate, title
from engine.games.arena.report_names import SEATS, creature, series
from engine.games.arena.shapes_parts import (
    PALETTE,
    called,
    face,
    is_blank,
    left,
    long_card,
    pip,
    token,
)
from engine.games.arena.standing import ROW_VALUES, SECRET_VALUE
from engine.games.arena.state import ROUNDS, ToKeep
from engine.games.arena.view import CellView, ColumnView, View
from engine.kernel.prose import Say, plural, say
from engine.kernel.shapes import WIDTH, Group, Mark, Part, Picture, Rect, Stroke, Text, number

EDGE = 16
TOP = 128
LINE = 76
CELLS = 148
CELL = 84
SECRETS = CELLS + ROUNDS * CELL + 36
"""The middle of the column of secret bets."""
BACKERS = SECRETS + 72
SEAT_LINE = 44
CARD_LINE = 64
CARDS_A_LINE = 4

Cells = frozenset[tuple[str, int]]


def shapes(view: View, news: tuple[Any, ...] = (), /) -> Picture:
    """The picture of a view."""
    changed = _changed(news)
    bottom: float = TOP + LINE * len(view.creatures)
    groups = [_heading(view), _arena(view, changed)]
    for section in (_players, _titan, _hand, _piles, _stalemate):
        group, bottom = section(view, bottom)
        groups += [group] if group.parts else []
    if changed:
        groups.append(_legend(bottom))
        bottom += 36
    return Picture(say("Colossal Arena"), _about(view), bottom + EDGE, PALETTE, tuple(groups))


def _changed(news: tuple[Any, ...]) -> Cells:
    """Cells in which something happened."""
    found: set[tuple[str, int]] = set()
    for event in news:
        match event:
            case events.CardPlayed() | events.CardUncovered() | events.CardLifted() | events.BetPlaced():
                found.add((event.creature, event.row))
            case events.TokenTakenBack() if event.row:
                found.add((event.creature, event.row))
            case events.CardTaken() if creature_of(event.card):
                found.add((creature_of(event.card), event.row))
            case events.CardsSwapped():
                found.update((event.creature, row) for row in event.rows)
            case _:
                pass
    return frozenset(found)


def _about(view: View) -> Say:
    fallen = plural("{n} creature has fallen", "{n} creatures have fallen", len(view.dead))
    if view.ended:
        return say("The arena at the end: {fallen}.", fallen=fallen)
    return say("Round {row} of {rounds}: {fallen}.", row=view.row, rounds=ROUNDS, fallen=fallen)


def _heading(view: View) -> Group:
    """What time it is in the game."""
    worth = plural("a bet is worth {n} gold", "a bet is worth {n} gold", ROW_VALUES[view.row - 1])
    turn = say("turn {turn}: {seat}", turn=view.turn, seat=SEATS[view.seat])
    if view.ended:
        first = next((seat for seat in view.order if view.seats[seat].place == 1), view.seat)
        worth, turn = say("turn {turn}", turn=view.turn), say("{seat} wins", seat=SEATS[first])
    what = say("Game over") if view.ended else say("Round {row} of {rounds}", row=view.row, rounds=ROUNDS)
    parts = (
        Text(EDGE, 36, what, 230, 32, bold=True, anchor="start"),
        Text(262, 38, worth, 230, 22, anchor="start", fill="faint"),
        Text(WIDTH - EDGE, 38, turn, 200, 24, bold=True, anchor="end"),
    )
    return Group(what, parts)


def _arena(view: View, changed: Cells) -> Group:
    """The creatures with their cards and bets."""
    rows = tuple(say("row {row}", row=row) for row in range(1, ROUNDS + 1))
    worth = [plural("{n} gold", "{n} gold", value) for value in ROW_VALUES]
    secret, backer = say("secret"), say("backer")
    parts: list[Part] = []
    if not view.ended:
        now = CELLS + CELL * (view.row - 1)
        parts.append(Rect(now, TOP - 60, CELL, LINE * len(view.creatures) + 62, "now", round=8))
    for place, row in enumerate(rows):
        middle = CELLS + CELL * place + CELL / 2
        parts.append(Text(middle, TOP - 44, row, CELL - 8, bold=True))
        parts.append(Text(middle, TOP - 18, worth[place], CELL - 8, fill="faint"))
    parts.append(Text(SECRETS, TOP - 44, secret, 68, bold=True))
    parts.append(Text(SECRETS, TOP - 18, plural("{n} gold", "{n} gold", SECRET_VALUE), 66, fill="faint"))
    parts.append(Text(BACKERS, TOP - 44, backer, 72, bold=True))
    falling = _falling(view)
    for place, name in enumerate(view.creatures):
        parts.append(_line(view, name, TOP + LINE * place, (changed, name == falling)))
    head = (say("creature"), *rows, secret, backer)
    return Group(say("The arena"), tuple(parts), head)


def _falling(view: View) -> str:
    """The creature that falls as the row lies; empty if none, or if nobody can tell."""
    tops: dict[str, int] = {}
    for name in () if view.ended else alive(view):
        cells = view.columns[name].rows[view.row - 1 : view.row]
        if not cells or not cells[0].top or is_blank(cells[0].top):
            return ""
        tops[name] = strength_of(cells[0].top)
    lowest = [name for name, strength in tops.items() if strength == min(tops.values())]
    return lowest[0] if len(lowest) == 1 else ""


def _line(view: View, name: str, y: float, told: tuple[Cells, bool]) -> Group:
    """A creature: its name and fate, its cells, the secret bets on it, its backer."""
    changed, falls = told
    column, fallen = view.columns[name], name in view.dead
    parts: list[Part] = [Stroke(((EDGE, y + LINE), (WIDTH - EDGE, y + LINE)), "line", wide=1)]
    if fallen:
        parts.append(Rect(EDGE - 6, y + 3, WIDTH - 2 * EDGE + 12, LINE - 5, "dead", round=8))
    parts += _name(view, name, y, falls)
    for place, cell in enumerate(column.rows):
        frame = "new" if (name, place + 1) in changed else "line"
        if falls and place + 1 == view.row:
            frame = "alert"
        parts += _cell(cell, (CELLS + CELL * place, y), (frame, fallen))
    if fallen and (rest := ROUNDS - len(column.rows)):
        parts.append(Rect(CELLS + CELL * len(column.rows) + 6, y + 10, CELL * rest - 12, 56, hatch="line"))
    parts += _bets(view, name, y)
    if column.backer and not fallen:
        parts += token(column.backer, BACKERS, y + LINE / 2, 17)
    return Group(_fate(view, name, falls), tuple(parts), row=_row(view, name, falls), of=name)


def _fate(view: View, name: str, falls: bool) -> Say:
    if name in view.dead:
        row = view.dead.index(name) + 1
        return say("{creature}, fallen in row {row}", creature=creature(name), row=row)
    return say("{creature}, falls next", creature=creature(name)) if falls else creature(name)


def _name(view: View, name: str, y: float, falls: bool) -> Iterator[Part]:
    fallen = name in view.dead
    fate = view.dead.index(name) + 1 if fallen else 0
    high = y + (26 if fallen or falls else LINE / 2)
    ink = "faint" if fallen else "ink"
    yield Text(EDGE + 2, high, creature(name), 130, 24, bold=True, anchor="start", fill=ink)
    if fallen:
        yield Stroke(((EDGE, high), (EDGE + 122, high)), "faint", wide=2)
        yield Text(EDGE + 2, y + 54, say("fell in row {row}", row=fate), 130, anchor="start", fill="faint")
    elif falls:
        yield Text(EDGE + 2, y + 54, say("▼ falls next"), 130, bold=True, anchor="start", fill="alert")


def _cell(cell: CellView, at: tuple[float, float], look: tuple[str, bool]) -> Iterator[Part]:
    """A cell: the cards beneath as edges and a number, the visible card, the token beside it."""
    (x, y), (frame, faded) = at, look
    for depth in range(min(cell.covered, 2), 0, -1):
        yield Rect(x + 4 + 4 * depth, y + 8 - 3 * depth, 46, 60, "bones" if faded else "card", "line", 1.5, 7)
    if cell.top:
        yield Group(called(cell.top), face(cell.top, x + 4, y + 7, frame, faded=faded), of=cell.top)
    else:
        yield Rect(x + 4, y + 7, 46, 64, line=frame, wide=2 if frame == "line" else 4, round=7, dash="dashed")
    if cell.token:
        yield from token(cell.token, x + 67, y + 30, faded=faded)
    if cell.covered:
        ink = "faint" if faded else "ink"
        yield Text(x + 68, y + 61, _beneath(cell.covered), 28, fill=ink)


def _beneath(cards: int) -> Say:
    return say("+{n}", n=cards) if cards < 10 else number(cards)


def _bets(view: View, name: str, y: float) -> Iterator[Part]:
    """Revealed secret bets, and the viewer's own hidden one in a dashed ring."""
    column, fallen = view.columns[name], name in view.dead
    mine = view.own.secret
    hidden = [view.me] if mine and not is_blank(mine) and creature_of(mine) == name else []
    seats = [*column.revealed, *hidden]
    for place, seat in enumerate(seats):
        lone = len(seats) == 1
        x = SECRETS + (0 if lone else 32 * (place % 2) - 16)
        high = y + (LINE / 2 if len(seats) <= 2 else 14 + 24 * (place // 2))
        yield from token(seat, x, high, 13 if len(seats) <= 2 else 11, faded=fallen)
        if place >= len(column.revealed):
            yield Mark(x, high, 20 if len(seats) <= 2 else 12, line="edge", wide=1.5, dash="dashed")


def _row(view: View, name: str, falls: bool) -> tuple[Say, ...]:
    """The line in words, for the table."""
    column = view.columns[name]
    cells = [_cell_words(cell) for cell in column.rows]
    blank = [say("-")] * (ROUNDS - len(cells))
    backer = SEATS[column.backer] if column.backer and name not in view.dead else say("-")
    return _fate(view, name, falls), *cells, *blank, _secret_words(view, column, name), backer


def _cell_words(cell: CellView) -> Say:
    what = say("no card")
    if cell.top:
        plain = not is_blank(cell.top) and not is_spectator(cell.top)
        what = number(strength_of(cell.top)) if plain else called(cell.top)
    if cell.covered:
        what = plural("{card} on {n} card", "{card} on {n} cards", cell.covered, card=what)
    return say("{card}, bet: {seat}", card=what, seat=SEATS[cell.token]) if cell.token else what


def _secret_words(view: View, column: ColumnView, name: str) -> Say:
    bets = [SEATS[seat] for seat in column.revealed]
    mine = view.own.secret
    if mine and not is_blank(mine) and creature_of(mine) == name:
        bets.append(say("{seat}, hidden", seat=SEATS[view.me]))
    return series(tuple(bets)) if bets else say("-")


def _players(view: View, top: float) -> tuple[Group, float]:
    """The players in turn order, with what everybody knows of them."""
    head = (say("Players"), say("hand"), say("tokens"), say("secret bet"), say("gold so far"))
    if view.ended:
        head = (*head[:4], say("gold"))
    middles = (290, 405, 520, 645)
    parts: list[Part] = [Text(EDGE, top + 34, head[0], 200, 24, bold=True, anchor="start")]
    for words, x in zip(head[1:], middles, strict=True):
        parts.append(Text(x, top + 36, words, 118, fill="faint"))
    at = top + 56
    for seat in sorted(view.order, key=lambda seat: view.seats[seat].place):
        parts.append(_player(view, seat, at))
        at += SEAT_LINE
    return Group(say("The players"), tuple(parts), head), at


def _player(view: View, seat: str, y: float) -> Group:
    known, middle = view.seats[seat], y + SEAT_LINE / 2
    worth = number(known.gold if view.ended else gold(view, seat))
    name = title(view, seat)
    parts: list[Part] = []
    if not view.ended and seat == view.seat:
        parts.append(Rect(EDGE - 6, y + 2, WIDTH - 2 * EDGE + 12, SEAT_LINE - 4, "now", round=8))
        parts.append(Text(EDGE + 8, middle, say("▶"), 20))
    if view.ended:
        parts.append(Text(EDGE + 8, middle, say("{place}.", place=known.place), 28, 22, bold=True))
    parts += token(seat, EDGE + 40, middle, 14, faded=known.resigned)
    ink = "faint" if known.resigned else "ink"
    parts.append(Text(EDGE + 64, middle, name, 154, 24, bold=seat == view.me, anchor="start", fill=ink))
    parts.append(Text(645, middle, worth, 100, 26, bold=True, fill=ink))
    secret = say("hidden") if known.secret else say("none")
    if known.resigned:
        parts.append(Text(345, middle, say("resigned"), 200, 22, fill="faint"))
        parts.append(Text(520, middle, secret, 110, 22, fill="faint"))
        return Group(name, tuple(parts), row=(name, say("resigned"), say("-"), secret, worth), of=seat)
    hand = number(known.hand)
    if known.frozen:
        hand = say("{hand} + {frozen} frozen", hand=known.hand, frozen=known.frozen)
    parts.append(Text(290, middle, hand, 130, 22))
    if not known.stock:
        parts.append(Text(405, middle, say("none"), 110, 22))
    parts += (pip(seat, 405 + 21 * (place - (known.stock - 1) / 2), middle) for place in range(known.stock))
    parts.append(Text(520, middle, secret, 110, 22))
    return Group(name, tuple(parts), row=(name, hand, number(known.stock), secret, worth), of=seat)


def _titan(view: View, top: float) -> tuple[Group, float]:
    """The three cards of a Titan's question, for the two who see them."""
    cards = tuple(card for task in view.agenda if isinstance(task, ToKeep) for card in task.cards)
    return _cards(view, say("The Titan's choice"), (cards, ()), top)


def _hand(view: View, top: float) -> tuple[Group, float]:
    """The viewer's own cards, those that are frozen last and dashed."""
    group, bottom = _cards(view, say("Your cards"), (view.own.hand, view.own.frozen), top)
    if not view.own.secret:
        return group, bottom
    bet = say("Your secret bet lies on {card}.", card=called(view.own.secret))
    line = Text(EDGE, bottom + 18, bet, WIDTH - 2 * EDGE, 22, anchor="start")
    return Group(group.title, (*group.parts, Group(bet, (line,), row=(bet,))), (say("card"),)), bottom + 36


def _cards(
    view: View, what: Say, cards: tuple[tuple[str, ...], tuple[str, ...]], top: float
) -> tuple[Group, float]:
    open_, frozen = cards
    if not open_ and not frozen:
        return Group(what, ()), top
    parts: list[Part] = [Text(EDGE, top + 30, what, 400, 24, bold=True, anchor="start")]
    for place, name in enumerate((*open_, *frozen)):
        line, column = divmod(place, CARDS_A_LINE)
        at = (EDGE + 174 * column, top + 50 + CARD_LINE * line)
        words = say("{card}, frozen", card=called(name)) if place >= len(open_) else called(name)
        useless = not is_blank(name) and creature_of(name) in view.dead
        drawn = long_card(name, *at, faded=useless, frozen=place >= len(open_))
        parts.append(Group(words, drawn, row=(words,), of=name))
    lines = -(-(len(open_) + len(frozen)) // CARDS_A_LINE)
    return Group(what, tuple(parts), (say("card"),)), top + 50 + CARD_LINE * lines


def _piles(view: View, top: float) -> tuple[Group, float]:
    """The pile from which cards are drawn, and the discards with their visible card."""
    pile = plural("{n} card in the pile", "{n} cards in the pile", view.deck)
    thrown = plural("{n} discard", "{n} discards", view.discards)
    if view.discard:
        thrown = plural(
            "{n} discard, {card} on top",
            "{n} discards, {card} on top",
            view.discards,
            card=called(view.discard),
        )
    y = top + 40
    drawn = (_pile(EDGE, y, "back", view.deck), _pile(300, y, "card", view.discards))
    words = (left(EDGE + 36, y, pile, 230, 22), left(336, y, thrown, 366, 22))
    rows = (Group(pile, (), row=(pile,)), Group(thrown, (), row=(thrown,)))
    return Group(say("The piles"), (*drawn, *words, *rows), (say("pile"),)), top + 66


def _stalemate(view: View, top: float) -> tuple[Group, float]:
    """In a game with the stalemate variant: who began the round, and who has declared a stalemate (FAQ)."""
    what = say("The stalemate variant")
    if not view.stalemate.began or view.ended:
        return Group(what, ()), top
    told = stalemate(view)
    y = top + 24
    declared = bool(view.stalemate.declared)
    parts: list[Part] = [left(EDGE + 36, y, told, WIDTH - 2 * EDGE - 36, 22)]
    if declared:
        parts += token(view.stalemate.declared, EDGE + 13, y, 13)
    return Group(what, (*parts, Group(told, (), row=(told,))), (say("stalemate"),)), top + 48


def _pile(x: float, y: float, fill: str, cards: int) -> Rect:
    return Rect(x, y - 17, 26, 34, fill if cards else "", "line", 1.5, 4, dash="" if cards else "dashed")


def _legend(top: float) -> Group:
    words = say("This frame: changed since your last letter.")
    parts = (Rect(EDGE + 2, top + 6, 22, 24, "card", "new", 4, 5), left(EDGE + 36, top + 18, words, 500))
    return Group(words, parts)
