"""Remembering the newest answer: what the letters of one turn share is worked out once.

Decides nothing: an answer is given again only for the arguments of the call before. It is for functions of frozen
data whose hash would cost as much as the answer, or who have none, as views with their mappings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_not, ne
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def newest(make: Callable[P, T]) -> Callable[P, T]:
    """The function, which gives its newest answer again for equal arguments, all of them positional.

    Neither they nor the answer may ever change.
    """
    return _remembering(make, ne)


def newest_of_same(make: Callable[P, T]) -> Callable[P, T]:
    """The same for the very same objects: positions and views, where a look at all of them would cost too much."""
    return _remembering(make, lambda before, now: any(map(is_not, before, now)))


def _remembering(
    make: Callable[P, T], differ: Callable[[tuple[object, ...], tuple[object, ...]], bool]
) -> Callable[P, T]:
    # one tuple, read and replaced whole: threads may work twice, but never mix a question with another's answer
    kept: tuple[tuple[object, ...], T] | None = None

    @wraps(make)
    def again(*args: P.args, **named: P.kwargs) -> T:
        nonlocal kept
        if named:
            return make(*args, **named)
        found = kept
        if found is None or differ(found[0], args):
            found = kept = (args, make(*args, **named))
        return found[1]

    return again
