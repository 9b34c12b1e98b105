"""What has happened: past tense, one fact each, tagged by `event`; and who hears how much of it.

`seat` is who did it, or to whom it happened if nobody did. Where a docstring says "only to", the field is
left empty for everybody else. Nothing here knows a position.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

Taker: TypeAlias = Literal["prefect", "troll"]
Cause: TypeAlias = Literal["owner", "magister", "end"]


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event"):
    pass


class CreaturesChosen(_Event, frozen=True, tag="creatures_chosen"):
    """The eight creatures of this game, as they stand in the row (HU p.3)."""

    creatures: tuple[str, ...]


class FirstChosen(_Event, frozen=True, tag="first_chosen"):
    """Who begins (HU p.3)."""

    seat: str


class HandDealt(_Event, frozen=True, tag="hand_dealt"):
    """A first hand; `cards` only to its owner."""

    seat: str
    count: int
    cards: tuple[str, ...] = ()


class TurnBegan(_Event, frozen=True, tag="turn_began"):
    """A turn opened, in this round."""

    seat: str
    turn: int
    round: int


class BetPlaced(_Event, frozen=True, tag="bet_placed"):
    """A token in a cell; `daimon` if by a Daimon's power."""

    seat: str
    creature: str
    row: int
    daimon: bool = False


class SecretBetPlaced(_Event, frozen=True, tag="secret_bet_placed"):
    """A card face down with a token on it; `card` only to its owner."""

    seat: str
    card: str = ""


class SecretBetRevealed(_Event, frozen=True, tag="secret_bet_revealed"):
    """A secret bet was shown: by its owner, because of a magister, or at the end."""

    seat: str
    card: str
    creature: str
    cause: Cause


class CardPlayed(_Event, frozen=True, tag="card_played"):
    """A combat card or a spectator was laid in a cell."""

    seat: str
    card: str
    creature: str
    row: int


class RefereePlayed(_Event, frozen=True, tag="referee_played"):
    """A prefect, or the magister with the `creature` he was sent to."""

    seat: str
    card: str
    creature: str = ""


class CardTaken(_Event, frozen=True, tag="card_taken"):
    """A visible combat card went from a cell into a hand."""

    seat: str
    card: str
    row: int
    by: Taker


class CardUncovered(_Event, frozen=True, tag="card_uncovered"):
    """The card beneath became visible."""

    card: str
    creature: str
    row: int


class HandShown(_Event, frozen=True, tag="hand_shown"):
    """Phase 2 was passed: the hand (without frozen cards) was shown to all (HU p.9)."""

    seat: str
    cards: tuple[str, ...]


class PowerUsed(_Event, frozen=True, tag="power_used"):
    """A power was activated; `copied` says which one a Seraphim copied."""

    seat: str
    power: str
    copied: str = ""


class CardsDrawn(_Event, frozen=True, tag="cards_drawn"):
    """Cards came from the pile; `cards` only to who drew them."""

    seat: str
    count: int
    cards: tuple[str, ...] = ()


class TokenTakenBack(_Event, frozen=True, tag="token_taken_back"):
    """A Colossus took a token from a cell, or (`row` 0) a revealed secret bet from above the creature."""

    seat: str
    creature: str
    row: int = 0


class SecretBetTakenBack(_Event, frozen=True, tag="secret_bet_taken_back"):
    """A Colossus took the token of a hidden secret bet; its card went face up to the discards."""

    seat: str
    card: str


class CardsFrozen(_Event, frozen=True, tag="cards_frozen"):
    """A Cyclops laid part of a hand face down; `cards` only to the victim, `seat`."""

    seat: str
    count: int
    cards: tuple[str, ...] = ()


class CardsReturned(_Event, frozen=True, tag="cards_returned"):
    """Frozen cards went back into the hand; `cards` only to their owner."""

    seat: str
    count: int
    cards: tuple[str, ...] = ()


class CardDemanded(_Event, frozen=True, tag="card_demanded"):
    """A Gorgon demanded a card of a creature from `victim`."""

    seat: str
    victim: str
    creature: str


class CardGiven(_Event, frozen=True, tag="card_given"):
    """The victim, `seat`, gave the Gorgon's player a card of the creature; `card` only to both."""

    seat: str
    taker: str
    creature: str
    card: str = ""


class HandSeen(_Event, frozen=True, tag="hand_seen"):
    """The victim, `seat`, had no such card; `cards`, his hand, only to the Gorgon's player."""

    seat: str
    taker: str
    cards: tuple[str, ...] = ()


class CardsSampled(_Event, frozen=True, tag="cards_sampled"):
    """A Titan drew three cards from a hand; `cards` only to taker and victim."""

    seat: str
    victim: str
    cards: tuple[str, ...] = ()


