"""The steady bot: it compares the turns that its menu allows, as far as its view lets it foresee them.

The law. It sees a view, the menu and what `foresee` tells; it holds no State, knows no rule and draws no lot but
to settle ties. Whatever a power brings out that nobody can foresee is taken for a small gain. It always ends its
turn in one move, if it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.games.arena.cards import creature_of, strength_of
from engine.games.arena.steady_view import card_value, stake, value, worth
from engine.games.arena.view import View
from engine.kernel.dice import Below
from engine.kernel.foresee import foresee
from engine.kernel.game import AnyGame
from engine.kernel.menu import Act, Field, Menu, Option, Order

BETS = 4
"""How many ways to begin a turn are followed up."""
KEEP = ["highest_backed", "referee", "highest"]
GAINS = {"amazon": 0.7, "titan": 0.55, "cyclops": 0.45, "gorgon": 0.3, "magus": 0.05}
"""What powers bring whose outcome can't be foreseen, or is no gold yet."""
UNFORESEEN = 0.1
TIE = 1e-9
DISCARD: Order = {"do": "discard", "cards": ["all_dead"]}
END: Order = {"do": "end_turn"}

Turn = tuple[Order, ...]


def steady_turn(game: AnyGame, view: Any, seat: str, below: Below) -> Turn:
    """Orders for whatever the menu asks; the same for the same view and numbers."""
    shown: View = view
    menu = game.menu(shown)
    if not menu.asked:
        return ()
    asked = menu.asked[0]
    acts = {act.do: act for act in asked.acts}
    match asked.decision:
        case "bet":
            return _whole_turn(game, shown, acts, below)
        case "play" | "ettin":
            best = _best(_plays(game, shown, menu, acts), below)
            return _to_the_end(game, shown, best or _must(acts))
        case "titan" | "gorgon":
            return _hand_over(shown, menu, acts)
        case "stalemate":
            return ({"do": "object" if "object" in acts and value(shown) > 0 else "accept"},)
        case _:
            return _to_the_end(game, shown, ())


def _must(acts: dict[str, Act]) -> Turn:
    return ({"do": "show_hand"},) if "show_hand" in acts else ()


def _best(turns: Iterable[tuple[float, Turn]], below: Below) -> Turn:
    """The turn of the highest value; equal ones by lot."""
    ranked = list(turns)
    if not ranked:
        return ()
    high = max(gain for gain, _ in ranked)
    best = [turn for gain, turn in ranked if gain >= high - TIE]
    return best[below(len(best))] if len(best) > 1 else best[0]


def _whole_turn(game: AnyGame, view: View, acts: dict[str, Act], below: Below) -> Turn:
    """Phases 1 and 2 together: the best few ways to begin, each with the best card to play."""
    menu = game.menu(view)
    begun = sorted(_beginnings(game, view, menu, acts), key=lambda one: -one[0])
    found: list[tuple[float, Turn]] = []
    for gain, turn, after in [*begun[:BETS], (value(view), (), view)]:
        asked = game.menu(after)
        kinds = {act.do: act for one in asked.asked for act in one.acts}
        if "play" not in kinds:
            found.append((gain, (*turn, *_must(kinds))))
            continue
        found += [(more, (*turn, *play)) for more, play in _plays(game, after, asked, kinds)]
    return _to_the_end(game, view, _best(found, below))


def _beginnings(
    game: AnyGame, view: View, menu: Menu, acts: dict[str, Act]
) -> Iterator[tuple[float, Turn, View]]:
    """Every bet, the secret one on each creature with the card that is missed least, and the reveal."""
    orders = [order for do in ("bet", "reveal_bet") if do in acts for order in _ways(menu, acts[do], view)]
    if "secret_bet" in acts:
        cheapest: dict[str, Order] = {}
        for order in _ways(menu, acts["secret_bet"], view):
            name = creature_of(str(order["card"]))
            other = cheapest.get(name)
            if other is None or _strength(order) < _strength(other):
                cheapest[name] = order
        orders += cheapest.values()
    for order in orders:
        after = foresee(game, view, view.me, [order]).view
        if after is not None:
            yield value(after), (order,), after


def _strength(order: Order) -> int:
    return strength_of(str(order["card"]))


