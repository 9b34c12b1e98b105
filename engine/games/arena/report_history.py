"""What has happened since the reader's last report: a paragraph a turn, and the reasons of lapses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.arena import events as ev
from engine.games.arena.codes import CODES
from engine.games.arena.report_events import by_turn, phrase, who
from engine.games.arena.report_lines import heading, paragraph
from engine.games.arena.view import View
from engine.kernel.advance import CODES as KERNEL_CODES
from engine.kernel.advance import Lapsed
from engine.kernel.prose import Say, say, words
from engine.kernel.refusal import sentences

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
    turns = tuple(by_turn(events))
    openings = [opening for opening, _ in turns if opening is not None]
    first = openings[0].turn - 1 if openings else view.turn
    told = [_turn(view, opening or _opened(view, some, first), some, lang) for opening, some in turns]
    paragraphs = [text for text in told if text]
    if not paragraphs:
        return ""
    return "\n".join([heading(words(say("What has happened"), lang)), *paragraphs])


def _opened(view: View, events: Sequence[Any], turn: int) -> ev.TurnBegan:
    """The opening of a turn of which an earlier report has told."""
    doers = [e.seat for e in events if hasattr(e, "seat") and not isinstance(e, (*_OTHERS, Lapsed))]
    return ev.TurnBegan((doers or [view.seat])[0], turn, view.row)


def _turn(view: View, opening: ev.TurnBegan, events: tuple[Any, ...], lang: str) -> str:
    """One turn: its label and what was done as one paragraph, what is more than that in lines of its own."""
    done: list[Say] = []
    more: list[str] = []
    for event in events:
        if isinstance(event, Lapsed):
            more.append(_lapse(event, lang))
            continue
        one = phrase(event, view.me)
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
    first = say("Your order {order} came to nothing: {quote}", order=lapsed.order, quote=lapsed.quote)
    reasons = (say("Needed: {sentence}", sentence=expected), say("Found: {sentence}", sentence=found), todo)
    lines = [paragraph(words(first, lang), "  * ", _HANG)]
    return "\n".join([*lines, *(paragraph(words(one, lang), _HANG, _HANG + "  ") for one in reasons)])
