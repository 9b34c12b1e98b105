"""What the reader may do now, in words, or whom the game waits for. Made from a View alone; the menu says it in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from engine.games.cybertron.deck import BLANK, When
from engine.games.cybertron.report_board import has_leader, mates, pieces
from engine.games.cybertron.report_names import FORMS, seat, series, zone, zones
from engine.games.cybertron.state import (
    LEADER_PRICE,
    Task,
    ToAttack,
    ToBackUp,
    ToBonus,
    ToClaim,
    ToDefend,
    ToFlee,
    ToMorph,
    ToMuster,
    ToSpare,
)
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, plural, say, words
from engine.kernel.report import heading, pairs, paragraph

JUMPER = "optimus_prime"
"""Who jumps in phase 4 in vehicle form (FI p.14)."""
_SHOWN = 6

Row = tuple[Say, Say]


def moves(view: View, lang: str) -> str:
    """What the reader may do now, or whom the game waits for."""
    if view.ended or not view.agenda:
        return ""
    task = view.agenda[0]
    if task.seat != view.me:
        waits = paragraph(words(_waits(view, task), lang))
        return f"{heading(words(say('Whose move'), lang))}\n{waits}"
    rows = [(words(label, lang), words(text, lang)) for label, text in _choices(view, task)]
    return f"{heading(words(say('What you may do'), lang))}\n{pairs(rows)}"


def _waits(view: View, task: Task) -> Say:
    name = seat(task.seat)
    match task:
        case ToClaim() | ToSpare():
            return say("It is {seat}'s turn to place a robot.", seat=name)
        case ToMuster() | ToMorph() | ToAttack() | ToBackUp():
            return say("It is {seat}'s turn.", seat=name)
        case ToDefend() if view.battle is not None:
            return say(
                "{seat} is asked how to defend {zone}.", seat=name, zone=zone(view.atlas, view.battle.target)
            )
        case ToDefend():
            return say("{seat} is asked how to defend.", seat=name)
        case ToBonus():
            return say("{seat} may add to a die.", seat=name)
        case ToFlee():
            return say("{seat} chooses where to escape to.", seat=name)
        case _:
            assert_never(task)


def _choices(view: View, task: Task) -> Iterator[Row]:
    match task:
        case ToClaim():
            free = [name for name, here in view.zones.items() if not here.seat]
            yield say("claim"), plural("the last empty zone", "any of {n} empty zones", len(free))
        case ToSpare():
            left = view.seats[view.me].spare
            yield (
                say("spare"),
                plural(
                    "your last robot, on a zone of yours",
                    "a robot on a zone of yours; {n} are left",
                    left,
                ),
            )
        case ToMuster():
            yield from _muster(view, task)
            yield say("then"), say("morph, attack, back up, end your turn; a single mail may hold it whole")
        case ToMorph():
            yield from _morph(view, task)
            yield from _attack(view)
            yield from _back_up(view, moved=False, jumped=False)
            yield _end(view)
        case ToAttack():
            yield from _attack(view)
            yield from _back_up(view, moved=False, jumped=False)
            yield _end(view)
        case ToBackUp():
            yield from _back_up(view, moved=task.moved, jumped=task.jumped)
            yield _end(view)
        case ToDefend():
            yield from _defend(view)
        case ToBonus():
            yield from _bonus(view, task)
        case ToFlee():
            yield say("flee"), say("to {zones}", zones=series(zones(view.atlas, task.zones)))
        case _:
            assert_never(task)


def _cards(view: View, when: Sequence[When]) -> tuple[Say, ...]:
    """The reader's cards for a moment, as they are written."""
    own = (card for card in view.own.hand if not card.startswith(BLANK))
    return tuple(
        say("{card} ({upgrade})", card=card, upgrade=view.catalogue.upgrade(card).name)
        for card in own
        if view.catalogue.upgrade(card).when in when
    )


def _muster(view: View, task: ToMuster) -> Iterator[Row]:
    early = () if task.placing else _cards(view, ("muster",))
    if early:
        yield say("play card"), say("{cards}, before you place", cards=series(early))
    known = view.seats[view.me]
    if not known.leader:
        if task.left >= LEADER_PRICE:
            yield (
                say("recall leader"),
                say("{price} robots bring him back, on any zone of yours", price=LEADER_PRICE),
            )
        free = _cards(view, ("place",))
        if free:
            yield say("play card"), say("{cards} brings him back for nothing", cards=series(free))
    yield say("place"), plural("{n} robot, on a zone of yours", "{n} robots, on zones of yours", task.left)


