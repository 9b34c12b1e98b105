"""Why a game of arena can't be started (`game/…`), and why a position can't be (`position/…`)."""

from __future__ import annotations

from engine.kernel.refusal import Code, Counted

GAME_CODES = (
    Code(
        "game/seats",
        "2 to 5 different colours of {seats}.",
        "{found}",
        "Choose the players' colours again.",
    ),
    Code(
        "game/creatures",
        "Eight different creatures of {creatures}, or random.",
        "{found}",
        "Name eight of the twelve creatures, or write random.",
    ),
    Code(
        "game/data",
        "A game without custom data.",
        "Data named {name}.",
        "Leave the data out: arena has no custom boards or decks.",
    ),
)

POSITION_CODES = (
    Code(
        "position/shape",
        "A position of this game with its own fields.",
        "{problem}",
        "Compare the position with the game's page of positions.",
    ),
    Code(
        "position/creatures",
        "Eight different creatures of this game.",
        "{found} in {place}.",
        "Correct the creatures.",
    ),
    Code("position/seat", "A seat of this game.", "{seat} in {place}.", "Correct the seat."),
    Code(
        "position/order",
        "Every seat once, and a seat whose turn it is.",
        "{found}",
        "Correct the turn order.",
    ),
    Code("position/unknown-card", "A card of this game.", "{card} in {place}.", "Correct the card's name."),
    Code("position/card-twice", "Each card once.", "{card} again in {place}.", "Place the card once."),
    Code(
        "position/wrong-card",
        "A card that can lie there.",
        "{card} in {place}.",
        "In a creature's column lie its own combat cards and spectators; a secret bet is a combat card.",
    ),
    Code(
        "position/rows",
        Counted(
            "most",
            "At most one row in the column of {creature}.",
            "At most {most} rows in the column of {creature}.",
        ),
        Counted("count", "One row.", "{count} rows."),
        "A living creature has a row for each round that has begun, a dead one none after its death.",
    ),
    Code(
        "position/dead",
        "At most five dead creatures, the fifth only when the game is over.",
        "{count}",
        "Correct the dead creatures, or say how the game ended.",
    ),
    Code(
        "position/tokens",
        "Five tokens for each seat, on the table and in stock.",
        "{count} for {seat}.",
        "Correct the tokens or the stock.",
    ),
    Code(
        "position/secret-twice",
        "One secret bet for each seat, hidden or revealed.",
        "More for {seat}.",
        "Leave one of them out.",
    ),
    Code(
        "position/rest-twice",
        "The word rest once.",
        "{count} times.",
        "Let the remaining cards lie in one place only.",
    ),
    Code(
        "position/empty-pile",
        "A pile with a card while the game is being played.",
        "An empty one.",
        "Put a card on the pile: drawing its last card ends the game.",
    ),
    Code(
        "position/agenda",
        "An agenda that can come about: {expected}.",
        "{found}",
        "Correct the agenda, or leave it out for a turn that has just begun.",
    ),
    Code(
        "position/stalemate",
        "Seats of this game that began the round and declared a stalemate, if any, and counts that can be.",
        "Began by {began}, declared by {declared}.",
        "Correct the part stalemate, or leave it out.",
    ),
    Code(
        "position/number",
        "A turn from 1 and a count of idle turns from 0.",
        "Turn {turn}, {idle} idle.",
        "Correct the numbers.",
    ),
)
