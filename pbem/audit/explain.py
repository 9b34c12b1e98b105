"""What a fault would have let somebody do, in words: for readers of a verdict who are no engineers.

One sentence for every code that a report may name. Decides nothing; whether it was done on purpose, no
verifier can know.
"""

from __future__ import annotations

from engine import Say, say

_DAMAGE = say(
    "Most likely nobody gains by it: the bytes were damaged or rewritten on their way. What they would say"
    " cannot be relied on, and another copy of the log tells."
)
_UNREADABLE = say(
    "Two programs might read two different things out of such a line, so that everybody could be shown the"
    " history that suits."
)
_PADDING = say("Somebody could bring a verifier to a halt, and so keep a log from being checked at all.")
_OTHER_ENVELOPE = say(
    "A host could put words into a player's mouth: record one thing in public, and open another in the end."
)
_OUT_OF_ORDER = say(
    "A host could let something happen when the rules of the log do not allow it, such as a move after the"
    " end or a change before the start."
)
_OWN_RULES = say(
    "A host could let the game go on otherwise than the rules say, and have it taken for granted."
)

CONSEQUENCES: dict[str, Say] = {
    # --- bytes and values
    "file/too-long": _PADDING,
    "file/encoding": _UNREADABLE,
    "file/too-deep": _PADDING,
    "file/not-json": _DAMAGE,
    "file/key-twice": _UNREADABLE,
    "file/bad-key": _UNREADABLE,
    "file/float": _UNREADABLE,
    "file/null": _UNREADABLE,
    "file/integer": _UNREADABLE,
    "file/surrogate": _UNREADABLE,
    "file/not-an-envelope": _OTHER_ENVELOPE,
    "file/version": say(
        "A host could have accepted what this version of the protocol does not know, and read it as he likes."
    ),
    "file/unknown-kind": say(
        "A host could have accepted a kind of file that binds its author to nothing, and read it as he likes."
    ),
    "file/shape": _OTHER_ENVELOPE,
    # --- seals
    "seal/shape": say("Without a whole seal nobody stands behind the line; anybody could have written it."),
    "seal/other-key": say(
        "Somebody else than he who had to sign has signed: a stranger, or a key of another seat."
    ),
    "seal/value": say(
        "The same signature in a second spelling gives the line a second digest: two copies of one history that"
        " do not match, and each could be called the false one."
    ),
    "seal/wrong": say(
        "What stands here is not what was signed. Somebody could have changed it afterwards: a move, a roll, a"
        " result, whatever the line holds."
    ),
    "seal/weak-key": say(
        "Under such a key a signature can be made without any secret: anybody could sign for its owner, and the"
        " owner could deny everything."
    ),
    # --- the chain of lines
    "log/empty": _DAMAGE,
    "log/no-line-end": say(
        "The file was cut off in the middle of a line. Whoever cut it could have kept back how the game went on."
    ),
    "log/not-canonical": _UNREADABLE,
    "log/unknown-kind": say(
        "A host could hide in a kind of record that old verifiers skip whatever he does not want to be checked."
    ),
    "log/shape": _UNREADABLE,
    "log/not-sealed": say("Nobody stands behind the line; anybody could have written it."),
    "log/charter-first": say(
        "Without the charter there is no host to hold to it: neither his key nor his commitments are known."
    ),
    "log/number": say("A record could have been taken out, put in, or moved to another place."),
    "log/previous": say(
        "The host could have told two histories: this line follows another one than that which stands before it."
    ),
    "log/time": say("A host could claim any time he likes for a record, and so any deadline kept or missed."),
    "log/time-falls": say("A host could date a record back, and so declare a deadline kept or missed."),
    "log/order": _OUT_OF_ORDER,
    # --- seats
    "log/seats": say("Two seats of one name, or a seat called host, could be taken for each other."),
    "log/unknown-seat": say("Somebody who does not play could have made a move."),
    "log/join-twice": say("A host could give a seat, and all that its player had signed, to somebody else."),
    "log/join-base": say(
        "The player signed another charter: a host could have shown him other options, rules or secrets than"
        " the others."
    ),
    "log/key-used": say("One person could play two seats, or the host a seat, and be taken for two."),
    "log/not-joined": say("A move could be made for a seat before anybody had taken it."),
    "log/ready-early": say(
        "Whoever takes a seat after the first link is known could choose his key until the deal pleases him."
    ),
    "log/ready-twice": say("A seat could change its link after seeing others, until the deal pleases it."),
    "log/start-early": say(
        "The deal could be made while a seat, in league with the host, still chooses its part of it."
    ),
    "log/turn-order": say("A host could leave a seat out of the game, or let one play twice."),
    "log/undo-to": say(
        "A host could put the game back to a time at which it never was, or from which he knows more than the players."
    ),
    "log/undo-alone": say(
        "A host could take a move back that he or a friend of his did not like, against the will of a player."
    ),
    "log/ruling": say("A host could say that the game is over and have it played on all the same."),
    "log/resigned": say("A host could go on playing a seat whose player has left."),
    # --- dice
    "log/wrong-link": say(
        "The dice could be made to please: whoever gives a link of his own choice, instead of the one he was"
        " bound to before the game, chooses among many rolls."
    ),
    "log/turn": say("A move could be counted for another turn, with other dice."),
    "log/reveal-missing": say(
        "A seat could wait to see the other links and give its own only if the roll suits it."
    ),
    "log/reveal-extra": say("A seat could give a second link, and so have a second try at the dice."),
    "log/draws-early": say("Dice could be rolled while a seat can still choose its orders by what fell."),
    "log/draws-out-of-turn": say("A seat could resign to see a roll that nobody may know yet."),
    "log/link-and-next": say(
        "A turn could be half closed: its dice known, and yet somebody still to decide."
    ),
    "log/closed-early": say(
        "A turn could be closed while a seat is still waited for: its move would come too late."
    ),
    "log/next-seats": say("A seat that does not play could be waited for, or one could decide twice."),
    "log/draw-shape": say("A roll could be written so that several values fit it."),
    "log/draw-value": say(
        "These are not the dice that fell: the host could have written in what he wanted somebody to roll."
    ),
    "log/label-twice": say("The same roll could be used twice, where the second one is known beforehand."),
    "log/auto": say("An answer could be put down to a player's standing orders that he never gave."),
    # --- envelopes
    "log/envelope-twice": say("One envelope of a player could be played twice."),
    "log/base": say(
        "The player saw a line that is not in this log: the host could have shown him another history."
    ),
    "log/opened-order": say(
        "A host could keep an envelope closed that would show what a player really sent."
    ),
    "log/drawn-order": say("A host could keep hidden draws closed, or open draws that never were."),
    "log/names-early": say("A name could stand in the history, from where it can never be removed."),
    "log/after-names": say("Records could follow that nobody expects after the last line."),
    # --- level 2
    "audit/ruleset": say(
        "Nobody can say whether the rules were kept: this version of pbem does not have them. It is no sign of"
        " deceit in itself."
    ),
    "audit/options": say("The game could have been played by options that these rules do not know."),
    "audit/schemas": say(
        "The host could have judged envelopes by other schemas than those that the charter names, and refused"
        " or accepted what suited him."
    ),
    "audit/hidden-key": say(
        "The host could have chosen the hidden draws, hands for instance, after seeing the game: he opens"
        " another key than the one he was bound to."
    ),
    "audit/host-seed": say(
        "The host could have chosen his links one by one, and with them the dice: they come from no chain that"
        " he was bound to before the game."
    ),
    "audit/host-link": say("The host could have chosen this link, and with it the dice of a turn."),
    "audit/envelope": _OTHER_ENVELOPE,
    "audit/envelope-field": _OTHER_ENVELOPE,
    "audit/schema": say("The host could have played orders that should have been sent back, for a friend."),
    "audit/stale": say(
        "A move written for an older position was played. Its author may not have known what had changed; the"
        " host could have kept it back until it did harm."
    ),
    "audit/rev": say(
        "The host could have played an order that its author had already replaced by a newer one."
    ),
    "audit/not-allowed": say("The host could have let a player do what the rules forbid."),
    "audit/rules-broke": _OWN_RULES,
    "audit/order": say("The host could have chosen who plays first."),
    "audit/next": say("The host could have let a seat decide that had no right to, or passed one over."),
    "audit/events": say("The host could have told players of things that did not happen, or kept some back."),
    "audit/draws": say("The host could have rolled more dice than the rules ask for, or fewer, and picked."),
    "audit/auto": say("The host could have answered for a player otherwise than that player had laid down."),
    "audit/public": say("The host could have shown the players another position than the one they were in."),
    "audit/state": say(
        "The host could have changed hidden cards in mid-game: he is not bound to the position that the moves"
        " lead to."
    ),
    "audit/result": say("The host could have named another winner, or other scores."),
    "audit/hidden-draws": say("The host could have dealt other cards than the bound key gives."),
    "audit/drawn-missing": say(
        "The host could keep back what was dealt, so that nobody checks it without the rules."
    ),
    "audit/drawn-extra": say("The host could open draws that never were, to explain what he did."),
}
"""The sentence for each code."""


def consequence(code: str) -> Say:
    """What a fault of this code would have let somebody do. KeyError for a code that no report names."""
    return CONSEQUENCES[code]
