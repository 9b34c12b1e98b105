"""The record that makes a game of it."""

from __future__ import annotations

from engine.kernel.game import Game
from engine.kernel.prose import say
from tests.toy import codes, events, place, report, rules, shapes, state, view

GAME: Game[state.State, state.Action, events.Any, view.View] = Game(
    id="toy",
    version=1,
    title=say("Gems by mail"),
    seats=state.SEATS,
    players=(2, 4),
    options=state.Options,
    setup=state.Setup,
    policy=state.Policy,
    action=state.Action,
    event=events.Any,
    state=state.State,
    view_type=view.View,
    codes=codes.CODES,
    seat_names=view.SEAT_NAMES,
    vet=rules.vet,
    vet_setup=rules.vet_setup,
    vet_policy=rules.vet_policy,
    new=rules.new,
    order=rules.order,
    pending=rules.pending,
    legal=rules.legal,
    check=rules.check,
    apply=rules.apply,
    instruct=rules.instruct,
    answer=rules.answer,
    default=rules.default,
    resign=rules.resign,
    view=view.view,
    hear=events.hear,
    menu=view.menu,
    imagine=view.imagine,
    report=report.report,
    long_report=report.long_report,
    shapes=shapes.shapes,
    result=rules.result,
    tally=rules.tally,
    place=place.place,
)
