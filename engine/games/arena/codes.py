"""Why arena refuses an order, a game or a position: one table of codes and their sentences.

`order/…` is wrong whatever happens in this game; `moment/…` is wrong in this position. Those about games that
can't be started and positions that can't be stand in codes_start.
"""

from __future__ import annotations

from engine.games.arena.codes_start import GAME_CODES, POSITION_CODES
from engine.kernel.refusal import Code, Counted

ORDER_CODES = (
    Code(
        "order/unknown-card",
        "A card of this game, such as troll-3, spectator-6, prefect-1 or magister.",
        "{card}",
        "Correct the card's name. Cards of the four creatures that were set aside are not in this game.",
    ),
    Code(
        "order/unknown-creature",
        "One of this game's creatures: {creatures}.",
        "{creature}",
        "Name one of these eight. The other four were set aside and are not in this game.",
    ),
    Code(
        "order/unknown-seat",
        "One of this game's players: {seats}.",
        "{seat}",
        "Correct the player's colour.",
    ),
    Code(
        "order/own-seat",
        "Another player.",
        "Your own colour, {seat}.",
        "Name another player: this power works on others only.",
    ),
    Code("order/row", "A row from 1 to 5.", "Row {row}.", "Correct the number of the row."),
    Code(
        "order/combat-card",
        "A combat card, such as troll-3.",
        "{card}",
        "Name a combat card: spectators and referees can't be used for this.",
    ),
    Code(
        "order/needless",
        "For {card} only the fields that go with it.",
        "The field {field}.",
        "Leave {field} out: it does not go with this card.",
    ),
    Code(
        "order/where",
        "The creature in the field on, since {card} is played on a creature of your choice.",
        "No creature.",
        "Add the field on with the name of a creature.",
    ),
    Code(
        "order/other-power",
        "The power of the card that is played, {card}.",
        "The power {power}.",
        "Use the power of that card's creature, or leave the power out.",
    ),
    Code(
        "order/copies-itself",
        "The power of another creature for the Seraphim to copy.",
        "The Seraphim itself.",
        "Name the power of another, dead creature.",
    ),
    Code(
        "order/ettin-twice",
        "The Ettin's power once a turn.",
        "An Ettin's power in the second card of an Ettin.",
        "Leave the power of the second Ettin out; the card itself may be played.",
    ),
    Code(
        "order/preference",
        "A card, spectator>= and a number from 0 to 10, referee, highest, lowest or highest_backed.",
        "{word}",
        "Correct this word of the list.",
    ),
    Code(
        "order/too-long",
        "At most {most} entries in {field}.",
        "{count} entries.",
        "Shorten the list.",
    ),
    Code(
        "order/discards",
        "One to {most} cards to discard.",
        "{count} cards.",
        "Name one to {most} cards, or leave the order out if you discard none.",
    ),
    Code("order/twice", "Each entry once.", "{word} twice.", "Name it once."),
    Code(
        "order/token",
        "One token: a creature and a row, or secret, or revealed and a creature.",
        "Another combination of fields.",
        "Say which token with exactly one of these three.",
    ),
    Code(
        "order/swap",
        "Two different combat cards of one creature.",
        "{first} and {second}.",
        "Name two cards of the same creature.",
    ),
    Code(
        "order/strengths",
        "Different strengths from 0 to 10 for each creature.",
        "The list for {creature}.",
        "Correct the list of strengths.",
    ),
    Code(
        "order/no-stalemates",
        "A game with the option stalemate.",
        "A game without it.",
        "Leave the order out: in this game the last card of the pile ends the game.",
    ),
)

