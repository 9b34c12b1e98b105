"""The letter's text, from a view and what was heard. It sees no state."""

from __future__ import annotations

import textwrap
from typing import Any, assert_never

from engine.kernel.advance import Lapsed
from engine.kernel.prose import Say, plural, say, words
from tests.toy import events as e
from tests.toy.view import SEAT_NAMES, View, menu

COLUMNS = 72


def report(seen: View, happened: tuple[Any, ...], lang: str) -> str:
    """What happened, how things stand, and what the seat may do; at most 72 columns."""
    lines = [say("Turn {turn}", turn=seen.turn), *(_event(event) for event in happened)]
    lines += [_rival(rival) for rival in seen.players]
    lines.append(plural("One gem is in the deck.", "{n} gems are in the deck.", seen.deck))
    if seen.hand:
        lines.append(say("Your gems: {gems}.", gems=tuple(say("{gem}", gem=gem) for gem in seen.hand)))
    if seen.top:
        lines.append(say("The top gem is {gem}.", gem=seen.top))
    for place in seen.places:
        lines.append(
            say("{place}. {seat}: {score}", place=place.place, seat=_name(place.seat), score=place.score)
        )
    lines += [asked.say for asked in menu(seen).asked]
    return "".join(f"{textwrap.fill(words(line, lang), COLUMNS)}\n" for line in lines)


def long_report(seen: View, happened: tuple[Any, ...], lang: str) -> str:
    """The same, with a count of what happened."""
    count = plural("One thing happened.", "{n} things happened.", len(happened))
    return f"{report(seen, happened, lang)}{words(count, lang)}\n"


def _name(seat: str) -> Say:
    return SEAT_NAMES[seat]


def _rival(rival: Any) -> Say:
    if rival.out:
        return say("{seat} has left.", seat=_name(rival.seat))
    coins = plural("one coin", "{n} coins", rival.coins)
    gems = plural("one gem", "{n} gems", rival.gems)
    return say("{seat} has {coins} and {gems}.", seat=_name(rival.seat), coins=coins, gems=gems)


def _gem(gem: str) -> Say:
    return say("{gem}", gem=gem) if gem else say("a gem")


def _event(event: e.Any | Lapsed) -> Say:
    match event:
        case Lapsed():
            return say("Your order {number} lapsed: {quote}", number=event.order, quote=event.quote)
        case e.Opened():
            return say("Turn {turn} opened.", turn=event.turn)
        case e.Offered():
            return say("{seat} bid {coins}.", seat=_name(event.seat), coins=event.coins)
        case e.Rolled():
            dice = tuple(say("{die}", die=die) for die in event.dice)
            return say("Equal bids: the dice fell {dice}.", dice=dice)
        case e.Won():
            return say("{seat} won {gem}.", seat=_name(event.seat), gem=_gem(event.gem))
        case e.Looked():
            return say("{seat} looked at {gem}.", seat=_name(event.seat), gem=_gem(event.gem))
        case e.Sold():
            return say(
                "{seat} sold {gem} for {coins}.", seat=_name(event.seat), gem=event.gem, coins=event.coins
            )
        case _:
            return _fight(event)


def _fight(event: e.Struck | e.Guarded | e.Duelled | e.Looted | e.Left | e.Ended | e.Shown) -> Say:
    match event:
        case e.Struck():
            return say("{seat} struck {on}.", seat=_name(event.seat), on=_name(event.on))
        case e.Guarded(gem=gem):
            guard = _gem(gem) if gem else say("empty hands")
            return say("{seat} guarded with {guard}.", seat=_name(event.seat), guard=guard)
        case e.Duelled():
            dice = tuple(say("{die}", die=die) for die in event.dice)
            return say("The dice fell {dice}.", dice=dice)
        case e.Looted():
            loot = say("a coin") if event.coin else _gem(event.gem)
            return say("{seat} took {loot} from {on}.", seat=_name(event.seat), loot=loot, on=_name(event.on))
        case e.Left():
            return say("{seat} left the game.", seat=_name(event.seat))
        case e.Shown():
            gems = tuple(_gem(gem) for gem in event.gems)
            return say("{seat} laid open {gems}.", seat=_name(event.seat), gems=gems)
        case e.Ended():
            return say("The game is over.")
        case _:
            assert_never(event)
