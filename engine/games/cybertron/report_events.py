"""What happened, as sentences: one phrase an event, in the past tense and without its doer.

The doer stands above the phrases, in the heading of his turn; others who take part are named in them. Battles are
told elsewhere (report_battle), and so is what changes hands (report_gains).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from engine.games.cybertron import events as ev
from engine.games.cybertron.report_names import (
    FORMS,
    seat,
    sector,
    series,
    title,
    upgrade,
    who,
    zone,
    zones,
)
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, plural, say

_FEW = 3

Told = (
    ev.SeatsOrdered
    | ev.ZonesClaimed
    | ev.SparesPlaced
    | ev.CardPlayed
    | ev.LeaderRecalled
    | ev.RobotsPlaced
    | ev.LeaderFlipped
    | ev.ZoneMorphed
    | ev.FactoryClosed
    | ev.SeatEliminated
    | ev.BackUpMoved
    | ev.LeaderJumped
    | ev.ZoneGiven
    | ev.CardDrawn
    | ev.AllSparkTurned
    | ev.SeatResigned
    | ev.GameEnded
    | ev.Scored
)
"""Events that are no part of a battle, and open no turn."""


def phrase(view: View, event: Told, *, long: bool) -> Say | None:
    """An event in words, as the view's seat reads it; None if something else in the report says it."""
    match event:
        case ev.SeatsOrdered() | ev.ZonesClaimed() | ev.SparesPlaced():
            return _setup(view, event, long=long)
        case ev.CardPlayed() | ev.LeaderRecalled() | ev.RobotsPlaced():
            return _phase_one(view, event)
        case ev.LeaderFlipped() | ev.ZoneMorphed() | ev.FactoryClosed():
            return _phase_two(view, event)
        case ev.BackUpMoved() | ev.LeaderJumped() | ev.ZoneGiven() | ev.CardDrawn():
            return _phase_four(view, event)
        case ev.AllSparkTurned() | ev.SeatEliminated() | ev.SeatResigned() | ev.GameEnded() | ev.Scored():
            return _end(view, event)
        case _:
            assert_never(event)


def _setup(view: View, event: ev.SeatsOrdered | ev.ZonesClaimed | ev.SparesPlaced, *, long: bool) -> Say:
    match event:
        case ev.SeatsOrdered(order):
            seats = tuple(title(name, view.me) for name in order)
            return say("The order of turns: {seats}.", seats=series(seats))
        case ev.ZonesClaimed(name, claimed, dealt):
            told: Say | tuple[Say, ...] = zones(view.atlas, claimed)
            if len(claimed) > _FEW and not long:
                told = plural("{n} zone", "{n} zones", len(claimed))
            mine = name == view.me
            if dealt:
                return say("You were dealt {zones}.", zones=told) if mine else _dealt(name, told)
            if mine:
                return say("You claimed {zones}.", zones=told)
            return say("{seat} claimed {zones}.", seat=seat(name), zones=told)
        case ev.SparesPlaced(name, spread):
            put = _counted(view, spread)
            if len(spread) > _FEW and not long:
                places = plural("{n} zone", "{n} zones", len(spread))
                robots = sum(spread.values())
                put = plural("{n} robot on {zones}", "{n} robots on {zones}", robots, zones=places)
            if name == view.me:
                return say("You put {robots}.", robots=put)
            return say("{seat} put {robots}.", seat=seat(name), robots=put)


def _dealt(name: str, told: Say | tuple[Say, ...]) -> Say:
    return say("{seat} was dealt {zones}.", seat=seat(name), zones=told)


def _counted(view: View, robots: Mapping[str, int]) -> Say:
    """Zones with numbers of robots: `3 on Kaon, 1 on Tarn`."""
    return series(
        say("{robots}\u00a0on {zone}", zone=zone(view.atlas, name), robots=count)
        for name, count in robots.items()
    )


def income(view: View, given: ev.Income) -> Say:
    """What a turn begins with, and why (FI p.7-8): `12 robots (7 for 21 zones, 5 for Blue)`."""
    if not given.sectors and not given.factories:
        robots = plural("{n} robot", "{n} robots", given.total)
        return plural("{robots} for {n} zone", "{robots} for {n} zones", given.zones, robots=robots)
    total = plural("{n} robot", "{n} robots", given.total)
    return say("{robots} ({reasons})", robots=total, reasons=series(_reasons(view, given)))


def _reasons(view: View, given: ev.Income) -> Iterator[Say]:
    yield plural("{robots} for {n} zone", "{robots} for {n} zones", given.zones, robots=given.robots)
    if given.sectors:
        held = tuple(sector(view.atlas, name) for name in given.sectors)
        yield say("{bonus} for {sectors}", bonus=given.bonus, sectors=held)
    for name, robots in given.factories.items():
        yield say("{robots} from the {factory}", robots=robots, factory=zone(view.atlas, name))


def placed(view: View, robots: Mapping[str, int]) -> Say:
    """All that was placed in phase 1, as one phrase."""
    return say("placed {zones}", zones=_counted(view, robots))


