"""A question that the kit asks while a turn is filled in, and how a line typed by a person answers it.

Decides what an answer means; knows no order, no rule and no terminal. The words `?`, `u`, `q` and `v` belong
to whoever asks, and never come here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

import msgspec

from engine import Say, plural, say

Answer = int | str | tuple[int, ...] | None
"""A choice's place from 0 on, a number, a text, several places, or None: left out."""

Kind = Literal["choice", "number", "many", "text"]
LEAVE_OUT = "-"


class Choice(msgspec.Struct, frozen=True):
    """One thing to choose: what it is called, and the word that may be typed instead of its number."""

    say: Say
    word: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked. `default` is what an empty line means, if it means anything (`has_default`).

    `many` asks for `low` to `high` choices in order, each once if `distinct`; `number` for low … high.
    `notes` are said before it.
    """

    kind: Kind
    say: Say
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 0
    distinct: bool = False
    optional: bool = False
    has_default: bool = False
    default: Answer = None
    notes: tuple[Say, ...] = ()


class Unclear(Exception):
    """A line that answers nothing; `sentence` says what would."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(sentence.id)
        self.sentence = sentence


def parse(question: Question, line: str) -> Answer:
    """What a typed line means. Raises Unclear."""
    text = line.strip()
    if not text and question.has_default:
        return question.default
    if question.optional and text == LEAVE_OUT:
        return None
    match question.kind:
        case "choice":
            return _place(question, text)
        case "number":
            return _number(question, text)
        case "many":
            return _several(question, text)
        case "text":
            return text
        case _:
            assert_never(question.kind)


def help_of(question: Question) -> tuple[Say, ...]:
    """How this question is answered, and what else may be typed."""
    match question.kind:
        case "choice" if not counted(question.choices):
            first = say("Type one of the words or numbers above.")
        case "choice":
            first = say("Type the number of your choice, or the word itself or its beginning.")
        case "number":
            first = say("Type a number from {low} to {high}.", low=question.low, high=question.high)
        case "many":
            first = plural(
                "Type the number or word of {low} to {n} choice.",
                "Type the numbers or words of {low} to {n} choices with blanks between; the order counts.",
                question.high,
                low=question.low,
            )
        case "text":
            first = say("Type a line of text, or nothing.")
        case _:
            assert_never(question.kind)
    more = (
        say("An empty line takes what stands in square brackets."),
        say("- leaves it out, where that is possible."),
        say(
            "u undoes your last answer; v shows the board as it is at this point; q quits and keeps a draft."
        ),
    )
    return (first, *more)


def counted(choices: Sequence[Choice]) -> bool:
    """Whether a choice may be typed as its place. Not where a choice is a number itself: there 6 means six."""
    return not any(_digits(choice.word) for choice in choices)


def _digits(text: str) -> bool:
    return text.isdecimal() and text.isascii()


def _place(question: Question, text: str) -> int:
    if _digits(text) and counted(question.choices):
        number = int(text[:6])
        if 1 <= number <= len(question.choices):
            return number - 1
    if _digits(text):
        text = text.lstrip("0") or "0"
    low = text.casefold()
    words = [choice.word.casefold() for choice in question.choices]
    if low and low in words:
        return words.index(low)
    begun = [place for place, word in enumerate(words) if low and word.startswith(low)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise Unclear(say("That fits more than one choice; type more of it, or its number."))
    if not counted(question.choices):
        raise Unclear(say("Type one of the words or numbers above, or ? for help."))
    raise Unclear(say("Type a number from 1 to {high}, or ? for help.", high=len(question.choices)))


def _number(question: Question, text: str) -> int:
    digits = text.removeprefix("-")
    if digits.isdecimal() and digits.isascii() and len(digits) < 16:
        number = int(text)
        if question.low <= number <= question.high:
            return number
    raise Unclear(say("Type a number from {low} to {high}.", low=question.low, high=question.high))


def _several(question: Question, text: str) -> tuple[int, ...]:
    places = tuple(_place(question, word) for word in text.replace(",", " ").split())
    if not question.low <= len(places) <= question.high:
        if question.low == question.high:
            raise Unclear(plural("Choose one of them.", "Choose {n} of them.", question.low))
        raise Unclear(say("Choose {low} to {high} of them.", low=question.low, high=question.high))
    if question.distinct and len(set(places)) < len(places):
        raise Unclear(say("Choose each of them once."))
    return places
