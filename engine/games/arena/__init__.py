"""Arena (Colossal Arena, R. Knizia): eight creatures fight, three survive, and bets on those pay.

Rules: the Hungarian manual, whose pages are named as "HU p.n"; "#n" is a row of the table of settled
readings in docs/arena.md. The catalog takes `ARENA` from here, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.arena import agenda, menu, orders, rounds, setup, standing
from engine.games.arena.codes import CODES
from engine.games.arena.events import Event, Events, hear
from engine.games.arena.guards import Guard, unmet
from engine.games.arena.imagine import imagine
from engine.games.arena.orders import Action, Policy
from engine.games.arena.place import laid, piles, place
from engine.games.arena.report import around, report
from engine.games.arena.shapes import shapes
from engine.games.arena.state import State, with_player
from engine.games.arena.steady import steady_turn
from engine.games.arena.trial import trial
from engine.games.arena.view import View, view
from engine.kernel.dice import Dice
from engine.kernel.game import Charter, Decision, Game, Result
from engine.kernel.prose import say
from engine.kernel.refusal import Refusal

__all__ = ["ARENA"]


def _vet_setup(charter: Charter, seat: str, choices: orders.Setup) -> Refusal | None:
    return None


def _order(state: State) -> tuple[str, ...]:
    return state.order


def _legal(state: State, decision: Decision) -> tuple[Action, ...]:
    return menu.legal(decision, view(state, decision.seat))


def _instruct(state: State, seat: str, policy: Policy) -> State:
    return with_player(state, seat, policy=policy)


def _resign(state: State, seat: str, dice: Dice) -> tuple[State, Events]:
    return rounds.resign(state, seat)


def _result(state: State) -> Result | None:
    return Result(state.ended, standing.places(state)) if state.ended else None


def _tally(state: State) -> Mapping[str, int]:
    """The 102 cards, and five tokens a seat."""
    tokens = {
        f"tokens/{seat}": player.stock + bool(player.secret) + laid(state, seat)
        for seat, player in state.players.items()
    }
    return {"cards": sum(len(cards) for _, cards in piles(state)), **tokens}


ARENA: Game[State, Action, Event, View] = Game(
    id="arena",
    version=1,
    title=say("Colossal Arena"),
    seats=setup.SEATS,
    players=setup.PLAYERS,
    options=orders.Options,
    setup=orders.Setup,
    policy=Policy,
    action=Action,
    event=Event,
    state=State,
    view_type=View,
    codes=CODES,
    seat_names={
        "red": say("Red"),
        "green": say("Green"),
        "blue": say("Blue"),
        "yellow": say("Yellow"),
        "white": say("White"),
    },
    vet=setup.vet,
    vet_setup=_vet_setup,
    vet_policy=setup.vet_policy,
    new=setup.new,
    order=_order,
    pending=agenda.pending,
    legal=_legal,
    check=agenda.check,
    apply=agenda.apply,
    instruct=_instruct,
    answer=agenda.answer,
    default=agenda.default,
    resign=_resign,
    view=view,
    hear=hear,
    menu=menu.menu,
    imagine=imagine,
    report=report,
    around=around,
    shapes=shapes,
    result=_result,
    tally=_tally,
    place=place,
    trial=trial,
    guard=Guard,
    give_up=agenda.give_up,
    unmet=unmet,
    bots={"steady": steady_turn},
)
