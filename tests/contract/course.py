"""Checks of the course of a game: the record of functions, replay, turns, draws, what is conserved."""

from __future__ import annotations

import re
from typing import Any

from engine import (
    CODES,
    Dice,
    Draw,
    Position,
    encode,
    waiting,
    words,
)
from engine.kernel.replay import Resigned, replay
from tests.contract.news import KEY
from tests.contract.playing import POSITIONS, Play, same, source, words_of


def the_record_is_whole(play: Play) -> None:
    """Seats, names, player counts and codes of the Game record are sound."""
    game = play.table.game
    low, high = game.players
    assert 1 <= low <= high <= len(game.seats), (
        f"{game.id}: {game.players} players on {len(game.seats)} seats"
    )
    assert len(set(game.seats)) == len(game.seats), f"{game.id}: a seat twice"
    assert "host" not in game.seats, f"{game.id}: no seat is called host"
    for seat in game.seats:
        assert KEY.fullmatch(seat), f"{game.id}: the seat {seat!r}"
        assert words(game.seat_names[seat]), f"{game.id}: {seat} has no name"
    codes = [code.code for code in (*CODES, *game.codes)]
    assert len(set(codes)) == len(codes), f"{game.id}: a code twice among {sorted(codes)}"
    for code in codes:
        assert re.fullmatch(r"[a-z]+/[a-z0-9]+(-[a-z0-9]+)*", code), f"{game.id}: the code {code}"


def apply_leaves_its_input_alone(play: Play) -> None:
    """`apply` and `resign` give the same twice, and the state that went in is as it was."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        before = encode(position.state)
        for decision in game.pending(position.state):
            for action in game.legal(position.state, decision)[:8]:
                twice = [
                    game.apply(position.state, decision.seat, action, Dice(source(name, 1))) for _ in "12"
                ]
                assert encode(position.state) == before, f"{name}: {action} of {decision} changed its input"
                assert same(*twice), f"{name}: {action} of {decision} gave two different outcomes"
        if game.result(position.state) is None:
            for seat in waiting(play.table, position):
                game.resign(position.state, seat, Dice(source(name, 1)))
                assert encode(position.state) == before, f"{name}: resign of {seat} changed its input"


def replays_give_the_log(play: Play) -> None:
    """The same steps give the same outcomes and draws, and so do steps that have been through JSON."""
    again = replay(play.table, play.setups, play.steps, lambda turn: source(play.case.name, turn))
    first, dice = next(again)
    assert same(first, play.opening), f"{play.case.name}: the start differs on replay"
    for one, (outcome, dice) in zip(play.taken, again, strict=True):
        name = f"{play.case.name}, record {one.number}"
        assert same(outcome, one.outcome), f"{name}: the outcome differs on replay"
        assert (tuple(dice.public), tuple(dice.hidden)) == (one.public, one.hidden), f"{name}: draws differ"


def nothing_is_lost(play: Play) -> None:
    """The tally is the same from start to end."""
    game = play.table.game
    first = dict(game.tally(play.opening.position.state))
    assert first, f"{play.case.name}: the game counts nothing"
    for number, outcome in enumerate(play.outcomes()):
        now = dict(game.tally(outcome.position.state))
        assert now == first, f"{play.case.name}, record {number}: the tally was {first} and is {now}"


def somebody_is_always_next(play: Play) -> None:
    """A closed turn names the seats that decide next, none only at the end; turn numbers go up by one."""
    game, before = play.table.game, 0
    for number, outcome in enumerate(play.outcomes()):
        name, state = f"{play.case.name}, record {number}", outcome.position.state
        asked = {decision.seat for decision in game.pending(state)}
        if outcome.result is not None:
            assert not asked, f"{name}: the game is over, and {asked} are asked"
            assert sorted(place.seat for place in outcome.result.places) == sorted(play.table.charter.seats)
        elif outcome.closed:
            assert outcome.next, f"{name}: the turn closed, nobody is next, and there is no result"
            assert state.turn == before + 1, f"{name}: turn {before} closed, and turn {state.turn} opened"
        else:
            assert asked, f"{name}: nobody is asked, and the turn is open"
            assert state.turn == before, f"{name}: turn {before} became {state.turn} without closing"
        before = state.turn
        assert set(game.order(state)) <= set(play.table.charter.seats), f"{name}: order names strangers"


def draws_are_fair(play: Play) -> None:
    """No label twice; labels count and name nothing; a seat that leaves out of turn draws nothing."""
    seen: set[str] = set()
    gone: set[str] = set()
    for one in play.taken:
        name = f"{play.case.name}, record {one.number}"
        if one.number % 4 == 0:
            _leaves_without_a_draw(play, name, one.before, gone)
        gone |= {one.step.seat} if isinstance(one.step, Resigned) else set()
        if draws := (*one.public, *one.hidden):
            _labels(name, draws, seen, set(words_of(play.table, one.before.state)) - {"nonsense"})


def _leaves_without_a_draw(play: Play, name: str, position: Position[Any], gone: set[str]) -> None:
    """Whoever is not to move may leave, and no die falls for it."""
    game = play.table.game
    busy = {*gone, *waiting(play.table, position)}
    for seat in play.table.charter.seats if game.result(position.state) is None else ():
        if seat not in busy:
            dice = Dice(source(name, position.state.turn))
            game.resign(position.state, seat, dice)
            drawn = [draw.label for draw in (*dice.public, *dice.hidden)]
            assert not drawn, f"{name}: if {seat} leaves out of turn, it draws {drawn}"


def _labels(name: str, draws: tuple[Draw, ...], seen: set[str], named: set[str]) -> None:
    for draw in draws:
        assert draw.label.isascii(), f"{name}: the label {draw.label!r}"
        assert draw.label not in seen, f"{name}: the label {draw.label} a second time"
        seen.add(draw.label)
        spoken = {part for part in draw.label.split("/") if part in named and not part.isalpha()}
        assert not spoken, f"{name}: the label {draw.label} names {spoken}"


def automatic_answers_are_owned_up_to(play: Play) -> None:
    """`by` says `standing` if and only if the seat has sent standing orders."""
    for one in play.taken:
        for auto in one.outcome.auto:
            expected = "standing" if auto.seat in one.before.standing else "default"
            assert auto.by == expected, f"{play.case.name}, record {one.number}: {auto}"
