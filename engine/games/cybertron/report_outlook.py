"""What lies ahead of the reader: his next income, threats at his borders, his cards. Made from a View alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from engine.games.cybertron.deck import (
    BLANK,
    BackUpMove,
    DieBonus,
    DieSize,
    Effect,
    ExtraRobots,
    LeaderReturn,
    LimitDefenders,
    MultiplyBonus,
    Upgrade,
)
from engine.games.cybertron.orders import Form
from engine.games.cybertron.report_board import has_leader, holding, holding_of, mates, pieces
from engine.games.cybertron.report_events import income
from engine.games.cybertron.report_names import named, seat, sector, series_called, zone, zone_called
from engine.games.cybertron.view import View, ZoneView
from engine.kernel.prose import Say, plural, say, words
from engine.kernel.report import heading, pairs, paragraph

_FRONTS = 8
"""Borders that are told; the others are counted."""
_NEARLY = 2
"""Zones that may be missing in a sector for it to be told."""
FIGHTER = "megatron"
"""Who attacks from afar in vehicle form (FI p.14)."""


def prospects(view: View, lang: str) -> str:
    """The reader's next income as it stands, with the sectors of which he nearly has all."""
    sentences = [_income(view), *_nearly(view)]
    lines = [paragraph(words(one, lang)) for one in sentences]
    return "\n".join([heading(words(say("Your next income, as it stands"), lang)), *lines])


def _income(view: View) -> Say:
    given = view.seats[view.me].income
    if not given.zones:
        return say("Nothing: you hold no zone.")
    return say("{income}.", income=income(view, given))


def _nearly(view: View) -> Iterator[Say]:
    for one in view.atlas.board.sectors:
        own = [view.atlas.ids[place] for place in view.atlas.sectors[one.id]]
        missing = [name for name in own if name in view.zones and view.zones[name].seat != view.me]
        if 0 < len(missing) <= _NEARLY and len(missing) < len(own):
            yield plural(
                "For the whole of {sector} (+{bonus}) you lack {zones}.",
                "For the whole of {sector} (+{bonus}) you lack {zones}.",
                len(missing),
                sector=sector(view.atlas, one.id),
                bonus=one.bonus,
                zones=tuple(_held(view, name) for name in missing),
            )


def _held(view: View, name: str) -> Say:
    """A zone with what stands there, written as on the map: `Kaon M12r`."""
    return say("{zone}\u00a0{holding}", zone=zone(view.atlas, name), holding=holding(view, name))


def _held_called(view: View, name: str, lang: str) -> str:
    here, called = view.zones[name], zone_called(view.atlas, name, lang)
    form = view.seats[here.seat].form if has_leader(view, name) else None
    return _held_words(called, here, form, lang)


@lru_cache(maxsize=4096)
def _held_words(called: str, here: ZoneView, form: Form | None, lang: str) -> str:
    held = holding_of(here.seat, here.robots, form)
    return words(say("{zone}\u00a0{holding}", zone=called, holding=held), lang)


def threats(view: View, lang: str) -> str:
    """The reader's zones that can be attacked, those in the greatest danger first; with what lies against them."""
    fronts = sorted(_fronts(view), key=lambda front: -front[0])
    rows = [
        (_held_called(view, name, lang), series_called((_held_called(view, one, lang) for one in foes), lang))
        for _, name, foes in fronts[:_FRONTS]
    ]
    lines = [heading(words(say("Threats at your borders"), lang))]
    lines.append(pairs(rows) if rows else paragraph(words(say("No enemy beside you can attack."), lang)))
    rest = len(fronts) - _FRONTS
    if rest > 0:
        more = plural("And {n} more border in less danger.", "And {n} more borders in less danger.", rest)
        lines.append(paragraph(words(more, lang), "  "))
    lines += [paragraph(words(one, lang), "  ") for one in _from_afar(view)]
    return "\n".join(lines)


def _fronts(view: View) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """By how much the attackers outnumber a zone, the zone, and the zones from which it can be attacked."""
    atlas, friends = view.atlas, mates(view, view.me)
    links = atlas.links(view.opened)
    for name in atlas.ids:
        if name not in view.zones or view.zones[name].seat != view.me:
            continue
        near = (atlas.ids[place] for place in links[atlas.place[name]])
        foes = [one for one in near if one in view.zones and _may_attack(view, one, friends)]
        if foes:
            foes.sort(key=lambda one: -pieces(view, one))
            strength = sum(pieces(view, one) - 1 for one in foes)
            yield strength - pieces(view, name), name, tuple(foes)


def _may_attack(view: View, name: str, friends: tuple[str, ...]) -> bool:
    holder = view.zones[name].seat
    return (
        bool(holder) and holder not in friends and pieces(view, name) > 1 and not view.seats[holder].resigned
    )


def _from_afar(view: View) -> Iterator[Say]:
    """Megatron as a space fighter can reach any zone (FI p.14)."""
    known = view.seats.get(FIGHTER)
    if known is None or FIGHTER in mates(view, view.me) or known.form != "vehicle" or known.resigned:
        return
    if known.leader and pieces(view, known.leader) > 1:
        yield say("{seat} is a space fighter, and can attack any zone.", seat=seat(FIGHTER))


def hand(view: View, lang: str) -> str:
    """The reader's cards, each with what it does and when it can be played."""
    own = view.own.hand
    count = words(plural("{n} card", "{n} cards", len(own)), lang)
    rows = [(card, words(_card(view, card), lang)) for card in own if not card.startswith(BLANK)]
    blanks = len(own) - len(rows)
    lines = [heading(words(say("Your cards"), lang), count)]
    lines += [pairs(rows)] if rows else []
    if blanks:
        unseen = plural("And {n} card not seen yet.", "And {n} cards not seen yet.", blanks)
        lines.append(paragraph(words(unseen, lang), "  "))
    if not own:
        lines.append(paragraph(words(say("You hold no card. Who captures a zone draws a card."), lang)))
    return "\n".join(lines)


def _card(view: View, card: str) -> Say:
    power = view.catalogue.upgrade(card)
    told = say(
        "{name} ({when}): {effect}", name=named(power.name), when=when(power), effect=effect(power.effect)
    )
    if view.catalogue.card(card).morph:
        return say("{card}. Or, in phase 2, a morph.", card=told)
    return say("{card}.", card=told)


def when(power: Upgrade) -> Say:
    """When an upgrade is played, and how long it lasts."""
    match power.when:
        case "muster":
            return say("phase 1, before you place")
        case "place":
            return say("phase 1")
        case "morph":
            return say("phase 2")
        case "attack" if power.duration == "this_turn":
            return say("with an attack, for the whole turn")
        case "attack":
            return say("with an attack")
        case "defence":
            return say("when you are attacked")
        case _:
            assert_never(power.when)


def effect(does: Effect) -> Say:
    """What an upgrade does."""
    match does:
        case ExtraRobots(n):
            return plural("{n} robot more", "{n} robots more", n)
        case MultiplyBonus(factor):
            return say("{factor} times the sector bonus", factor=factor)
        case LeaderReturn():
            return say("your leader returns from the scrapheap for nothing")
        case BackUpMove():
            return say("a back-up move")
        case DieBonus(n, "all"):
            return say("+{n} on each of your dice", n=n)
        case DieBonus(n):
            return say("+{n} on a die of your choice in each roll", n=n)
        case DieSize(sides):
            return say("your dice have {sides} faces", sides=sides)
        case LimitDefenders(n):
            return plural("the defender uses {n} piece", "the defender uses at most {n} pieces", n)
        case _:
            assert_never(does)
