"""The words of every code of the areas `file/`, `seal/` and `log/`: expected, found, what to do next.

`file/` and `seal/` are read by players whose envelope was sent back; `log/` by whoever verifies a log.
"""

from __future__ import annotations

from engine import Code

_SEND_AGAIN = "Write the file again with the player's kit and send it unchanged, as an attachment."
_ASK_AGAIN = "Ask for the log again, or for the letter it came with, and compare the two files byte for byte."
_KEEP = "Keep this file: it is evidence. Ask the host for an explanation and compare with the other players."

FILE = (
    Code(
        "file/too-long",
        "A file of at most {limit} bytes.",
        "It has {size} bytes.",
        "Shorten the order list or the note and send the file again.",
    ),
    Code(
        "file/encoding",
        "Text in UTF-8 without a byte order mark.",
        "The bytes are in another encoding or begin with a byte order mark.",
        _SEND_AGAIN,
    ),
    Code(
        "file/too-deep",
        "Lists and objects that are nested a few levels deep.",
        "They are nested deeper than any file of this game can be.",
        _SEND_AGAIN,
    ),
    Code(
        "file/not-json",
        "One JSON value and nothing after it.",
        "The text stops being JSON in row {row}, column {column}.",
        _SEND_AGAIN,
    ),
    Code(
        "file/key-twice",
        "Each key once in an object.",
        "The key {key} occurs twice in one object.",
        "Delete the one that you do not mean, sign the file again and send it.",
    ),
    Code(
        "file/bad-key",
        "Keys of lower-case letters, digits and underscores that begin with a letter.",
        "There is a key {key}.",
        _SEND_AGAIN,
    ),
    Code(
        "file/float",
        "Whole numbers.",
        "There is a number with a point or an exponent.",
        "Write the number without point and exponent, sign the file again and send it.",
    ),
    Code(
        "file/null",
        "Fields that are absent are left out.",
        "There is a null.",
        "Leave the field out, sign the file again and send it.",
    ),
    Code(
        "file/integer",
        "Whole numbers between -9007199254740991 and 9007199254740991.",
        "There is a number outside.",
        "Correct the number, sign the file again and send it.",
    ),
    Code(
        "file/surrogate",
        "Text made of whole characters.",
        "There is one half of a surrogate pair.",
        "Delete the broken character, sign the file again and send it.",
    ),
    Code(
        "file/not-an-envelope",
        "An object with payload and sig and, if need be, aside.",
        "It has other parts.",
        _SEND_AGAIN,
    ),
    Code(
        "file/version",
        "Version 1 of the protocol, as the number v.",
        "There is another v or none.",
        "Use a kit of the version that the host runs.",
    ),
    Code(
        "file/unknown-kind",
        "A kind of file that this version knows.",
        "The kind is another one.",
        "Use a kit of the version that the host runs.",
    ),
    Code(
        "file/shape",
        "Each field of the kind of file, with a value that fits it.",
        "At {where} a field is missing, is one too many, or has a value that does not fit.",
        "Correct that place, sign the file again and send it.",
    ),
)

SEAL = (
    Code(
        "seal/shape",
        "A sig with alg ed25519, the id of the key and a value.",
        "It has other parts.",
        "Sign the file with the player's kit and send it again.",
    ),
    Code(
        "seal/other-key",
        "A signature by the key {expected}.",
        "It names the key {found}.",
        "Sign the file with the key that took the seat and send it again.",
    ),
    Code(
        "seal/value",
        "The 64 bytes of a signature in canonical base64.",
        "The value is spelt otherwise.",
        "Sign the file again and send it unchanged.",
    ),
    Code(
        "seal/wrong",
        "A signature over this very content.",
        "The signature does not fit the content.",
        "Sign the file again after the last change and send it unchanged.",
    ),
    Code(
        "seal/weak-key",
        "A public key of prime order in its one encoding.",
        "The key is another point, or none: anybody might sign for it.",
        "Make a new key with the player's kit.",
    ),
)

