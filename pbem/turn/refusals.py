"""The one table of refusal codes: the engine's, each game's, and those of files, seals, log, mail and turn.

`docs/refusals.md` is generated from it.
"""

from __future__ import annotations

from engine import CODES as KERNEL
from engine import GAMES, Code
from pbem.log.codes import CODES as LOG
from pbem.turn.mail_codes import CODES as MAIL
from pbem.turn.time_codes import CODES as TIME

CODES: tuple[Code, ...] = (
    Code(
        "game/data-size",
        "At most {limit} bytes in {name}, written without blanks: it must fit in one line of the log.",
        "{size} bytes.",
        "Leave out notes, sources and whatever else the game does not need.",
    ),
    Code(
        "game/options",
        "Options that the ruleset {ruleset} knows.",
        "{problem}.",
        "Look the options up on the ruleset's page, and say them again.",
    ),
    Code(
        "game/terms",
        "House rules that are known: press (open, anonymous, none), press_when (letter, once).",
        "{problem}.",
        "Say them again.",
    ),
    Code(
        "press/to",
        "A message to all, or to seats of this game: {seats}.",
        "Another name, or your own seat.",
        "Name the seats as they are spelt here.",
    ),
    Code(
        "press/empty",
        "Something of your own in the message.",
        "Nothing but what it quotes, or nothing at all.",
        "Write your words above or below what you quote, on lines that do not begin with >.",
    ),
    Code(
        "press/too-many",
        "At most {most} messages from one seat on one day (UTC).",
        "One more.",
        "Send it tomorrow.",
    ),
    Code(
        "game/players", "{fewest} to {most} players.", "{found}.", "Name as many seats as there are players."
    ),
    Code(
        "game/seats",
        "Seats among: {seats}.",
        "{found}",
        "Choose each player's seat from these names.",
    ),
    Code(
        "settings/address",
        "A mail address, as anna@example.org.",
        "{found}",
        "Write the whole address, in ASCII letters.",
    ),
    Code(
        "settings/too-soon",
        "At least {minutes} minutes between two wishes for another address.",
        "Another one before that.",
        "Wait a little, or confirm the one that you have wished.",
    ),
    Code(
        "settings/confirm",
        "The word that was mailed to the newest address that you wished.",
        "Another word, or no such wish.",
        "Copy the word from that mail, or wish the address once more.",
    ),
    Code(
        "undo/nothing",
        "A turn in which something was played that can be taken back.",
        "Nothing was, or somebody has left the game since.",
        "A turn that has closed stays closed. Ask the host if something else is wrong.",
    ),
    Code(
        "undo/to",
        "One of the records of this turn to go back to: {places}.",
        "{found}",
        "Name one of these, or take the one that the question names.",
    ),
    Code(
        "undo/reason",
        "A reason, from whoever is the first to wish to go back.",
        "None.",
        "Say why: `pbem undo` with `--reason TEXT`. Everybody can read it.",
    ),
    Code(
        "seal/other-game",
        "An envelope of the game {game}.",
        "An envelope of another game.",
        "Send it to the address of its own game.",
    ),
    Code(
        "seal/no-such-seat",
        "One of the seats of this game: {seats}.",
        "Another seat.",
        "Make the file anew from the letter that you were sent.",
    ),
    Code(
        "seal/a-view",
        "A move file, signed by you.",
        "A file of the host's: the one that you answer, not the answer.",
        "Answer an invitation with `pbem join` and its name, a view with `pbem fill` and its name, and send what is"
        " written.",
    ),
    Code(
        "seal/not-joined",
        "A seat that somebody has taken.",
        "The seat {seat}, which nobody has joined yet.",
        "Join first: `pbem join` with the file of your invitation.",
    ),
    Code(
        "seal/token",
        "The token of the invitation for the seat {seat}.",
        "Another token.",
        "Use the newest invitation that you were sent for this seat, as it is.",
    ),
    Code(
        "seal/offer",
        "The token of the newest offer of the seat {seat}.",
        "Another token, or the seat is not offered (any more).",
        "Use the newest offer that you were sent for this seat, or ask the host for one.",
    ),
    Code(
        "seal/key-used",
        "A key that nobody in this game has or had.",
        "A key that has a seat, or had one once, or is the host's.",
        "Make another with `pbem key new --key FILE`, and say `--key FILE` again.",
    ),
    Code(
        "schema/verb",
        'An order with "do", which is one of: {verbs}.',
        'Under "do": {found}',
        "Write the order's verb as it is spelt here.",
    ),
    Code(
        "schema/missing",
        "The field {field} at {place}.",
        "It is not there.",
        "Add it, or let `pbem fill` write the file.",
    ),
    Code(
        "schema/unknown",
        "Only the fields that belong at {place}.",
        "Also: {field}",
        "Take it out, or correct its spelling.",
    ),
    Code(
        "schema/value",
        "At {place} one of: {allowed}.",
        "{found}",
        "Choose one of these values, spelt exactly like this.",
    ),
    Code("schema/type", "At {place} {type}.", "{found}", "Write the value in that form."),
    Code("schema/limit", "At {place} {limit}.", "{found}", "Bring the value within that limit."),
    Code(
        "fresh/unknown-base",
        "A base that is a line of this game's log.",
        "The digest {base}…, which no line has.",
        "Make your file from the newest letter of this game, on which the base stands.",
    ),
    Code(
        "fresh/too-late-to-join",
        "A join before the first seat confirms.",
        "The seats of this game are settled.",
        "Ask the host for another game.",
    ),
    Code(
        "fresh/seat-taken",
        "A seat that is free.",
        "The seat {seat} is taken, by the key that joined it.",
        "If that was you, go on with the next letter; if not, tell the host.",
    ),
    Code(
        "fresh/join-base",
        "A join that signs the charter: its base is the charter's digest.",
        "Another base.",
        "Join with `pbem join` and the file of your invitation.",
    ),
    Code(
        "fresh/already-started",
        "This before the game starts.",
        "The game has started.",
        "Go on with the newest letter of this game.",
    ),
    Code(
        "fresh/not-all-in",
        "All seats taken before anyone confirms.",
        "Still missing: {seats}.",
        "Wait for the letter that asks you to confirm.",
    ),
    Code(
        "fresh/already-ready",
        "One confirmation a seat.",
        "The seat {seat} has confirmed already.",
        "Nothing is left to do until the game starts.",
    ),
    Code(
        "fresh/not-started",
        "A game that has started.",
        "Not all seats have confirmed yet.",
        "Wait for the letter that says that the game begins.",
    ),
    Code(
        "fresh/not-playing",
        "A game that is being played.",
        "This one has not started, or is over.",
        "Before the start, ask the host to cancel the game.",
    ),
    Code(
        "fresh/not-over",
        "A game that is over, or has not started.",
        "A game that is being played.",
        "Let it be played to its end.",
    ),
    Code(
        "fresh/over",
        "A game that is still being played.",
        "The game is over.",
        "Nothing is left to do; the archive holds the result.",
    ),
    Code(
        "fresh/not-joined",
        "A seat that somebody has taken.",
        "The seat {seat}, which nobody has joined yet.",
        "Join first: `pbem join` with the file of your invitation.",
    ),
    Code(
        "fresh/resigned",
        "A seat that is still in the game.",
        "The seat {seat} has resigned.",
        "Nothing is left to do; the letters about this game go on until its end.",
    ),
    Code(
        "fresh/turn",
        "A move for turn {expected}.",
        "A move for turn {found}.",
        "Make your move from the newest letter of this game.",
    ),
    Code(
        "fresh/stale",
        "A move made after record {changed}, which changed the position.",
        "A move whose author had seen the log up to record {base}.",
        "Look at the newest letter, and make your move from its view.",
    ),
    Code(
        "fresh/rev",
        "A revision number above {last}: it rises with every envelope of the kind {kind}.",
        "{found}",
        "Raise `rev`, or let `pbem fill` write the file from the newest view.",
    ),
    Code(
        "fresh/keys-fixed",
        "A change of keys before the first player has confirmed, or after the start.",
        "Players are confirming, and the dice of the setup hang on their keys.",
        "Wait for the start. If a key is lost now, ask the host to call the game off and begin it anew.",
    ),
    Code(
        "fresh/no-press",
        "A message in a game that has press.",
        "This game is played without.",
        "Nothing needs to be done; the game is as it was.",
    ),
    Code(
        "fresh/reveal-missing",
        "Link {link} of your chain: this is your first move of the turn.",
        "No link.",
        "Sign the file with `pbem sign`, or write it with `pbem fill`: they add the link.",
    ),
    Code(
        "fresh/reveal-extra",
        "No link: you have given the one of turn {turn} already, or this is an answer in another's turn.",
        "A link.",
        "Make the file from the newest view; it says whether a link is owed.",
    ),
    Code(
        "fresh/reveal-wrong",
        "Link {link} of your chain.",
        "Something that does not follow the link before it.",
        "Sign with the key that joined the game, from the newest view.",
    ),
)

TABLE: dict[str, Code] = {
    code.code: code
    for table in (KERNEL, LOG, MAIL, CODES, TIME, *(game.codes for game in GAMES))
    for code in table
}
