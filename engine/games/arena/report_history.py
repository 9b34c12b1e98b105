"""What has happened since the reader's last report: a paragraph a turn, and the reasons of lapses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from engine.games.arena import events as ev
from engine.games.arena.codes import CODES
from engine.games.arena.report_events import phrase, who
from engine.games.arena.report_names import named
from engine.games.arena.view import View
from engine.kernel.advance import CODES as KERNEL_CODES
from engine.kernel.advance import Lapsed
from engine.kernel.prose import Say, say, words
from engine.kernel.refusal import sentences
from engine.kernel.report import by_turn, heading, order_said, paragraph

_LOUD = (
    ev.CreatureDied,
    ev.SeatResigned,
    ev.GameEnded,
    ev.StalemateObjected,
    ev.RowShuffled,
    ev.CardDealt,
)
_SETTING_UP = (ev.CreaturesChosen, ev.FirstChosen, ev.HandDealt)
_OTHERS = (
    ev.CardsFrozen,
    ev.CardGiven,
    ev.HandSeen,
    ev.SecretBetRevealed,
    ev.SeatResigned,
    ev.StalemateObjected,
    ev.CardDealt,
    ev.Scored,
)
"""Events whose `seat` is not, or need not be, whose turn it is."""
_HANG = " " * 4
_SENTENCES = {code.code: code for code in (*KERNEL_CODES, *CODES)}


def history(view: View, events: tuple[Any, ...], lang: str) -> str:
    """The turns since the last report, in order; empty if nothing has happened."""
    turns = tuple(by_turn(events, ev.TurnBegan))
    following = next((opening for opening, _ in turns if opening is not None), None)
    told = [_turn(view, opening or _opened(view, events, following), some, lang) for opening, some in turns]
    paragraphs = [text for text in told if text]
    if not paragraphs:
        return ""
    return "\n".join([heading(words(say("What has happened"), lang)), *paragraphs])


def _opened(view: View, events: Sequence[Any], following: ev.TurnBegan | None) -> ev.TurnBegan:
    """The opening of a turn of which an earlier report has told; `following` is the next one, if it has opened.

    Whose turn it is, is the view's to say. If another one has opened since, it was his who did something in it,
    or whom a Gorgon's victim answered; and where nothing of his is told, it was the turn before (HU p.3).
    """
    if following is None:
        return ev.TurnBegan(view.seat, view.turn, view.row)
    some = events[: events.index(following)]
    seats = (*_doers(some), *_before(view, events, following.seat))
    return ev.TurnBegan(seats[0], following.turn - 1, view.row)


def _doers(events: Sequence[Any]) -> Iterator[str]:
    """Whose turn the events of one turn show it to be."""
    for event in events:
        if isinstance(event, (ev.CardGiven, ev.HandSeen)):
            yield event.taker
        elif (isinstance(event, ev.SecretBetRevealed) and event.cause == "owner") or (
            hasattr(event, "seat") and not isinstance(event, (*_OTHERS, Lapsed))
        ):
            yield event.seat


def _before(view: View, events: Sequence[Any], seat: str) -> Iterator[str]:
    """The seats back in turn order from one, but for those who had left before these events."""
    leaving = {event.seat for event in events if isinstance(event, ev.SeatResigned)}
    at = view.order.index(seat)
    for other in (*reversed(view.order[:at]), *reversed(view.order[at:])):
        if other in leaving or not view.seats[other].resigned:
            yield other


def _turn(view: View, opening: ev.TurnBegan, events: tuple[Any, ...], lang: str) -> str:
    """One turn: its label and what was done as one paragraph, what is more than that in lines of its own."""
    done: list[Say] = []
    more: list[str] = []
    for event, following in zip_longest(events, events[1:]):
        if isinstance(event, Lapsed):
            more.append(_lapse(event, lang))
            continue
        one = phrase(event, view.me, following)
        if one is None:
            continue
        if isinstance(event, _LOUD) or (isinstance(event, ev.SecretBetRevealed) and event.cause == "end"):
            more.append(paragraph(words(one, lang), "  * ", _HANG))
        elif isinstance(event, _SETTING_UP):
            more.append(paragraph(words(one, lang)))
        else:
            done.append(one)
    if not done:
        return "\n".join(more)
    label = say("Turn {turn}, {seat}", turn=opening.turn, seat=who(opening.seat, view.me))
    told = words(say("{label}: {what}.", label=label, what=_joined(done, lang)), lang)
    return "\n".join([paragraph(told, "", _HANG), *more])


def _joined(phrases: Sequence[Say], lang: str) -> str:
    text = words(phrases[0], lang)
    for one in phrases[1:]:
        text = words(say("{before}; {next}", before=text, next=one), lang)
    return text


def _lapse(lapsed: Lapsed, lang: str) -> str:
    """An order that had become impossible: the order, why, and what to do about it."""
    expected, found, todo = sentences(lapsed.refusal, _SENTENCES)
    first = say(
        "Your order {order} came to nothing: {quote}",
        order=lapsed.order,
        quote=order_said(lapsed.quote, lambda id: named(id, lang)),
    )
    reasons = (say("Needed: {sentence}", sentence=expected), say("Found: {sentence}", sentence=found), todo)
    lines = [paragraph(words(first, lang), "  * ", _HANG)]
    return "\n".join([*lines, *(paragraph(words(one, lang), _HANG, _HANG + "  ") for one in reasons)])
