"""What a seat may know, the state that looks like it, and the menu: functions of states and views alone."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.kernel.game import Place
from engine.kernel.menu import Act, Asked, Field, Form, Menu, Option, OptionSet
from engine.kernel.prose import Say, say
from tests.toy import rules
from tests.toy.state import (
    MOST_STRIKES,
    UNKNOWN,
    UNSEEN,
    Charm,
    Gem,
    Habit,
    Offer,
    Player,
    State,
    Task,
    player,
)

SEAT_NAMES: dict[str, Say] = {
    "ash": say("Ash"),
    "birch": say("Birch"),
    "cedar": say("Cedar"),
    "oak": say("Oak"),
}


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody knows of a seat; `laid` is its hand once the game is over."""

    seat: str
    coins: int
    gems: int = 0
    charm: Charm = "coin"
    out: bool = False
    laid: tuple[Gem, ...] = ()


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat's knowledge, or the public's with an empty `seat`. `bidders` have a bid in, unopened."""

    turn: int
    players: tuple[Rival, ...]
    deck: int
    bank: int
    seat: str = ""
    hand: tuple[Gem, ...] = ()
    habit: Habit | Literal[""] = ""
    top: Gem = ""
    bid: int = UNKNOWN
    bidders: tuple[str, ...] = ()
    agenda: tuple[Task, ...] = ()
    spent: tuple[Gem, ...] = ()
    knows: tuple[str, ...] = ()
    strikes: int = 0
    duels: int = 0
    reactions: Literal["standing", "ask"] = "standing"
    over: str = ""
    places: tuple[Place, ...] = ()


def view(state: State, seat: str | None) -> View:
    """What a seat may know."""
    mine = None if seat is None else player(state, seat)
    result = rules.result(state)
    return View(
        turn=state.turn,
        players=tuple(_rival(one, bool(state.over)) for one in state.players),
        deck=len(state.deck),
        bank=state.bank,
        seat=seat or "",
        hand=mine.hand if mine else (),
        habit=mine.habit if mine else "",
        top=state.deck[0] if seat in state.knows else "",
        bid=next((offer.coins for offer in state.offers if offer.seat == seat), UNKNOWN),
        bidders=tuple(offer.seat for offer in state.offers),
        agenda=state.agenda,
        spent=state.spent,
        knows=state.knows,
        strikes=state.strikes,
        duels=state.duels,
        reactions=state.reactions,
        over=state.over,
        places=result.places if result else (),
    )


def _rival(one: Player, laid: bool) -> Rival:
    return Rival(one.seat, one.coins, len(one.hand), one.charm, one.out, one.hand if laid else ())


def imagine(seen: View) -> State:
    """A state that gives this view, with gems unseen and bids unknown where it shows none."""
    return State(
        turn=seen.turn,
        players=tuple(_player(seen, rival) for rival in seen.players),
        deck=((seen.top,) if seen.top else ()) + (UNSEEN,) * (seen.deck - bool(seen.top)),
        bank=seen.bank,
        agenda=seen.agenda,
        spent=seen.spent,
        offers=tuple(Offer(seat, seen.bid if seat == seen.seat else UNKNOWN) for seat in seen.bidders),
        knows=seen.knows,
        strikes=seen.strikes,
        duels=seen.duels,
        reactions=seen.reactions,
        over=seen.over,
    )


def _player(seen: View, rival: Rival) -> Player:
    if rival.seat != seen.seat:
        hand = rival.laid or (UNSEEN,) * rival.gems
        return Player(rival.seat, rival.coins, hand, rival.charm, "", rival.out)
    return Player(rival.seat, rival.coins, seen.hand, rival.charm, seen.habit, rival.out)


def menu(seen: View) -> Menu:
    """What the seat may do now."""
    kinds = [task.kind for task in seen.agenda if task.seat == seen.seat]
    bidding = any(task.kind == "bid" for task in seen.agenda)
    if not kinds or (not bidding and seen.agenda[0].seat != seen.seat):
        return Menu()
    gems = OptionSet("gems", tuple(Option(gem) for gem in seen.hand))
    match kinds[0]:
        case "bid":
            return _menu_bid(_coins(seen))
        case "guard":
            return _menu_guard(gems)
        case "act" | _:
            return _menu_act(seen, gems)


def _coins(seen: View) -> int:
    return next(rival.coins for rival in seen.players if rival.seat == seen.seat)


def _menu_bid(coins: int) -> Menu:
    fields = (Field("coins", "number", say("How many coins?"), low=0, high=coins, default=0),)
    act = Act("bid", say("Bid for the top gem"), "bid")
    return Menu((Asked("bid", say("Bid for the top gem"), (act,)),), (Form("bid", fields),))


def _menu_guard(gems: OptionSet) -> Menu:
    fields = (Field("gem", "card", say("Which gem do you spend?"), sets="gems", optional=True),)
    act = Act("guard", say("Guard yourself"), "guard")
    asked = Asked("guard", say("You are struck"), (act,))
    return Menu((asked,), (Form("guard", fields),), (gems,))


def _menu_act(seen: View, gems: OptionSet) -> Menu:
    acts = [Act("done", say("End the turn"))]
    forms: list[Form] = []
    if seen.deck:
        acts.append(Act("look", say("Look at the top gem")))
    if seen.hand:
        acts.append(Act("sell", say("Sell gems"), "sell"))
        forms.append(Form("sell", (_gems_field(len(seen.hand)),)))
    if seen.strikes < MOST_STRIKES:
        acts.append(Act("strike", say("Strike a seat"), "strike"))
        forms += _strike_forms(seen)
    asked = Asked("act", say("It is your turn to act"), tuple(acts))
    return Menu((asked,), tuple(forms), (gems,))


def _gems_field(most: int) -> Field:
    item = Field("gem", "card", say("Gem"), sets="gems")
    return Field("gems", "list", say("Which gems?"), low=1, high=most, item=item, distinct=True)


def _strike_forms(seen: View) -> list[Form]:
    rivals = [rival.seat for rival in seen.players if rival.seat != seen.seat and not rival.out]
    seats = tuple(Option(seat, SEAT_NAMES.get(seat)) for seat in rivals)
    stake = min(3, _coins(seen))
    ruses = [Option("sly", say("A draw counts as won"), "sly")]
    forms = [Form("sly", (_use("sly"),))]
    if stake:
        ruses.append(Option("bold", say("Pay for a better roll"), "bold"))
        paid = Field("stake", "number", say("How many coins?"), low=1, high=stake)
        forms.append(Form("bold", (_use("bold"), paid)))
    strike = (
        Field("seat", "seat", say("Whom?"), options=seats),
        Field("ruse", "record", say("Which ruse?"), options=tuple(ruses), optional=True),
    )
    return [Form("strike", strike), *forms]


def _use(ruse: str) -> Field:
    return Field("use", "choice", say("Ruse"), options=(Option(ruse),))
