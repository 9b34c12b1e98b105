"""Checks of what may be decided: menus, `legal`, `check`, refusals, defaults, foresight, cuts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from engine import (
    CODES,
    Chooser,
    Dice,
    Menu,
    Position,
    Refused,
    Unseen,
    admits,
    encode,
    every,
    fill,
    sentences,
    waiting,
    words,
)
from engine.kernel import codec
from engine.kernel.replay import Moved, Resigned
from tests.contract import shapes
from tests.contract.cutting import can_be_cut, check_cut
from tests.contract.playing import POSITIONS, Play, chance, source, words_of


def legal_is_accepted_and_on_the_menu(play: Play) -> None:
    """Every action of `legal` passes `check` and is one that the menu, filled in some way, gives."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        for decision in game.pending(position.state):
            sample = game.legal(position.state, decision)
            assert sample, f"{name}: legal gives nothing for {decision}"
            menu = game.menu(game.view(position.state, decision.seat))
            for action in sample:
                refusal = game.check(position.state, decision.seat, action)
                assert refusal is None, f"{name}: legal offers {action} to {decision}; check says {refusal}"
                order = codec.plain(action)
                assert admits(menu, order), f"{name}: the menu of {decision} never gives {order}"


def menus_are_right(play: Play) -> None:
    """A menu asks its seat's open decisions, names only forms that it has, and filled at random is legal."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        below = chance("fill", name)
        for seat in play.table.charter.seats:
            menu = game.menu(game.view(position.state, seat))
            kinds = sorted(one.kind for one in game.pending(position.state) if one.seat == seat)
            asked = sorted(one.decision for one in menu.asked)
            assert asked == kinds, f"{name}: the menu of {seat} asks {asked}, the rules {kinds}"
            _names_resolve(f"{name}, {seat}", menu)
            for act in (act for one in menu.asked for act in one.acts):
                orders = [fill(menu, act, Chooser(below)) for _ in range(3)]
                orders += islice(every(menu, act), 30)
                for order in orders:
                    _fits(play, position, seat, (name, order))
                    assert admits(menu, order), (
                        f"{name}: the menu of {seat} made {order}, but does not admit it"
                    )
        public = game.menu(game.view(position.state, None))
        assert not public.asked, f"{name}: the public is asked {public.asked}"


def _names_resolve(name: str, menu: Menu) -> None:
    forms = {form.name for form in menu.forms}
    sets = {one.name: one.options for one in menu.sets}
    rows = [field for form in menu.forms for field in form.fields]
    fields = rows + [field.item for field in rows if field.item is not None]
    options = [option for field in fields for option in field.options]
    options += [option for one in menu.sets for option in one.options]
    wanted = {act.form for one in menu.asked for act in one.acts} | {option.form for option in options}
    assert wanted - {""} <= forms, f"{name}: forms that are named but not there: {wanted - forms}"
    named = {field.sets for field in fields} - {""}
    assert named <= set(sets), f"{name}: option sets that are named but not there: {named - set(sets)}"
    assert len(forms) == len(menu.forms), f"{name}: two forms have one name"


def _fits(play: Play, position: Position[Any], seat: str, made: tuple[str, Any]) -> None:
    name, order = made
    try:
        action = codec.action(play.table.game, order, 1)
    except Refused as refused:
        raise AssertionError(f"{name}: the menu of {seat} made {order}: {refused.refusal}") from refused
    refusal = play.table.game.check(position.state, seat, action)
    assert refusal is None, f"{name}: the menu of {seat} made {order}; check says {refusal}"


def odd_actions(play: Play, position: Position[Any], about: str, count: int = 60) -> list[Any]:
    """Well-shaped actions, right and wrong: from the menus of all seats, changed here and there, or made up."""
    game, below = play.table.game, chance("odd", about)
    vocabulary = words_of(play.table, position.state)
    orders: list[Any] = []
    for seat in play.table.charter.seats:
        menu = game.menu(game.view(position.state, seat))
        orders += [fill(menu, act, Chooser(below)) for one in menu.asked for act in one.acts]
    orders += [shapes.mutated(order, below, vocabulary) for order in orders for _ in range(3)]
    orders += [shapes.invent(game.action, below, vocabulary) for _ in range(count)]
    actions: list[Any] = []
    for order in orders:
        try:
            actions.append(msgspec.convert(order, game.action))
        except msgspec.ValidationError:
            continue
    return actions


def checks_are_no_probes(play: Play) -> None:
    """`check` says the same of a position and of what its seat can see of it; it never needs to look further."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        actions = odd_actions(play, position, name)
        for seat in play.table.charter.seats:
            imagined = game.imagine(game.view(position.state, seat))
            for action in actions:
                real = game.check(position.state, seat, action)
                try:
                    seen = game.check(imagined, seat, action)
                except Unseen as unseen:
                    raise AssertionError(
                        f"{name}: check needs what {seat} can't see ({unseen.why}) to judge {action}; "
                        f"with it, the answer is {real}"
                    ) from unseen
                assert real == seen, f"{name}: {seat}, {action}: check says {real}; on the view alone, {seen}"