MOMENT_CODES = (
    Code(
        "moment/not-now",
        "One of these orders: {expected}.",
        "{order}",
        "Begin with one of the orders that fit this point of the turn.",
    ),
    Code(
        "moment/creature-dead",
        "A living creature.",
        "{creature}, which is dead.",
        "Choose a creature that is still alive.",
    ),
    Code(
        "moment/creature-alive",
        "A dead creature, whose power the Seraphim can copy.",
        "{creature}, which is alive.",
        "Choose a dead creature, or leave the power out.",
    ),
    Code(
        "moment/cell-taken",
        "A place without a token.",
        "A token in row {row} of {creature}.",
        "Choose another creature or row: a place holds one token only.",
    ),
    Code(
        "moment/no-token",
        "A token left to bet.",
        "No token left.",
        "You have no token in stock: leave the bet out, or play the card without its power.",
    ),
    Code(
        "moment/secret-late",
        "A secret bet in round 1.",
        "Round {round}.",
        "Make a normal bet instead: secret bets are for the first round.",
    ),
    Code(
        "moment/secret-made",
        "One secret bet in the game.",
        "A second one.",
        "Make a normal bet instead: you have made your secret bet.",
    ),
    Code(
        "moment/no-secret",
        "A hidden secret bet of yours.",
        "No such bet.",
        "Leave this out: you have no hidden secret bet.",
    ),
    Code(
        "moment/not-in-hand",
        "A card in your hand.",
        "{card}, which is not in your hand.",
        "Name a card that you hold.",
    ),
    Code(
        "moment/frozen",
        "A card in your hand that is not frozen.",
        "{card}, which a Cyclops has frozen.",
        "Use another card: this one comes back at the end of your turn.",
    ),
    Code(
        "moment/can-play",
        "A hand without any card that could be played.",
        "A hand from which {card} can be played.",
        "Play a card: you may show your hand only when you can play none.",
    ),
    Code(
        "moment/not-backer",
        "You as the only backer of {creature}.",
        "The backer is {backer}.",
        "Play the card without its power.",
    ),
    Code(
        "moment/no-backer",
        "You as the only backer of {creature}.",
        "Nobody is.",
        "Play the card without its power.",
    ),
    Code(
        "moment/on-spectator",
        "A place without a spectator on top.",
        "{card} on top of {creature}.",
        "Play the card without its power: a spectator blocks it.",
    ),
    Code(
        "moment/ettin-used",
        "The Ettin's power once a turn.",
        "A second use in this turn.",
        "Play the card without its power.",
    ),
    Code(
        "moment/not-your-token",
        "A token of yours that lies there.",
        "No token of yours.",
        "Name one of your tokens on the table.",
    ),
    Code(
        "moment/no-row",
        "A row of {creature} that has begun.",
        "Row {row}.",
        "Choose the current row or an earlier one.",
    ),
    Code(
        "moment/few-cards",
        Counted(
            "least",
            "A player with a card that is not frozen.",
            "A player with at least {least} cards that are not frozen.",
        ),
        "{seat}, who has {count}.",
        "Choose another player, or leave the power out.",
    ),
    Code(
        "moment/has-resigned",
        "A player who is still in the game.",
        "{seat}, who has resigned.",
        "Choose another player, or leave the power out.",
    ),
    Code(
        "moment/not-visible",
        "A card that lies visible on the table where it may be taken or swapped.",
        "{card}, which does not.",
        "Choose a visible combat card; a Troll takes only from earlier rows.",
    ),
    Code(
        "moment/must-take",
        "The card to take, for {card} could be taken.",
        "No card.",
        "Add the field take with a visible card.",
    ),
    Code(
        "moment/same-creature",
        "Another creature.",
        "{creature} itself.",
        "Choose another creature, or leave the power out.",
    ),
    Code(
        "moment/empty-cell",
        "A card of {creature} in the current row.",
        "None.",
        "Choose a creature with a card in the current row, or leave the power out.",
    ),
    Code(
        "moment/not-drawn",
        "One of the three cards: {cards}.",
        "{card}",
        "Keep one of the three cards that the Titan drew.",
    ),
    Code(
        "moment/other-creature",
        "A combat card of {creature}.",
        "{card}",
        "Give a card of the creature that the Gorgon demands.",
    ),
    Code(
        "moment/must-give",
        "A combat card of {creature}, for you have one.",
        "Your hand shown instead.",
        "Give one of your cards of that creature.",
    ),
    Code(
        "moment/empty-pile",
        "A pile with a card in it.",
        "An empty pile.",
        "Play the card without its power: there is nothing to draw.",
    ),
    Code(
        "moment/pile-left",
        "An empty pile.",
        Counted("count", "One card in it.", "{count} cards in it."),
        "Play on: a stalemate can be declared when the pile is empty.",
    ),
    Code(
        "moment/stalemate-declared",
        "No stalemate declared yet.",
        "One that {seat} has declared.",
        "Leave the order out: it is judged before the next turn of the player who began the round.",
    ),
    Code(
        "moment/nothing-to-shuffle",
        "A row with a card that can be shuffled into a new pile.",
        "None.",
        "Play on: there can be no stalemate now.",
    ),
    Code(
        "moment/not-dead",
        "A card of a dead creature.",
        "{card}, whose creature is alive.",
        "Discard cards of dead creatures only, unless you have used the Magus in this turn.",
    ),
)

CODES = (*ORDER_CODES, *MOMENT_CODES, *GAME_CODES, *POSITION_CODES)
