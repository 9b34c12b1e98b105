"""The war diary: what has happened since the reader's last report, a turn at a time.

What was done stands in one paragraph; each battle has a line of its own below it, with its dice; what is louder than
that (a leader's end, the AllSpark, the end of the game) has one too. In the longer form each roll has a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.games.cybertron import events as ev
from engine.games.cybertron.codes import CODES
from engine.games.cybertron.report_battle import PARTS, Fight, fates, has_eights, line, rolls_in_full
from engine.games.cybertron.report_events import income, phrase, placed
from engine.games.cybertron.report_names import called, who
from engine.games.cybertron.view import View
from engine.kernel.advance import CODES as KERNEL_CODES
from engine.kernel.advance import Lapsed
from engine.kernel.prose import Say, say, words
from engine.kernel.refusal import sentences
from engine.kernel.report import by_turn, heading, order_said, paragraph

_LOUD = (ev.AllSparkTurned, ev.SeatEliminated, ev.SeatResigned, ev.GameEnded)
_SETTING_UP = (ev.SeatsOrdered, ev.ZonesClaimed, ev.SparesPlaced)
_DOERS = (
    ev.RobotsPlaced,
    ev.LeaderRecalled,
    ev.LeaderFlipped,
    ev.ZoneMorphed,
    ev.AttackBegan,
    ev.AttackEnded,
    ev.BackUpMoved,
    ev.LeaderJumped,
    ev.ZoneGiven,
    ev.CardDrawn,
)
"""Events whose `seat` is whose turn it is."""
_SENTENCES = {code.code: code for code in (*KERNEL_CODES, *CODES)}
_HANG = " " * 4

Turn = tuple[ev.TurnBegan | None, tuple[Any, ...]]


def fights_of(turn: Turn, view: View) -> tuple[Fight, ...]:
    """The battles of a turn in order."""
    doer = _doer(turn, view)
    found: dict[int, Fight] = {}
    number = 0
    for event in turn[1]:
        if not isinstance(event, PARTS) and not (isinstance(event, ev.CardPlayed) and event.battle):
            continue
        number = getattr(event, "battle", number)
        found.setdefault(number, Fight(doer, number)).add(event)
    return tuple(found.values())


def _doer(turn: Turn, view: View) -> str:
    opening, events = turn
    if opening is not None:
        return opening.seat
    return next((event.seat for event in events if isinstance(event, _DOERS)), view.seat)


def diary(view: View, events: tuple[Any, ...], lang: str, *, long: bool) -> str:
    """The turns since the last report, in order; empty if nothing has happened."""
    turns = tuple(by_turn(events, ev.TurnBegan))
    openings = [opening for opening, _ in turns if opening is not None]
    first = openings[0].turn - 1 if openings else view.turn
    told = [text for turn in turns if (text := _turn(view, turn, first, (lang, long)))]
    if not told:
        return ""
    parts = [heading(words(say("War diary"), lang)), *told]
    if has_eights([fight for turn in turns for fight in fights_of(turn, view)]):
        parts.append(
            paragraph(words(say("An asterisk is a die with eight faces. A tie is the defender's."), lang))
        )
    return "\n".join(parts)


def _turn(view: View, turn: Turn, number: int, manner: tuple[str, bool]) -> str:
    """One turn. `number` is that of a turn whose opening an earlier report told; `manner` language and length."""
    lang, long = manner
    opening, events = turn
    before = [paragraph(words(one, lang)) for one in _begun(view, events, long=long)]
    done, after = _done(view, turn, long=long)
    who_did = who(_doer(turn, view), view.me)
    label = say("Turn {turn}, {seat}", turn=opening.turn if opening else number, seat=who_did)
    lines = list(before)
    below = [*_battles(view, turn, manner), *_then(after, lang)]
    below += [*_loud(view, events, manner), *_lapses(view, events, lang)]
    if done:
        told = words(say("{label}: {what}.", label=label, what=_joined(done, lang)), lang)
        lines.append(paragraph(told, "", _HANG))
    elif below:
        lines.append(paragraph(words(say("{label}:", label=label), lang)))
    return "\n".join([*lines, *below])


def _begun(view: View, events: Sequence[Any], *, long: bool) -> Iterator[Say]:
    for event in events:
        if isinstance(event, _SETTING_UP) and (one := phrase(view, event, long=long)) is not None:
            yield one


def _done(view: View, turn: Turn, *, long: bool) -> tuple[list[Say], list[Say]]:
    """Phrases of what was done before and after the battles of a turn."""
    opening, events = turn
    fought = [number for number, event in enumerate(events) if isinstance(event, PARTS)]
    end = fought[-1] + 1 if fought else len(events)
    before = list(_phrases(view, (opening, events[:end]), long=long))
    return before, list(_phrases(view, (None, events[end:]), long=long))


def _phrases(view: View, turn: Turn, *, long: bool) -> Iterator[Say]:
    """What was done, but for battles; what was placed is summed up where placing ended."""
    opening, events = turn
    if opening is not None and opening.day:
        yield say("got {income}", income=income(view, opening.income))
    robots: dict[str, int] = {}
    for event in events:
        if isinstance(event, Lapsed):
            continue
        if isinstance(event, ev.RobotsPlaced):
            robots[event.zone] = robots.get(event.zone, 0) + event.robots
            continue
        if robots and not isinstance(event, ev.LeaderRecalled):
            yield placed(view, robots)
            robots = {}
        if _is_quiet(event) and (one := phrase(view, event, long=long)) is not None:
            yield one
    if robots:
        yield placed(view, robots)


def _is_quiet(event: Any) -> bool:
    """Whether an event belongs into the paragraph of what was done."""
    apart = (*PARTS, *_LOUD, *_SETTING_UP, Lapsed)
    return not isinstance(event, apart) and not (isinstance(event, ev.CardPlayed) and event.battle)


def _battles(view: View, turn: Turn, manner: tuple[str, bool]) -> Iterator[str]:
    lang, long = manner
    for fight in fights_of(turn, view):
        yield paragraph(words(line(view, fight, long=long), lang), "  ", _HANG)
        if long:
            for roll in rolls_in_full(view, fight):
                yield paragraph(words(roll, lang), " " * 6, " " * 9)
        for fate in fates(view, fight):
            yield paragraph(words(fate, lang), "  * ", _HANG)


def _loud(view: View, events: Sequence[Any], manner: tuple[str, bool]) -> Iterator[str]:
    lang, long = manner
    for event in events:
        if isinstance(event, _LOUD) and (one := phrase(view, event, long=long)) is not None:
            yield paragraph(words(one, lang), "  * ", _HANG)


def _then(after: Sequence[Say], lang: str) -> Iterator[str]:
    if after:
        told = words(say("Then {what}.", what=_joined(after, lang)), lang)
        yield paragraph(told, "  ", _HANG)


def _joined(phrases: Sequence[Say], lang: str) -> str:
    text = words(phrases[0], lang)
    for one in phrases[1:]:
        text = words(say("{before}; {next}", before=text, next=one), lang)
    return text


def _lapses(view: View, events: Sequence[Any], lang: str) -> Iterator[str]:
    """Orders that had become impossible: the order, why, and what to do about it."""
    for event in events:
        if isinstance(event, Lapsed):
            expected, found, todo = sentences(event.refusal, _SENTENCES)
            told = order_said(event.quote, lambda id: called(view.atlas, id, lang))
            first = say("Your order {order} came to nothing: {quote}", order=event.order, quote=told)
            yield paragraph(words(first, lang), "  * ", _HANG)
            for one in (
                say("Needed: {sentence}", sentence=expected),
                say("Found: {sentence}", sentence=found),
                todo,
            ):
                yield paragraph(words(one, lang), _HANG, _HANG + "  ")
