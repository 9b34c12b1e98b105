"""What happened, as sentences: one phrase an event, in the past tense and without its doer.

The doer stands above the phrases, in the heading of his turn; others who take part are named in them. An
event of which the reader hears only a part has a phrase of its own for that part.
"""

from __future__ import annotations

from typing import Any, assert_never

from engine.games.arena import events as ev
from engine.games.arena.cards import PREFECTS
from engine.games.arena.report_names import card, cards, creature, creatures, seat
from engine.games.arena.standing import ROW_VALUES, SECRET_VALUE
from engine.kernel.prose import Arg, Say, plural, say


def who(name: str, me: str) -> Say:
    """Somebody in a phrase: `you` for the reader."""
    return say("you") if name == me else seat(name)


def phrase(event: ev.Event, me: str, following: Any = None) -> Say | None:
    """An event in words, as `me` reads it; None if the heading or the final table says it.

    `following` is the event after it in the same turn: of a referee and a Troll it shows whether they had an
    effect (HU p.8, p.12).
    """
    match event:
        case ev.CreaturesChosen() | ev.FirstChosen() | ev.HandDealt() | ev.TurnBegan():
            return _beginning(event, me)
        case ev.BetPlaced() | ev.SecretBetPlaced() | ev.SecretBetRevealed():
            return _bet(event, me)
        case ev.CardPlayed() | ev.RefereePlayed() | ev.HandShown():
            return _play(event, following)
        case ev.CardTaken() | ev.CardUncovered() | ev.CardsSwapped() | ev.CardLifted():
            return _moved(event)
        case ev.PowerUsed() | ev.TokenTakenBack() | ev.SecretBetTakenBack():
            return _power(event, following)
        case ev.CardsFrozen() | ev.CardDemanded() | ev.CardGiven() | ev.HandSeen():
            return _victim(event, me)
        case ev.CardsSampled() | ev.CardKept():
            return _titan(event, me)
        case ev.CardsReturned() | ev.CardsDrawn() | ev.CardsDiscarded():
            return _phase_three(event)
        case ev.StalemateDeclared() | ev.StalemateObjected() | ev.RowShuffled() | ev.CardDealt():
            return _stalemate(event, me)
        case ev.CreatureDied() | ev.SeatResigned() | ev.GameEnded() | ev.Scored():
            return _end(event, me)
        case _:
            assert_never(event)


def _beginning(
    event: ev.CreaturesChosen | ev.FirstChosen | ev.HandDealt | ev.TurnBegan, me: str
) -> Say | None:
    match event:
        case ev.CreaturesChosen(names):
            return say("Eight creatures enter the arena: {creatures}.", creatures=creatures(names))
        case ev.FirstChosen(first):
            return say("The first turn is for {seat}.", seat=who(first, me))
        case ev.HandDealt(owner):
            if owner == me:
                return say("You were dealt {cards}.", cards=cards(event.cards))
            return None
        case ev.TurnBegan():
            return None


def _bet(event: ev.BetPlaced | ev.SecretBetPlaced | ev.SecretBetRevealed, me: str) -> Say:
    match event:
        case ev.BetPlaced(_, name, row, daimon):
            gold = ROW_VALUES[row - 1]
            if daimon:
                return plural(
                    "placed a token on the {creature}, row {row}, for {n} gold",
                    "placed a token on the {creature}, row {row}, for {n} gold",
                    gold,
                    creature=creature(name),
                    row=row,
                )
            return say("bet on the {creature}, for {gold} gold", creature=creature(name), gold=gold)
        case ev.SecretBetPlaced(_, hidden):
            if hidden:
                return say("made a secret bet with {card}", card=card(hidden))
            return say("made a secret bet")
        case ev.SecretBetRevealed():
            return _revealed(event, me)


