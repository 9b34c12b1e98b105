"""The reader's hand, and what he may do now, in words. Made from a View alone; the menu says it in full."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import assert_never

from engine.games.arena.cards import REFEREES, creature_of, is_spectator, strength_of
from engine.games.arena.menu import powers_in_reach
from engine.games.arena.report_board import alive
from engine.games.arena.report_names import card, cards, creature, creature_series, seat
from engine.games.arena.standing import ROW_VALUES, SECRET_VALUE, row_for_a_pile
from engine.games.arena.state import (
    HAND,
    Task,
    ToBet,
    ToDiscard,
    ToEnd,
    ToGive,
    ToKeep,
    ToObject,
    ToPlay,
    ToPlayAgain,
    open_tasks,
)
from engine.games.arena.view import View
from engine.kernel.prose import Say, listing, plural, say, words
from engine.kernel.report import TIED, heading, pairs, paragraph


def hand(view: View, lang: str) -> str:
    """The reader's cards, by what they are good for."""
    return _hand(view.own.hand, view.own.frozen, view.own.secret, view.dead, lang)


@lru_cache(maxsize=1024)  # in others' turns it mostly stays as it was
def _hand(
    own: tuple[str, ...], cards_frozen: tuple[str, ...], secret: str, dead: tuple[str, ...], lang: str
) -> str:
    fighters = [one for one in own if creature_of(one)]
    groups = [
        (say("playable"), _strengths([one for one in fighters if creature_of(one) not in dead], lang)),
        (say("of the fallen"), _strengths([one for one in fighters if creature_of(one) in dead], lang)),
        (say("spectators"), ", ".join(str(strength_of(one)) for one in own if is_spectator(one))),
        (say("referees"), ", ".join(words(card(one), lang) for one in own if one in REFEREES)),
        (say("frozen"), listing(cards(cards_frozen), lang) if cards_frozen else ""),
        (say("secret bet"), words(card(secret), lang) if secret else ""),
    ]
    rows = [(words(label, lang), text) for label, text in groups if text]
    title = heading(words(say("Your hand"), lang), words(plural("{n} card", "{n} cards", len(own)), lang))
    return f"{title}\n{pairs(rows) or words(say('You hold nothing.'), lang)}"


def _strengths(fighters: list[str], lang: str) -> str:
    """Combat cards with those of one creature together: `Amazon 3, 7; Troll 0`."""
    groups = [
        (words(creature(name), lang), f",{TIED}".join(str(strength_of(one)) for one in same))
        for name, same in groupby(fighters, key=creature_of)
    ]
    return "; ".join(f"{name}{TIED}{strengths}" for name, strengths in groups)


def moves(view: View, lang: str) -> str:
    """What the reader may do now, or whom the game waits for."""
    if view.ended:
        return ""
    open_to_all = open_tasks(view.agenda)
    mine = [task for task in open_to_all if task.seat == view.me]
    if not mine:
        title = heading(words(say("Whose move"), lang))
        waits = " ".join(words(_waits(view, task), lang) for task in open_to_all)
        return f"{title}\n{paragraph(waits)}"
    rows = [(words(label, lang), words(text, lang)) for label, text in _choices(view, mine[0], lang)]
    return f"{heading(words(say('What you may do'), lang))}\n{pairs(rows)}"


def _waits(view: View, task: Task) -> Say:
    name = seat(task.seat)
    match task:
        case ToBet():
            return say("It is {seat}'s move.", seat=name)
        case ToPlay() | ToDiscard() | ToEnd() | ToPlayAgain():
            return say("{seat} is in the middle of a turn.", seat=name)
        case ToKeep():
            return say("{seat} is choosing one of three cards.", seat=name)
        case ToGive(_, taker, wanted):
            told = say("you") if taker == view.me else seat(taker)
            return say(
                "{seat} owes {taker} a card of the {creature}.",
                seat=name,
                taker=told,
                creature=creature(wanted),
            )
        case ToObject():
            return say("{seat} may object to a stalemate.", seat=name)
        case _:
            assert_never(task)


def _choices(view: View, task: Task, lang: str) -> Iterator[tuple[Say, Say]]:
    match task:
        case ToBet():
            yield from _bets(view, lang)
            yield from _plays(view, lang)
            yield from _discards(view, lang)
            yield _end(view)
            yield from _declaration(view)
        case ToPlay():
            yield from _plays(view, lang)
            yield from _discards(view, lang)
            yield _end(view)
            yield from _declaration(view)
        case ToPlayAgain():
            yield from _second_plays(view, lang)
            yield from _discards(view, lang)
            yield _end(view)
            yield from _declaration(view)
        case ToKeep(_, victim, three):
            yield (
                say("keep"),
                say("one of {cards}; {seat} gets the others back", cards=cards(three), seat=seat(victim)),
            )
        case ToGive(_, taker, wanted):
            yield from _gifts(view, taker, wanted)
        case ToDiscard():
            yield from _discards(view, lang)
            yield _end(view)
            yield from _declaration(view)
        case ToEnd():
            yield _end(view)
            yield from _declaration(view)
        case ToObject():
            declarer = seat(view.stalemate.declared)
            yield say("accept"), say("{seat}'s stalemate; it comes if nobody objects", seat=declarer)
            yield say("object"), say("there is no stalemate, and the game goes on as it is")
        case _:
            assert_never(task)


