"""Expectations held against a moment: the first difference. Each expectation is one function in one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from engine import (
    CODES,
    Lapsed,
    Refusal,
    Refused,
    Table,
    admits,
    encode,
    foresee,
    misfit_args,
    refuse,
    say,
    sentences,
)
from pbem.scenario.match import MISSING, Difference, differ, differ_in_order, full
from pbem.scenario.model import Asked, Exactly, Expect, Json, Judged, Turned
from pbem.scenario.moment import Moment, asked, heard

PUBLIC = "public"

Found = Iterator[Difference | None]


def compare(table: Table, wanted: Expect, moment: Moment, path: str) -> Difference | None:
    """The first expectation that is not met, in the order of the table below."""
    for check in _CHECKS:
        for difference in check(table, wanted, moment, path):
            if difference is not None:
                return difference
    return None


def _refusal(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    place = f"{path}.refusal"
    expected = Turned(wanted.refusal) if isinstance(wanted.refusal, str) else wanted.refusal
    found = moment.refusal
    if expected is None and found is not None:
        yield Difference(place, say("no refusal"), _explained(table, found))
    elif expected is not None and found is None:
        yield Difference(place, expected.code, say("no refusal"))
    elif expected is not None and found is not None:
        if found.code != expected.code:
            yield Difference(place, expected.code, _explained(table, found))
        if expected.order is not None:
            yield differ(f"{place}.order", expected.order, MISSING if found.order is None else found.order)


def _explained(table: Table, refusal: Refusal) -> Any:
    codes = {code.code: code for code in (*CODES, *table.game.codes)}
    expected, found, _todo = sentences(refusal, codes)
    sentence = say(
        "{code} (expected: {expected} Found: {found})", code=refusal.code, expected=expected, found=found
    )
    if refusal.order is None:
        return sentence
    return say(
        "{sentence} in order {order}: {quote}", sentence=sentence, order=refusal.order, quote=refusal.quote
    )


def _lapses(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    if wanted.lapses is None:
        return
    found = [
        {"code": event.refusal.code, "order": event.order, "seat": event.seat}
        for event in moment.events
        if isinstance(event, Lapsed)
    ]
    yield differ(f"{path}.lapses", [full(lapse) for lapse in wanted.lapses], found)


def _events(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    happened = [event for event in moment.events if not isinstance(event, Lapsed)]
    yield _some(f"{path}.events", wanted.events, happened)
    for seat, events in wanted.heard.items():
        told = heard(table, moment.events, _seat(table, seat, f"{path}.heard"))
        yield _some(f"{path}.heard.{seat}", events, told)


def _some(path: str, wanted: tuple[Json, ...] | Exactly | None, happened: Sequence[Any]) -> Difference | None:
    found = [full(one) for one in happened]
    if wanted is None:
        return None
    if isinstance(wanted, Exactly):
        return differ(f"{path}.exactly", list(wanted.exactly), found)
    return differ_in_order(path, wanted, found)


def _records(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    yield _some(f"{path}.auto", wanted.auto, moment.auto)
    if wanted.draws is not None:
        yield _some(f"{path}.draws.public", wanted.draws.public, moment.public)
        yield _some(f"{path}.draws.hidden", wanted.draws.hidden, moment.hidden)


def _position(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    position = moment.position
    if position is None:
        return
    if wanted.position is not None:
        yield differ(f"{path}.position", wanted.position, full(position.state))
    if wanted.waiting is not None:
        yield differ(f"{path}.waiting", wanted.waiting, full(msgspec.structs.replace(position, state={})))
    if wanted.next is not None:
        yield _next(f"{path}.next", wanted.next, table, moment)
    if wanted.closed is not None:
        yield differ(f"{path}.closed", wanted.closed, moment.closed)
    counts = table.game.tally(position.state)
    for index, counted in enumerate(wanted.tally):
        yield differ(f"{path}.tally[{index}].count", counted.count, counts.get(counted.name, MISSING))
    if wanted.result is not None:
        yield differ(
            f"{path}.result", wanted.result, MISSING if moment.result is None else full(moment.result)
        )


def _next(path: str, wanted: Sequence[str | Asked], table: Table, moment: Moment) -> Difference | None:
    assert moment.position is not None
    decisions = [{"seat": one.seat, "decision": one.kind} for one in asked(table, moment.position)]
    expected = [{"seat": one} if isinstance(one, str) else full(one) for one in wanted]
    return differ(path, expected, decisions)


def _views(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    if moment.position is None:
        return
    for name, part in wanted.view.items():
        seat = _seat(table, name, f"{path}.view")
        yield differ(f"{path}.view.{name}", part, full(table.game.view(moment.position.state, seat)))
    for name, strings in wanted.sees.items():
        known = _known(table, moment, _seat(table, name, f"{path}.sees"))
        for string in strings:
            if not _occurs(string, known):
                yield Difference(f"{path}.sees.{name}", string, say("not in its view or in what it heard"))
    for name, strings in wanted.hides.items():
        known = _known(table, moment, _seat(table, name, f"{path}.hides"))
        for string in strings:
            if _occurs(string, known):
                yield Difference(
                    f"{path}.hides.{name}", say("{string} nowhere", string=string), _around(string, known)
                )


def _known(table: Table, moment: Moment, seat: str | None) -> str:
    """Everything that a seat knows now, as text: its view, and what it has heard from the start."""
    assert moment.position is not None
    view = full(table.game.view(moment.position.state, seat))
    return encode([view, [full(event) for event in heard(table, moment.past, seat)]]).decode()


def _pattern(string: str) -> re.Pattern[str]:
    """A whole word: `gem-1` does not occur in `gem-10`."""
    return re.compile(rf"(?<![\w-]){re.escape(string)}(?![\w-])")


def _occurs(string: str, text: str) -> bool:
    return _pattern(string).search(text) is not None


def _around(string: str, text: str) -> str:
    match = _pattern(string).search(text)
    assert match is not None
    return f"…{text[max(0, match.start() - 60) : match.end() + 60]}…"


def _orders(table: Table, wanted: Expect, moment: Moment, path: str) -> Found:
    if moment.position is None:
        return
    game, state = table.game, moment.position.state
    for name, choices in wanted.menu.items():
        menu = game.menu(game.view(state, _seat(table, name, f"{path}.menu")))
        for index, order in enumerate(choices.admits):
            if not admits(menu, order):
                yield Difference(f"{path}.menu.{name}.admits[{index}]", _text(order), say("not in the menu"))
        for index, order in enumerate(choices.refuses):
            if admits(menu, order):
                yield Difference(f"{path}.menu.{name}.refuses[{index}]", say("not in the menu"), _text(order))
    for name, orders in wanted.check.items():
        seat = _seat(table, name, f"{path}.check")
        assert seat is not None
        for index, judged in enumerate(orders):
            yield _judge(table, moment, (seat, judged), f"{path}.check.{name}[{index}]")


def _judge(table: Table, moment: Moment, asked_for: tuple[str, Judged], path: str) -> Difference | None:
    seat, judged = asked_for
    game = table.game
    assert moment.position is not None
    try:
        refusal = game.check(moment.position.state, seat, msgspec.convert(judged.order, game.action))
    except msgspec.ValidationError as misfit:
        refusal = Refusal("order/shape", misfit_args(misfit))
    except Refused as refused:
        refusal = refused.refusal
    found = "" if refusal is None else refusal.code
    if found != judged.code:
        return Difference(f"{path}.code", judged.code or say("no refusal"), found or say("no refusal"))
    if judged.certainty is None:
        return None
    step = foresee(game, game.view(moment.position.state, seat), seat, [judged.order]).steps[0]
    return differ(f"{path}.certainty", judged.certainty, step.certainty)


def _text(value: Any) -> str:
    return encode(value).decode()


def _seat(table: Table, name: str, path: str) -> str | None:
    if name == PUBLIC:
        return None
    if name not in table.charter.seats:
        raise refuse("scenario/unknown-seat", seat=name, path=path, seats=", ".join(table.charter.seats))
    return name


_CHECKS: tuple[Callable[[Table, Expect, Moment, str], Found], ...] = (
    _refusal,
    _lapses,
    _events,
    _position,
    _views,
    _orders,
    _records,
)

__all__ = ["PUBLIC", "compare"]
