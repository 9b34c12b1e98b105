"""Battles as one line each, with their dice; in the longer form a line for each roll.

A battle is put together from the events that tell of it. Any of them may be missing: a report may begin or end in
the middle of a battle. A die with eight faces has an asterisk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.games.cybertron import events as ev
from engine.games.cybertron.report_names import seat, series, upgrades, who, zone
from engine.games.cybertron.state import LEADER_DIE, Compared, Die
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, plural, say

_MANY = 8
"""Rolls after which only the first and the last are told in one line."""

PARTS = (ev.AttackBegan, ev.Rolled, ev.AttackEnded, ev.LeaderDestroyed, ev.LeaderFled)
"""Events that tell of nothing but a battle. A card that is played in one, `CardPlayed`, has its number."""


class Fight(msgspec.Struct):
    """What a report has heard of one battle; `seat` is whose turn it is."""

    seat: str
    number: int
    began: ev.AttackBegan | None = None
    rolls: list[ev.Rolled] = msgspec.field(default_factory=list[ev.Rolled])
    cards: list[ev.CardPlayed] = msgspec.field(default_factory=list[ev.CardPlayed])
    fates: list[ev.LeaderDestroyed | ev.LeaderFled] = msgspec.field(
        default_factory=list[ev.LeaderDestroyed | ev.LeaderFled]
    )
    ended: ev.AttackEnded | None = None

    def add(self, event: Any) -> None:
        """One more event of this battle."""
        match event:
            case ev.AttackBegan():
                self.began = event
            case ev.Rolled():
                self.rolls.append(event)
            case ev.CardPlayed():
                self.cards.append(event)
            case ev.LeaderDestroyed() | ev.LeaderFled():
                self.fates.append(event)
            case ev.AttackEnded():
                self.ended = event
            case _:
                raise TypeError(f"{event} is no part of a battle")


def place(view: View, fight: Fight) -> tuple[str, str, str]:
    """Origin, target and defender of a battle; empty if nothing tells them."""
    told = fight.began or fight.ended
    if told is not None:
        return told.origin, told.target, told.defender
    if view.battle is not None and view.battle.number == fight.number:
        return view.battle.origin, view.battle.target, view.battle.defender
    return "", "", ""


def line(view: View, fight: Fight, *, long: bool) -> Say:
    """A battle in one sentence; with `long`, without its dice, which stand below it."""
    sides = _sides(view, fight)
    outcome = _outcome(fight)
    if long or not fight.rolls:
        return say("{sides}: {outcome}", sides=sides, outcome=outcome)
    return say("{sides}: {dice}; {outcome}", sides=sides, dice=_dice(fight.rolls), outcome=outcome)


def _sides(view: View, fight: Fight) -> Say:
    """Where, against whom, and with which cards."""
    origin, target, defender = place(view, fight)
    if not origin:
        return say("the battle went on")
    atlas = view.atlas
    way = say("{origin} > {target}", origin=zone(atlas, origin), target=zone(atlas, target))
    if fight.began is not None and fight.began.far:
        way = say("from afar, {way}", way=way)
    told: list[Say] = [who(defender, view.me)]
    used = [card for card in fight.cards if card.seat != defender]
    answers = [card for card in fight.cards if card.seat == defender]
    if used:
        told.append(say("with {cards}", cards=upgrades(view, (card.card for card in used))))
    if answers:
        told.append(say("against {cards}", cards=upgrades(view, (card.card for card in answers))))
    return say("{way} ({told})", way=way, told=series(told))


def _dice(rolls: Sequence[ev.Rolled]) -> Say:
    if len(rolls) <= _MANY:
        return series(_roll(one) for one in rolls)
    first, last = series(_roll(one) for one in rolls[:3]), series(_roll(one) for one in rolls[-2:])
    left = plural("{n} roll", "{n} rolls", len(rolls) - 5)
    return say("{first}, {left}, {last}", first=first, left=left, last=last)


def _roll(roll: ev.Rolled) -> Say:
    """The dice of a roll as the comparisons left them: `6-4-1 v 5*-2+1`."""
    plus, parry = _added(roll)
    return say(
        "{attack}\u00a0v\u00a0{defence}", attack=_row(roll.attack, plus), defence=_row(roll.defence, parry)
    )


def _added(roll: ev.Rolled) -> tuple[list[int], list[int]]:
    return [one.plus for one in roll.compared], [one.parry for one in roll.compared]


def _row(dice: Sequence[Die], added: Sequence[int]) -> str:
    """Dice as figures, highest first, each with what was added to it after the roll."""
    figures: list[str] = []
    for number, (value, faces) in enumerate(dice):
        more = added[number] if number < len(added) else 0
        star = "*" if faces == LEADER_DIE else ""
        figures.append(f"{value}{star}+{more}" if more else f"{value}{star}")
    return "-".join(figures)


def has_eights(fights: Sequence[Fight]) -> bool:
    """Whether any die in these battles has eight faces."""
    dice = (die for fight in fights for roll in fight.rolls for die in (*roll.attack, *roll.defence))
    return any(faces == LEADER_DIE for _, faces in dice)


def _outcome(fight: Fight) -> Say:
    if fight.ended is None:
        return say("the battle goes on")
    losses = _losses(fight.ended)
    match fight.ended.how:
        case "captured":
            moved = plural("{n} moved in", "{n} moved in", fight.ended.moved)
            return say("taken, {moved}; {losses}", moved=moved, losses=losses)
        case "failed":
            return say("beaten off; {losses}", losses=losses)
        case "until" | "keep" | "limit":
            return say("broken off; {losses}", losses=losses)
        case "resigned":
            return say("ended by the resignation; {losses}", losses=losses)


def _losses(ended: ev.AttackEnded) -> Say:
    if not ended.lost and not ended.beaten:
        return say("nobody lost anything")
    if not ended.lost:
        return say("lost\u00a0none, destroyed\u00a0{beaten}", beaten=ended.beaten)
    if not ended.beaten:
        return say("lost\u00a0{lost}, destroyed\u00a0none", lost=ended.lost)
    return say("lost\u00a0{lost}, destroyed\u00a0{beaten}", lost=ended.lost, beaten=ended.beaten)


def rolls_in_full(view: View, fight: Fight) -> Iterator[Say]:
    """A sentence for each roll: the dice, and what each comparison cost."""
    defender = place(view, fight)[2]
    for roll in fight.rolls:
        costs = tuple(_costs(roll.compared, (fight.seat, defender), view.me))
        yield say("{roll}. {dice}: {costs}", roll=roll.roll, dice=_roll(roll), costs=costs)


def _costs(compared: Sequence[Compared], sides: tuple[str, str], me: str) -> Iterator[Say]:
    """Who lost what in a roll; `sides` are the attacker and the defender."""
    lost = [one.lost for one in compared]
    for seat_lost, robots, leader in (
        (sides[0], lost.count("attacker"), "attacking_leader" in lost),
        (sides[1], lost.count("defender"), "defending_leader" in lost),
    ):
        if robots and seat_lost == me:
            yield plural("you lose {n} robot", "you lose {n} robots", robots)
        elif robots:
            yield plural("{seat} loses {n} robot", "{seat} loses {n} robots", robots, seat=_side(seat_lost))
        if leader:
            yield (
                say("your leader is hit") if seat_lost == me else say("{seat} is hit", seat=_side(seat_lost))
            )


def _side(name: str) -> Say:
    """A seat, or the defender where nothing tells who that was."""
    return seat(name) if name else say("the defender")


def fates(view: View, fight: Fight) -> Iterator[Say]:
    """What became of leaders in a battle."""
    for fate in fight.fates:
        mine = fate.seat == view.me
        where = zone(view.atlas, fate.zone if isinstance(fate, ev.LeaderDestroyed) else fate.target)
        leader = who(fate.seat, "")
        match fate:
            case ev.LeaderDestroyed() if mine:
                yield say("Your leader, {leader}, was destroyed in {zone}.", leader=leader, zone=where)
            case ev.LeaderDestroyed():
                yield say("{leader} was destroyed in {zone}.", leader=leader, zone=where)
            case ev.LeaderFled() if mine:
                yield say("Your leader, {leader}, escaped to {zone}.", leader=leader, zone=where)
            case ev.LeaderFled():
                yield say("{leader} escaped to {zone}.", leader=leader, zone=where)
