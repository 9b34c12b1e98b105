"""Why cybertron refuses an order, a game or a position: one table of codes and their sentences.

`order/…` is wrong whatever happens in this game; `moment/…` is wrong in this position. Those about games that can't be
started, boards and decks, and positions that can't be stand in codes_start.
"""

from __future__ import annotations

from engine.games.cybertron.codes_start import GAME_CODES, POSITION_CODES
from engine.kernel.refusal import Code

ORDER_CODES = (
    Code(
        "order/unknown-zone",
        "A zone of this board, such as launch_pad.",
        'No zone is called "{zone}".',
        "Correct the zone's name; the game's page and your board list them all.",
    ),
    Code(
        "order/unknown-card",
        "A card of this deck, such as card_perihex.",
        'No card is called "{card}".',
        "Correct the card's name; cards are called after the zone that they name.",
    ),
    Code(
        "order/unknown-upgrade",
        "A defence card of this deck, or the name of a defence upgrade: {known}.",
        '"{card}", which is neither.',
        "Name a card or an upgrade that is played in defence.",
    ),
    Code(
        "order/number",
        "A number from {low} to {high} in {field}.",
        "{found}.",
        "Correct the number.",
    ),
    Code("order/twice", "Each entry once.", "{word} twice.", "Name it once."),
    Code("order/too-long", "At most {most} entries in {field}.", "{count} entries.", "Shorten the list."),
    Code(
        "order/no-lists",
        "A setup without lists, since the zones of this game are not claimed from lists.",
        "A claim list or a spread list.",
        "Leave both lists out.",
    ),
    Code(
        "order/no-claim",
        "A zone that can be claimed.",
        "{zone}, a factory.",
        "Claim another zone: a factory opens later, with a card.",
    ),
    Code(
        "order/other-card",
        "A card that is played in this part of a battle.",
        "{card}, which carries {upgrade}.",
        "Leave the card out here: attack cards go with an attack, defence cards with a defence.",
    ),
    Code(
        "order/card-of-battle",
        "A card of phase 1 or 2.",
        "{card}, which carries {upgrade}.",
        "Name the card in the field cards of an attack; defence cards are for your standing orders and answers.",
    ),
    Code(
        "order/needless",
        "For {card} only the fields that go with it.",
        "The field {field}.",
        "Leave {field} out: it does not go with this card.",
    ),
    Code(
        "order/same-zone",
        "Two different zones.",
        "{zone} twice.",
        "Correct one of the two zones.",
    ),
    Code(
        "order/no-icon",
        "A card with the morph icon.",
        "{card}, which has none.",
        "Use another card: this one can only be played for its upgrade.",
    ),
    Code(
        "order/not-special",
        "A spinner or a slider: {zones}.",
        "The zone {zone}.",
        "Name one of the special zones.",
    ),
    Code(
        "order/not-optimus",
        "An order of Optimus Prime.",
        "An order of {seat}.",
        "Leave it out: only Optimus Prime can jump.",
    ),
    Code(
        "order/no-team-mate",
        "A game of four players in two teams.",
        "A game without teams.",
        "Leave it out: you have no team-mate to give a zone to.",
    ),
)

