"""The words of every reason why the kit does not do what it was asked: expected, found, what to do next."""

from __future__ import annotations

from engine import Code
from pbem.player.codes_line import LINE

_NEWEST = "Use the newest letter of this game: the file with .view.json, or the whole mail saved as .eml."
_TELL = "Don't answer this file. Keep it, and ask the host and the other players about it."

KEY = (
    Code(
        "kit/key-exists",
        "A name that no file has yet.",
        "{file} is there already, and a key is never overwritten: games that it joined would be lost.",
        "Use the key that is there, or name another file with --key.",
    ),
    Code(
        "kit/no-key",
        "A key file at {file}.",
        "There is none.",
        "If you have joined from another machine, copy your key file here. Else type: pbem key new",
    ),
    Code(
        "kit/no-undo",
        "A turn in which something was played that can be taken back.",
        "As far as this view tells, nothing was.",
        _NEWEST,
    ),
    Code(
        "kit/other-key",
        "The key that the seat has now: {id}.",
        "It is not on this machine.",
        "Copy it here, or name it with --key FILE. If it is lost, ask the host to reset it.",
    ),
    Code(
        "kit/key-spent",
        "A key that the game {game} does not know yet.",
        "One that has, or had, a seat in it.",
        "Make another: name a file that is not there yet with --key.",
    ),
    Code(
        "kit/words",
        "The 24 words of a key, in their order.",
        "{problem}.",
        "Look for a word misread, left out or written twice; every word is on the list of `pbem key words`.",
    ),
    Code(
        "kit/not-a-key",
        "A key file, as `pbem key new` writes it.",
        "{file} is something else.",
        "Name the right file with --key.",
    ),
    Code(
        "kit/key-damaged",
        "A key file that is as it was written.",
        "The checksum in {file} does not fit: a part of it was changed or lost.",
        "Put back your safe copy of the file.",
    ),
    Code(
        "kit/key-locked",
        "The passphrase of the key in {file}.",
        "None was given.",
        "Type it when you are asked, or set PBEM_PASSPHRASE where nobody can be asked.",
    ),
    Code(
        "kit/passphrase",
        "The passphrase with which {file} was locked.",
        "Another one, or the file was changed since.",
        "Try again; capitals and blanks count. Nobody can open the file without it.",
    ),
    Code(
        "kit/passphrases-differ",
        "The same passphrase twice, and not an empty one.",
        "Two that differ, or nothing.",
        "Type the command again.",
    ),
)

FILES = (
    Code(
        "kit/no-trial",
        "A view of a game that has begun, and that asks things out of turn.",
        "Another view of {game}.",
        "Wait for the letter with which the first turn opens.",
    ),
    Code(
        "kit/not-an-invitation",
        "An invitation: the file with .invitation.json, or the whole mail saved as .eml.",
        "There is none in this file.",
        "Save the attachment of the host's letter, and type `pbem join` with its name.",
    ),
    Code(
        "kit/not-a-view",
        "A view: the file with .view.json, or the whole mail saved as .eml.",
        "There is none in this file.",
        _NEWEST,
    ),
    Code(
        "kit/not-a-move",
        "A move file: the one with .move.json from a letter, or one that this kit wrote.",
        "There is none in this file.",
        "Save the attachment of the newest letter, or let `pbem fill` write the file.",
    ),
    Code(
        "kit/several-views",
        "One view.",
        "This mail holds several, of different games, seats or records.",
        "Save the attachment that you mean, and name it instead of the mail.",
    ),
    Code(
        "kit/not-an-offer",
        "The offer of a seat that has been played before.",
        "An invitation.",
        "Take it up with `pbem join`.",
    ),
    Code(
        "kit/orders",
        "A list of orders, or a move file that holds one.",
        "Something else.",
        "Let `pbem fill` ask you for the orders, or correct the file.",
    ),
    Code(
        "kit/json",
        "An object of names and values, written out or as the name of a file that holds it.",
        "Something else: {found}",
        'Put it in quotes, such as \'{{"name": "value"}}\', or write it into a file and name that.',
    ),
    Code(
        "kit/address",
        "A mail address that the answer can be sent to.",
        "The file gives one that is none.",
        _TELL,
    ),
)

