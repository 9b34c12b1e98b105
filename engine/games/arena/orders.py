"""What a player writes: one Struct per order (tagged by `do`) and per power (tagged by `use`). Intent only.

Cards are named `troll-3`, `spectator-6`, `prefect-1`, `prefect-2`, `magister`; creatures and seats by their
names. Preference lists are tried from the left, at the moment when they are needed. Nothing here knows
whether an order is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

Strengths = tuple[int, ...]


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a game is agreed on: the eight creatures (HU p.3), and how questions to others are answered.

    `creatures`: `random`, or eight different names, which stand in the row as listed. `reactions`:
    `standing` (standing orders answer at once) or `ask` (who is concerned is asked by mail). `stalemate`: play
    on when the pile is empty, with the stalemate rules of the FAQ.
    """

    creatures: Literal["random"] | tuple[str, ...] = "random"
    reactions: Literal["standing", "ask"] = "standing"
    stalemate: bool = False


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arena leaves nothing to choose before the start."""


class Policy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Standing orders: which card a Gorgon gets (HU p.11), and whether to object to a stalemate (FAQ).

    `gorgon`: `lowest`, `highest`, or by creature the strengths in order of preference (`lowest` for a
    creature that is not named, or if none of the listed strengths is in hand). `mode` counts only in a game
    with `reactions` = `ask`: `ask` waits for the player until the deadline, `auto` answers at once.
    `object` counts only in a game with stalemates: `always` objects to one that is declared, `never` does not,
    `ask` waits for the player until the deadline, and then does not.
    """

    gorgon: Literal["lowest", "highest"] | Mapping[str, Strengths] = "lowest"
    mode: Literal["auto", "ask"] = "ask"
    object: Literal["always", "never", "ask"] = "never"


class _Power(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="use"):
    pass


class Amazon(_Power, frozen=True, tag="amazon"):
    """Draw exactly three cards (HU p.10)."""


