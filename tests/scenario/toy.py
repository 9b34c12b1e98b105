"""A game for these tests: dig gems out of a heap, and another seat may be asked to give one up.

In turn: `dig` draws a hidden card from the heap, `throw` rolls a die and scores it, `beg{seat}` asks another
seat for a gem (its standing order, or itself), `rest` ends the turn. Three points end the game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import msgspec

from engine import (
    Act,
    Answer,
    AnyGame,
    Asked,
    Charter,
    Code,
    Decision,
    Dice,
    Field,
    Form,
    Menu,
    Option,
    Place,
    Refusal,
    Result,
    find,
    refuse,
    say,
)

SEATS = ("red", "blue", "green")
CODES = (
    Code("order/no-such-seat", "another seat", "{seat}", "Name one of the others."),
    Code("moment/heap-empty", "a heap with something in it", "an empty heap", "Rest."),
    Code("moment/not-asked", "an answer to a question", "no question", "Wait for one."),
    Code("position/heap", "different gems", "{gem} twice", "Correct the heap."),
    Code("options/goal", "a goal of 1 to 9", "{goal}", "Correct the goal."),
)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: int = 6


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    beg: Literal["refuse", "ask"] = "refuse"


class Dig(msgspec.Struct, frozen=True, tag_field="do", tag="dig", forbid_unknown_fields=True):
    pass


class Throw(msgspec.Struct, frozen=True, tag_field="do", tag="throw", forbid_unknown_fields=True):
    pass


class Beg(msgspec.Struct, frozen=True, tag_field="do", tag="beg", forbid_unknown_fields=True):
    seat: str


class Reply(msgspec.Struct, frozen=True, tag_field="do", tag="reply", forbid_unknown_fields=True):
    give: bool


class Rest(msgspec.Struct, frozen=True, tag_field="do", tag="rest", forbid_unknown_fields=True):
    pass


Action = Dig | Throw | Beg | Reply | Rest


class Dug(msgspec.Struct, frozen=True, tag_field="event", tag="dug", omit_defaults=True):
    seat: str
    gem: str = ""


class Threw(msgspec.Struct, frozen=True, tag_field="event", tag="threw"):
    seat: str
    die: int


class Replied(msgspec.Struct, frozen=True, tag_field="event", tag="replied"):
    seat: str
    give: bool


Event = Dug | Threw | Replied


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    seats: tuple[str, ...]
    goal: int
    heap: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = {}
    score: dict[str, int] = {}
    turn: int = 1
    mover: str = "red"
    asked: str | None = None
    asking: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: str | None
    mover: str
    seats: tuple[str, ...]
    heap: int
    hand: tuple[str, ...] = ()
    asked: str | None = None


def _vet(seats: tuple[str, ...], options: Any, data: Any) -> Refusal | None:
    return None if 1 <= options.goal <= 9 else Refusal("options/goal", {"goal": options.goal})


def _new(charter: Charter, setups: Any, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    heap = dice.shuffle("heap", ("ruby", "opal", "jade"), hidden=True)
    return State(charter.seats, charter.options.goal, heap, dict.fromkeys(charter.seats, ())), ()


def _pending(state: State) -> tuple[Decision, ...]:
    if _result(state) is not None:
        return ()
    return (Decision(state.asked, "reply") if state.asked else Decision(state.mover, "turn"),)


def _check(state: State, seat: str, action: Any) -> Refusal | None:
    if isinstance(action, Beg) and (action.seat == seat or action.seat not in state.seats):
        return Refusal("order/no-such-seat", {"seat": action.seat})
    if isinstance(action, Reply) != (state.asked == seat):
        return Refusal("moment/not-asked")
    return Refusal("moment/heap-empty") if isinstance(action, Dig) and not state.heap else None


def _apply(state: State, seat: str, action: Any, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    change = msgspec.structs.replace
    match action:
        case Dig():
            gem = state.heap[0]
            hands = {**state.hands, seat: (*state.hands.get(seat, ()), gem)}
            return change(state, heap=state.heap[1:], hands=hands), (Dug(seat, gem),)
        case Throw():
            (die,) = dice.roll(f"{state.turn}/throw", 6, 1)
            return change(state, score={**state.score, seat: state.score.get(seat, 0) + die}), (
                Threw(seat, die),
            )
        case Beg():
            return change(state, asked=action.seat), ()
        case Reply():
            return change(state, asked=None), (Replied(seat, action.give),)
        case _:
            after = state.seats[(state.seats.index(state.mover) + 1) % len(state.seats)]
            return change(state, mover=after, turn=state.turn + 1), ()


def _answer(state: State, decision: Decision) -> Answer | None:
    if decision.kind != "reply" or decision.seat in state.asking:
        return None
    return Answer(Reply(False), shown=True)


def _default(state: State, decision: Decision) -> Any:
    return Reply(False) if decision.kind == "reply" else Rest()


def _instruct(state: State, seat: str, policy: Policy) -> State:
    others = tuple(one for one in state.asking if one != seat)
    return msgspec.structs.replace(state, asking=(*others, seat) if policy.beg == "ask" else others)


def _resign(state: State, seat: str, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    return msgspec.structs.replace(state, gone=(*state.gone, seat)), ()


def _view(state: State, seat: str | None) -> View:
    hand = state.hands.get(seat, ()) if seat else ()
    return View(seat, state.mover, state.seats, len(state.heap), hand, state.asked)


def _hear(event: Any, seat: str | None) -> Any:
    return Dug(event.seat) if isinstance(event, Dug) and event.seat != seat else event


def _menu(view: View) -> Menu:
    if view.asked or view.seat != view.mover:
        return Menu()
    others = tuple(Option(seat) for seat in view.seats if seat != view.seat)
    field = Field("seat", "seat", say("whom"), options=others)
    acts = [Act("throw", say("throw")), Act("rest", say("rest")), Act("beg", say("beg"), "beg")]
    dig = [Act("dig", say("dig"))] if view.heap else []
    return Menu((Asked("turn", say("your turn"), (*acts, *dig)),), (Form("beg", (field,)),))


def _imagine(view: View) -> State:
    hands = {view.seat: view.hand} if view.seat else {}
    return State(view.seats, 9, ("?",) * view.heap, hands, mover=view.mover, asked=view.asked)


def _result(state: State) -> Result | None:
    if state.gone:
        return Result("resigned", ())
    best = [seat for seat in state.seats if state.score.get(seat, 0) >= state.goal]
    return Result("goal", (Place(best[0], 1, state.score[best[0]]),)) if best else None


def _place(charter: Charter, parts: Any) -> State:
    heap = tuple(parts.get("heap", ()))
    for gem in heap:
        if heap.count(gem) > 1:
            raise refuse("position/heap", gem=gem)
    return msgspec.convert({"seats": charter.seats, "goal": charter.options.goal, **parts}, State)


def _vet_setup(charter: Charter, seat: str, setup: Setup) -> Refusal | None:
    return None


def _vet_policy(charter: Charter, seat: str, policy: Policy) -> Refusal | None:
    return None


def _order(state: State) -> tuple[str, ...]:
    return state.seats


def _legal(state: State, decision: Decision) -> tuple[Any, ...]:
    return (_default(state, decision),)


def _report(view: View, events: tuple[Any, ...], lang: str) -> str:
    return ""


def _tally(state: State) -> dict[str, int]:
    return {"gems": len(state.heap) + sum(map(len, state.hands.values()))}


TOY: AnyGame = replace(  # what a scenario never calls, such as pictures, is another game's
    find("arena", 1),
    id="toy",
    version=1,
    title=say("Gems"),
    seats=SEATS,
    players=(2, 3),
    options=Options,
    setup=Setup,
    policy=Policy,
    action=Action,
    event=Event,
    state=State,
    view_type=View,
    codes=CODES,
    seat_names={seat: say(seat) for seat in SEATS},
    vet=_vet,
    vet_setup=_vet_setup,
    vet_policy=_vet_policy,
    new=_new,
    order=_order,
    pending=_pending,
    legal=_legal,
    check=_check,
    apply=_apply,
    instruct=_instruct,
    answer=_answer,
    default=_default,
    resign=_resign,
    view=_view,
    hear=_hear,
    menu=_menu,
    imagine=_imagine,
    report=_report,
    result=_result,
    tally=_tally,
    place=_place,
)
