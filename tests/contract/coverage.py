"""Everything that a game declares occurs in some playthrough: actions, what is nested in them, events.

Chance alone would take many plays to meet the rarest things. `rare.toml` names plays that show them;
`python -m tests.contract.coverage` looks for such plays anew and prints the table.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from engine import AnyGame
from engine.kernel import codec
from engine.kernel.replay import Moved
from tests.contract import shapes
from tests.contract.games import games
from tests.contract.playing import Case, Play, played

PLAYS = 24
"""How many plays are looked at before the rare ones."""
RARE: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "rare.toml").read_text(encoding="utf-8")
)


def never_seen(game: AnyGame) -> tuple[str, ...]:
    """Names of the declared Structs that no play shows."""
    missing = _declared(game)
    for case in (*_common(game), *_rare(game)):
        missing -= _shown(case)
    return tuple(sorted(f"{one.__name__} ({one.__struct_config__.tag})" for one in missing))


def _declared(game: AnyGame) -> set[type[Any]]:
    return {*shapes.structs(game.action), *shapes.structs(game.event)}


def _shown(case: Case) -> set[type[Any]]:
    return {type(part) for part in _carried_out(played(case))}


def _every(game: AnyGame) -> Iterator[Case]:
    """Plays by chance, and from some number on by the game's bots in turns with chance, for they do other things."""
    numbers = range(game.players[0], game.players[1] + 1)
    for index in count():
        case = Case(game, numbers[index % len(numbers)], index // len(numbers))
        yield case
        if index >= PLAYS:
            yield from (replace(case, bot=name) for name in game.bots)


def _common(game: AnyGame) -> list[Case]:
    return [case for case, _ in zip(_every(game), range(PLAYS), strict=False)]


def _rare(game: AnyGame) -> list[Case]:
    return [Case(game, **entry) for entry in RARE.get(game.id, [])]


def search(game: AnyGame, most: int = 4_000) -> Iterator[Case]:
    """Plays that show what the common ones don't, until nothing is missing."""
    missing = _declared(game)
    for index, case in zip(range(most), _every(game), strict=False):
        if not missing:
            return
        shown = _shown(case)
        if index >= PLAYS and missing & shown:
            yield case
        missing -= shown


def _carried_out(play: Play) -> Iterable[Any]:
    """Every action that was ordered or answered for a seat, every event, with all that is inside them."""
    for one in play.taken:
        if isinstance(one.step, Moved):
            for number, order in enumerate(one.step.orders, 1):
                yield from shapes.parts(codec.action(play.table.game, order, number))
    for outcome in play.outcomes():
        for event in outcome.events:
            yield from shapes.parts(event)
        for auto in outcome.auto:
            if auto.answer is not None:
                yield from shapes.parts(codec.action(play.table.game, auto.answer, 1))


def main() -> None:
    """Print rare.toml's tables."""
    for game in games():
        for case in search(game):
            by = f'bot = "{case.bot}"\n' if case.bot else ""
            sys.stdout.write(f"[[{game.id}]]\nseats = {case.seats}\nseed = {case.seed}\n{by}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
