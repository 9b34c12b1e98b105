"""The words of the codes of the area `time/`: deadlines, vacations, moves that wait."""

from __future__ import annotations

from engine import Code

_VIEW = "Make the file from the newest letter of this game."

CODES: tuple[Code, ...] = (
    Code(
        "time/rule",
        "A rule such as 7d, 72h weekdays, every Mon,Thu 20:00 Europe/Helsinki, or none; at most 366 days.",
        "{found}",
        "Write the rule in one of these forms.",
    ),
    Code(
        "time/zone",
        "A time zone such as Europe/Helsinki, or UTC.",
        "{found}",
        "Look the name up in the list of time zones, and write it as it stands there.",
    ),
    Code(
        "time/number", "A number from 0 to {most} for `{what}`.", "{found}", "Choose a number in that range."
    ),
    Code(
        "time/no-policy",
        "A game with deadlines.",
        "Its charter has none.",
        "Begin a game with `pbem game new --deadline RULE`; a charter cannot be changed.",
    ),
    Code(
        "time/unsound",
        "Facts about time that follow from the records before.",
        "There is {problem}.",
        "Keep this file: it is evidence. Ask the host for an explanation.",
    ),
    Code(
        "time/away-days",
        "Days that exist, the first not after the last.",
        "From {first} to {last}.",
        "Write days as 2026-12-20, the first day of the vacation before its last.",
    ),
    Code(
        "time/away-begun",
        "A vacation that begins after today ({today}, in the game's zone).",
        "One that begins on {first}.",
        "Let it begin tomorrow or later. For the deadline that runs now, ask for an extension.",
    ),
    Code(
        "time/away-overlap",
        "Vacations that do not overlap.",
        "One begins on {first}, and another ends on {last}.",
        "Write them as one, or leave a day between them.",
    ),
    Code(
        "time/away-limit",
        "Vacation within the limit of this game, in days: {most}.",
        "Days: {found}.",
        "Shorten your vacation, or ask the host to pause the game.",
    ),
    Code(
        "time/nothing-due",
        "A deadline that is still running.",
        "None is.",
        "Nothing has to be moved: no time is running out.",
    ),
    Code(
        "time/until",
        "An instant later than every deadline of this turn ({latest}), at most 366 days from now.",
        "{found}",
        "Name a later instant.",
    ),
    Code(
        "time/instant",
        "An instant such as 2026-12-24T18:00:00Z, in UTC.",
        "{found}",
        "Write day and time in this form.",
    ),
    Code(
        "time/too-early",
        "A deadline that has passed ({at}).",
        "It is still running.",
        "Wait until the time is up; the service acts by itself then.",
    ),
    Code(
        "time/paused",
        "A game whose clocks run.",
        "They stand.",
        "Let the game go on first: `pbem game resume` and its name.",
    ),
    Code(
        "time/not-paused",
        "A game whose clocks stand.",
        "They run.",
        "Nothing is left to do.",
    ),
    Code(
        "time/quiet",
        "Hours such as 22:00-08:00, or nothing.",
        "{found}",
        "Write the hour at which your rest begins and the one at which it ends.",
    ),
    Code(
        "settings/lang",
        "A language in which letters are written: {known}.",
        "{found}",
        "Choose one of them.",
    ),
    Code(
        "advance/not-now",
        "A move in advance from a seat whose move is not waited for.",
        "The game waits for you now.",
        "Make your move for this turn first; then send one for the next.",
    ),
    Code(
        "advance/turn",
        "A move in advance made in turn {expected}, the open one.",
        "One made in turn {found}.",
        _VIEW,
    ),
    Code(
        "advance/withdraw",
        "A move of yours that waits to be played, with the number {of}.",
        "None waits.",
        "It may have been played already: look at your newest letter.",
    ),
    Code(
        "advance/guard",
        "A turn in which this holds: {guard}.",
        "It does not hold.",
        "Make your move from the letter that asks for it.",
    ),
)
