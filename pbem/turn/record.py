"""What a record says of an outcome: public events, draws, automatic answers, digests.

Decides the fields that both the writer of a record and its auditor must come to on their own. Knows no
letter and no file.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine import AnyGame, Lapsed, Position, Table, encode, plain
from pbem.log.canonical import digest
from pbem.log.draws import state_mac
from pbem.turn.play import Played

Json = dict[str, Any]


class Told(msgspec.Struct, frozen=True):
    """The fields of a record that come from the rules. `next` is None unless the turn is closed."""

    events: list[Json]
    draws: list[Json]
    auto: list[Json]
    public: str
    state: str
    next: tuple[str, ...] | None


def told(table: Table, game_id: str, played: Played, n: int, k_hidden: bytes) -> Told:
    """What record `n` of a game says of what was played."""
    outcome = played.outcome
    return Told(
        events=heard(table.game, outcome.events, None),
        draws=[plain(draw) for draw in played.dice.public],
        auto=[plain(entry) for entry in outcome.auto],
        public=public_digest(table.game, outcome.position),
        state=state_digest(game_id, outcome.position, n, k_hidden),
        next=outcome.next if outcome.closed else None,
    )


def heard(game: AnyGame, events: tuple[Any, ...], seat: str | None) -> list[Json]:
    """Events as a seat hears them (None: as all do), as plain JSON; a lapse is heard by its own seat only."""
    # all at once: to go through JSON costs more for each list than for what is in it
    told_: list[Json] = plain(heard_parts(game, events, seat))
    return told_


def heard_parts(game: AnyGame, events: tuple[Any, ...], seat: str | None) -> tuple[Any, ...]:
    """The same as the game's own events, or what is left of them, and lapses."""
    parts: list[Any] = []
    for event in events:
        if isinstance(event, Lapsed):
            if event.seat == seat:
                parts.append(event)
        elif (part := game.hear(event, seat)) is not None:
            parts.append(part)
    return tuple(parts)


def public_digest(game: AnyGame, position: Position[Any]) -> str:
    """SHA-256 of the canonical public view."""
    return digest(encode(game.view(position.state, None)))


def state_digest(game_id: str, position: Position[Any], n: int, k_hidden: bytes) -> str:
    """The MAC of the canonical position after record `n`: state, who is due, what is sealed, rests or is filed."""
    return state_mac(k_hidden, game_id, n, encode(position)).hex()
