"""The contract kit: what every game must do, checked on whole plays. One kit for all; it names no game.

Each check takes a `Play` and says in words what is wrong. `CHECKS` is the list; a check that needs many
plays at once (what occurs at all, what is worth nothing hidden) stands in modules of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from engine import (
    CODES,
    Charter,
    Chooser,
    Dice,
    Draw,
    Menu,
    Position,
    Refused,
    Unseen,
    admits,
    decode,
    encode,
    every,
    fill,
    plain,
    sentences,
    words,
)
from engine.kernel import codec
from engine.kernel.replay import Moved, Resigned, replay
from tests.contract import shapes
from tests.contract.cutting import check_cut
from tests.contract.playing import Play, chance, heard, same, source, waiting, words_of

COLUMNS = 72
MOST_BYTES = 32 * 1024
MOST_POSITIONS = 24
"""How many positions of a play the costly checks look at."""
KEY = re.compile(r"[a-z][a-z0-9_]*")
EXPOSED: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "exposed.toml").read_text(encoding="utf-8")
)


def legal_is_accepted_and_on_the_menu(play: Play) -> None:
    """Every action of `legal` passes `check` and is one that the menu, filled in some way, gives."""
    game = play.table.game
    for name, position in play.positions(MOST_POSITIONS):
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
    for name, position in play.positions(MOST_POSITIONS):
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
    for name, position in play.positions(MOST_POSITIONS):
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
    """Every action that the rules allow can be reached through the menu."""
    game = play.table.game
    for name, position in play.positions(MOST_POSITIONS):
        for seat in waiting(play.table, position):
            menu = game.menu(game.view(position.state, seat))
            for action in odd_actions(play, position, f"{name}/{seat}"):
                if game.check(position.state, seat, action) is None:
                    order = codec.plain(action)
                    assert admits(menu, order), (
                        f"{name}: check accepts {order} of {seat}; the menu never gives it"
                    )


def refusals_can_be_said(play: Play) -> None:
    """Each refusal has its three sentences, and gives every argument that they name."""
    game = play.table.game
    table = {code.code: code for code in (*CODES, *game.codes)}
    refusals = list(play.refusals)
    for name, position in play.positions(MOST_POSITIONS):
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
    for name, position in play.positions(MOST_POSITIONS):
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
    for name, position in play.positions(MOST_POSITIONS):
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
        answer = game.answer(state, decision)
        if answer is not None:
            refusal = game.check(state, decision.seat, answer.action)
            assert refusal is None, f"{name}: the answer {answer} of {decision} is refused: {refusal}"


def apply_leaves_its_input_alone(play: Play) -> None:
    """`apply` and `resign` give the same twice, and the state that went in is as it was."""
    game = play.table.game
    for name, position in play.positions(MOST_POSITIONS):
        before = encode(position.state)
        for decision in game.pending(position.state):
            for action in game.legal(position.state, decision)[:8]:
                twice = [
                    game.apply(position.state, decision.seat, action, Dice(source(name, 1))) for _ in "12"
                ]
                assert encode(position.state) == before, f"{name}: {action} of {decision} changed its input"
                assert same(*twice), f"{name}: {action} of {decision} gave two different outcomes"
        if game.result(position.state) is None:
            for seat in waiting(play.table, position):
                game.resign(position.state, seat, Dice(source(name, 1)))
                assert encode(position.state) == before, f"{name}: resign of {seat} changed its input"


def data_survives_the_wire(play: Play) -> None:
    """State, views, menus, events and actions come back from their bytes as they were, in the JSON subset."""
    game = play.table.game
    for name, position in play.positions(MOST_POSITIONS):
        _round(name, game.state, position.state)
        _round(name, Position[game.state], position)  # type: ignore[name-defined]
        for seat in (*play.table.charter.seats, None):
            view = game.view(position.state, seat)
            _round(f"{name}, view of {seat}", game.view_type, view)
            _round(f"{name}, menu of {seat}", Menu, game.menu(view))
        for decision in game.pending(position.state):
            for action in game.legal(position.state, decision)[:8]:
                _round(name, game.action, action)
    for number, outcome in enumerate(play.outcomes()):
        for event in outcome.events:
            if type(event) in shapes.structs(game.event):
                _round(f"{play.case.name}, record {number}", game.event, event)
            else:
                assert type(event).__name__ == "Lapsed", f"{play.case.name}: {event} is no event of the game"


def _round(name: str, kind: Any, value: Any) -> None:
    data = encode(value)
    back = decode(kind, data)
    assert back == value, f"{name}: {value} came back as {back}"
    assert encode(back) == data, f"{name}: {kind} has two encodings"
    in_subset(name, plain(value))


def in_subset(name: str, value: Any) -> None:
    """protocol.md section 2: what may stand in JSON."""
    for key, item in (shapes.as_object(value) or {}).items():
        assert KEY.fullmatch(key), f"{name}: the key {key!r}"
        in_subset(f"{name}.{key}", item)
    for item in shapes.as_list(value) or ():
        in_subset(f"{name}[]", item)
    assert isinstance(value, dict | list | tuple | str | int), (
        f"{name}: {value!r} is outside of the JSON subset"
    )
    assert not isinstance(value, int) or abs(value) < 1 << 53, f"{name}: the number {value}"


def replays_give_the_log(play: Play) -> None:
    """The same steps give the same outcomes and draws, and so do steps that have been through JSON."""
    again = replay(play.table, play.setups, play.steps, lambda turn: source(play.case.name, turn))
    first, dice = next(again)
    assert same(first, play.opening), f"{play.case.name}: the start differs on replay"
    for one, (outcome, dice) in zip(play.taken, again, strict=True):
        name = f"{play.case.name}, record {one.number}"
        assert same(outcome, one.outcome), f"{name}: the outcome differs on replay"
        assert (tuple(dice.public), tuple(dice.hidden)) == (one.public, one.hidden), f"{name}: draws differ"


def views_can_be_imagined(play: Play) -> None:
    """A state made from a view looks just like the view; and a view with its menu stays small."""
    game = play.table.game
    for name, position in play.positions(4 * MOST_POSITIONS):
        for seat in (*play.table.charter.seats, None):
            view = game.view(position.state, seat)
            again = game.view(game.imagine(view), seat)
            assert again == view, f"{name}: imagined from the view of {seat}, {view} looks like {again}"
            size = len(encode(view)) + len(encode(game.menu(view)))
            assert size < MOST_BYTES, f"{name}: view and menu of {seat} take {size} bytes"


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


def nothing_is_lost(play: Play) -> None:
    """The tally is the same from start to end."""
    game = play.table.game
    first = dict(game.tally(play.opening.position.state))
    assert first, f"{play.case.name}: the game counts nothing"
    for number, outcome in enumerate(play.outcomes()):
        now = dict(game.tally(outcome.position.state))
        assert now == first, f"{play.case.name}, record {number}: the tally was {first} and is {now}"


def reports_are_fit_to_mail(play: Play) -> None:
    """At most 72 columns, the same every time, and nothing in them that their reader can't know."""
    table = play.table
    for number, outcome in enumerate(play.outcomes()):
        state = outcome.position.state
        ids = {leaf for _, leaf in shapes.leaves(plain(state)) if isinstance(leaf, str) and len(leaf) > 2}
        for seat in table.charter.seats:
            name = f"{play.case.name}, record {number}, report of {seat}"
            view, news = table.game.view(state, seat), heard(table, outcome.events, seat)
            text = table.game.report(view, news, "en")
            assert text == table.game.report(view, news, "en"), f"{name}: differs when written again"
            assert text.strip(), f"{name}: empty"
            for line in text.splitlines():
                assert len(line) <= COLUMNS, f"{name}: {len(line)} columns: {line!r}"
            open_to_it = encode([view, news]).decode()
            for hidden in (one for one in ids if f'"{one}"' not in open_to_it):
                found = re.search(rf"(?<![\w-]){re.escape(hidden)}(?![\w-])", text)
                assert not found, f"{name}: speaks of {hidden}, which {seat} can't know:\n{text}"


