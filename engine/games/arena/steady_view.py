"""How good a view is for its seat, in gold to be expected: what the steady bot compares.

The law. It sees a View and nothing else, and decides nothing. A creature's chance to survive is a guess: by the
card that counts in this round, and by what the seat's own hand can still do for or against it. What nobody can
know, other hands and the pile, is taken for average.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log

from engine.games.arena import report_board
from engine.games.arena.cards import BLANK, REFEREES, creature_of, is_spectator, strength_of
from engine.games.arena.report_board import alive
from engine.games.arena.standing import ROW_VALUES, SECRET_VALUE
from engine.games.arena.state import ROUNDS
from engine.games.arena.view import ColumnView, View

SURVIVORS = 3
AVERAGE = 5.0
"""The strength of a card that nobody has seen."""


@dataclass(frozen=True)
class Weights:
    """What the guesses weigh; found by letting the bot play against others, and against itself."""

    spread: float = 1.3
    """How far apart two strengths must be to make one creature's fall much likelier, in a full row."""
    haze: float = 0.35
    """How much each cell that is still empty adds to that."""
    reach: float = 0.45
    """How far a card in hand moves what counts in this round."""
    care: float = 0.9
    """How much high cards in hand, kept for later rounds, help a creature that one has bet on."""
    spite: float = 0.35
    """How much low cards in hand hurt one that others have bet on."""
    others: float = 0.75
    """The share of the best opponent's gold that counts against one's own."""
    token: float = 0.8
    """What a token in stock is worth, as a share of what it would bring in the current row by chance."""
    power: float = 0.12
    """Being the backer of a creature whose cards one holds."""
    referee: float = 0.25
    """A referee in hand."""
    crowd: float = 0.03
    """A spectator in hand, by each point of strength away from the average."""


WEIGHTS = Weights()


def worth(view: View, name: str) -> Mapping[str, int]:
    """Gold on a creature, by seat, as far as the viewer knows it."""
    totals = {**report_board.worth(view.columns[name])}
    if view.own.secret and creature_of(view.own.secret) == name:
        totals[view.me] = totals.get(view.me, 0) + SECRET_VALUE
    return totals


def stake(view: View, name: str) -> float:
    """What the viewer wins, less what the best of the others wins, if the creature survives."""
    totals = worth(view, name)
    others = [gold for seat, gold in totals.items() if seat != view.me]
    return totals.get(view.me, 0) - WEIGHTS.others * max(others, default=0)


def held(view: View, name: str) -> list[int]:
    """The strengths of the creature's cards in hand."""
    known = (card for card in view.own.hand if not card.startswith(BLANK))
    return [strength_of(card) for card in known if creature_of(card) == name]


def value(view: View, weights: Weights = WEIGHTS) -> float:
    """The view's worth for its seat. Higher is better; only differences mean anything."""
    chance = chances(view, weights)
    gold = dict.fromkeys(view.order, 0.0)
    for name, part in chance.items():
        for seat, count in worth(view, name).items():
            gold[seat] += part * count
    hidden = SURVIVORS / len(view.creatures) * SECRET_VALUE
    for seat in view.order:
        if seat != view.me and view.seats[seat].secret:
            gold[seat] += hidden
    rivals = [gold[seat] for seat in view.order if seat != view.me and not view.seats[seat].resigned]
    ahead = gold[view.me] - weights.others * max(rivals, default=0.0)
    return ahead + _reserves(view, weights)


def _reserves(view: View, weights: Weights) -> float:
    """What is not gold yet: tokens in stock, backing, cards that fit anywhere."""
    living = alive(view)
    ready = 0.0
    if len(living) > SURVIVORS:
        token = ROW_VALUES[view.row - 1] * SURVIVORS / len(living)
        ready += weights.token * token * min(view.seats[view.me].stock, 2 * (ROUNDS - view.row) + 1)
    ready += weights.power * sum(bool(held(view, name)) for name in living if _backs(view, name))
    for card in view.own.hand:
        if card.startswith(BLANK):
            continue
        if card in REFEREES:
            ready += weights.referee
        elif is_spectator(card):
            ready += weights.crowd * abs(strength_of(card) - AVERAGE)
    return ready


def _backs(view: View, name: str) -> bool:
    return view.columns[name].backer == view.me


def chances(view: View, weights: Weights = WEIGHTS) -> dict[str, float]:
    """A guess for each living creature: will it survive to the end?"""
    living = alive(view)
    falls = len(living) - SURVIVORS
    if falls <= 0 or view.ended:
        return dict.fromkeys(living, 1.0)
    now = _falls_now(view, living, weights)
    later = (len(living) - 1 - (falls - 1)) / (len(living) - 1)
    return {name: (1 - now[name]) * _later(view, name, later, weights) for name in living}


def _falls_now(view: View, living: tuple[str, ...], weights: Weights) -> dict[str, float]:
    """A guess for each: is it the one that falls in this round?"""
    tops = {name: _top(view.columns[name], view.row) for name in living}
    empty = sum(not top for top in tops.values())
    if not empty:
        strengths = {name: strength_of(top) for name, top in tops.items()}
        low = min(strengths.values())
        lowest = [name for name in living if strengths[name] == low]
        if len(lowest) == 1:
            return {name: float(name == lowest[0]) for name in living}
    width = weights.spread + weights.haze * empty
    scores = {name: exp(-_counts(view, name, tops[name], weights) / width) for name in living}
    whole = sum(scores.values())
    return {name: score / whole for name, score in scores.items()}


def _top(column: ColumnView, row: int) -> str:
    return column.rows[row - 1].top if len(column.rows) >= row else ""


def _counts(view: View, name: str, top: str, weights: Weights) -> float:
    """The strength with which a creature is likely to end the round."""
    base = float(strength_of(top)) if top else AVERAGE
    cards, mine = held(view, name), stake(view, name)
    if mine > 0 and cards and max(cards) > base:
        return base + weights.reach * (max(cards) - base)
    if mine < 0 and cards and min(cards) < base:
        return base + weights.reach * (min(cards) - base)
    return base


def _later(view: View, name: str, average: float, weights: Weights) -> float:
    """The chance to survive the rounds after this one."""
    if average >= 1:
        return 1.0
    odds, cards, mine = log(average / (1 - average)), held(view, name), stake(view, name)
    if mine > 0:
        odds += weights.care * sum((strength - AVERAGE) / AVERAGE for strength in cards if strength > AVERAGE)
    elif mine < 0:
        odds -= weights.spite * sum(
            (AVERAGE - strength) / AVERAGE for strength in cards if strength < AVERAGE
        )
    return 1 / (1 + exp(-odds))


def card_value(view: View, card: str) -> float:
    """What a card in hand is good for."""
    if card.startswith(BLANK):
        return 0.0
    if card in REFEREES:
        return 6.0
    if is_spectator(card):
        return abs(strength_of(card) - AVERAGE)
    name = creature_of(card)
    if name in view.dead:
        return -1.0
    mine = stake(view, name)
    if mine > 0:
        return float(strength_of(card)) + min(mine, 5.0) / 5
    return (10 - strength_of(card)) / 2 if mine < 0 else strength_of(card) / 3
