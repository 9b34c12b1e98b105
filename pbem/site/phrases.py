"""Every sentence of the replay page that its script says, as a table in one language, and the words of the codes.

Places stay as `{name}` for the script to fill. Nothing is said in the script itself.
"""

from __future__ import annotations

import re

from engine import Arg, Code, Refusal, Say, say, words
from pbem.audit.audit import advised
from pbem.audit.codes import CODES as AUDIT_CODES
from pbem.log.codes import CODES as LOG_CODES

_PLACE = re.compile(r"\{([a-z_]+)\}")

PHRASES: dict[str, Say] = {
    "control.play": say("Play"),
    "control.pause": say("Pause"),
    "moment.start": say("The start"),
    "moment.move": say("Turn {turn}: {seat} moves", turn="{turn}", seat="{seat}"),
    "moment.timeout": say("Turn {turn}: {seat} is silent", turn="{turn}", seat="{seat}"),
    "moment.resign": say("Turn {turn}: {seat} leaves the game", turn="{turn}", seat="{seat}"),
    "picture.none": say("There are pictures only of a game that is over and sound."),
    "picture.of": say("As {seat} saw it", seat="{seat}"),
    "rolls.wait": say("The log is being read."),
    "rolls.none": say("Nothing was rolled or shuffled here."),
    "rolls.hidden": say(
        "Nothing was rolled in public here. The hidden shuffles are shown with all cards open."
    ),
    "rolls.unread": say("The log could not be read up to here."),
    "roll.public": say("rolled in public"),
    "roll.secret": say("hidden until the end"),
    "roll.early": say("This can be checked only when its turn is closed."),
    "roll.same": say("Made again: the same values come."),
    "roll.other": say("Made again: other values come than the log says."),
    "roll.accumulator": say("Accumulator of the turn"),
    "roll.label": say("Label"),
    "roll.key": say("Key of the draw"),
    "roll.asked": say("What was asked for"),
    "roll.dice": say("dice with {sides} sides", sides="{sides}"),
    "roll.came": say("What came"),
    "roll.words": say("The words of the stream"),
    "roll.word": say("Word"),
    "roll.below": say("Below"),
    "roll.number": say("Number"),
    "roll.thrown": say("thrown away"),
    "roll.origin": say("Where the accumulator of turn {turn} comes from", turn="{turn}"),
    "roll.before": say("Accumulator of the turn before"),
    "roll.hostlink": say("Link of the host"),
    "roll.nolink": say("no link in this turn"),
    "written.note": say("A note to oneself: {note}", note="{note}"),
    "verdict.sound": say("Sound. Everything that can be checked without the rules is in order."),
    "verdict.unfinished": say("Sound so far, but unfinished."),
    "verdict.fault": say("Not sound: there is a fault in line {line}.", line="{line}"),
    "verdict.tale": say(
        "Not sound: this page was changed. Its pictures and words are not the ones made with it."
    ),
    "verdict.broken": say("The log could not be judged: {problem}", problem="{problem}"),
    "verdict.where": say("Line {line}: {code}", line="{line}", code="{code}"),
    "verdict.expected": say("Expected"),
    "verdict.found": say("Found"),
    "verdict.next": say("What to do"),
    "scope.whole": say(
        "Checked in this browser, lines 1 to {lines}: form and order of the records, every signature of the host"
        " and of the players, every digest and link, the opened secrets, every public roll and every hidden one"
        " that was opened. Not checked here: the rules of the game, and with them these pictures and words.",
        lines="{lines}",
    ),
    "scope.first": say(
        "Checked in this browser, lines 1 to {lines}: form and order of the records, the host's signatures, every"
        " digest and link, the public rolls of closed turns. What is sealed until the end cannot be checked yet.",
        lines="{lines}",
    ),
    "scope.fault": say("Lines in order before the fault was seen: {lines}.", lines="{lines}"),
}

LABELS: dict[str, Say] = {
    "controls": say("Moving through the game"),
    "first": say("First"),
    "back": say("Back"),
    "next": say("Next"),
    "last": say("Last"),
    "place": say("Moment"),
    "turn": say("Turn"),
    "eyes": say("Seen by"),
    "everybody": say("everybody"),
    "open": say("all cards open"),
    "theme": say("Light or dark"),
    "board": say("The board"),
    "diary": say("The diary"),
    "rolls": say("Rolls, with their proof"),
    "written": say("What the player wrote"),
    "verdict": say("The verdict on this log"),
    "wait": say("Not judged yet. If this stays, the page was changed, or the browser runs no scripts."),
    "noscript": say(
        "This page shows the game and judges its log by a script of its own, which this browser does not run."
        " The log itself stands in the page, in base64."
    ),
    "audited": say("When this page was made, pbem audited the log with the rules as well and said:"),
    "archive": say("The archive"),
    "save": say("Save the log"),
    "print": say("Print"),
    "whole": say("print the whole game, not only this moment"),
    "keys_head": say("Keys"),
    "keys_text": say(
        "Arrows: one moment back or on. Page up and down: one turn. Home, End: the start, the end. P: play or"
        " pause. 0: as everybody saw it. 1 to 9: as that seat saw it. O: all cards open."
    ),
    "check": say(
        "This page asks nothing of any network. It carries the whole log, which pbem audits with the rules as"
        " well: save it and say"
    ),
    "made": say("The same log gives the same page, byte for byte, with the same version of pbem:"),
    "digest": say("SHA-256 of the log"),
    "ruleset": say("Rules"),
    "game": say("Game"),
    "players": say("Players"),
    "version": say("Made by pbem"),
}
"""What stands in the page without the script."""


def labels(lang: str) -> dict[str, str]:
    """The words of the page's frame."""
    return {key: words(sentence, lang) for key, sentence in LABELS.items()}


def phrases(lang: str) -> dict[str, str]:
    """The table of the page's script."""
    return {key: words(sentence, lang) for key, sentence in PHRASES.items()}


def code_sentences(lang: str) -> dict[str, list[str]]:
    """What was expected, what was found, what to do next: by code, for all that a page can find."""
    audit = (code for code in AUDIT_CODES if code.code.startswith("audit/"))
    table = {code.code: code for code in (*LOG_CODES, *audit)}
    return {
        name: [words(sentence, lang) for sentence in advised(Refusal(name, _places(code)), table)]
        for name, code in table.items()
    }


def _places(code: Code) -> dict[str, Arg]:
    """Every place of a code's sentences, to be left open."""
    found = _PLACE.findall(" ".join(code.texts))
    return {name: f"{{{name}}}" for name in found}
