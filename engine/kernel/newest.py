"""Remembering the newest answer: what the letters of one turn share is worked out once.

Decides nothing: an answer is given again only for arguments that are equal to those of the call before. It is for
functions of frozen data whose hash would cost as much as the answer, or who have none, as views with their mappings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def newest(make: Callable[P, T]) -> Callable[P, T]:
    """The function, which keeps its newest answer. Positional arguments only; neither they nor the answer may change."""
    # one tuple, read and replaced whole: threads may work twice, but never mix a question with another's answer
    kept: tuple[tuple[object, ...], T] | None = None

    @wraps(make)
    def again(*args: P.args, **named: P.kwargs) -> T:
        nonlocal kept
        if named:
            return make(*args, **named)
        found = kept
        # what is identical is equal at once; views of two seats differ in their first field
        if found is None or found[0] != args:
            found = kept = (args, make(*args, **named))
        return found[1]

    return again
