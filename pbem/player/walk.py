"""The way through a turn: questions from the menu alone, one order after the other, until the turn is done.

Knows no rule and no terminal. It is a generator: it gives questions and is sent answers, so that undoing is
walking the same way again with one answer less. After each order the engine's foresight says what is sure, and
gives the view from which the next menu comes.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import msgspec

from engine import Act, AnyGame, Field, Foresight, Menu, Option, Say, encode, foresee, plain, say, sentences
from pbem.log.payloads import OnLapse
from pbem.player.describe import describe_all, option_say
from pbem.player.opening import as_list
from pbem.player.questions import Answer, Choice, Question
from pbem.turn.refusals import TABLE

Order = dict[str, Any]
MOST_ORDERS = 60


class Filled(msgspec.Struct, frozen=True):
    """A turn filled in. `sign`: the player wants it signed and written."""

    orders: tuple[Order, ...]
    on_lapse: OnLapse
    note: str
    sign: bool


class Scene(msgspec.Struct, frozen=True):
    """What a turn is filled in for: the game, the seat and its view.

    Every question walks the whole way anew, so what orders lead to is worked out once and kept in `known`.
    """

    game: AnyGame
    view: Any
    seat: str
    known: dict[bytes, Foresight] = msgspec.field(default_factory=dict[bytes, Foresight])

    def foreseen(self, orders: Sequence[Order]) -> Foresight:
        """What these orders lead to."""
        name = encode(orders)
        if name not in self.known:
            self.known[name] = foresee(self.game, self.view, self.seat, orders)
        return self.known[name]


class Stand(msgspec.Struct, frozen=True):
    """How far a turn has come: the next question, or what was filled in; the orders so far and what they lead to."""

    orders: tuple[Order, ...]
    seen: Foresight
    question: Question | None = None
    filled: Filled | None = None


class Turn:
    """The orders of a turn while it is being walked through, and the newest foresight of them."""

    def __init__(self, scene: Scene, first: Sequence[Order]) -> None:
        self.scene = scene
        self.orders = list(first)
        self.seen = self.look()

    def look(self) -> Foresight:
        """What the orders so far lead to."""
        self.seen = self.scene.foreseen(self.orders)
        return self.seen


def resume(scene: Scene, first: Sequence[Order], answers: Sequence[Answer]) -> Stand:
    """Where these answers lead. To undo one, leave it out."""
    turn = Turn(scene, first)
    walk = walk_turn(turn)
    try:
        question = next(walk)
        for answer in answers:
            question = walk.send(answer)
    except StopIteration as end:
        return Stand(tuple(turn.orders), turn.seen, filled=end.value)
    return Stand(tuple(turn.orders), turn.seen, question)


def walk_turn(turn: Turn) -> Generator[Question, Answer, Filled]:
    """Asks for orders until the turn is over, nothing is asked any more, or the player stops."""
    scene = turn.scene
    menu = scene.game.menu(scene.view)
    while len(turn.orders) < MOST_ORDERS:
        seen = turn.look()
        notes = _told(seen)
        if any(step.refusal is not None for step in seen.steps):
            fine = zip(turn.orders, seen.steps, strict=True)
            turn.orders = [order for order, step in fine if step.refusal is None]
            seen = turn.look()
        if seen.closed:
            break
        menu = scene.game.menu(seen.view) if seen.view is not None else menu
        acts = [(asked.say, act) for asked in menu.asked for act in asked.acts]
        if not acts:
            break
        answer = yield _what_next(acts, seen, notes, bool(turn.orders))
        assert isinstance(answer, int)
        if answer >= len(acts):
            break
        order = yield from walk_act(menu, acts[answer][1])
        turn.orders.append(order)
    turn.look()
    return (yield from _finish(turn))


def walk_act(menu: Menu, act: Act) -> Generator[Question, Answer, Order]:
    """Asks for every field of an act; what leaves no choice is not asked."""
    filled = yield from _form(menu, act.form)
    return {"do": act.do, **filled}


def _what_next(
    acts: Sequence[tuple[Say, Act]], seen: Foresight, notes: tuple[Say, ...], stoppable: bool
) -> Question:
    choices = [Choice(act.say, act.do) for _, act in acts]
    if stoppable:
        choices.append(Choice(say("Stop here and leave the turn open"), "stop"))
    doubtful = seen.view is None
    return Question(
        kind="choice",
        say=acts[0][0] if not doubtful else say("Go on without knowing, or stop and wait for the news?"),
        choices=tuple(choices),
        has_default=stoppable and doubtful,
        default=len(choices) - 1,
        notes=notes,
    )


def _told(seen: Foresight) -> tuple[Say, ...]:
    """What is known of the newest order, of refused ones, and of what comes after."""
    notes: list[Say] = []
    for step in seen.steps:
        if step.refusal is not None:
            expected, found, _ = sentences(step.refusal, TABLE)
            notes.append(
                say(
                    "Order {number} can not be given and was taken out. Expected: {expected} Found: {found}",
                    number=step.order,
                    expected=expected,
                    found=found,
                )
            )
    if seen.steps and not notes:
        notes.append(certainty_say(seen.steps[-1].order, seen.steps[-1].certainty))
    match seen.after:
        case "dice":
            notes.append(say("What comes next depends on dice, which fall when your mail has arrived."))
        case "hidden":
            notes.append(say("What comes next depends on what you can not see yet; a letter will tell you."))
        case _:
            pass
    return tuple(notes)


def certainty_say(number: int, certainty: str) -> Say:
    """What can be said of an order before it is sent."""
    match certainty:
        case "sure":
            return say("Order {number}: sure to be carried out.", number=number)
        case "dice":
            return say("Order {number}: depends on dice.", number=number)
        case "hidden":
            return say("Order {number}: depends on what is hidden.", number=number)
        case _:
            return say("Order {number}: can not be given.", number=number)


def _form(menu: Menu, form: str) -> Generator[Question, Answer, Order]:
    filled: Order = {}
    queue = list(menu.form(form))
    while queue:
        field = queue.pop(0)
        if not _open(menu, field, filled):
            continue
        value, more = yield from _field(menu, field, filled)
        if value is not None:
            filled[field.name] = value
        queue = [*menu.form(more), *queue]
    return filled


def _open(menu: Menu, field: Field, earlier: Order) -> bool:
    """Whether a field has any value just now; only optional ones may have none."""
    if field.kind == "number":
        return field.low <= field.high
    if field.kind == "list":
        return field.item is not None and (_open(menu, field.item, earlier) or not field.optional)
    return bool(menu.options(field, earlier))


def _field(menu: Menu, field: Field, earlier: Order) -> Generator[Question, Answer, tuple[Any, str]]:
    """The value of a field (None: left out), and the form that follows it."""
    if field.kind == "number":
        return (yield from _number(field)), ""
    if field.kind == "list":
        return (yield from _list(menu, field, earlier)), ""
    options = menu.options(field, earlier)
    option = yield from _pick(field, options)
    if option is None:
        return None, ""
    if field.kind == "record":
        return (yield from _form(menu, option.form)), ""
    return (list(option.value) if isinstance(option.value, tuple) else option.value), option.form


def _number(field: Field) -> Generator[Question, Answer, Answer]:
    if field.low == field.high and not field.optional:
        return field.low
    usable = isinstance(field.default, int)
    return (
        yield Question(
            kind="number",
            say=field.say,
            low=field.low,
            high=field.high,
            optional=field.optional,
            has_default=usable or field.optional,
            default=field.default if usable else None,
        )
    )


def _pick(field: Field, options: tuple[Option, ...]) -> Generator[Question, Answer, Option | None]:
    if len(options) == 1 and not field.optional:
        return options[0]
    places = [place for place, option in enumerate(options) if option.value == field.default]
    answer = yield Question(
        kind="choice",
        say=field.say,
        choices=tuple(_choice(option) for option in options),
        optional=field.optional,
        has_default=bool(places) or field.optional,
        default=places[0] if places else None,
    )
    return options[answer] if isinstance(answer, int) else None


def _list(menu: Menu, field: Field, earlier: Order) -> Generator[Question, Answer, list[Any] | None]:
    item = field.item
    assert item is not None
    if item.kind in ("number", "list", "record"):
        return (yield from _one_by_one(menu, field, item, earlier))
    options = menu.options(item, earlier)
    high = min(field.high, len(options)) if field.distinct else field.high
    if len(options) == high == field.low == 1 and not field.optional:
        return [options[0].value]
    places = _defaults(field, options)
    answer = yield Question(
        kind="many",
        say=field.say,
        choices=tuple(_choice(option) for option in options),
        low=field.low,
        high=high,
        distinct=field.distinct,
        optional=field.optional,
        has_default=field.optional or places is not None or field.low == 0,
        default=places if places is not None else (None if field.optional else ()),
    )
    if not isinstance(answer, tuple):
        return None
    values = [options[place].value for place in answer]
    return [list(value) if isinstance(value, tuple) else value for value in values]


def _defaults(field: Field, options: tuple[Option, ...]) -> tuple[int, ...] | None:
    """The places of a list's default, if all of it is there."""
    wanted = as_list(plain(field.default))
    if wanted is None:
        return None
    values = [plain(option.value) for option in options]
    return tuple(values.index(one) for one in wanted if one in values)