def _revealed(event: ev.SecretBetRevealed, me: str) -> Say:
    told: dict[str, Arg] = {
        "seat": seat(event.seat),
        "creature": creature(event.creature),
        "card": card(event.card),
        "gold": SECRET_VALUE,
    }
    match event.cause:
        case "owner":
            return say("revealed the secret bet: {card}, so {gold} gold on the {creature}", **told)
        case "magister":
            if event.seat == me:
                return say("bared your secret bet: {card}, so {gold} gold on the {creature}", **told)
            return say("bared the secret bet of {seat}: {card}, so {gold} gold on the {creature}", **told)
        case "end":
            return say("{seat} had bet {gold} gold on the {creature} in secret, with {card}.", **told)


def _play(event: ev.CardPlayed | ev.RefereePlayed | ev.HandShown, following: Any) -> Say:
    match event:
        case ev.CardPlayed(_, name, target) if name.startswith(target):
            return say("played {card}", card=card(name))
        case ev.CardPlayed(_, name, target):
            return say("played {card} on the {creature}", card=card(name), creature=creature(target))
        case ev.RefereePlayed(_, name, _) if name in PREFECTS:
            if isinstance(following, ev.CardTaken):
                return say("sent out a Prefect")
            return say("sent out a Prefect, who found no card to take")
        case ev.RefereePlayed(_, _, target):
            if not isinstance(following, ev.SecretBetRevealed):
                return say("sent the Magister to the {creature}, who found no bet", creature=creature(target))
            return say("sent the Magister to the {creature}", creature=creature(target))
        case ev.HandShown(_, shown):
            return say("could play nothing and showed the hand: {cards}", cards=cards(shown))


def _moved(event: ev.CardTaken | ev.CardUncovered | ev.CardsSwapped | ev.CardLifted) -> Say:
    match event:
        case ev.CardTaken(_, name, row):
            return say("took {card} from row {row} into hand", card=card(name), row=row)
        case ev.CardUncovered(name):
            return say("{card} came to light", card=card(name))
        case ev.CardsSwapped(_, _, swapped, rows):
            return say(
                "swapped {first} of row {row} with {second} of row {other}",
                first=card(swapped[0]),
                row=rows[0],
                second=card(swapped[1]),
                other=rows[1],
            )
        case ev.CardLifted(_, name, target) if name.startswith(target):
            return say("threw {card} out", card=card(name))
        case ev.CardLifted(_, name, target):
            return say("threw {card} off the {creature}", card=card(name), creature=creature(target))


def _power(event: ev.PowerUsed | ev.TokenTakenBack | ev.SecretBetTakenBack, following: Any) -> Say:
    match event:
        case ev.PowerUsed(_, power, copied) if "troll" in {power, copied}:
            return _troll(power, taken=isinstance(following, ev.CardTaken))
        case ev.PowerUsed(_, power, copied) if copied:
            return say(
                "used the {creature}'s power, as the fallen {copied} had it",
                creature=creature(power),
                copied=creature(copied),
            )
        case ev.PowerUsed(_, power):
            return say("used the {creature}'s power", creature=creature(power))
        case ev.TokenTakenBack(_, target, row) if row:
            return say("took a token back from the {creature}, row {row}", creature=creature(target), row=row)
        case ev.TokenTakenBack(_, target):
            return say("took back the token of the revealed bet on the {creature}", creature=creature(target))
        case ev.SecretBetTakenBack(_, name):
            return say("took back the token of the secret bet, and discarded its {card}", card=card(name))


def _troll(power: str, *, taken: bool) -> Say:
    """A Troll's power, or a Seraphim's who copied it: it may be used where there is nothing to take (#2.1)."""
    used = say("used the {creature}'s power", creature=creature(power))
    if power != "troll":
        used = say(
            "used the {creature}'s power, as the fallen {copied} had it",
            creature=creature(power),
            copied=creature("troll"),
        )
    return used if taken else say("{used}, which found no card to take", used=used)


