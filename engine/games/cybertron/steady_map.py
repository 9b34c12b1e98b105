"""The board as the steady bot thinks about it: who holds what, what it is worth, and how a campaign could go.

The law. It is made from a View and knows no rule but who neighbours whom. A campaign is a chain of attacks from one
place after the other, each of which is likely enough to be won; what comes of it is guessed by averages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.games.cybertron.board import Atlas
from engine.games.cybertron.state import DAYS
from engine.games.cybertron.steady_odds import odds
from engine.games.cybertron.view import View

ALLIED = 4
SURE = 0.62
"""An attack less likely to be won is not begun."""
ROBOT = 0.34
"""What a robot lost costs, in zones, while there are turns to come."""
PAD = 0.5
"""What the Launch Pad is worth beside its being a zone."""
BONUS = 0.22
"""What a robot of a sector bonus is worth, gained or taken from somebody else."""
LONGEST = 16
"""Attacks that are thought of at a time."""


class Blow(NamedTuple):
    """One attack of a campaign: from where, on what, with how many pieces, and how many are then left."""

    origin: int
    target: int
    pieces: int
    left: float
    gain: float


@dataclass
class Field:
    """Owners and pieces by place, as a campaign changes them."""

    me: str
    friends: frozenset[str]
    atlas: Atlas
    links: tuple[tuple[int, ...], ...]
    owner: list[str]
    pieces: list[float]
    late: bool = False
    """No turn of mine comes after this one."""
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def copy(self) -> Field:
        """The same, to be changed."""
        return Field(
            self.me,
            self.friends,
            self.atlas,
            self.links,
            self.owner[:],
            self.pieces[:],
            self.late,
            dict(self.counts),
        )

    def enemies(self, place: int) -> Iterator[int]:
        """The neighbours of a place that may be attacked."""
        for other in self.links[place]:
            if self.owner[other] and self.owner[other] not in self.friends:
                yield other

    def mine(self) -> list[int]:
        """My zones."""
        return [place for place, owner in enumerate(self.owner) if owner == self.me]

    def threat(self, place: int) -> float:
        """The enemy pieces that could attack a place."""
        return sum(self.pieces[other] for other in self.enemies(place))


def field_of(view: View) -> Field:
    """What a view shows, for its seat."""
    atlas = view.atlas
    owner, pieces = [""] * len(atlas.ids), [0.0] * len(atlas.ids)
    counts: dict[str, int] = {}
    for id, zone in view.zones.items():
        place = atlas.place[id]
        owner[place], pieces[place] = zone.seat, float(zone.robots)
        counts[zone.seat] = counts.get(zone.seat, 0) + 1
    for seen in view.seats.values():
        if seen.leader:
            pieces[atlas.place[seen.leader]] += 1
    late = view.day == DAYS
    return Field(view.me, friends_of(view), atlas, atlas.links(view.opened), owner, pieces, late, counts)


def friends_of(view: View) -> frozenset[str]:
    """The seats of one's own side."""
    if len(view.order) != ALLIED:
        return frozenset((view.me,))
    leaders = view.atlas.leaders
    return frozenset(seat for seat in view.order if leaders[seat].faction == leaders[view.me].faction)


def worth(field: Field, place: int) -> float:
    """What a zone is worth that I don't hold: itself, its sector for me, or no longer for its owner."""
    atlas, owner = field.atlas, field.owner
    value = 1.0 + (PAD if atlas.ids[place] == atlas.board.launch_pad else 0.0)
    theirs = owner[place]
    if theirs and field.counts.get(theirs, 0) == 1:
        value += 1.0
    if field.late:
        return value
    sector = atlas.within[place]
    bonus = next(one.bonus for one in atlas.board.sectors if one.id == sector)
    others = [owner[other] for other in atlas.sectors[sector] if other != place and owner[other]]
    mine = others.count(field.me) / max(1, len(others))
    value += BONUS * bonus * (mine if mine == 1 else mine * mine / 2)
    if theirs and others.count(theirs) == len(others):
        value += BONUS * bonus
    return value


def best_blow(field: Field, origins: tuple[int, ...]) -> Blow | None:
    """The best attack that there is from these places; None if none is good enough."""
    best: Blow | None = None
    cost = 0.0 if field.late else ROBOT
    for origin in origins:
        pieces = int(field.pieces[origin])
        if pieces < 2:
            continue
        for target in field.enemies(origin):
            defenders = max(1, round(field.pieces[target]))
            chance = odds(pieces, defenders)
            if chance.win < SURE:
                continue
            lost = pieces - chance.left
            onward = sum(1 for _ in field.enemies(target))
            gain = chance.win * worth(field, target) - cost * lost + 0.02 * onward
            if best is None or gain > best.gain:
                best = Blow(origin, target, pieces, chance.left, gain)
    return best if best is not None and best.gain > 0 else None


def strike(field: Field, blow: Blow) -> None:
    """The attack is won: who fought moves on, with all who are not needed at home."""
    theirs = field.owner[blow.target]
    field.counts[theirs] = field.counts.get(theirs, 0) - 1
    field.counts[field.me] = field.counts.get(field.me, 0) + 1
    field.owner[blow.target] = field.me
    moved = blow.left - 1 if moves_all(field, blow) else min(3.0, blow.left - 1)
    field.pieces[blow.origin] = blow.left - moved
    field.pieces[blow.target] = max(1.0, moved)


def moves_all(field: Field, blow: Blow) -> bool:
    """Whether the army follows: where more enemies stand before the new zone than before the old one."""
    ahead = sum(field.pieces[other] for other in field.enemies(blow.target))
    behind = sum(field.pieces[other] for other in field.enemies(blow.origin) if other != blow.target)
    return ahead >= behind


def campaign(field: Field, origins: tuple[int, ...] | None = None) -> tuple[list[Blow], float]:
    """The attacks that promise most, one after the other, and what they promise; the field is changed.

    From some places and what is taken from there, or from all of mine.
    """
    blows: list[Blow] = []
    gain = 0.0
    places = tuple(field.mine()) if origins is None else origins
    while len(blows) < LONGEST:
        blow = best_blow(field, places)
        if blow is None:
            break
        blows.append(blow)
        gain += blow.gain
        strike(field, blow)
        places = (*places, blow.target)
    return blows, gain
