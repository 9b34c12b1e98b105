"""Cybertron (Risk: Transformers, Cybertron Battle Edition): six days of war for 42 zones.

Rules: the Finnish, German and English manuals, whose pages are named as "FI p.n", "DE p.n", "EN p.n"; "section n, m" is a
row of the settled readings in docs/cybertron.md. The catalog takes `CYBERTRON` from here, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.cybertron import agenda, menu, orders, setup, standing, vetting
from engine.games.cybertron.codes import CODES
from engine.games.cybertron.events import Event, Events, hear
from engine.games.cybertron.ground import Step
from engine.games.cybertron.guards import Guard, unmet
from engine.games.cybertron.imagine import imagine
from engine.games.cybertron.orders import Action, Policy
from engine.games.cybertron.place import piles, place
from engine.games.cybertron.report import around, long_report, report
from engine.games.cybertron.shapes import shapes
from engine.games.cybertron.state import State, with_player
from engine.games.cybertron.steady import steady_turn
from engine.games.cybertron.trial import trial
from engine.games.cybertron.view import View, view
from engine.kernel.dice import Dice
from engine.kernel.game import Charter, Decision, Game, Result
from engine.kernel.prose import say

__all__ = ["CYBERTRON"]


def _new(charter: Charter, setups: Mapping[str, Any], dice: Dice) -> tuple[State, Events]:
    return setup.begin(charter, vetting.parts_of(charter.data), setups, dice)


def _order(state: State) -> tuple[str, ...]:
    return state.order


def _legal(state: State, decision: Decision) -> tuple[Action, ...]:
    return menu.legal(decision, view(state, decision.seat))


def _instruct(state: State, seat: str, policy: Policy) -> State:
    return with_player(state, seat, policy=policy)


def _resign(state: State, seat: str, dice: Dice) -> Step:
    return setup.resign(state, seat, dice)


def _result(state: State) -> Result | None:
    return Result(state.ended, standing.places(state)) if state.ended else None


def _tally(state: State) -> Mapping[str, int]:
    """All cards of the deck; and on the board no robot but those placed and not destroyed (section 7.1)."""
    players = state.players.values()
    robots = sum(state.robots) - sum(player.placed - player.destroyed for player in players)
    return {"cards": sum(len(cards) for _, cards in piles(state)), "robots unaccounted for": robots}


TABLE = ("optimus_prime", "megatron", "barricade", "bumblebee")
"""The leaders in an order of which the first two, three or four are a game (FI p.4)."""

CYBERTRON: Game[State, Action, Event, View] = Game(
    id="cybertron",
    version=1,
    title=say("Cybertron"),
    seats=TABLE,
    players=vetting.PLAYERS,
    options=orders.Options,
    setup=orders.Setup,
    policy=Policy,
    action=Action,
    event=Event,
    state=State,
    view_type=View,
    codes=CODES,
    seat_names={
        "optimus_prime": say("Optimus Prime"),
        "bumblebee": say("Bumblebee"),
        "megatron": say("Megatron"),
        "barricade": say("Barricade"),
    },
    vet=vetting.vet,
    vet_setup=vetting.vet_setup,
    vet_policy=vetting.vet_policy,
    new=_new,
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
    long_report=long_report,
    shapes=shapes,
    result=_result,
    tally=_tally,
    place=place,
    trial=trial,
    guard=Guard,
    unmet=unmet,
    give_up=agenda.give_up,
    bots={"steady": steady_turn},
)