def _victim(event: ev.CardsFrozen | ev.CardDemanded | ev.CardGiven | ev.HandSeen, me: str) -> Say:
    match event:
        case ev.CardsFrozen(victim, count, frozen):
            if frozen:
                return say("froze these of your cards: {cards}", cards=cards(frozen))
            return plural(
                "froze {n} card of {seat}", "froze {n} cards of {seat}", count, seat=who(victim, me)
            )
        case ev.CardDemanded(_, victim, name):
            return say(
                "demanded a card of the {creature} from {seat}", creature=creature(name), seat=who(victim, me)
            )
        case ev.CardGiven(giver, taker, name, given):
            if given:
                return say("{seat} handed over {card}", seat=who(giver, me), card=card(given))
            return say("{seat} handed one over", seat=who(giver, me))
        case ev.HandSeen(giver, taker, shown):
            if taker == me:
                return say("{seat} had none and showed you: {cards}", seat=who(giver, me), cards=cards(shown))
            return say("{seat} had none and showed {taker} the hand", seat=who(giver, me), taker=seat(taker))


def _titan(event: ev.CardsSampled | ev.CardKept, me: str) -> Say:
    match event:
        case ev.CardsSampled(_, victim, drawn):
            if drawn:
                return say("drew from {seat}: {cards}", seat=who(victim, me), cards=cards(drawn))
            return say("drew three cards from {seat}", seat=who(victim, me))
        case ev.CardKept(_, _, kept):
            if kept:
                return say("kept {card}", card=card(kept))
            return say("kept one of them")


def _phase_three(event: ev.CardsReturned | ev.CardsDrawn | ev.CardsDiscarded) -> Say:
    match event:
        case ev.CardsReturned(_, count, back):
            if back:
                return say("took back what was frozen: {cards}", cards=cards(back))
            return plural("took back {n} frozen card", "took back {n} frozen cards", count)
        case ev.CardsDrawn(_, count, drawn):
            if drawn:
                return say("drew {cards}", cards=cards(drawn))
            return plural("drew {n} card", "drew {n} cards", count)
        case ev.CardsDiscarded(_, count, thrown, stack):
            if stack and len(thrown) < count:
                return plural(
                    "discarded {n} card, {cards}",
                    "discarded a stack of {n} cards, on top {cards}",
                    count,
                    cards=cards(thrown),
                )
            return say("discarded {cards}", cards=cards(thrown))


def _stalemate(
    event: ev.StalemateDeclared | ev.StalemateObjected | ev.RowShuffled | ev.CardDealt, me: str
) -> Say | None:
    match event:
        case ev.StalemateDeclared():
            return say("declared a stalemate")
        case ev.StalemateObjected(objector):
            if objector == me:
                return say("You objected: there is no stalemate.")
            return say("{seat} objected: there is no stalemate.", seat=seat(objector))
        case ev.RowShuffled(row, count, dealt):
            return say(
                "A stalemate: {cards} of row {row} {pile}, of which {players}.",
                cards=plural("the one card", "the {n} cards", count),
                row=row,
                pile=plural("is the new pile", "are the new pile", count),
                players=plural("one player drew one", "{n} players drew one each", dealt),
            )
        case ev.CardDealt(_, dealt_card):
            return say("You drew {card}.", card=card(dealt_card)) if dealt_card else None


def _end(event: ev.CreatureDied | ev.SeatResigned | ev.GameEnded | ev.Scored, me: str) -> Say | None:
    match event:
        case ev.CreatureDied(name, low, number):
            return say(
                "The {creature} falls: {card} is the one lowest card. Round {round} is over.",
                creature=creature(name),
                card=card(low),
                round=number,
            )
        case ev.SeatResigned(leaver, count):
            return plural(
                "{seat} resigned; {n} card left the game.",
                "{seat} resigned; {n} cards left the game.",
                count,
                seat=seat(leaver),
            )
        case ev.GameEnded(how):
            return _ENDINGS[how]
        case ev.Scored():
            return None


_ENDINGS = {
    "last_round": say("The game is over: the fifth creature has fallen."),
    "pile": say("The game is over: the last card of the pile was drawn."),
    "no_progress": say("The game is over: nothing has moved for a whole cycle of turns."),
    "resigned": say("The game is over: one player is left."),
}