def what_is_accepted_is_on_the_menu(play: Play) -> None:
    """Every action that the rules allow can be reached through the menu; but for items without any effect."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        for seat in waiting(play.table, position):
            menu = game.menu(game.view(position.state, seat))
            for action in odd_actions(play, position, f"{name}/{seat}"):
                if game.check(position.state, seat, action) is None:
                    order = codec.plain(action)
                    assert admits(menu, order) or any(
                        admits(menu, less) and _same_effect(play, position, seat, (order, less))
                        for less in _shortened(order)
                    ), f"{name}: check accepts {order} of {seat}; the menu never gives it, nor its like"


def _shortened(order: Any) -> Iterator[Any]:
    """The order with items of its lists left out, fewest first: a wish that can't come true changes nothing."""
    tried, queue = {encode(order)}, [order]
    while queue and len(tried) < 400:
        now = queue.pop(0)
        for path in shapes.items(now):
            less = shapes.without(now, path)
            if encode(less) not in tried:
                tried.add(encode(less))
                queue.append(less)
                yield less


def _same_effect(play: Play, position: Position[Any], seat: str, orders: tuple[Any, Any]) -> bool:
    """Whether both orders are legal and bring the same state and events."""
    game = play.table.game
    made: list[bytes] = []
    for order in orders:
        action = codec.action(game, order, 1)
        if game.check(position.state, seat, action) is not None:
            return False
        dice = Dice(source(play.case.name, int(position.state.turn)))
        made.append(encode(game.apply(position.state, seat, action, dice)))
    return made[0] == made[1]


def refusals_can_be_said(play: Play) -> None:
    """Each refusal has its three sentences, and gives every argument that they name."""
    game = play.table.game
    table = {code.code: code for code in (*CODES, *game.codes)}
    refusals = list(play.refusals)
    for name, position in play.positions(POSITIONS):
        for action in odd_actions(play, position, name, 20):
            for seat in play.table.charter.seats:
                refusal = game.check(position.state, seat, action)
                if refusal is not None:
                    refusals.append(refusal)
    for refusal in refusals:
        assert refusal.code in table, f"{play.case.name}: no sentences for {refusal.code}"
        for sentence in sentences(refusal, table):
            try:
                said = words(sentence)
            except KeyError as lacking:
                raise AssertionError(
                    f"{play.case.name}: {refusal} lacks {lacking} for {sentence.id!r}"
                ) from None
            assert said.strip(), f"{play.case.name}: {refusal.code} says nothing"


def order_codes_hold_for_the_turn(play: Play) -> None:
    """What is `order/…` now is not accepted later in the turn, whatever the dice say."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        for seat in waiting(play.table, position)[:1]:
            actions = odd_actions(play, position, f"turn/{name}", 30)
            judged = [(action, game.check(position.state, seat, action)) for action in actions]
            wrong = [(action, refusal) for action, refusal in judged if refusal and refusal.area == "order"]
            state, below = position.state, chance("later", name)
            dice = Dice(source(name, state.turn))
            for _ in range(4):
                asked = game.pending(state)
                if not asked or state.turn != position.state.turn:
                    break
                sample = game.legal(state, asked[0])
                state, _events = game.apply(state, asked[0].seat, sample[below(len(sample))], dice)
                for action, refusal in wrong:
                    later = game.check(state, seat, action)
                    assert later is not None, f"{name}: {action} of {seat} was {refusal}, and then accepted"


def defaults_are_legal(play: Play) -> None:
    """What is played for a silent seat, or answered for it, is legal."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        _defaults(play, name, position.state)
        for decision in game.pending(position.state):
            for action in game.legal(position.state, decision)[:12]:
                dice = Dice(source(name, position.state.turn))
                state, _events = game.apply(position.state, decision.seat, action, dice)
                _defaults(play, f"{name}, after {action}", state)


def _defaults(play: Play, name: str, state: Any) -> None:
    game = play.table.game
    for decision in game.pending(state):
        action = game.default(state, decision)
        refusal = game.check(state, decision.seat, action)
        assert refusal is None, f"{name}: the default {action} of {decision} is refused: {refusal}"
        if game.give_up is not None:
            action = game.give_up(state, decision)
            refusal = game.check(state, decision.seat, action)
            assert refusal is None, f"{name}: to skip {decision} by {action} is refused: {refusal}"
        answer = game.answer(state, decision)
        if answer is not None:
            refusal = game.check(state, decision.seat, answer.action)
            assert refusal is None, f"{name}: the answer {answer} of {decision} is refused: {refusal}"


def what_is_sure_happens(play: Play) -> None:
    """No order that was foreseen as sure, after none but such, is refused or lapses."""
    sure: dict[str, int] = {}
    for one in play.taken:
        if isinstance(one.step, Resigned):
            sure.clear()
        if isinstance(one.step, Moved):
            sure[one.step.seat] = one.foreseen
        for event in one.outcome.events:
            if type(event).__name__ == "Lapsed":
                assert event.order > sure.get(event.seat, 0), (
                    f"{play.case.name}, record {one.number}: order {event.order} of {event.seat}, "
                    f"{event.quote}, was foreseen as sure; it lapsed: {event.refusal}"
                )


def cuts_change_nothing(play: Play) -> None:
    """An order list sent whole or in several moves: the same draws, events and position."""
    alone = [
        (f"{play.case.name}, record {number}", outcome.position)
        for number, outcome in enumerate(play.outcomes())
        if can_be_cut(play, outcome.position)
    ]
    for name, position in alone[:: max(1, len(alone) // (2 * POSITIONS))]:
        check_cut(play, position, name)