def _phase_one(view: View, event: ev.CardPlayed | ev.LeaderRecalled | ev.RobotsPlaced) -> Say | None:
    match event:
        case ev.CardPlayed():
            card = upgrade(view, event.card)
            if event.robots:
                return plural(
                    "played {card} for {n} robot more",
                    "played {card} for {n} robots more",
                    event.robots,
                    card=card,
                )
            return say("played {card}", card=card)
        case ev.LeaderRecalled(_, name, form, paid):
            where = zone(view.atlas, name)
            if not paid:
                return say("brought the leader back to {zone} ({form})", zone=where, form=FORMS[form])
            return plural(
                "brought the leader back to {zone} ({form}) for {n} robot",
                "brought the leader back to {zone} ({form}) for {n} robots",
                paid,
                zone=where,
                form=FORMS[form],
            )
        case ev.RobotsPlaced():
            return None


def _phase_two(view: View, event: ev.LeaderFlipped | ev.ZoneMorphed | ev.FactoryClosed) -> Say:
    match event:
        case ev.LeaderFlipped(_, form):
            return say("turned the leader into a {form}", form=FORMS[form])
        case ev.ZoneMorphed():
            what = zone(view.atlas, event.factory or event.zone)
            card = upgrade(view, event.card)
            if event.opened:
                return say("opened {zone} with {card}", zone=what, card=card)
            return say("closed {zone} with {card}", zone=what, card=card)
        case ev.FactoryClosed(name, _, robots, leader):
            lost = plural("{n} robot", "{n} robots", robots)
            if leader:
                lost = say("{robots} and the leader", robots=lost) if robots else say("the leader")
            return say("destroyed {lost} of {seat} in it", lost=lost, seat=who(name, view.me))


def _phase_four(
    view: View, event: ev.BackUpMoved | ev.LeaderJumped | ev.ZoneGiven | ev.CardDrawn
) -> Say | None:
    match event:
        case ev.BackUpMoved():
            return _back_up(view, event)
        case ev.LeaderJumped(_, origin, target):
            first, last = zone(view.atlas, origin), zone(view.atlas, target)
            return say("the leader jumped from {origin} to {target}", origin=first, target=last)
        case ev.ZoneGiven(_, to, name, robots, leader):
            lost = plural("{n} robot", "{n} robots", robots)
            if leader:
                lost = say("{robots} and the leader", robots=lost)
            given = {"zone": zone(view.atlas, name), "seat": who(to, view.me)}
            return say("gave {zone} to {seat}, and {lost} to the scrapheap", lost=lost, **given)
        case ev.CardDrawn(_, card) if card:
            return say("drew {card}", card=upgrade(view, card))
        case ev.CardDrawn():
            return say("drew a card")


def _back_up(view: View, event: ev.BackUpMoved) -> Say:
    pieces = plural("{n} robot", "{n} robots", event.robots)
    if event.leader:
        pieces = say("{robots} and the leader", robots=pieces) if event.robots else say("the leader")
    way = say("from {origin} to {target}", origin=zone(view.atlas, event.origin), target=_target(view, event))
    if event.card:
        return say("moved {pieces} {way} with {card}", pieces=pieces, way=way, card=upgrade(view, event.card))
    return say("moved {pieces} {way}", pieces=pieces, way=way)


def _target(view: View, event: ev.BackUpMoved) -> Say:
    return zone(view.atlas, event.target)


def _end(
    view: View,
    event: ev.AllSparkTurned | ev.SeatEliminated | ev.SeatResigned | ev.GameEnded | ev.Scored,
) -> Say | None:
    match event:
        case ev.AllSparkTurned(day, _, name, holder, robots):
            where = zone(view.atlas, name)
            if not robots:
                return say(
                    "Day {day} ends. The AllSpark shines on {zone}, where nobody stands.", day=day, zone=where
                )
            gift = plural("{n} robot", "{n} robots", robots)
            if holder == view.me:
                return say(
                    "Day {day} ends. The AllSpark gives you {robots} in {zone}.",
                    day=day,
                    robots=gift,
                    zone=where,
                )
            return say(
                "Day {day} ends. The AllSpark gives {seat} {robots} in {zone}.",
                day=day,
                seat=who(holder, view.me),
                robots=gift,
                zone=where,
            )
        case ev.SeatEliminated():
            return _eliminated(view, event)
        case ev.SeatResigned(name, cards):
            left = say("You resigned") if name == view.me else say("{seat} resigned", seat=seat(name))
            if not cards:
                return say("{left}.", left=left)
            return plural(
                "{left}; {n} card went back into the pile.",
                "{left}; {n} cards went back into the pile.",
                cards,
                left=left,
            )
        case ev.GameEnded(how):
            return _ENDINGS[how]
        case ev.Scored():
            return None


def _eliminated(view: View, event: ev.SeatEliminated) -> Say:
    if event.seat == view.me:
        return say("You have no piece left on Cybertron, and are out.")
    return say("{seat} has no piece left on Cybertron, and is out.", seat=who(event.seat, view.me))


_ENDINGS = {
    "days": say("The game is over: the sixth day has ended, and the most zones win."),
    "launch_pad": say("The game is over: zones are equal after six days, and the Launch Pad decides."),
    "shared": say("The game is over: zones are equal after six days, and the first place is shared."),
    "conquest": say("The game is over: every enemy is destroyed."),
    "resigned": say("The game is over: a single side is left."),
}