def _bets(view: View, lang: str) -> Iterator[tuple[Say, Say]]:
    mine = view.seats[view.me]
    free = tuple(name for name in alive(view) if not view.columns[name].rows[view.row - 1].token)
    if mine.stock and free:
        yield (
            say("bet"),
            plural(
                "{n} gold on: {creatures}",
                "{n} gold on: {creatures}",
                ROW_VALUES[view.row - 1],
                creatures=creature_series(free, lang),
            ),
        )
    if mine.secret:
        yield say("reveal bet"), say("show your secret bet, {card}", card=card(view.own.secret))
    elif view.row == 1 and mine.stock and not _has_revealed(view) and any(map(creature_of, view.own.hand)):
        yield (
            say("secret bet"),
            say("{gold} gold, a combat card face down; you then play no card", gold=SECRET_VALUE),
        )


def _has_revealed(view: View) -> bool:
    return any(view.me in column.revealed for column in view.columns.values())


def _plays(view: View, lang: str) -> Iterator[tuple[Say, Say]]:
    if not _is_playable(view):
        yield say("show hand"), say("nothing in your hand can be played; pass by showing it to all")
        return
    yield from _cards_to_play(view, lang)


def _second_plays(view: View, lang: str) -> Iterator[tuple[Say, Say]]:
    """An Ettin's second card. It may be declined, so there is nothing to pass (HU p.11, #25)."""
    if not _is_playable(view):
        yield say("Ettin"), say("nothing in your hand can be played as a second card; go on without")
        return
    yield say("Ettin"), say("you may play a second card, or go on")
    yield from _cards_to_play(view, lang)


def _is_playable(view: View) -> bool:
    return any(creature_of(one) not in view.dead for one in view.own.hand)


def _cards_to_play(view: View, lang: str) -> Iterator[tuple[Say, Say]]:
    own = view.own.hand
    fighters = [one for one in own if creature_of(one) and creature_of(one) not in view.dead]
    spectators = ", ".join(str(strength_of(one)) for one in own if is_spectator(one))
    referees = tuple(card(one) for one in own if one in REFEREES)
    parts: list[Say] = []
    if fighters:
        parts.append(say("{cards}", cards=_strengths(fighters, lang)))
    if spectators:
        parts.append(say("spectator {strengths} on any living creature", strengths=spectators))
    if referees:
        parts.append(say("{cards}", cards=referees))
    yield say("play"), say("{cards}", cards="; ".join(words(part, lang) for part in parts))
    yield from _powers(view, {creature_of(one) for one in fighters}, lang)


def _powers(view: View, held: set[str], lang: str) -> Iterator[tuple[Say, Say]]:
    """The powers of what the reader backs and holds: those that he may use now, and why not the others."""
    backed = tuple(name for name in alive(view) if name in held and view.columns[name].backer == view.me)
    asleep = tuple(name for name in backed if _under_spectator(view, name))
    usable = powers_in_reach(view)
    idle = tuple(name for name in backed if name not in usable and name not in asleep)
    if usable:
        yield (
            say("powers"),
            say("you are the backer of: {creatures}", creatures=creature_series(usable, lang)),
        )
    if idle:
        yield say("no power"), say("cannot be used now: {creatures}", creatures=creature_series(idle, lang))
    if asleep:
        yield (
            say("asleep"),
            say("no power, under a spectator: {creatures}", creatures=creature_series(asleep, lang)),
        )


def _under_spectator(view: View, name: str) -> bool:
    top = view.columns[name].rows[view.row - 1].top
    return bool(top) and is_spectator(top)


def _discards(view: View, lang: str) -> Iterator[tuple[Say, Say]]:
    magus = any(isinstance(task, ToDiscard) and task.magus for task in view.agenda)
    some = [one for one in view.own.hand if creature_of(one) and (magus or creature_of(one) in view.dead)]
    if some:
        yield say("discard"), say("up to three of {cards}", cards=_strengths(some, lang))


def _end(view: View) -> tuple[Say, Say]:
    if view.stalemate.began and not view.deck:
        return say("end turn"), say("there is no card to draw")
    if view.stalemate.count:
        return say("end turn"), say("you draw one card, if you hold less than {n}", n=HAND)
    return say("end turn"), say("you fill your hand to {n}", n=HAND)


def _declaration(view: View) -> Iterator[tuple[Say, Say]]:
    """The declaration of a stalemate, where it can be made (FAQ)."""
    now = view.stalemate
    filled = [
        any(len(column.rows) >= row and column.rows[row - 1].top for column in view.columns.values())
        for row in range(1, view.row + 1)
    ]
    if now.began and not now.declared and not view.deck and row_for_a_pile(filled, now.again):
        yield say("stalemate"), say("declare one, since the pile is empty; the others may object")


def _gifts(view: View, taker: str, wanted: str) -> Iterator[tuple[Say, Say]]:
    some = tuple(one for one in view.own.hand if creature_of(one) == wanted)
    if some:
        yield say("give"), say("{taker} one of {cards}", taker=seat(taker), cards=cards(some))
    else:
        yield (
            say("show hand"),
            say(
                "you have no card of the {creature}; {taker} sees your hand",
                creature=creature(wanted),
                taker=seat(taker),
            ),
        )
