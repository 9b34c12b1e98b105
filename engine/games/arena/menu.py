"""The menu of a seat, made from its view alone: every order that the rules allow now, as forms to fill in.

It imagines the view as a position and asks the same rules as `check`. Of a preference list it offers the
words, of an Ettin's second cards those that are legal once the first card lies. `sample` picks a few orders
of every kind out of a menu.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from engine.games.arena import bet, orders, play, powers, rounds
from engine.games.arena.agenda import check, fitting, gifts, tag, task_of
from engine.games.arena.cards import PREFECTS, creature_of
from engine.games.arena.imagine import imagine
from engine.games.arena.menu_powers import Cards, Laid, power_field
from engine.games.arena.orders import Action
from engine.games.arena.state import (
    State,
    Task,
    ToGive,
    ToKeep,
    ToPlayAgain,
    current_row,
    living,
    open_tasks,
)
from engine.games.arena.table import visible
from engine.games.arena.view import View
from engine.kernel.game import Decision
from engine.kernel.menu import Act, Asked, Field, Menu, Option, Order
from engine.kernel.newest import newest_of_same
from engine.kernel.pool import Pool, choice
from engine.kernel.prose import Say, say

ASKED: dict[str, Say] = {
    "bet": say("Bet, if you like, and play a card"),
    "play": say("Play a card"),
    "ettin": say("Play a second card with the Ettin, or go on without"),
    "titan": say("Keep one of the three cards that your Titan drew"),
    "gorgon": say("A Gorgon demands one of your cards"),
    "discard": say("Discard cards, if you like, and end your turn"),
    "end": say("End your turn"),
    "stalemate": say("Say whether you object to the stalemate that was declared"),
}
ACTS: dict[type[Action], Say] = {
    orders.Bet: say("Bet a token on a creature in the current row"),
    orders.SecretBet: say("Make your secret bet with a combat card"),
    orders.RevealBet: say("Reveal your secret bet"),
    orders.Play: say("Play a card"),
    orders.ShowHand: say("Show your hand"),
    orders.Discard: say("Discard up to three cards"),
    orders.EndTurn: say("End your turn"),
    orders.Keep: say("Keep a card"),
    orders.Give: say("Give a card"),
    orders.DeclareStalemate: say("Declare a stalemate"),
    orders.Accept: say("Do not object"),
    orders.ObjectTo: say("Object to the stalemate"),
}
BET_ON = say("The creature to bet on")
SECRET = say("The card that stays face down")
CARD = say("The card to play")
ON = say("The creature on which it is played")
TAKE = say("The visible card to take")
DISCARDS = say("The cards to discard, the last on top")
DISCARDED = say("A card, or all_dead for all cards of dead creatures")
KEEP = say("The card to keep")
GIVE = say("The card to give")


@newest_of_same  # a letter's view holds it, and its report asks it for the powers in reach
def menu(view: View) -> Menu:
    """What the viewer may do now; nothing if he is not asked."""
    if not view.me or all(task.seat != view.me for task in open_tasks(view.agenda)):
        return Menu()
    state = imagine(view)
    task = task_of(state, view.me)
    assert task is not None
    pool = Pool()
    acts: list[Act] = []
    for verb in fitting(state, task):
        fields = _fields(pool, state, task, verb)
        if fields is not None:
            acts.append(Act(tag(verb), ACTS[verb], pool.form(tag(verb), fields)))
    word = tag(type(task))
    return pool.menu((Asked(word, ASKED[word], tuple(acts)),))


def _fields(pool: Pool, state: State, task: Task, verb: type[Action]) -> tuple[Field, ...] | None:
    """The fields of a verb; None if it can't be used now."""
    seat = task.seat
    fields: tuple[Field, ...] = ()
    if verb is orders.Bet:
        fields = _one("creature", BET_ON, _bettable(state, seat))
    elif verb is orders.SecretBet:
        cards = () if bet.check_secret_bet(state, seat, None) else _fighters(state, seat)
        fields = _one("card", SECRET, cards)
    elif verb is orders.Play:
        fields = play_fields(pool, state, seat, ())
    elif verb is orders.Discard:
        return (_discards(pool, state, seat),)
    elif verb is orders.Keep:
        fields = _one("card", KEEP, task.cards if isinstance(task, ToKeep) else ())
    elif verb is orders.Give:
        fields = _one("card", GIVE, gifts(state, task) if isinstance(task, ToGive) else ())
    else:
        return () if check(state, seat, _bare(verb)) is None else None
    return fields or None


@cache
def _bare(verb: type[Action]) -> Action:
    """An order without fields."""
    return msgspec.convert({"do": tag(verb)}, verb)


