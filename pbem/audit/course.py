"""A game played again: `pbem.turn.course`, where all that the rules raise becomes a refusal (level 2).

A forged log may lead the rules anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine import Refused, refuse
from pbem.log import payloads, record
from pbem.log.draws import LabelSource
from pbem.log.payloads import Payload
from pbem.turn import course as courses
from pbem.turn.course import Course
from pbem.turn.play import Played

T = TypeVar("T")
__all__ = ["Course", "by_rules", "change", "confirm", "instruct", "put_back"]


def by_rules(work: Callable[[], T]) -> T:
    """What the rules say, or Refused `audit/not-allowed` or `audit/rules-broke`."""
    try:
        return work()
    except Refused as refused:
        raise refuse("audit/not-allowed", code=refused.refusal.code) from refused
    except Exception as error:  # whatever a forged log makes the rules raise is its own fault
        raise refuse("audit/rules-broke", reason=type(error).__name__) from error


def confirm(course: Course, payload: payloads.Ready) -> Course:
    """A seat's setup choices. Refused `audit/…` if the rules do not take them."""
    return by_rules(lambda: courses.confirm(course, payload))


def instruct(course: Course, payload: payloads.Standing) -> Course:
    """Standing orders, before the start or after it. Refused `audit/…` if the rules do not take them."""
    return by_rules(lambda: courses.instruct(course, payload))


def change(course: Course, entry: record.Changed, payload: Payload | None, dice: LabelSource) -> Played:
    """What comes of a start, a move, a silence or a resignation. `payload` is a move's. Refused `audit/…`."""
    return by_rules(lambda: courses.change(course, entry, payload, dice))


def put_back(course: Course, entry: record.Undone) -> Course:
    """What comes of an undo. Refused `audit/…`."""
    return by_rules(lambda: courses.put_back(course, entry))