TRUST = (
    Code(
        "kit/not-the-charter",
        "An invitation whose charter is of the game {game} and has the seat {seat}.",
        "A charter that does not fit.",
        _TELL,
    ),
    Code(
        "kit/other-charter",
        "The charter of the game {game} that you know: {known}…",
        "Another charter under the same name: {found}…",
        _TELL,
    ),
    Code(
        "kit/not-your-link",
        "A file that asks for the link after the last one you gave: your link {given} must stand in it.",
        "Another value. The file is not for your key, or it asks for a link before its time, which would let"
        " the host foresee dice.",
        "If you have several keys, name the one you joined with: --key FILE. Else don't answer, and ask the host.",
    ),
    Code(
        "kit/links-used-up",
        "A link from 1 to {length}.",
        "The file asks for link {link}.",
        _TELL,
    ),
    Code(
        "kit/no-place",
        "A move file that says which link it needs: the one from the letter does.",
        "This one does not.",
        "Name the view as well: pbem sign FILE --view VIEW",
    ),
)

MOMENT = (
    Code(
        "kit/not-ready-time",
        "The view of the letter that asks you to confirm.",
        "A view of another moment of the game.",
        _NEWEST,
    ),
    Code(
        "kit/not-playing",
        "A view of a game that is being played.",
        "This game has not started, or is over.",
        "Type `pbem show` with the file: it says how things stand.",
    ),
    Code(
        "kit/nothing-asked",
        "A view in which something waits for you.",
        "It is not your time: nothing is asked of {seat} in turn {turn}.",
        "Wait for the letter that says that it is your move.",
    ),
    Code(
        "kit/no-answers",
        "Answers to the questions of the turn, from a terminal or from a file.",
        "Standard input ended before the first order.",
        "Type `pbem fill` in a terminal, or give it the orders by `--orders`. Nothing was signed.",
    ),
    Code(
        "kit/no-orders",
        "At least one order.",
        "An empty list.",
        "Choose something to do, or wait: the letter stays valid until the deadline.",
    ),
    Code(
        "kit/your-turn-now",
        "A view from which no move of yours is waited for.",
        "One in which it is your move, in turn {turn}.",
        "Make this move first with `pbem fill`; then a move in advance for the next one.",
    ),
    Code(
        "kit/days",
        "Pairs of days: the first and the last day of each vacation.",
        "Days: {count}.",
        "Write two days for each vacation, as 2026-12-20 2027-01-03.",
    ),
    Code(
        "kit/instant",
        "An instant such as 2026-12-24T18:00:00Z, in UTC.",
        "{found}",
        "Write day and time in this form; your letter names the instant that others wish.",
    ),
    Code(
        "kit/no-deadline",
        "A view in which a deadline runs.",
        "There is none.",
        "Nothing has to be moved, or say --until with an instant.",
    ),
    Code(
        "kit/other-view",
        "A move that answers this view: game {game}, seat {seat}, turn {turn}.",
        "A move for another game, seat, turn or place in the log ({where}).",
        "Name the view of the letter that the move answers.",
    ),
    Code(
        "kit/not-confirmed",
        "Your word that you want to leave the game for good.",
        "No such word.",
        "Type the command again and answer yes, or add --yes.",
    ),
)

LOG = (
    Code(
        "kit/not-a-log",
        "A log, a piece of one (.log.pbem), or a letter saved as .eml that has one.",
        "{file} holds none.",
        "Name the log files of your letters.",
    ),
    Code(
        "kit/gap",
        "All records from 0 on.",
        "Records {first} to {last} are in none of the files.",
        "Name the files with these records as well; they came with older letters.",
    ),
    Code(
        "kit/fork",
        "One history: what two files both hold must be the same.",
        "Record {record} is told in two ways: somebody was shown another game.",
        "Keep both files: they are evidence. Compare with the other players and ask the host.",
    ),
)

CODES: tuple[Code, ...] = KEY + FILES + TRUST + MOMENT + LOG + LINE
