"""Mail commands: what a mail without a signature may ask for, and what it is told that only a signature can do.

Law: the subject alone decides, and nothing changes. One word asks (`help`, `status`, `resend`, `log`, `games`,
`tables`, `sit`), with the name of a game or table behind it if need be; another word of WITH_SIGNATURE is answered by
how it is done. What mail programs put before a subject (`Re: AW: Fwd:`, `[pbem GAME]`) is no part of it, and any
other subject is no command. Who asks, and whether he is answered, is decided elsewhere.
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

import msgspec

from engine import Say, say
from pbem.turn.eml import UNSUBSCRIBE

Asking = Literal["help", "status", "resend", "log", "games", "tables", "sit"]
ASKING: Final[tuple[str, ...]] = get_args(Asking)

# `Re:`, `AW[2]:`, `回复：`, in whatever language; `[pbem GAME]`, `[EXTERNAL]`, `***SPAM***`.
_BEFORE = re.compile(
    r"\s*(?:[^\s\d\[\]():\uff1a*^]{1,16}\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:\uff1a]\s*"
    r"|\[(?:pbem ([a-z0-9-]{1,64})|[^\[\]]{1,64})\]\s*|\*{1,5}[^\s*]{1,20}\*{1,5}\s*)",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?:pbem +)?([a-z-]{1,32})(?:[ :]+(?:\[pbem +)?([a-z0-9-]{1,64})\]?)?(?: *\(fwd?\))?", re.IGNORECASE
)
_AROUND = " \t.!?:,;\"'`*_<>#/-\u2018\u2019\u201a\u201c\u201d\u201e\xab\xbb\u2026"
"""What people put around a word of a manual."""
MOST_PREFIXES = 20


class Command(msgspec.Struct, frozen=True):
    """What a subject asks for: a word of ASKING or of WITH_SIGNATURE; `game` if it names one, else empty."""

    word: str
    game: str = ""

    @property
    def asks(self) -> bool:
        """True for a word that needs no signature."""
        return self.word in ASKING


def read_subject(subject: str) -> Command | None:
    """The command in a decoded subject; None for any other subject."""
    rest, game = subject, ""
    for _ in range(MOST_PREFIXES):
        words = _WORDS.fullmatch(rest.strip(_AROUND))
        word = words[1].lower() if words is not None else ""
        if words is not None and (word in ASKING or word in WITH_SIGNATURE):
            return Command(word, (words[2] or "").lower() or game)
        before = _BEFORE.match(rest)
        if before is None:
            return None
        game = game or (before[1] or "").lower()
        rest = rest[before.end() :]
    return None


WITH_SIGNATURE: Final[dict[str, Say]] = {
    "join": say("Save the invitation, and type `pbem join` and its name."),
    "ready": say("Save the view of the letter that asks you, and type `pbem ready` and its name."),
    "move": say("Save the view of your newest letter, and type `pbem fill` and its name."),
    "fill": say("Save the view of your newest letter, and type `pbem fill` and its name."),
    "orders": say("Save the view of your newest letter, and type `pbem fill` and its name."),
    "standing": say(
        "Save the view of your newest letter, and type `pbem standing`, its name and your policy."
    ),
    "press": say("Save the view of your newest letter, and type `pbem press`, its name and your words."),
    "rekey": say("Save the view of your newest letter, and type `pbem key rotate` and its name."),
    "advance": say("Save the view of your newest letter, and type `pbem advance`, its name and --orders."),
    "withdraw": say(
        "Save the view of your newest letter, and type `pbem withdraw`, its name and the number."
    ),
    "away": say("Save the view of your newest letter, and type `pbem away`, its name and the days."),
    "extend": say("Save the view of your newest letter, and type `pbem extend`, its name and --by."),
    "settings": say("Save the view of your newest letter, and type `pbem settings`, its name and --zone."),
    "undo": say("Save the view of your newest letter, and type `pbem undo`, its name and --reason."),
    "resign": say("Save the view of your newest letter, and type `pbem resign` and its name."),
    UNSUBSCRIBE: say(
        "Letters come only as long as you play, and an invitation that you leave unanswered binds you to nothing."
        " To leave the game, save the view of your newest letter, and type `pbem resign` and its name."
    ),
}
"""Words for what changes something, and how it is done. All of it writes a signed file, which is mailed."""
