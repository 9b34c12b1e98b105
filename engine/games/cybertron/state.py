"""A position: everything the rules know between two orders, as frozen data without derived values.

`owner` and `robots` go by board order (board.py). A leader stands where his player's `leader` says, beside the
robots that are counted there; empty means the scrapheap. The head of the agenda says who must decide what; a turn's
phases lie on it in order, and what a battle asks lies before them. The functions at the end change one part and copy
the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from engine.games.cybertron.board import Atlas, Board, atlas
from engine.games.cybertron.deck import Catalogue, Deck, catalogue
from engine.games.cybertron.orders import DEFAULT, Form, Policy

DAYS = 6
MOST_ATTACKERS = 3
MOST_DEFENDERS = 2
LEADER_PRICE = 3
ALLSPARK = 3
ROBOT_DIE, LEADER_DIE = 6, 8

How = Literal["", "days", "launch_pad", "shared", "conquest", "resigned"]
Die = tuple[int, int]
"""What a die counts (with what is added to every die), and its faces."""
Lost: TypeAlias = Literal["attacker", "defender", "attacking_leader", "defending_leader"]


class _Data(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class _Task(_Data, frozen=True, tag_field="task"):
    seat: str


class ToClaim(_Task, frozen=True, tag="claim"):
    """Setup, live: one empty zone is claimed (FI p.5)."""


class ToSpare(_Task, frozen=True, tag="spare"):
    """Setup, live: one more robot goes on a zone of one's own (FI p.5)."""


class ToMuster(_Task, frozen=True, tag="muster"):
    """Phase 1 (FI p.7-8): `left` robots are still to be placed, of which `bonus` came for sectors.

    `placing`: step E has begun, so no card of step B may be played any more.
    """

    left: int
    bonus: int = 0
    placing: bool = False


class ToMorph(_Task, frozen=True, tag="morph"):
    """Phase 2 (FI p.9); `flipped`: the leader has been turned."""

    flipped: bool = False


class ToAttack(_Task, frozen=True, tag="attack"):
    """Phase 3 (FI p.11-13)."""


class ToBackUp(_Task, frozen=True, tag="back_up"):
    """Phase 4 (FI p.16): what of it is done; `moved` is the move or the gift. The turn may be ended."""

    moved: bool = False
    jumped: bool = False


class ToDefend(_Task, frozen=True, tag="defend"):
    """The zone's player says how he defends, before each roll (FI p.11-12)."""


class ToBonus(_Task, frozen=True, tag="bonus"):
    """A side may add to its die of the next comparison (FI p.14-15): at most `most`."""

    most: int


class ToFlee(_Task, frozen=True, tag="flee"):
    """Bumblebee escapes to one of these zones (FI p.14)."""

    zones: tuple[str, ...]


Task: TypeAlias = ToClaim | ToSpare | ToMuster | ToMorph | ToAttack | ToBackUp | ToDefend | ToBonus | ToFlee


class Boost(_Data, frozen=True):
    """What cards do for a side: `each` on every die, `one` on dice of choice, dice of `sides`, at most `limit` against."""

    each: int = 0
    one: int = 0
    sides: int = ROBOT_DIE
    limit: int = MOST_DEFENDERS


NO_BOOST = Boost()
"""The one value of no card at all: being the default itself, it is left out on the wire."""


class Compared(_Data, frozen=True):
    """Two dice compared: what was added to either after the roll, and what was lost."""

    lost: Lost
    plus: int = 0
    parry: int = 0


class Roll(_Data, frozen=True):
    """A roll that is being compared: dice highest first, what may still be added, the comparisons so far.

    `attackers` and `defenders` count the pieces in the fight that are left, leaders among them.
    """

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    attackers: int
    defenders: int
    attacking_leader: bool = False
    defending_leader: bool = False
    plus: int = 0
    parry: int = 0
    compared: tuple[Compared, ...] = ()
    added: int = -1
    """What the attacker has added to the comparison that is next; -1 while he has not said it."""


class Plan(_Data, frozen=True):
    """What the attacker has ordered for the rest of this attack; nobody else knows it."""

    dice: int = 0
    leader: bool = False
    until: Literal["captured"] | int = "captured"
    keep: int = 0
    move_in: Literal["least", "all"] | int = "least"


NO_PLAN = Plan()


class Battle(_Data, frozen=True):
    """An attack that goes on: the `number`th of its turn, `rolls` of it done.

    `dice` and `leader`: who attacks in the roll that is next. `far`: Megatron, alone, from afar (FI p.14). `played`:
    the defender's cards of this attack; `lines`: the lines of his standing orders that played some, which nobody else
    knows. `lost` and `beaten`: pieces that the attacker and the defender have lost.
    """

    number: int
    origin: str
    target: str
    defender: str
    dice: int
    leader: bool = False
    far: bool = False
    rolls: int = 0
    boost: Boost = NO_BOOST
    shield: Boost = NO_BOOST
    cards: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    lost: int = 0
    beaten: int = 0
    roll: Roll | None = None
    plan: Plan = NO_PLAN


class Player(_Data, frozen=True):
    """A seat's belongings and fate.

    `leader`: the zone where he stands, empty for the scrapheap. `spare`: robots still to be placed in the setup.
    `placed` and `destroyed` count robots that came on the board and went to the scrapheap. `out`: no piece is left.
    """

    hand: tuple[str, ...] = ()
    leader: str = ""
    form: Form = "robot"
    spare: int = 0
    placed: int = 0
    destroyed: int = 0
    resigned: bool = False
    out: bool = False
    policy: Policy = DEFAULT


class State(_Data, frozen=True):
    """A position. `order` = seats in turn order, `seat` = whose turn it is, `day` 1 … 6 (0 in the setup), `opened` =
    open special zones in board order, `pile` from the top down, `discards` from the bottom up, `captured` = zones
    captured in this turn, `battles` = attacks of this turn, `boost` = cards that last for this turn. `board` and `deck`
    only if they are not the standard ones.
    """

    turn: int
    day: int
    seat: str
    order: tuple[str, ...]
    owner: tuple[str, ...]
    robots: tuple[int, ...]
    players: Mapping[str, Player]
    agenda: tuple[Task, ...] = ()
    opened: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    battles: int = 0
    boost: Boost = NO_BOOST
    battle: Battle | None = None
    ask: bool = False
    ended: How = ""
    board: Board | None = None
    deck: Deck | None = None


def map_of(state: State) -> Atlas:
    """The board of this game."""
    return atlas(state.board)


def cards_of(state: State) -> Catalogue:
    """The deck of this game."""
    return catalogue(state.deck)


def with_player(state: State, seat: str, /, **changes: Any) -> State:
    """The state with one player changed; a new hand is put in order."""
    if "hand" in changes:
        changes["hand"] = cards_of(state).in_order(changes["hand"])
    return replace(state, players={**state.players, seat: replace(state.players[seat], **changes)})