def _morph(view: View, task: ToMorph) -> Iterator[Row]:
    known = view.seats[view.me]
    if known.leader and not task.flipped:
        other = FORMS["vehicle" if known.form == "robot" else "robot"]
        yield say("flip leader"), say("into a {form}", form=other)
    specials = tuple(_special(view, name) for name in view.atlas.specials if _touches(view, name))
    icons = tuple(
        say("{card}", card=card)
        for card in view.own.hand
        if not card.startswith(BLANK) and view.catalogue.card(card).morph
    )
    if specials and icons:
        yield say("morph"), say("{zones}, with {cards}", zones=series(specials), cards=series(icons))
    moving = _cards(view, ("morph",))
    if moving:
        yield say("play card"), series(moving)


def _special(view: View, name: str) -> Say:
    where = zone(view.atlas, name)
    return say("close {zone}", zone=where) if name in view.opened else say("open {zone}", zone=where)


def _touches(view: View, name: str) -> bool:
    """Whether the reader holds a zone of a special zone's sector (FI p.9)."""
    atlas = view.atlas
    own = (atlas.ids[place] for place in atlas.sectors[atlas.within[atlas.place[name]]])
    return any(one in view.zones and view.zones[one].seat == view.me for one in own)


def _attack(view: View) -> Iterator[Row]:
    links, atlas, friends = view.atlas.links(view.opened), view.atlas, mates(view, view.me)
    found: list[Say] = []
    for name in atlas.ids:
        if name not in view.zones or view.zones[name].seat != view.me or pieces(view, name) < 2:
            continue
        near = (atlas.ids[place] for place in links[atlas.place[name]])
        foes = [one for one in near if one in view.zones and view.zones[one].seat not in ("", *friends)]
        if foes:
            found.append(say("{zone}\u00a0{n}", zone=zone(atlas, name), n=pieces(view, name)))
    if found:
        shown = series(found[:_SHOWN])
        if len(found) > _SHOWN:
            shown = plural("{zones} and {n} more", "{zones} and {n} more", len(found) - _SHOWN, zones=shown)
        yield say("attack"), say("from {zones}", zones=shown)
        cards = _cards(view, ("attack",))
        if cards:
            yield say("cards"), say("with an attack: {cards}", cards=series(cards))


def _back_up(view: View, *, moved: bool, jumped: bool) -> Iterator[Row]:
    if not moved and any(
        here.seat == view.me and pieces(view, name) > 1 for name, here in view.zones.items()
    ):
        yield say("back up"), say("from a zone of yours to a connected zone; a piece stays")
        if len(mates(view, view.me)) > 1:
            yield say("give"), say("or instead give a zone to your team-mate")
    known = view.seats[view.me]
    if view.me != JUMPER or not known.leader or known.form != "vehicle" or jumped:
        return
    if pieces(view, known.leader) > 1:
        yield say("jump"), say("your leader to any zone of yours")


def _end(view: View) -> Row:
    if view.captured:
        return say("end turn"), say("you draw a card, for you have captured a zone")
    return say("end turn"), say("you draw no card, unless you capture a zone")


def _defend(view: View) -> Iterator[Row]:
    now = view.battle
    if now is None:
        return
    here = pieces(view, now.target)
    atlas = view.atlas
    yield (
        say("attacked"),
        plural(
            "{zone}, from {origin} with {n} die",
            "{zone}, from {origin} with {n} dice",
            now.dice,
            zone=zone(atlas, now.target),
            origin=zone(atlas, now.origin),
        ),
    )
    most = min(here, now.boost.limit, 2)
    leader = has_leader(view, now.target)
    told = plural("with 1 piece of your {here}", "with 1 or {n} pieces of your {here}", most, here=here)
    yield say("defend"), say("{how}, the leader in or out", how=told) if leader else told
    cards = _cards(view, ("defence",))
    if cards:
        yield say("cards"), series(cards)


def _bonus(view: View, task: ToBonus) -> Iterator[Row]:
    most = plural("nothing, or {n}", "nothing, or up to {n}", task.most)
    if view.battle is None or view.battle.roll is None:
        yield say("add"), most
        return
    roll = view.battle.roll
    number = len(roll.compared)
    mine, theirs = roll.attack[number][0], roll.defence[number][0]
    if view.seat != view.me:
        mine, theirs = theirs, mine + max(0, roll.added)
    yield (
        say("add"),
        say("{most} to your {mine}, which meets a {theirs}", most=most, mine=mine, theirs=theirs),
    )