class CardKept(_Event, frozen=True, tag="card_kept"):
    """A Titan kept one of three and gave two back; `card` only to taker and victim."""

    seat: str
    victim: str
    card: str = ""


class CardsSwapped(_Event, frozen=True, tag="cards_swapped"):
    """A Unicorn swapped two cards of a creature; `cards[0]` came from `rows[0]` and went to `rows[1]`."""

    seat: str
    creature: str
    cards: tuple[str, str]
    rows: tuple[int, int]


class CardLifted(_Event, frozen=True, tag="card_lifted"):
    """A Wyrm discarded the top card of a cell."""

    seat: str
    card: str
    creature: str
    row: int


class CardsDiscarded(_Event, frozen=True, tag="cards_discarded"):
    """Phase 3 discards, the last on top. As a Magus stack: to others `cards` holds only the top one."""

    seat: str
    count: int
    cards: tuple[str, ...]
    stack: bool = False


class CreatureDied(_Event, frozen=True, tag="creature_died"):
    """The one lowest card of the row was this creature's: it is dead and the round is over."""

    creature: str
    card: str
    round: int


class StalemateDeclared(_Event, frozen=True, tag="stalemate_declared"):
    """A stalemate was declared; it is judged before the next turn of who began the round (FAQ)."""

    seat: str


class StalemateObjected(_Event, frozen=True, tag="stalemate_objected"):
    """Somebody objected to the stalemate that was declared: there is none (FAQ)."""

    seat: str


class RowShuffled(_Event, frozen=True, tag="row_shuffled"):
    """A stalemate: the `count` cards of a row are the new pile, from which `dealt` seats drew one each (FAQ)."""

    row: int
    count: int
    dealt: int


class CardDealt(_Event, frozen=True, tag="card_dealt"):
    """The card that a seat drew in a stalemate; `card` only to its owner."""

    seat: str
    card: str = ""


class SeatResigned(_Event, frozen=True, tag="seat_resigned"):
    """A seat left; its hand and frozen cards, `count`, left play unseen."""

    seat: str
    count: int


class GameEnded(_Event, frozen=True, tag="game_ended"):
    """The game is over: fifth death, the pile's last card, a cycle without a move, or one seat left."""

    how: Literal["last_round", "pile", "no_progress", "resigned"]


class Scored(_Event, frozen=True, tag="scored"):
    """A seat's gold and final place."""

    seat: str
    gold: int
    place: int


Event: TypeAlias = (
    CreaturesChosen
    | FirstChosen
    | HandDealt
    | TurnBegan
    | BetPlaced
    | SecretBetPlaced
    | SecretBetRevealed
    | CardPlayed
    | RefereePlayed
    | CardTaken
    | CardUncovered
    | HandShown
    | PowerUsed
    | CardsDrawn
    | TokenTakenBack
    | SecretBetTakenBack
    | CardsFrozen
    | CardsReturned
    | CardDemanded
    | CardGiven
    | HandSeen
    | CardsSampled
    | CardKept
    | CardsSwapped
    | CardLifted
    | CardsDiscarded
    | CreatureDied
    | StalemateDeclared
    | StalemateObjected
    | RowShuffled
    | CardDealt
    | SeatResigned
    | GameEnded
    | Scored
)

Events = tuple[Event, ...]

PUBLIC = (
    CreaturesChosen,
    FirstChosen,
    TurnBegan,
    BetPlaced,
    SecretBetRevealed,
    CardPlayed,
    RefereePlayed,
    CardTaken,
    CardUncovered,
    HandShown,
    PowerUsed,
    TokenTakenBack,
    SecretBetTakenBack,
    CardDemanded,
    CardsSwapped,
    CardLifted,
    CreatureDied,
    StalemateDeclared,
    StalemateObjected,
    RowShuffled,
    SeatResigned,
    GameEnded,
    Scored,
)
"""Heard whole by everybody."""


def hear(event: Event, seat: str | None) -> Event:
    """The event as a seat hears it (None: the public): rules section 3. Nobody misses one, some hear a part."""
    if isinstance(event, PUBLIC):
        return event
    match event:
        case HandDealt() | CardsDrawn() | CardsFrozen() | CardsReturned():
            return event if seat == event.seat else replace(event, cards=())
        case SecretBetPlaced() | CardDealt():
            return event if seat == event.seat else replace(event, card="")
        case CardGiven():
            return event if seat in {event.seat, event.taker} else replace(event, card="")
        case HandSeen():
            return event if seat == event.taker else replace(event, cards=())
        case CardsSampled():
            return event if seat in {event.seat, event.victim} else replace(event, cards=())
        case CardKept():
            return event if seat in {event.seat, event.victim} else replace(event, card="")
        case CardsDiscarded():
            return event if seat == event.seat or not event.stack else replace(event, cards=event.cards[-1:])
        case _:
            assert_never(event)
