"""No leak, strictly: two positions that differ only in what a seat can't see give that seat equal bytes.

A twin is made by swapping two things that the seat can't see (two strings, each once in the position and
nowhere in the view, custom data apart), kept if the game itself says that such a position is possible (`place`)
and the seat's view is the same. Then the recorded steps are played on both. At each step the seat's view, menu,
news, report, refusals, and everything public must be equal, until one of the two things takes part in what
happens; from there on a difference is no leak.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from engine import Dice, Outcome, Position, Refused, encode, plain
from engine.kernel.replay import Later, advance
from tests.contract import shapes
from tests.contract.decisions import odd_actions
from tests.contract.playing import Case, Play, Taken, chance, heard, played, source

TURNS = 10
"""How long a leak is looked for."""


@dataclass(frozen=True)
class Twin:
    """Two positions that look the same to `seat`; `names` are the two things that changed places."""

    seat: str
    names: tuple[str, str]
    first: Position[Any]
    second: Position[Any]


def twins(play: Play, position: Position[Any], about: str, most: int) -> Iterator[Twin]:
    """Some twins of a position, for each seat."""
    game, charter = play.table.game, play.table.charter
    below = chance("twins", about)
    data = plain(position.state)
    known = counted(charter.data)
    whole = counted(plain(position))
    single = [
        (path, leaf)
        for path, leaf in shapes.leaves(data)
        if isinstance(leaf, str) and whole[leaf] - known[leaf] == 1
    ]
    for seat in charter.seats:
        view = game.view(position.state, seat)
        seen = counted(plain(view))
        unseen = [(path, leaf) for path, leaf in single if leaf and seen[leaf] <= known[leaf]]
        for _ in range(most if len(unseen) > 1 else 0):
            one, other = unseen[below(len(unseen))], unseen[below(len(unseen))]
            swapped = shapes.replaced(shapes.replaced(data, one[0], other[1]), other[0], one[1])
            try:
                pair = [game.place(charter, parts) for parts in (data, swapped)]
            except Refused:
                continue
            first, second = (msgspec.structs.replace(position, state=state) for state in pair)
            if first != second and game.view(first.state, seat) == view:
                assert game.view(second.state, seat) == view, (
                    f"{about}: the view of {seat} names neither {one[1]} nor {other[1]}; with the two exchanged "
                    f"it is another:\n{view}\n{game.view(second.state, seat)}"
                )
                yield Twin(seat, (one[1], other[1]), first, second)


def counted(value: Any) -> Counter[str]:
    """How often each string occurs. Custom data names things without saying where they are."""
    return Counter(shapes.names(value))


def leaks(case: Case, starts: int, most: int) -> tuple[int, int]:
    """Look for leaks from several positions of a play; gives how many twins there were, and turns at most."""
    play = played(case)
    count, longest = 0, 0
    stride = max(1, len(play.taken) // starts)
    for one in play.taken[::stride]:
        name = f"{case.name}, record {one.number}"
        for twin in twins(play, one.before, name, most):
            check_alike(play, twin, name)
            until = one.before.state.turn + TURNS + 2
            rest = [later for later in play.taken[one.number - 1 :] if later.before.state.turn <= until]
            count += 1
            longest = max(longest, follow(play, twin, tuple(rest)))
    return count, longest


def check_alike(play: Play, twin: Twin, name: str) -> None:
    """On the spot: what a seat is told of its orders, and who is asked, is the same for both."""
    game = play.table.game
    first, second = twin.first.state, twin.second.state
    who = f"{name}: {twin.seat} can't tell {twin.names} apart, but"
    assert game.pending(first) == game.pending(second), f"{who} other seats are asked"
    for action in odd_actions(play, twin.first, name, 30):
        told = game.check(first, twin.seat, action), game.check(second, twin.seat, action)
        assert told[0] == told[1], f"{who} check of {action} says {told[0]}, or {told[1]}"
    for decision in game.pending(first):
        asks = game.answer(first, decision) is None, game.answer(second, decision) is None
        assert asks[0] == asks[1], f"{who} whether {decision} is asked by mail depends on them"


def follow(play: Play, twin: Twin, taken: tuple[Taken, ...]) -> int:
    """Play the recorded steps on both; gives the number of turns through which the two stayed twins."""
    first, second, opened = twin.first, twin.second, int(twin.first.state.turn)
    for one in taken:
        if _names(twin, one.step):
            break
        made = [_step(play, position, one.step, first.state.turn) for position in (first, second)]
        if not _compare(play, twin, one, made, in_words=one is taken[0]):
            break
        first, second = (_outcome(side[0]).position for side in made)
    return int(first.state.turn) - opened


Made = tuple["Outcome | Refused", Dice]


def _step(play: Play, position: Position[Any], step: Later, turn: int) -> Made:
    dice = Dice(source(play.case.name, turn))
    try:
        return advance(play.table, position, step, dice), dice
    except Refused as refused:
        return refused, dice


def _outcome(made: Outcome | Refused) -> Outcome:
    assert isinstance(made, Outcome)
    return made


def _compare(play: Play, twin: Twin, one: Taken, made: list[Made], *, in_words: bool) -> bool:
    """Whether both are still twins; AssertionError if the seat hears a difference that nothing explains.

    `in_words`: their reports are written too. A report is given a view and news, whose bytes are compared
    every time, and nothing else; so one a twin is enough to see that it keeps nothing of its own.
    """
    where = f"{play.case.name}, record {one.number}: {twin.seat} can't tell {twin.names} apart"
    mine = one.step.seat == twin.seat
    if any(isinstance(side[0], Refused) for side in made):
        assert not mine, f"{where}, but {one.step} of its own is accepted for one only: {made[1][0]}"
        return False
    outcomes = [_outcome(side[0]) for side in made]
    letters = [letter(play, outcome, twin.seat, in_words=in_words) for outcome in outcomes]
    hidden = [encode([msgspec.structs.replace(draw, values=()) for draw in side[1].hidden]) for side in made]
    shuffled_alike = hidden[1] == _swapped(twin, hidden[0])
    letters_equal = letters[0] == letters[1]
    whole = [encode(outcome.events) for outcome in outcomes]
    if letters_equal:
        positions = _swapped(twin, encode(outcomes[0].position)), encode(outcomes[1].position)
        alike = positions[0] == positions[1] or _tidy(msgspec.json.decode(positions[0])) == _tidy(
            msgspec.json.decode(positions[1])
        )
        return alike and shuffled_alike
    told = any(_names(twin, heard(play.table, outcome.events, twin.seat)) for outcome in outcomes)
    moved = any(_names(twin, outcome.events) for outcome in outcomes) and whole[1] != _swapped(twin, whole[0])
    differing = [key for key in letters[0] if letters[0][key] != letters[1][key]]
    assert told or moved or not shuffled_alike, (
        f"{where}, and neither takes part, but after {one.step} it gets another {', '.join(differing)}:\n"
        + "\n".join(f"{key}: {side[key].decode()}" for key in differing for side in letters)
    )
    return False


def letter(play: Play, outcome: Outcome, seat: str, *, in_words: bool = True) -> dict[str, bytes]:
    """All that reaches a seat after a record, as bytes."""
    game = play.table.game
    view = game.view(outcome.position.state, seat)
    news = heard(play.table, outcome.events, seat)
    return {
        "view": encode(view),
        "menu": encode(game.menu(view)),
        "news": encode(news),
        "report": game.report(view, news, "en").encode() if in_words else b"",
        "public view": encode(game.view(outcome.position.state, None)),
        "public news": encode(heard(play.table, outcome.events, None)),
        "record": encode([outcome.auto, outcome.closed, outcome.next, outcome.result]),
        "due": encode([outcome.position.due, outcome.position.standing]),
    }


def _names(twin: Twin, data: Any) -> bool:
    text = encode(data).decode()
    return any(f'"{name}"' in text for name in twin.names)


def _swapped(twin: Twin, data: bytes) -> bytes:
    """The bytes with the two names exchanged."""
    pair = {f'"{twin.names[0]}"': f'"{twin.names[1]}"', f'"{twin.names[1]}"': f'"{twin.names[0]}"'}
    pattern = "|".join(re.escape(name) for name in pair)
    return re.sub(pattern, lambda found: pair[found[0]], data.decode()).encode()


def _tidy(data: Any) -> Any:
    """JSON with every list of strings in order: a game may keep a hand sorted."""
    if (fields := shapes.as_object(data)) is not None:
        return {key: _tidy(item) for key, item in fields.items()}
    if (items := shapes.as_list(data)) is not None:
        tidy = [_tidy(item) for item in items]
        return sorted(tidy) if all(isinstance(item, str) for item in tidy) else tidy
    return data