def _one(name: str, ask: Say, values: tuple[str, ...]) -> tuple[Field, ...]:
    return (choice(name, ask, values),) if values else ()


def _bettable(state: State, seat: str) -> tuple[str, ...]:
    row = current_row(state)
    return tuple(name for name in state.creatures if bet.check_cell(state, seat, name, row) is None)


def _fighters(state: State, seat: str) -> tuple[str, ...]:
    return tuple(card for card in state.players[seat].hand if creature_of(card))


def _discards(pool: Pool, state: State, seat: str) -> Field:
    cards = _fighters(state, seat) if rounds.has_magus(state) else rounds.dead_cards(state, seat)
    item = choice("card", DISCARDED, (orders.ALL_DEAD, *cards))
    most = min(orders.MOST_DISCARDS, len(cards) + 1)
    usual = [orders.ALL_DEAD]  # a list: this is how it comes out of a view
    return Field("cards", "list", DISCARDS, low=1, high=most, item=item, distinct=True, default=usual)


def play_fields(pool: Pool, state: State, seat: str, instead: Cards) -> tuple[Field, ...]:
    """The card to play and, by card, what goes with it; nothing if no card can be played.

    `instead`: where this is a second card, the cards that may lie on top instead of the first one.
    """
    options: list[Option] = []
    for card in play.playable(state, seat):
        name = creature_of(card)
        if name:
            fields = _with_power(pool, state, Laid(_use(state, seat, name), card, instead))
        else:
            fields = _with_referee_or_spectator(pool, state, card, instead)
        options.append(Option(card, form=pool.form(name or card, fields)))
    return (Field("card", "choice", CARD, options=tuple(options)),) if options else ()


def _use(state: State, seat: str, name: str) -> powers.Use:
    return powers.Use(seat, name, isinstance(state.agenda[0], ToPlayAgain))


def _with_power(pool: Pool, state: State, laid: Laid) -> tuple[Field, ...]:
    seat = laid.use.seat
    if play.check_backer(state, seat, laid.use.source):
        return ()
    return power_field(pool, play.laid(state, seat, laid.card), laid, play_fields)


def powers_in_reach(view: View) -> tuple[str, ...]:
    """The creatures, in the order of the row, of which the viewer holds a card whose power he may use with it."""
    asked = menu(view)
    forms = [act.form for one in asked.asked for act in one.acts if act.do == tag(orders.Play)]
    options = [option for form in forms for field in asked.form(form) for option in field.options]
    # a card's form is its power's, and a referee's or spectator's is no creature's; of two cards the last one counts
    powers_ = {creature_of(str(option.value)): option.form for option in options}
    return tuple(name for name in view.creatures if powers_.get(name))


def _with_referee_or_spectator(pool: Pool, state: State, card: str, instead: Cards) -> tuple[Field, ...]:
    if card not in PREFECTS:
        return (Field("on", "zone", ON, sets=pool.names("living", living(state))),)
    cards = (*(there for there, _, _ in visible(state)), *instead)
    return (Field("take", "card", TAKE, sets=pool.names("visible", cards)),) if cards else ()


def legal(decision: Decision, seen: View) -> tuple[Action, ...]:
    """A finite sample of the legal orders, from the menu of the seat's own view: every verb, card and power."""
    asked = menu(seen)
    acts = [act for ask in asked.asked if ask.decision == decision.kind for act in ask.acts]
    return tuple(
        msgspec.convert({"do": act.do, **filled}, Action)
        for act in acts
        for filled in _some(asked, asked.form(act.form), {})
    )


def _some(asked: Menu, fields: tuple[Field, ...], filled: Order) -> Iterator[Order]:
    """Ways to fill in a form: every card and every power, of other options the first and the last."""
    if not fields:
        yield filled
        return
    field, later = fields[0], fields[1:]
    if field.optional:
        yield from _some(asked, later, filled)
    for value, more in _values(asked, field, filled):
        yield from _some(asked, (*asked.form(more), *later), {**filled, field.name: value})


def _values(asked: Menu, field: Field, filled: Order) -> Iterator[tuple[Any, str]]:
    if field.kind == "list":
        assert field.item is not None
        items = [value for value, _ in _values(asked, field.item, filled)]
        kept = items[:1] if len(items) < field.low + 1 else [items[0], items[-1]]
        yield from (([item], "") for item in kept)
        return
    options = asked.options(field, filled)
    if field.kind not in {"card", "record"} and len(options) > 1 and field.name != "card":
        options = (options[0], options[-1])
    for option in options:
        if field.kind == "record":
            yield from ((nested, "") for nested in _some(asked, asked.form(option.form), {}))
        else:
            value = list(option.value) if isinstance(option.value, tuple) else option.value
            yield value, option.form