class Token(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One of your own tokens: `{creature, row}`, `{"secret": true}` or `{"revealed": creature}`."""

    creature: str = ""
    row: int = 0
    secret: bool = False
    revealed: str = ""


class Colossus(_Power, frozen=True, tag="colossus"):
    """Take back one of your own tokens from anywhere, as if it had never been bet (HU p.11)."""

    token: Token


class Cyclops(_Power, frozen=True, tag="cyclops"):
    """Freeze half of another player's hand, rounded up, at random (HU p.11)."""

    seat: str


class Daimon(_Power, frozen=True, tag="daimon"):
    """Place one token in a free cell of a living creature, in a row that has begun (HU p.11)."""

    creature: str
    row: int


class Ettin(_Power, frozen=True, tag="ettin"):
    """Play another card at once (HU p.11): the first of `then` that is legal.

    If none is, the second card is still open: `play` it, or decline it with `discard` or `end_turn`.
    """

    then: tuple[CardPlay, ...] = ()


class Gorgon(_Power, frozen=True, tag="gorgon"):
    """Demand a card of a living creature from another player (HU p.11)."""

    seat: str
    creature: str


class Magus(_Power, frozen=True, tag="magus"):
    """This turn's discards may be combat cards of living creatures too, in a stack (HU p.11)."""


class Seraphim(_Power, frozen=True, tag="seraphim"):
    """Use the power of a dead creature, written as that creature's own power (HU p.11)."""

    as_: Power = msgspec.field(name="as")


class Titan(_Power, frozen=True, tag="titan"):
    """Draw three cards from a player's hand and keep one (HU p.12): the first of `keep` that fits.

    Words of `keep`: a card, `spectator>=8` (or another number), `referee`, `highest`, `lowest`,
    `highest_backed`. If none fits you are asked, and answer with `keep`.
    """

    seat: str
    keep: tuple[str, ...] = ()


class Troll(_Power, frozen=True, tag="troll"):
    """Take a visible Troll card (copied by the Seraphim: a Seraphim card) of an earlier row (HU p.12).

    `take` is left out only when there is none: the power is then used without effect.
    """

    take: str = ""


class Unicorn(_Power, frozen=True, tag="unicorn"):
    """Swap two visible combat cards of one creature (HU p.12)."""

    swap: tuple[str, str]


class Wyrm(_Power, frozen=True, tag="wyrm"):
    """Discard the top card of another creature in the current row (HU p.12)."""

    creature: str


Power: TypeAlias = (
    Amazon | Colossus | Cyclops | Daimon | Ettin | Gorgon | Magus | Seraphim | Titan | Troll | Unicorn | Wyrm
)


class CardPlay(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card and what goes with it (HU p.7-9).

    `on`: the creature, for a spectator and for the magister. `take`: the visible combat card that a prefect
    takes; left out only when there is none. `power`: for a combat card, if its power is to be used.
    """

    card: str
    on: str = ""
    take: str = ""
    power: Power | UnsetType = UNSET


class Play(CardPlay, frozen=True, tag_field="do", tag="play"):
    """Phase 2: play a card (HU p.7-9). Fields as in the second card of an Ettin.

    `on`: the creature, for a spectator and for the magister. `take`: the visible combat card that a prefect
    takes; left out only when there is none. `power`: for a combat card, if its power is to be used.
    """


class _Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Bet(_Order, frozen=True, tag="bet"):
    """Phase 1: a token above the current row, in the column of a living creature (HU p.5)."""

    creature: str


class SecretBet(_Order, frozen=True, tag="secret_bet"):
    """Phase 1 of round 1: a combat card face down with a token on it; phase 2 is skipped (HU p.5-6)."""

    card: str


class RevealBet(_Order, frozen=True, tag="reveal_bet"):
    """Phase 1: show your secret bet (HU p.6)."""


class ShowHand(_Order, frozen=True, tag="show_hand"):
    """Pass phase 2, which shows your hand to all (HU p.9); or, asked by a Gorgon, show it to him alone."""


class Discard(_Order, frozen=True, tag="discard"):
    """Phase 3: discard one to three combat cards of dead creatures (HU p.9); once a turn.

    Words: a card, or `all_dead`, which stands for the dead cards that are not listed, up to three in all, by
    order of the row and strength. After a Magus any combat card; they form a stack, the last listed on top.
    """

    cards: tuple[str, ...]


class EndTurn(_Order, frozen=True, tag="end_turn"):
    """End your turn: frozen cards return, you draw up to eight, the lowest creature dies (HU p.9)."""


class Keep(_Order, frozen=True, tag="keep"):
    """Answer your Titan: which of the three cards you keep (HU p.12)."""

    card: str


class Give(_Order, frozen=True, tag="give"):
    """Answer a Gorgon: the card that you hand over (HU p.11)."""

    card: str


class DeclareStalemate(_Order, frozen=True, tag="declare_stalemate"):
    """With an empty pile, in your own turn (FAQ): judged just before the next turn of who began the round.

    Who began it himself writes it as the first order of his turn, and it is judged at once.
    """


class ObjectTo(_Order, frozen=True, tag="object"):
    """Answer a declared stalemate: you object, and there is none (FAQ)."""


class Accept(_Order, frozen=True, tag="accept"):
    """Answer a declared stalemate: you do not object (FAQ)."""


Action: TypeAlias = (
    Bet
    | SecretBet
    | RevealBet
    | Play
    | ShowHand
    | Discard
    | EndTurn
    | Keep
    | Give
    | DeclareStalemate
    | ObjectTo
    | Accept
)

MOST_DISCARDS = 3
MOST_PREFERENCES = 20
MOST_SECOND_PLAYS = 10
HIGHEST, LOWEST, HIGHEST_BACKED, REFEREE = "highest", "lowest", "highest_backed", "referee"
SPECTATOR_FROM = "spectator>="
ALL_DEAD = "all_dead"
