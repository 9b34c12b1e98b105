"""Refusals of the command line and of files on disk, beside those of the turn."""

from __future__ import annotations

from engine import Code

CODES: tuple[Code, ...] = (
    Code(
        "cli/file",
        "The file {file}, to be read or written.",
        "{problem}.",
        "Check the name, whether you may read it and write there, and that the disk has room.",
    ),
    Code("cli/ruleset", "One of the games: {known}.", "{found}", "Choose one of these."),
    Code(
        "cli/view-or-ruleset",
        "Either --view with your letter, or --ruleset with the name of the game.",
        "Both or neither.",
        "Name the letter that the orders answer: --view FILE",
    ),
    Code(
        "cli/seat",
        "Each seat once, as SEAT=ADDRESS.",
        "{found}",
        "For example: --seat red=anna@example.org --seat blue=ben@example.org",
    ),
    Code(
        "cli/lang",
        "A language for all, or SEAT=LANGUAGE for a seat of the game: {seats}.",
        "{found}",
        "For example: --lang fi --lang blue=hu",
    ),
    Code(
        "cli/address",
        "A plain mail address, such as anna@example.org.",
        "{found}",
        "Write the address alone, in plain letters, without a name or brackets.",
    ),
    Code("cli/one-of", "One of: {options}.", "None of them, or several.", "Say which one you mean."),
    Code(
        "cli/together",
        "{option} together with {other}.",
        "It stands alone.",
        "Say {other} as well, or leave {option} out.",
    ),
    Code("cli/apart", "{option} without {other}.", "Both are said.", "Leave one of them out."),
    Code(
        "cli/not-text",
        "Text in UTF-8 after {option}.",
        "Bytes that are no text.",
        "Look at the language settings of your terminal, and write it again.",
    ),
    Code("cli/option", "An option as NAME=VALUE.", "{found}", "For example: --option reactions=ask"),
    Code(
        "cli/data",
        "A JSON object: a board or a deck.",
        "Something else in {file}.",
        "Name a file of the form of the game's own board or deck.",
    ),
    Code(
        "cli/instant",
        "An instant as YYYY-MM-DDTHH:MM:SSZ, in UTC.",
        "{found}",
        "For example: --now 2026-12-01T18:00:00Z",
    ),
    Code(
        "cli/picture",
        "A file that ends in .svg or .png, or in .html for tables.",
        "{file}",
        "Choose one of these endings after -o.",
    ),
    Code(
        "cli/nothing-to-draw",
        "A view of a game that has begun.",
        "The game {game} has not.",
        "Wait for the letter with which the first turn opens.",
    ),
    Code(
        "cli/own-address",
        "An address at which somebody reads mail.",
        "{found} is the service's own.",
        "Name another: letters to itself would come in again.",
    ),
    Code(
        "disk/too-large",
        "A file of at most {limit} bytes.",
        "{file} is larger, or has no end.",
        "Name the right file.",
    ),
    Code(
        "cli/untold",
        "Room to say what was done.",
        "It is done, and standard output takes nothing: {problem}.",
        "Do not give the command again. What it had to say stands above.",
    ),
    Code(
        "disk/in-use",
        "The folder {folder} for ourselves alone.",
        "Another pbem is at work in it.",
        "Wait until it is done, or stop it.",
    ),
    Code(
        "folder/service-only",
        "What a game in a folder can do: join, ready, move, standing, undo, rekey, resign.",
        "A {kind}, for which somebody must be there all the time.",
        "Let a service run the game (`pbem host init`), or do it by hand: write to each other, and agree on times.",
    ),
    Code(
        "folder/missing",
        "The file or folder {file}.",
        "There is none.",
        "Name the folder that `pbem turn new` has made.",
    ),
    Code(
        "folder/exists",
        "A new or empty folder.",
        "{folder} holds something.",
        "Name another folder.",
    ),
    Code(
        "folder/log",
        "One log (a file ending in .pbem) in {folder}.",
        "{count} of them.",
        "Name the folder of one game, and keep copies of its log elsewhere.",
    ),
    Code(
        "folder/charter",
        "A log that begins with its charter.",
        "{file} does not.",
        "Put the log back as it was; every player has a copy.",
    ),
    Code(
        "folder/state",
        "A state that belongs to the newest line of the log.",
        "{file} belongs to another log.",
        "Put the log and the states back as they were together.",
    ),
    Code(
        "folder/damaged",
        "A file as pbem has written it: {file}.",
        "{problem}.",
        "Put it back from a copy.",
    ),
)
