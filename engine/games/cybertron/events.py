"""What has happened: past tense, one fact each, tagged by `event`; and who hears how much of it.

`seat` is who did it, or to whom it happened if nobody did. Zones, seats and cards are ids. Only who draws a card hears
which; everything else is public (rules 8.3). Nothing here knows a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from engine.games.cybertron.orders import Form
from engine.games.cybertron.state import Compared, Die

Stop: TypeAlias = Literal["captured", "failed", "until", "keep", "limit", "resigned"]


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event"):
    pass


class Income(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a turn begins with (FI p.7-8): `robots` for so many `zones`, `bonus` for whole `sectors`, by factory."""

    zones: int
    robots: int
    sectors: tuple[str, ...] = ()
    bonus: int = 0
    factories: Mapping[str, int] = {}
    total: int = 0


class SeatsOrdered(_Event, frozen=True, tag="seats_ordered"):
    """Who begins, and the order of turns (FI p.4, p.6)."""

    order: tuple[str, ...]


class ZonesClaimed(_Event, frozen=True, tag="zones_claimed"):
    """Zones that got a seat's first robot in the setup, in the order of the claims (FI p.5)."""

    seat: str
    zones: tuple[str, ...]
    dealt: bool = False


class SparesPlaced(_Event, frozen=True, tag="spares_placed"):
    """Robots that a seat added to its zones in the setup (FI p.5)."""

    seat: str
    zones: Mapping[str, int]


class TurnBegan(_Event, frozen=True, tag="turn_began"):
    """A turn opened; its income before any card (FI p.7-8)."""

    seat: str
    turn: int
    day: int
    income: Income


class CardPlayed(_Event, frozen=True, tag="card_played"):
    """A card was used for its upgrade; `robots` more to place came of it.

    Of an attack, by either side: `battle` is its number.
    """

    seat: str
    card: str
    upgrade: str
    robots: int = 0
    battle: int = 0


class LeaderRecalled(_Event, frozen=True, tag="leader_recalled"):
    """A leader returned from the scrapheap, for `paid` robots (FI p.8)."""

    seat: str
    zone: str
    form: Form
    paid: int = 0


class RobotsPlaced(_Event, frozen=True, tag="robots_placed"):
    """Operational robots came on a zone (FI p.8); `left` are still to be placed."""

    seat: str
    zone: str
    robots: int
    left: int = 0


class LeaderFlipped(_Event, frozen=True, tag="leader_flipped"):
    """A leader took his other form (FI p.9)."""

    seat: str
    form: Form


class ZoneMorphed(_Event, frozen=True, tag="zone_morphed"):
    """A special zone was opened or closed with a card (FI p.9); for a slider, its factory."""

    seat: str
    card: str
    zone: str
    opened: bool
    factory: str = ""


class FactoryClosed(_Event, frozen=True, tag="factory_closed"):
    """A factory was slid shut over the pieces of a seat (FI p.9)."""

    seat: str
    factory: str
    robots: int
    leader: bool = False


class AttackBegan(_Event, frozen=True, tag="attack_began"):
    """An attack was declared (FI p.11): `battle` is its number in this turn.

    `robots` and `leader_home`: what stands in the origin; `garrison` and `garrison_leader`: in the target.
    """

    seat: str
    battle: int
    origin: str
    target: str
    defender: str
    dice: int
    robots: int
    garrison: int
    leader: bool = False
    leader_home: bool = False
    garrison_leader: bool = False
    far: bool = False


class Rolled(_Event, frozen=True, tag="rolled"):
    """A roll and its comparisons (FI p.12, p.14-15): dice highest first, each as what it counts and its faces.

    `attacking_leader` and `defending_leader` took part.
    """

    battle: int
    roll: int
    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    compared: tuple[Compared, ...]
    attacking_leader: bool = False
    defending_leader: bool = False


class LeaderDestroyed(_Event, frozen=True, tag="leader_destroyed"):
    """A leader went to the scrapheap in battle (FI p.12)."""

    seat: str
    zone: str