LOG = (
    Code("log/empty", "A log with a charter.", "The file is empty.", _ASK_AGAIN),
    Code(
        "log/no-line-end",
        "A line that ends with a line feed.",
        "The file ends within the line.",
        _ASK_AGAIN,
    ),
    Code(
        "log/not-canonical",
        "A line in canonical form.",
        "The same value is written in another way.",
        _ASK_AGAIN,
    ),
    Code(
        "log/unknown-kind",
        "A kind of record that this version knows.",
        "The kind is another one ({kind}).",
        "Use a newer version to read this log.",
    ),
    Code(
        "log/shape",
        "Each field of the kind of record, with a value that fits it.",
        "At {where} a field is missing, is one too many, or has a value that does not fit.",
        _KEEP,
    ),
    Code("log/not-sealed", "A record with the host's signature.", "It has none.", _KEEP),
    Code(
        "log/charter-first",
        "A charter as the first record.",
        "Another kind comes first ({kind}).",
        _ASK_AGAIN,
    ),
    Code("log/number", "Record number {expected}.", "The record is number {found}.", _ASK_AGAIN),
    Code(
        "log/previous",
        "The digest of the line before.",
        "The record follows another line.",
        _ASK_AGAIN,
    ),
    Code("log/time", "A time as 2026-01-31T12:00:00Z.", "The time is {found}.", _KEEP),
    Code("log/time-falls", "A time not before {earlier}.", "The time is {found}.", _KEEP),
    Code(
        "log/order",
        "A record that may come at this point of the game ({phase}).",
        "A record of the kind {kind}.",
        _KEEP,
    ),
    Code("log/seats", "Seats with different names, none called host.", "The charter has others.", _KEEP),
    Code("log/unknown-seat", "A seat of the charter.", "There is no seat {seat}.", _KEEP),
    Code("log/join-twice", "One join a seat.", "{seat} joins for the second time.", _KEEP),
    Code("log/join-base", "A join that signs the charter.", "{seat} signs another line.", _KEEP),
    Code(
        "log/key-used",
        "A key of the seat's own.",
        "The key of {seat} is or was another seat's, or an earlier one of its own, or is the host's.",
        _KEEP,
    ),
    Code("log/ruling", "A ruling that ends the game, with nobody in `next`.", "It names seats there.", _KEEP),
    Code(
        "log/undo-to",
        "An undo back to a record of the open turn through which the position came.",
        "It goes back to record {to}.",
        _KEEP,
    ),
    Code(
        "log/undo-alone",
        "An undo that every player still in the game has asked for, and nothing played since.",
        "Not all have asked to go back to record {to}.",
        _KEEP,
    ),
    Code("log/not-joined", "A seat that has joined.", "{seat} has not.", _KEEP),
    Code("log/ready-early", "No ready before all have joined.", "{seat} is ready before.", _KEEP),
    Code("log/ready-twice", "One ready a seat.", "{seat} is ready for the second time.", _KEEP),
    Code("log/start-early", "No start before all are ready.", "The game starts before.", _KEEP),
    Code("log/turn-order", "A turn order of all seats, each once.", "The order is another one.", _KEEP),
    Code(
        "log/wrong-link",
        "The next link of the chain of {who}.",
        "The link does not lead to the one before.",
        _KEEP,
    ),
    Code("log/turn", "A record of turn {expected}.", "It is of turn {found}.", _KEEP),
    Code("log/resigned", "A seat that is still in the game.", "{seat} has resigned.", _KEEP),
    Code(
        "log/reveal-missing",
        "The link of {seat} in its first move of the turn.",
        "The move gives none.",
        _KEEP,
    ),
    Code(
        "log/reveal-extra",
        "A link only in the first move of a seat that must decide.",
        "{seat} gives one more.",
        _KEEP,
    ),
    Code(
        "log/auto",
        "Automatic answers with a seat, a decision and by: standing or default.",
        "One has other parts.",
        _KEEP,
    ),
    Code(
        "log/draws-early",
        "No draw before all that must decide are in or excused.",
        "There are draws while {seat} is still waited for.",
        _KEEP,
    ),
    Code(
        "log/draws-out-of-turn",
        "Draws of a resignation out of turn in the record that closes the turn.",
        "The resignation of {seat} carries them itself.",
        _KEEP,
    ),
    Code(
        "log/link-and-next",
        "The host's link and the seats of the next turn together.",
        "One stands there without the other.",
        _KEEP,
    ),
    Code(
        "log/closed-early",
        "No turn closed before all that must decide are in or excused.",
        "The turn is closed while {seat} is still waited for.",
        _KEEP,
    ),
    Code(
        "log/next-seats",
        "Seats of the charter in next, each once.",
        "There are others.",
        _KEEP,
    ),
    Code(
        "log/draw-shape",
        "Dice of one size or a whole shuffle, under an ASCII label.",
        "The draw {label} is neither.",
        _KEEP,
    ),
    Code(
        "log/draw-value",
        "The values that the links of the turn give.",
        "The draw {label} has others: these dice were not the ones that fell.",
        _KEEP,
    ),
    Code("log/label-twice", "Each label once in a game.", "The label {label} occurs again.", _KEEP),
    Code("log/envelope-twice", "Each envelope once in a game.", "The envelope occurs again.", _KEEP),
    Code("log/base", "The digest of an earlier line as base.", "No earlier line has it.", _KEEP),
    Code(
        "log/opened-order",
        "After the end every envelope, in the order of the records.",
        "The envelope of record {of} is not the next one.",
        _KEEP,
    ),
    Code(
        "log/drawn-order",
        "After the envelopes the hidden draws, in the order of the records that may have them.",
        "Those of record {of} do not come here.",
        _KEEP,
    ),
    Code("log/names-early", "Names after every envelope is opened.", "They come before.", _KEEP),
    Code("log/after-names", "Names as the very last line.", "A record of the kind {kind} follows.", _KEEP),
)

CODES: tuple[Code, ...] = FILE + SEAL + LOG
