"""What changed hands since the reader's last report, and what everybody did in the turns of others.

Both are sums over the events; nothing is told here that the events do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from engine.games.cybertron import events as ev
from engine.games.cybertron.report_battle import Fight, place
from engine.games.cybertron.report_diary import fights_of
from engine.games.cybertron.report_names import series, title, upgrades, who, zone, zones
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, plural, say, words
from engine.kernel.report import by_turn, heading, pairs

_TWO = 2
Holder = str
"""A seat, or empty for nobody."""


class Change(msgspec.Struct, frozen=True):
    """A zone that went from one holder to another, nobody for a factory that is closed."""

    zone: str
    before: Holder
    after: Holder


def changes(events: tuple[Any, ...]) -> tuple[Change, ...]:
    """Zones whose holder is another than before, in the order in which they first changed."""
    first: dict[str, Holder] = {}
    last: dict[str, Holder] = {}
    for event in events:
        for one in _changed(event):
            first.setdefault(one.zone, one.before)
            last[one.zone] = one.after
    return tuple(Change(name, first[name], last[name]) for name in first if first[name] != last[name])


def _changed(event: Any) -> Iterator[Change]:
    match event:
        case ev.AttackEnded(seat, _, _, target, defender, "captured"):
            yield Change(target, defender, seat)
        case ev.ZoneGiven(seat, to, name):
            yield Change(name, seat, to)
        case ev.ZoneMorphed() if event.factory and event.opened:
            yield Change(event.factory, "", event.seat)
        case ev.FactoryClosed(seat, name):
            yield Change(name, seat, "")
        case _:
            return


def gains(view: View, events: tuple[Any, ...], lang: str) -> str:
    """For each seat the zones that it has gained and lost; empty if nothing changed hands.

    Between the reader and one other, his own row says it all.
    """
    found = changes(events)
    sides = {side for one in found for side in (one.before, one.after) if side}
    shown = (view.me,) if view.me in sides and len(sides) <= _TWO else view.order
    rows = [
        (words(title(name, view.me), lang), words(told, lang)) for name, told in _rows(view, found, shown)
    ]
    return f"{heading(words(say('Gained and lost'), lang))}\n{pairs(rows)}" if rows else ""


def _rows(view: View, found: tuple[Change, ...], shown: tuple[str, ...]) -> Iterator[tuple[str, Say]]:
    for name in shown:
        gained = _by_side(view, [(one.before, one.zone) for one in found if one.after == name], gained=True)
        lost = _by_side(view, [(one.after, one.zone) for one in found if one.before == name], gained=False)
        if gained and lost:
            yield name, say("gained {gained}; lost {lost}", gained=series(gained), lost=series(lost))
        elif gained:
            yield name, say("gained {gained}", gained=series(gained))
        elif lost:
            yield name, say("lost {lost}", lost=series(lost))


def _by_side(view: View, found: list[tuple[Holder, str]], *, gained: bool) -> list[Say]:
    """Zones by whom they came from or went to: `Kaon and Tarn from Megatron`."""
    told: list[Say] = []
    for side in dict.fromkeys(side for side, _ in found):
        names = zones(view.atlas, (name for other, name in found if other == side))
        if not side:
            told.append(series(names))
        elif gained:
            told.append(say("{zones} from {seat}", zones=names, seat=who(side, view.me)))
        else:
            told.append(say("{zones} to {seat}", zones=names, seat=who(side, view.me)))
    return told


class Answers(msgspec.Struct):
    """What a seat did when others attacked it: dice by roll, and what else the table saw."""

    rolls: int = 0
    both: int = 0
    leader: int = 0
    parries: int = 0
    cards: list[str] = msgspec.field(default_factory=list[str])
    refuges: list[str] = msgspec.field(default_factory=list[str])


def answers(view: View, events: tuple[Any, ...], lang: str) -> str:
    """What each seat's standing orders did when others attacked; empty if nobody was attacked."""
    found = _answers(view, events)
    rows = [
        (words(title(name, view.me), lang), words(series(_told(view, found[name])), lang))
        for name in view.order
        if name in found
    ]
    what = say("How everybody answered attacks") if view.ask else say("What standing orders did")
    return f"{heading(words(what, lang))}\n{pairs(rows)}" if rows else ""


def _answers(view: View, events: tuple[Any, ...]) -> Mapping[str, Answers]:
    found: dict[str, Answers] = {}
    for turn in by_turn(events, ev.TurnBegan):
        for fight in fights_of(turn, view):
            defender = place(view, fight)[2]
            if defender:
                _count(found.setdefault(defender, Answers()), fight, defender)
    return {name: one for name, one in found.items() if one.rolls or one.cards}


def _count(one: Answers, fight: Fight, defender: str) -> None:
    for roll in fight.rolls:
        one.rolls += 1
        one.both += len(roll.defence) > 1
        one.leader += roll.defending_leader
        one.parries += sum(1 for compared in roll.compared if compared.parry)
    one.cards += [card.card for card in fight.cards if card.seat == defender]
    one.refuges += [
        fate.target for fate in fight.fates if isinstance(fate, ev.LeaderFled) and fate.seat == defender
    ]


def _told(view: View, one: Answers) -> Iterator[Say]:
    if one.rolls:
        how = series(_dice(one))
        yield plural("defended in {n} roll {how}", "defended in {n} rolls, {how}", one.rolls, how=how)
    if one.cards:
        yield say("played {cards}", cards=upgrades(view, one.cards))
    if one.parries:
        yield plural("used the +1 once", "used the +1 {n} times", one.parries)
    if one.refuges:
        yield say("fled to {zones}", zones=tuple(zone(view.atlas, name) for name in one.refuges))


def _dice(one: Answers) -> Iterator[Say]:
    """With how many dice, and whether the leader was among those who fought."""
    if not one.both:
        yield say("with 1 die")
    elif one.both == one.rolls:
        yield say("with 2 dice")
    else:
        yield plural("with 2 dice in {n} of them", "with 2 dice in {n} of them", one.both)
    if one.leader == one.rolls:
        yield say("the leader taking part")
    elif one.leader:
        yield plural("the leader in {n} of them", "the leader in {n} of them", one.leader)