MOMENT_CODES = (
    Code(
        "moment/not-now",
        "One of these orders: {expected}.",
        "{order}",
        "Give one of the orders that fit this moment; earlier phases do not come back.",
    ),
    Code(
        "moment/unplaced",
        "All robots on the board before {order}.",
        "{left} still to be placed.",
        "Place them first; rest stands for all that are left.",
    ),
    Code(
        "moment/not-yours",
        "A zone of your own.",
        "{zone}, which {seat} holds.",
        "Name a zone that you hold.",
    ),
    Code(
        "moment/closed",
        "A zone that is on the board now.",
        "{zone}, a factory that is closed.",
        "Open it first, with a card that has the morph icon.",
    ),
    Code(
        "moment/not-in-hand",
        "A card that you hold.",
        "{card}",
        "Use a card of your hand.",
    ),
    Code(
        "moment/card-phase",
        "A card that is played in this phase.",
        "{card}, which carries {upgrade}.",
        "Play it in its own phase.",
    ),
    Code(
        "moment/placing",
        "Cards that bring robots before the first robot is placed.",
        "{card}, after placing had begun.",
        "Play such cards first in your next turn.",
    ),
    Code(
        "moment/leader-here",
        "A leader in the scrapheap.",
        "Your leader in {zone}.",
        "Leave it out: your leader stands on the board.",
    ),
    Code(
        "moment/price",
        "{price} robots to pay for the return of your leader.",
        "{left} left to place.",
        "Recall him before you place robots, or wait for a turn that brings more.",
    ),
    Code(
        "moment/too-many",
        "At most {left} robots, which are left to place.",
        "{robots}.",
        "Place fewer, or write rest.",
    ),
    Code(
        "moment/no-leader",
        "A leader on the board.",
        "Your leader in the scrapheap.",
        "Recall him in phase 1.",
    ),
    Code(
        "moment/flipped",
        "One change of form in a turn.",
        "A second one.",
        "Leave it out; flip him again in your next turn.",
    ),
    Code(
        "moment/no-foothold",
        "A zone of yours in the sector {sector}.",
        "None, so you cannot turn {zone}.",
        "Choose a special zone in a sector where you hold a zone.",
    ),
    Code(
        "moment/last-zone",
        "A zone that stays yours.",
        "{zone}, your last one.",
        "Keep it: nobody may give up his last zone.",
    ),
    Code(
        "moment/own-target",
        "A zone of an enemy.",
        "{zone}, which is yours.",
        "Attack another zone.",
    ),
    Code(
        "moment/team-mate",
        "A zone of an enemy.",
        "{zone}, which your team-mate holds.",
        "Attack another zone.",
    ),
    Code(
        "moment/not-adjacent",
        "Two neighbouring zones: a border, a hyperlink or an open spinner between them.",
        "{zone} and {to}.",
        "Attack a neighbour, or open the way first.",
    ),
    Code(
        "moment/flies-alone",
        "Megatron alone, with dice 1 and leader true, against {to}, which is not next to {zone}.",
        "Another attack.",
        "Send Megatron alone, or attack a neighbour.",
    ),
    Code(
        "moment/leader-elsewhere",
        "Your leader in {zone}.",
        "No leader there.",
        "Leave leader out, or name the zone where he stands.",
    ),
    Code(
        "moment/too-many-dice",
        "At most {most} dice from {zone}: one piece stays out of the fight.",
        "{dice}.",
        "Attack with fewer, or from another zone.",
    ),
    Code(
        "moment/keep",
        "More than {keep} pieces in {zone}, or the attack would stop before its first roll.",
        "{pieces}.",
        "Lower keep, or leave the attack out.",
    ),
    Code(
        "moment/guard-held",
        "An attack only while you hold {zone}.",
        "{zone} is not yours.",
        "Nothing: this guard is your own, and it did its work.",
    ),
    Code(
        "moment/guard-not-held",
        "An attack only while you do not hold {zone}.",
        "{zone} is yours.",
        "Nothing: this guard is your own, and it did its work.",
    ),
    Code(
        "moment/guard-captured",
        "An attack only after you have captured {zone} in this turn.",
        "{zone} was not captured.",
        "Nothing: this guard is your own, and it did its work.",
    ),
    Code(
        "moment/guard-at-least",
        "An attack only with at least {number} of your pieces in {zone}.",
        "{pieces}.",
        "Nothing: this guard is your own, and it did its work.",
    ),
    Code(
        "moment/guard-at-most",
        "An attack only with at most {number} of your pieces in {zone}.",
        "{pieces}.",
        "Nothing: this guard is your own, and it did its work.",
    ),
    Code(
        "moment/too-many-move",
        "At most {most} robots from {zone}: one piece stays.",
        "{robots}.",
        "Move fewer, or from another zone.",
    ),
    Code(
        "moment/not-connected",
        "Two zones that your own zones connect.",
        "{zone} and {to}.",
        "Name a zone that can be reached through zones of your own, or of your team-mate's.",
    ),
    Code(
        "moment/moved",
        "One back-up move or one gift in a turn.",
        "A second one.",
        "Leave it out.",
    ),
    Code("moment/jumped", "One jump in a turn.", "A second one.", "Leave it out."),
    Code(
        "moment/not-a-truck",
        "Optimus Prime on the board, in vehicle form.",
        "A leader who is neither.",
        "Flip him in phase 2, or recall him in phase 1.",
    ),
    Code(
        "moment/same-zone",
        "Another zone than the one where he stands.",
        "{zone}",
        "Name another zone of yours.",
    ),
    Code(
        "moment/leaves-empty",
        "A second piece in {zone}, so that it is not left empty.",
        "Only the leader.",
        "Let him stay, or bring robots there first.",
    ),
    Code(
        "moment/mate-gone",
        "A team-mate who still plays.",
        "{seat}, who is out or has left.",
        "Keep the zone.",
    ),
    Code(
        "moment/claimed",
        "An empty zone.",
        "{zone}, which {seat} has claimed.",
        "Claim another zone.",
    ),
    Code(
        "moment/too-many-defend",
        "At most {most} pieces to defend {zone}.",
        "{dice}.",
        "Defend with fewer.",
    ),
    Code(
        "moment/needs-leader",
        "{dice} defenders, the leader among them, since only {robots} robots stand in {zone}.",
        "{dice} without him.",
        "Add the leader, or defend with fewer.",
    ),
    Code("moment/too-much", "At most {most} to add.", "{plus}.", "Add less."),
    Code(
        "moment/no-refuge",
        "One of these zones: {zones}.",
        "{zone}",
        "Let him flee to one of them.",
    ),
)

CODES = (*ORDER_CODES, *MOMENT_CODES, *GAME_CODES, *POSITION_CODES)
