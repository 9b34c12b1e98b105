"""What a scenario file says, as types. Decides the shape only; what the words mean is the ruleset's."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine import misfit_problem, refuse, say

MOST_BYTES = 256 * 1024
"""Largest canonical size of a scenario file."""
DEEPEST = 24
"""Most nested lists and objects in one."""

Json = dict[str, Any]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly its own fields."""


class Exactly(Strict, frozen=True):
    """A whole list, instead of some of it in order."""

    exactly: tuple[Json, ...]


class Turned(Strict, frozen=True):
    """A refusal expected; `order` counts from 1."""

    code: str
    order: int | None = None


class Lapse(Strict, frozen=True):
    """An order expected to lapse; `order` counts from 1 in its list."""

    code: str
    order: int | None = None
    seat: str | None = None


class Asked(Strict, frozen=True):
    """A seat expected to be asked, and for what."""

    seat: str
    decision: str


class Draws(Strict, frozen=True):
    """Draws expected, as the log has them."""

    public: tuple[Json, ...] | Exactly | None = None
    hidden: tuple[Json, ...] | Exactly | None = None


class Choices(Strict, frozen=True):
    """Orders that a seat's menu can or cannot be filled in to."""

    admits: tuple[Json, ...] = ()
    refuses: tuple[Json, ...] = ()


class Judged(Strict, frozen=True):
    """What the rules say to one order here and now; without `code` they accept it.

    `certainty`, if given, is what the seat can tell from its view: `sure`, `dice`, `hidden` or `refused`.
    """

    order: Json
    code: str = ""
    certainty: Literal["sure", "dice", "hidden", "refused"] | None = None


class OrderList(Strict, frozen=True):
    """An order list that waits; `first` numbers its first order, `silent` marks a seat that timed out."""

    seat: str
    orders: tuple[Json, ...] = ()
    on_lapse: Literal["go_on", "stop"] = "go_on"
    first: int = 1
    silent: bool = False


class Policy(Strict, frozen=True):
    """Standing orders of a seat, in the words of the ruleset."""

    seat: str
    policy: Json


class Counted(Strict, frozen=True):
    """One of the counts that the rules conserve."""

    name: str
    count: int


class Waiting(Strict, frozen=True):
    """The part of a position that every game has: whose orders are due, and which lists wait.

    Without `due`, the seats that the ruleset asks. `standing` names the seats that have sent standing orders.
    """

    due: tuple[str, ...] | None = None
    sealed: tuple[OrderList, ...] = ()
    rest: tuple[OrderList, ...] = ()
    filed: tuple[Policy, ...] = ()
    standing: tuple[str, ...] = ()


class Expect(Strict, frozen=True):
    """Expectations; every field may be left out, and then expects nothing.

    `lapses`, where given, are all of them. `events`, `heard`, `auto` and `draws` are some, in order, each
    object in part, unless written `{"exactly": […]}`. Keys of `heard`, `view`, `sees` and `hides` are seats,
    or `public`.
    """

    refusal: str | Turned | None = None
    lapses: tuple[Lapse, ...] | None = None
    events: tuple[Json, ...] | Exactly | None = None
    heard: dict[str, tuple[Json, ...] | Exactly] = {}
    auto: tuple[Json, ...] | Exactly | None = None
    draws: Draws | None = None
    position: Json | None = None
    waiting: Json | None = None
    next: tuple[str | Asked, ...] | None = None
    closed: bool | None = None
    view: dict[str, Json] = {}
    sees: dict[str, tuple[str, ...]] = {}
    hides: dict[str, tuple[str, ...]] = {}
    menu: dict[str, Choices] = {}
    check: dict[str, tuple[Judged, ...]] = {}
    result: Json | None = None
    tally: tuple[Counted, ...] = ()


NOTHING = Expect()


class Move(Strict, frozen=True):
    """A seat sends orders."""

    seat: str
    orders: tuple[Json, ...]
    on_lapse: Literal["go_on", "stop"] = "go_on"
    note: str = ""
    expect: Expect = NOTHING


class Timeout(Strict, frozen=True):
    """A seat's time runs out."""

    timeout: str
    note: str = ""
    expect: Expect = NOTHING


class Resign(Strict, frozen=True):
    """A seat leaves the game."""

    resign: str
    note: str = ""
    expect: Expect = NOTHING


class Standing(Strict, frozen=True):
    """A seat files standing orders; they count from the next turn that opens."""

    standing: Policy
    note: str = ""
    expect: Expect = NOTHING


Step = Move | Timeout | Resign | Standing
STEPS: dict[str, type[Step]] = {"seat": Move, "timeout": Timeout, "resign": Resign, "standing": Standing}


class Scripted(Strict, frozen=True):
    """One draw that comes out as told; without a label it is the next one that has no script of its own."""

    values: tuple[int | str, ...]
    label: str = ""


class Scenario(Strict, frozen=True):
    """A scenario file. `steps` hold their raw objects here; `steps_of` gives them their types."""

    v: Literal[1]
    name: str
    ruleset: str
    seats: tuple[str, ...]
    steps: tuple[Json, ...]
    expect: Expect = NOTHING
    page: str = ""
    question: str = ""
    answer: str = ""
    version: int = 1
    options: Json = {}
    data: Json = {}
    setups: dict[str, Json] = {}
    position: Json | None = None
    waiting: Waiting = Waiting()
    draws: tuple[Scripted, ...] = ()
    seed: str = ""


def scenario_of(value: object) -> Scenario:
    """The scenario that a JSON value spells. Refused: `scenario/shape`."""
    try:
        return msgspec.convert(value, Scenario)
    except msgspec.ValidationError as misfit:
        raise refuse("scenario/shape", problem=misfit_problem(misfit)) from None


def steps_of(scenario: Scenario) -> tuple[Step, ...]:
    """The steps in their types. Refused: `scenario/step`, `scenario/shape`."""
    return tuple(_step(number, raw) for number, raw in enumerate(scenario.steps, 1))


def _step(number: int, raw: Json) -> Step:
    named = [key for key in STEPS if key in raw]
    if len(named) != 1:
        raise refuse("scenario/step", step=number, found=", ".join(named) or say("none of them"))
    try:
        return msgspec.convert(raw, STEPS[named[0]])
    except msgspec.ValidationError as misfit:
        raise refuse("scenario/shape", problem=misfit_problem(misfit, f"steps[{number - 1}]")) from None