def news_shows_no_more_than_it_should(play: Play) -> None:
    """What a seat hears of hidden things, its view shows too, before or after; but for what exposed.toml allows.

    Only people know what a rule means to show. So the events that show more stand in a list, with the reason.
    """
    table = play.table
    allowed = EXPOSED.get(table.game.id, {})
    for one in play.taken:
        before, after = one.before.state, one.outcome.position.state
        secrets = things(before)
        for seat in (*table.charter.seats, None):
            shown = [plain(table.game.view(state, seat)) for state in (before, after)]
            open_to_it = {leaf for _, leaf in shapes.leaves(shown)}
            for event in heard(table, one.outcome.events, seat):
                told = {leaf for _, leaf in shapes.leaves(plain(event))} & (secrets - open_to_it)
                assert not told or event.__struct_config__.tag in allowed, (
                    f"{play.case.name}, record {one.number}: {seat} hears {event}; no view of it shows "
                    f"{', '.join(sorted(told))}. If the rules show it, say so in tests/contract/exposed.toml"
                )


def things(state: Any) -> set[str]:
    """The strings that stand in a position exactly once: what can be hidden, like a card."""
    found = Counter(leaf for _, leaf in shapes.leaves(plain(state)) if isinstance(leaf, str))
    return {leaf for leaf, count in found.items() if count == 1 and leaf}


def somebody_is_always_next(play: Play) -> None:
    """A closed turn names the seats that decide next, none only at the end; turn numbers go up by one."""
    game, before = play.table.game, 0
    for number, outcome in enumerate(play.outcomes()):
        name, state = f"{play.case.name}, record {number}", outcome.position.state
        asked = {decision.seat for decision in game.pending(state)}
        if outcome.result is not None:
            assert not asked, f"{name}: the game is over, and {asked} are asked"
            assert sorted(place.seat for place in outcome.result.places) == sorted(play.table.charter.seats)
        elif outcome.closed:
            assert outcome.next, f"{name}: the turn closed, nobody is next, and there is no result"
            assert state.turn == before + 1, f"{name}: turn {before} closed, and turn {state.turn} opened"
        else:
            assert asked, f"{name}: nobody is asked, and the turn is open"
            assert state.turn == before, f"{name}: turn {before} became {state.turn} without closing"
        before = state.turn
        assert set(game.order(state)) <= set(play.table.charter.seats), f"{name}: order names strangers"