def _plays(game: AnyGame, view: View, menu: Menu, acts: dict[str, Act]) -> Iterator[tuple[float, Turn]]:
    """Every card to play, with its power and without, and what the view is worth after it."""
    if "play" not in acts:
        return
    plain: dict[str, float] = {}
    for order in _ways(menu, acts["play"], view):
        ahead = foresee(game, view, view.me, [order])
        if any(step.certainty == "refused" for step in ahead.steps):
            continue
        card, power = str(order["card"]), order.get("power")
        if ahead.view is not None:
            gain = value(ahead.view) + _gain(power)
        else:
            gain = plain.get(card, value(view)) + (_gain(power) if power else UNFORESEEN)
        if power is None:
            plain[card] = max(gain, plain.get(card, gain))
        yield gain, (order,)


def _gain(power: Any) -> float:
    if power is None:
        return 0.0
    name = power["as"]["use"] if "as" in power else power["use"]
    return GAINS.get(name, 0.0)


def _to_the_end(game: AnyGame, view: View, turn: Turn) -> Turn:
    """The turn with its discards and its end behind it."""
    return (*turn, DISCARD, END) if _may_discard(game, view, turn) else (*turn, END)


def _may_discard(game: AnyGame, view: View, turn: Turn) -> bool:
    """Whether dead cards are held, or may be by then."""
    ahead = foresee(game, view, view.me, [*turn, DISCARD])
    dead = any(creature_of(card) in view.dead for card in view.own.hand)
    return ahead.steps[-1].certainty != "refused" and (dead or ahead.view is None)


def _hand_over(view: View, menu: Menu, acts: dict[str, Act]) -> Turn:
    """The best of a Titan's three; to a Gorgon the card that is missed least."""
    orders = [order for do in ("keep", "give") if do in acts for order in _ways(menu, acts[do], view)]
    if not orders:
        return _must(acts)
    ranked = sorted(orders, key=lambda order: card_value(view, str(order["card"])))
    return (ranked[-1] if "keep" in acts else ranked[0],)


def _ways(menu: Menu, act: Act, view: View) -> Iterator[Order]:
    """The ways to fill in an act: every option, but of a list what the bot always wishes for."""
    for filled in _fill(menu, menu.form(act.form), {}, view):
        yield {"do": act.do, **filled}


def _fill(menu: Menu, fields: tuple[Field, ...], filled: Order, view: View) -> Iterator[Order]:
    if not fields:
        yield filled
        return
    field, later = fields[0], fields[1:]
    if field.optional and field.kind != "list":
        yield from _fill(menu, later, filled, view)
    for chosen, more in _chosen(menu, field, filled, view):
        yield from _fill(menu, (*menu.form(more), *later), {**filled, field.name: chosen}, view)


def _chosen(menu: Menu, field: Field, filled: Order, view: View) -> Iterator[tuple[Any, str]]:
    if field.kind == "list":
        yield from ((wish, "") for wish in _wishes(menu, field, view))
        return
    for option in _narrowed(menu.options(field, filled), field, filled, view):
        if field.kind == "record":
            yield from ((nested, "") for nested in _fill(menu, menu.form(option.form), {}, view))
        else:
            yield (list(option.value) if isinstance(option.value, tuple) else option.value), option.form


def _wishes(menu: Menu, field: Field, view: View) -> Iterator[list[Any]]:
    """Of a Titan's three what helps most; as an Ettin's second card each that could be played, without a power."""
    if field.name == "keep":
        yield KEEP
    elif field.name == "then" and field.item is not None:
        (option,) = menu.options(field.item, {})
        for second in _fill(menu, menu.form(option.form), {}, view):
            if "power" not in second:
                yield [second]
    else:
        yield []


def _narrowed(options: tuple[Option, ...], field: Field, filled: Order, view: View) -> tuple[Option, ...]:
    """Of choices whose outcome is hidden only the likeliest: the richest player, the creature one has bet on."""
    if field.kind == "seat":
        return (max(options, key=lambda option: _riches(view, str(option.value))),)
    if filled.get("use") == "gorgon" and field.name == "creature":
        return (max(options, key=lambda option: abs(stake(view, str(option.value)))),)
    return options


def _riches(view: View, seat: str) -> int:
    return sum(worth(view, name).get(seat, 0) for name in view.creatures if name not in view.dead)
