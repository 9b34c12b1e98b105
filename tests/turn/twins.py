"""Two desks that differ only in what one seat cannot see, and letters without what must differ.

The digests of a log depend on the whole position, hidden parts included, and so do all digests and signatures
that are made over them. Exactly these are blanked here, each by the place where it stands; everything else that
a letter holds is kept as it is.
"""

from __future__ import annotations

import email
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from engine import Position
from engine.games.arena.cards import creature_of
from engine.games.arena.state import State, with_player
from fixtures.desks import ARENA
from fixtures.play import Match, begin, expect, move, open_match, play_out
from pbem.turn.desk import write_position
from pbem.turn.posting import Letter

Json = dict[str, Any]
Moves = tuple[tuple[str, tuple[Json, ...]], ...]
Change = Callable[[State], State]

TURNS = 10
FIRST = 5
SHOWS = ("titan", "gorgon", "cyclops", "show_hand", "magister")
"""Orders after which a hidden card may be shown, or whose draws depend on which cards a hand holds."""


@dataclass(frozen=True)
class Course:
    """A game at a turn, and the orders of the ten turns that follow."""

    match: Match
    moves: Moves
    after: State


def fork(match: Match) -> Match:
    """The same game, to be played on by itself."""
    return replace(
        match,
        lines=[*match.lines],
        kept=[*match.kept],
        letters=[*match.letters],
        envelopes=[*match.envelopes],
    )


def course(seats: tuple[str, ...], seed: str) -> Course:
    """Bots play a game to the turn at which it forks, and on."""
    match = open_match(ARENA, seats, seed, {})
    begin(match)
    play_out(match, f"{seed} to the fork", until=FIRST)
    ahead = fork(match)
    play_out(ahead, f"{seed} on", until=FIRST + TURNS)
    made = ahead.envelopes[len(match.envelopes) :]
    moves = tuple((one.seat, tuple(one.payload["orders"])) for one in made)
    return Course(match, moves, state_of(ahead))


def state_of(match: Match) -> State:
    """The whole position."""
    position = match.desk.position
    assert position is not None
    state: State = position.state
    return state


def is_quiet(one: Course) -> bool:
    """Whether no order of the ten turns shows a hidden card, or asks chance about a hand."""
    written = json.dumps([orders for _, orders in one.moves])
    return not any(f'"{word}"' in written for word in SHOWS) and not one.after.ended


def changed(match: Match, change: Change) -> Match:
    """The game with another position in it."""
    twin = fork(match)
    position = twin.desk.position
    assert position is not None
    other: Position[Any] = msgspec.structs.replace(position, state=change(position.state))
    assert other != position
    snapshot = msgspec.structs.replace(twin.desk.snapshot, position=write_position(other))
    twin.desk = msgspec.structs.replace(twin.desk, snapshot=snapshot)
    return twin


def replayed(match: Match, moves: Moves) -> list[Letter]:
    """The letters that these orders bring, in the order of sending."""
    played = fork(match)
    for seat, orders in moves:
        expect(played.send(move(played, played.view(seat), orders)))
    return played.letters[len(match.letters) :]


def idle(one: Course, seat: str) -> list[str]:
    """Combat cards that lie in a hand through all ten turns, of creatures that outlive them, named by no order."""
    before = state_of(one.match)
    written = json.dumps([orders for _, orders in one.moves])
    return [
        card
        for card in before.players[seat].hand
        if card in one.after.players[seat].hand
        and creature_of(card)
        and creature_of(card) not in one.after.dead
        and f'"{card}"' not in written
    ]


def swap_hands(one: Course, reader: str) -> Change:
    """Two cards of the two others change places."""
    first, second = (seat for seat in one.match.desk.charter.seats if seat != reader)
    return _exchange((first, idle(one, first)[0]), (second, idle(one, second)[-1]))


def swap_with_pile(one: Course, reader: str) -> Change:
    """A card of another and one that stays in the pile change places."""
    other = next(seat for seat in one.match.desk.charter.seats if seat != reader)
    mine = idle(one, other)[0]
    deep = next(card for card in reversed(one.after.deck) if creature_of(card) not in (*one.after.dead, ""))

    def change(state: State) -> State:
        deck = tuple(mine if card == deep else card for card in state.deck)
        hand = tuple(deep if card == mine else card for card in state.players[other].hand)
        return with_player(msgspec.structs.replace(state, deck=deck), other, hand=hand)

    return change


def turn_pile(one: Course, _: str) -> Change:
    """What is left of the pile after the ten turns lies the other way round."""
    left = len(one.after.deck)
    return lambda state: msgspec.structs.replace(
        state, deck=(*state.deck[:-left], *reversed(state.deck[-left:]))
    )


def _exchange(mine: tuple[str, str], theirs: tuple[str, str]) -> Change:
    (first, card), (second, other) = mine, theirs

    def change(state: State) -> State:
        for seat, gone, come in ((first, card, other), (second, other, card)):
            hand = tuple(come if one == gone else one for one in state.players[seat].hand)
            state = with_player(state, seat, hand=hand)
        return state

    return change


CHANGES: dict[str, Callable[[Course, str], Change]] = {
    "hands": swap_hands,
    "hand and pile": swap_with_pile,
    "pile": turn_pile,
}

HEAD = re.compile(r"(?:  (?:[0-9a-f]{4} ){7}[0-9a-f]{4}\n){2}")
"""The digest of the newest line, as the foot of a letter has it."""
BLANKED: Mapping[str, frozenset[str]] = {
    "log.pbem": frozenset({"prev", "state", "base", "envelope"}),
    "view.json": frozenset({"base"}),
    "move.json": frozenset({"base"}),
}
"""Fields that are digests of lines, positions or signatures, by the file they stand in; a seal's value is one too."""


def bare(letter: Letter) -> tuple[Any, ...]:
    """A letter as it came by mail, taken apart, its digests and signatures blanked; sizes are not."""
    mail = email.message_from_bytes(letter.raw)
    boundary = mail.get_boundary()
    heads = [(name, value.replace(boundary or "-", "BOUNDARY")) for name, value in mail.items()]
    parts = [
        (part.items(), _bare_part(str(part.get_filename() or ""), part.get_payload(decode=True)))
        for part in mail.walk()
        if not part.is_multipart()
    ]
    sizes = [len(letter.raw), len(boundary or ""), *(len(file.data) for file in letter.files)]
    return letter.seat, letter.to, letter.message_id, heads, parts, sizes


def _bare_part(name: str, data: object) -> tuple[int, Any]:
    assert isinstance(data, bytes)
    text = data.decode("utf-8").replace("\r\n", "\n")
    if not name:
        blank, count = HEAD.subn("  DIGEST\n", text)
        assert count == 1
        return len(data), blank
    kind = next(end for end in BLANKED if name.endswith(end))
    rows = text.splitlines() if kind == "log.pbem" else [text]
    return len(data), [_bare_json(json.loads(row), BLANKED[kind]) for row in rows]


def _bare_json(whole: Json, fields: frozenset[str]) -> Json:
    """A record or an envelope with these fields blank, and the value of its seal; lengths are kept."""
    blank = _blank(whole, fields)
    if "payload" in whole:
        blank["payload"] = _blank(whole["payload"], fields)
    if "sig" in whole:
        blank["sig"] = _blank(whole["sig"], frozenset({"val"}))
    return blank


def _blank(value: Json, fields: frozenset[str]) -> Json:
    return {name: len(inner) if name in fields else inner for name, inner in value.items()}