def draws_are_fair(play: Play) -> None:
    """No label twice; labels count and name nothing; a seat that leaves out of turn draws nothing."""
    seen: set[str] = set()
    gone: set[str] = set()
    for one in play.taken:
        name = f"{play.case.name}, record {one.number}"
        if one.number % 4 == 0:
            _leaves_without_a_draw(play, name, one.before, gone)
        gone |= {one.step.seat} if isinstance(one.step, Resigned) else set()
        named = set(words_of(play.table, one.before.state)) - {"nonsense"}
        _labels(name, (*one.public, *one.hidden), seen, named)


def _leaves_without_a_draw(play: Play, name: str, position: Position[Any], gone: set[str]) -> None:
    """Whoever is not to move may leave, and no die falls for it."""
    game = play.table.game
    busy = {*gone, *waiting(play.table, position)}
    for seat in play.table.charter.seats if game.result(position.state) is None else ():
        if seat not in busy:
            dice = Dice(source(name, position.state.turn))
            game.resign(position.state, seat, dice)
            drawn = [draw.label for draw in (*dice.public, *dice.hidden)]
            assert not drawn, f"{name}: if {seat} leaves out of turn, it draws {drawn}"


def _labels(name: str, draws: tuple[Draw, ...], seen: set[str], named: set[str]) -> None:
    for draw in draws:
        assert draw.label.isascii(), f"{name}: the label {draw.label!r}"
        assert draw.label not in seen, f"{name}: the label {draw.label} a second time"
        seen.add(draw.label)
        spoken = {part for part in draw.label.split("/") if part in named and not part.isalpha()}
        assert not spoken, f"{name}: the label {draw.label} names {spoken}"


def automatic_answers_are_owned_up_to(play: Play) -> None:
    """`by` says `standing` if and only if the seat has sent standing orders."""
    for one in play.taken:
        for auto in one.outcome.auto:
            expected = "standing" if auto.seat in one.before.standing else "default"
            assert auto.by == expected, f"{play.case.name}, record {one.number}: {auto}"


def positions_can_be_placed(play: Play) -> None:
    """A scenario can give every field: the parts of any position, placed, are that position."""
    game, charter = play.table.game, play.table.charter
    for name, position in play.positions(MOST_POSITIONS):
        try:
            placed = game.place(charter, plain(position.state))
        except Refused as refused:
            raise AssertionError(f"{name}: place refuses it: {refused.refusal}") from refused
        assert placed == position.state, f"{name}: place made another of it: {placed}"


def cuts_change_nothing(play: Play) -> None:
    """An order list sent whole or in several moves: the same draws, events and position."""
    orders = sum(check_cut(play, position, name) for name, position in play.positions(2 * MOST_POSITIONS))
    assert orders, f"{play.case.name}: in no position is one seat alone to move"


def the_record_is_whole(play: Play) -> None:
    """Seats, names, player counts and codes of the Game record are sound."""
    game = play.table.game
    low, high = game.players
    assert 1 <= low <= high <= len(game.seats), (
        f"{game.id}: {game.players} players on {len(game.seats)} seats"
    )
    assert len(set(game.seats)) == len(game.seats), f"{game.id}: a seat twice"
    assert "host" not in game.seats, f"{game.id}: no seat is called host"
    for seat in game.seats:
        assert KEY.fullmatch(seat), f"{game.id}: the seat {seat!r}"
        assert words(game.seat_names[seat]), f"{game.id}: {seat} has no name"
    codes = [code.code for code in (*CODES, *game.codes)]
    assert len(set(codes)) == len(codes), f"{game.id}: a code twice among {sorted(codes)}"
    for code in codes:
        assert re.fullmatch(r"[a-z]+/[a-z0-9]+(-[a-z0-9]+)*", code), f"{game.id}: the code {code}"
    assert isinstance(play.table.charter, Charter)


CHECKS: tuple[Callable[[Play], None], ...] = (
    the_record_is_whole,
    legal_is_accepted_and_on_the_menu,
    menus_are_right,
    checks_are_no_probes,
    what_is_accepted_is_on_the_menu,
    refusals_can_be_said,
    order_codes_hold_for_the_turn,
    defaults_are_legal,
    apply_leaves_its_input_alone,
    data_survives_the_wire,
    replays_give_the_log,
    views_can_be_imagined,
    what_is_sure_happens,
    nothing_is_lost,
    reports_are_fit_to_mail,
    news_shows_no_more_than_it_should,
    somebody_is_always_next,
    draws_are_fair,
    automatic_answers_are_owned_up_to,
    positions_can_be_placed,
    cuts_change_nothing,
)