class LeaderFled(_Event, frozen=True, tag="leader_fled"):
    """Bumblebee escaped from a battle (FI p.14)."""

    seat: str
    origin: str
    target: str


class AttackEnded(_Event, frozen=True, tag="attack_ended"):
    """An attack is over (FI p.12-13) after `rolls` rolls.

    `how`: `captured` (with `moved` pieces moved in, the leader among them if `leader`), `failed` (one piece left, or
    the far attacker gone), `until`, `keep` or `limit` (stopped as ordered), `resigned`. `lost` and `beaten`: pieces that
    attacker and defender lost; who has fled counts. `left` and `garrison` stand in origin and target now.
    """

    seat: str
    battle: int
    origin: str
    target: str
    defender: str
    how: Stop
    rolls: int
    lost: int = 0
    beaten: int = 0
    moved: int = 0
    leader: bool = False
    left: int = 0
    garrison: int = 0


class SeatEliminated(_Event, frozen=True, tag="seat_eliminated"):
    """A seat has no piece left (FI p.13); its `cards` went back into the pile, which was shuffled."""

    seat: str
    by: str
    cards: int = 0


class BackUpMoved(_Event, frozen=True, tag="back_up_moved"):
    """Pieces moved to a connected zone (FI p.16); with a `card`, in phase 2."""

    seat: str
    origin: str
    target: str
    robots: int
    leader: bool = False
    card: str = ""


class LeaderJumped(_Event, frozen=True, tag="leader_jumped"):
    """Optimus Prime drove to another zone of his (FI p.14)."""

    seat: str
    origin: str
    target: str


class ZoneGiven(_Event, frozen=True, tag="zone_given"):
    """A zone went to the team-mate, the giver's pieces there to the scrapheap (FI p.16)."""

    seat: str
    to: str
    zone: str
    robots: int
    leader: bool = False


class CardDrawn(_Event, frozen=True, tag="card_drawn"):
    """A card for the zones captured in this turn (FI p.17); `card` only to who drew it."""

    seat: str
    card: str = ""


class AllSparkTurned(_Event, frozen=True, tag="allspark_turned"):
    """The day's end: the top card was turned up, and who holds its zone got `robots` there (FI p.18)."""

    day: int
    card: str
    zone: str
    seat: str
    robots: int


class SeatResigned(_Event, frozen=True, tag="seat_resigned"):
    """A seat left; its pieces stay, its `cards` go back into the pile."""

    seat: str
    cards: int = 0


class GameEnded(_Event, frozen=True, tag="game_ended"):
    """The game is over.

    After six days with the most zones (`days`), a tie that the Launch Pad broke (`launch_pad`) or that stays
    (`shared`); all enemies destroyed (`conquest`); or one side left (`resigned`).
    """

    how: Literal["days", "launch_pad", "shared", "conquest", "resigned"]


class Scored(_Event, frozen=True, tag="scored"):
    """A seat's zones (with four players: its team's) and final place."""

    seat: str
    zones: int
    place: int


Event: TypeAlias = (
    SeatsOrdered
    | ZonesClaimed
    | SparesPlaced
    | TurnBegan
    | CardPlayed
    | LeaderRecalled
    | RobotsPlaced
    | LeaderFlipped
    | ZoneMorphed
    | FactoryClosed
    | AttackBegan
    | Rolled
    | LeaderDestroyed
    | LeaderFled
    | AttackEnded
    | SeatEliminated
    | BackUpMoved
    | LeaderJumped
    | ZoneGiven
    | CardDrawn
    | AllSparkTurned
    | SeatResigned
    | GameEnded
    | Scored
)

Events = tuple[Event, ...]


def hear(event: Event, seat: str | None) -> Event:
    """The event as a seat hears it (None: the public): rules 8.3. Nobody misses one."""
    if isinstance(event, CardDrawn) and event.seat != seat:
        return replace(event, card="")
    return event
