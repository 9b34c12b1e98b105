"""Refusals: a coded reason why something was not accepted; nothing has changed.

A code is `area/kebab-case`. `order/…` is wrong whatever the dice say and sends a whole move back;
`moment/…` is wrong here and now, and sends it back only as the first order, later it is a lapse.
Every code has one `Code` entry: what was expected, what was found, what to do next.
"""

from __future__ import annotations

import msgspec

from engine.kernel.prose import Arg, Say


class Counted(msgspec.Struct, frozen=True):
    """A sentence in two forms, of which the number in the argument `by` chooses one."""

    by: str
    one: str
    many: str


class Code(msgspec.Struct, frozen=True):
    """The words of one refusal code; the three sentences share the refusal's arguments.

    What was expected and what was found may depend on a number.
    """

    code: str
    expected: str | Counted
    found: str | Counted
    todo: str

    @property
    def texts(self) -> tuple[str, str, str]:
        """The three sentences with their places open, those that depend on a number in the plural."""
        expected, found, todo = (
            one.many if isinstance(one, Counted) else one for one in (self.expected, self.found, self.todo)
        )
        return expected, found, todo


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason. `order` counts from 1 where an order of a list is meant; `quote` is that order as written."""

    code: str
    args: dict[str, Arg] = {}
    order: int | None = None
    quote: str = ""

    @property
    def area(self) -> str:
        """The part of the code before the slash."""
        return self.code.partition("/")[0]


class Refused(Exception):
    """Carries a Refusal from where it is found to the one place that answers it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code, refusal.args)
        self.refusal = refusal


def refuse(code: str, /, **args: Arg) -> Refused:
    """`raise refuse("file/too-long", size=…, limit=…)`."""
    return Refused(Refusal(code, args))


def sentences(refusal: Refusal, table: dict[str, Code]) -> tuple[Say, Say, Say]:
    """Expected, found and what to do next, as sentences. KeyError for a code without an entry: our fault."""
    entry = table[refusal.code]
    args = refusal.args
    return _sentence(entry.expected, args), _sentence(entry.found, args), _sentence(entry.todo, args)


def _sentence(text: str | Counted, args: dict[str, Arg]) -> Say:
    """A sentence filled in. Where its number is no number, as where places are left open, it is in the plural."""
    if isinstance(text, str):
        return Say(text, args)
    count = args[text.by]
    return Say(text.many, {"n": count, **args}, text.one) if isinstance(count, int) else Say(text.many, args)