def _one_by_one(
    menu: Menu, field: Field, item: Field, earlier: Order
) -> Generator[Question, Answer, list[Any] | None]:
    """Items that are no plain choices: for each beyond the fewest, whether there is to be one more."""
    items: list[Any] = []
    while len(items) < field.high:
        if len(items) >= field.low:
            more = yield Question(
                kind="choice",
                say=say("{field}: one more?", field=field.say),
                choices=(Choice(say("no"), "no"), Choice(say("yes"), "yes")),
                has_default=True,
                default=0,
            )
            if more != 1:
                break
        value, _ = yield from _field(menu, item, earlier)
        if not (field.distinct and value in items):
            items.append(value)
    return items if items or not field.optional else None


def _choice(option: Option) -> Choice:
    word = " ".join(option.value) if isinstance(option.value, tuple) else str(option.value)
    return Choice(option_say(option), word)


def _finish(turn: Turn) -> Generator[Question, Answer, Filled]:
    """The orders once more, what happens if one lapses, a note, and the word to sign."""
    scene, orders, seen = turn.scene, turn.orders, turn.seen
    if not orders:
        return Filled((), "go_on", "", False)
    doubtful = any(step.certainty != "sure" for step in seen.steps[1:])
    on_lapse: OnLapse = "go_on"
    if doubtful:
        answer = yield Question(
            kind="choice",
            say=say("If an order turns out to be impossible, what of those after it?"),
            choices=(Choice(say("go on with them"), "go"), Choice(say("stop, and wait for me"), "stop")),
            has_default=True,
            default=0,
        )
        on_lapse = "stop" if answer == 1 else "go_on"
    note = yield Question(
        kind="text",
        say=say("A note to yourself? It stays sealed now, and everybody can read it when the game is over"),
        has_default=True,
        default="",
    )
    sign = yield Question(
        kind="choice",
        say=say("Sign these orders?"),
        choices=(Choice(say("yes"), "yes"), Choice(say("no, keep a draft"), "no")),
        has_default=True,
        default=0,
        notes=summary(scene, orders, seen),
    )
    return Filled(tuple(orders), on_lapse, str(note or ""), sign == 0)


def summary(scene: Scene, orders: Sequence[Order], seen: Foresight) -> tuple[Say, ...]:
    """The orders in words, each with what can be said of it, and whether the turn ends with them."""
    rows: list[Say] = [say("Your orders:")]
    told = describe_all(scene.game, scene.view, scene.seat, orders)
    for (first, *more), step in zip(told, seen.steps, strict=True):
        rows.append(say("{number}. {order}", number=step.order, order=first))
        rows += [say("   {row}", row=row) for row in more]
        if step.certainty != "sure":
            rows.append(say("   {certainty}", certainty=_doubt(step.certainty)))
    if seen.closed:
        rows.append(say("With them your turn ends."))
    elif not seen.after:
        rows.append(say("The turn stays open: you will be asked for the rest."))
    return tuple(rows)


def _doubt(certainty: str) -> Say:
    return say("(depends on dice)") if certainty == "dice" else say("(depends on what is hidden)")
