"""What a player writes: one Struct per order, tagged by `do`; standing orders, setup choices, options. Intent only.

Zones, seats and cards are written by their ids (`launch_pad`, `optimus_prime`, `card_perihex`). A piece is a robot
or the leader; a vehicle is written as the three robots it stands for (FI p.5). Nothing here knows whether an order
is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType, field

Form: TypeAlias = Literal["robot", "vehicle"]
Cards = tuple[str, ...]
Zones = tuple[str, ...]

MOST_ROBOTS = 99
"""The largest number that an order may name."""
MOST_UNTIL = 20
"""The largest number of rolls that an attack may be told to stop after; more is as good as `captured`."""
MOST_MOVED = 50
"""The largest number that `move_in` may name; more is as good as `all`."""
MOST_ROLLS = 30
"""Rolls after which an attack order stops by itself, so that its record fits in a line of the log."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a game is agreed on.

    `setup`: `lists` plays the manual's claims and placements from the lists that come with each seat's `ready`;
    `dealt` deals zones and robots by chance; `live` takes one claim, then one robot, a turn. `reactions`: `standing`
    (standing orders answer at once) or `ask` (who is concerned is asked by mail). `first`: the seat that begins
    (the manual's youngest player), or `random`.
    """

    setup: Literal["lists", "dealt", "live"] = "lists"
    reactions: Literal["standing", "ask"] = "standing"
    first: str = "random"


class Setup(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The choices that a seat sends with its `ready` (FI p.4-5); used if the option `setup` is `lists`.

    `claim`: zones in order of preference. `spread`: zones that get the spare robots, one each in turn, over and over;
    a zone may stand there more than once.
    """

    claim: Zones = ()
    spread: Zones = ()


class CardLine(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When to play a card in defence: at most once an attack, by lines from the top.

    `card` is a card or an upgrade (any card of it). It is played when one of `zones` (none: any zone) is attacked by
    at least `dice` dice, and at most `pieces` of one's own stand there.
    """

    card: str
    zones: Zones = ()
    dice: int = 1
    pieces: int = MOST_ROBOTS


Question: TypeAlias = Literal["defend", "bonus", "flee"]


class Policy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Standing orders: what to do when others attack, and how to use the +1 and Bumblebee's escape.

    `defend`: with as many as may (`max`) or with `1`; `one_in` are zones in which one defends in any case.
    `leader`: he defends `always`, `only_last` (when no robot is left), or, if zones are listed, always in these and
    only last elsewhere. `bonus`: `best` spends the +1 on the first comparison that it turns, `never` keeps it.
    `cards`: defence cards. `refuge`: where Bumblebee flees to, in order of preference; else to where most pieces are.
    `ask` counts only in a game with `reactions` = `ask`: which questions wait for the player until the deadline.
    """

    defend: Literal["max", 1] = "max"
    one_in: Zones = ()
    leader: Literal["always", "only_last"] | Zones = "always"
    bonus: Literal["best", "never"] = "best"
    cards: tuple[CardLine, ...] = ()
    refuge: Zones = ()
    ask: tuple[Question, ...] = ("defend", "bonus", "flee")


DEFAULT = Policy()
"""What counts for who has sent no standing orders."""


class When(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Guards of an attack: it is made only if all of them are true at that moment.

    `held`, `not_held`: zones that are, or are not, mine; `captured`: zones that I have captured in this turn;
    `at_least`, `at_most`: by zone, how many pieces of mine stand there.
    """

    held: Zones = ()
    not_held: Zones = ()
    captured: Zones = ()
    at_least: Mapping[str, int] = {}
    at_most: Mapping[str, int] = {}


NO_GUARDS = When()


class _Order(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Claim(_Order, frozen=True, tag="claim"):
    """Setup, if it is played live: one robot on an empty zone (FI p.5)."""

    zone: str


class Spare(_Order, frozen=True, tag="spare"):
    """Setup, if it is played live: one more robot on a zone of your own (FI p.5)."""

    zone: str


class PlayCard(_Order, frozen=True, tag="play_card"):
    """Phases 1 and 2: a card for its upgrade (FI p.8, p.9, p.16).

    Extra robots and the doubled bonus: nothing more. Leader Rebuild: `zone` and `form`, as in `recall_leader`. Rapid
    Redeploy: `from`, `to`, `robots`, `leader`, as in `back_up`. Cards of an attack stand in `attack`.
    """

    card: str
    zone: str = ""
    form: Form | Literal[""] = ""
    origin: str = field(default="", name="from")
    target: str = field(default="", name="to")
    robots: int | UnsetType = UNSET
    leader: bool = False


class RecallLeader(_Order, frozen=True, tag="recall_leader"):
    """Phase 1, step E: give three robots for the leader's return from the scrapheap (FI p.8)."""

    zone: str
    form: Form = "robot"


class Place(_Order, frozen=True, tag="place"):
    """Phase 1, step E: so many operational robots on a zone of your own, or the `rest` of them (FI p.8)."""

    zone: str
    robots: int | Literal["rest"] = "rest"


class FlipLeader(_Order, frozen=True, tag="flip_leader"):
    """Phase 2: turn the leader to his other form; once a turn (FI p.9)."""


class Morph(_Order, frozen=True, tag="morph"):
    """Phase 2: open or close a special zone with a card that has the morph icon (FI p.9)."""

    card: str
    zone: str


class Attack(_Order, frozen=True, tag="attack"):
    """Phase 3: attack a neighbouring zone, roll after roll (FI p.11-13).

    `dice` pieces attack, the leader among them if `leader`; after losses as many as still may. `cards` are played
    first. `until`: `captured`, or a number of rolls; `keep`: stop when only so many pieces are left at home. After the
    conquest `move_in`: `least`, `all` but one, or a number in all. `when`: guards.
    """

    origin: str = field(name="from")
    target: str = field(name="to")
    dice: int
    leader: bool = False
    cards: Cards = ()
    until: Literal["captured"] | int = "captured"
    keep: int = 0
    move_in: Literal["least", "all"] | int = "least"
    when: When = NO_GUARDS


class BackUp(_Order, frozen=True, tag="back_up"):
    """Phase 4: so many robots, and the leader if `leader`, from a zone to a connected one (FI p.16)."""

    origin: str = field(name="from")
    target: str = field(name="to")
    robots: int
    leader: bool = False


class Jump(_Order, frozen=True, tag="jump"):
    """Phase 4: Optimus Prime, as a truck, to any zone of your own (FI p.14)."""

    target: str = field(name="to")


class Give(_Order, frozen=True, tag="give"):
    """Phase 4, four players, instead of the back-up: a zone for your team-mate (FI p.16)."""

    zone: str


class EndTurn(_Order, frozen=True, tag="end_turn"):
    """End your turn: you draw a card if you have captured a zone (FI p.17)."""


class Defend(_Order, frozen=True, tag="defend"):
    """Answer an attack, before each roll: defence cards, then how many defend, the leader among them (FI p.11-12)."""

    dice: int
    leader: bool = False
    cards: Cards = ()


class Bonus(_Order, frozen=True, tag="bonus"):
    """Say how much of your +1 goes on your die of the comparison that is next; 0 keeps it (FI p.14-15)."""

    plus: int


class Flee(_Order, frozen=True, tag="flee"):
    """Say to which neighbouring zone of yours Bumblebee escapes (FI p.14)."""

    zone: str


Action: TypeAlias = (
    Claim
    | Spare
    | PlayCard
    | RecallLeader
    | Place
    | FlipLeader
    | Morph
    | Attack
    | BackUp
    | Jump
    | Give
    | EndTurn
    | Defend
    | Bonus
    | Flee
)
