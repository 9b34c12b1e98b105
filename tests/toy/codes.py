"""The words of every refusal of the game."""

from __future__ import annotations

from engine.kernel.refusal import Code

CODES = (
    Code("setup/no-data", "no custom data", "{names}", "Leave the data out."),
    Code(
        "policy/nobody-asks",
        "a habit of guarding",
        "a wish to be asked, in a game that asks nobody",
        "Choose never, lowest or highest.",
    ),
    Code("position/shape", "the parts of a position", "{problem}", "Compare the position with its page."),
    Code("position/gems", "each of the {count} gems once", "another set", "Leave the deck out to fill it."),
    Code("order/no-such-gem", "a gem of the game", "{gem}", "Write gems as your letter shows them."),
    Code("order/gem-twice", "each gem once", "a gem written twice", "Write it once."),
    Code("order/whom", "another seat of the game", "{seat}", "Choose one of the other seats."),
    Code(
        "moment/not-asked",
        "an order that answers what is asked",
        "an order for another moment",
        "Your letter says what you may do now.",
    ),
    Code("moment/purse", "0 to {purse} coins", "{coins}", "Write a number that your purse holds."),
    Code("moment/tired", "at most {most} strikes a turn", "one more", "End the turn, or sell."),
    Code("moment/left", "a seat that still plays", "{seat}", "Choose another seat."),
    Code("moment/not-yours", "a gem in your hand", "{gem}", "Choose one that you hold."),
    Code("moment/no-gems", "a gem in the deck", "an empty deck", "There is nothing to look at."),
)
