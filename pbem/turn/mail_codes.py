"""The words of every reason why a mail is not taken as it is.

Law: only the shape of a mail is spoken of here; what is wrong with an envelope has its own area.
"""

from __future__ import annotations

from engine import Code

CODES: tuple[Code, ...] = (
    Code(
        "mail/too-long",
        "A mail of at most {limit} bytes, attachments and all.",
        "This one has {size} bytes, or more.",
        "Send the move file alone: answer with a new mail, and leave the report and the view out of it.",
    ),
    Code(
        "mail/long-header",
        "A mail whose header lines, all those above the text, take at most {limit} bytes and {lines} lines.",
        "There are more of them in this mail.",
        "Write a new mail to the address of the game, from an ordinary mail program.",
    ),
    Code(
        "mail/too-many-parts",
        "A mail of at most {limit} parts, nested at most {depth} deep.",
        "This mail has more parts than that, or nests them deeper.",
        "Send the move file as the only attachment, or paste its text into the mail.",
    ),
    Code(
        "mail/malformed",
        "A mail, or an attachment, that follows the rules of Internet mail closely enough to be read.",
        "A part of this mail that cannot be read; what could be read holds no move.",
        "Paste the text of the move file into a new plain-text mail.",
    ),
    Code(
        "mail/attached-message",
        "The move file itself, attached or pasted.",
        "A whole mail attached to this one. Attached mails are not opened, because old mails hold old moves.",
        "Save the move file from that mail and attach it, or paste its text into a new mail.",
    ),
    Code(
        "mail/winmail",
        "The move file as an ordinary attachment, or its text in the mail.",
        "A winmail.dat, in which Outlook packs attachments so that only Outlook can open them.",
        "Make the mail plain text (in Outlook: Format Text, Plain Text) and send it again.",
    ),
    Code(
        "mail/zip",
        "The move file as it is, not packed.",
        "A packed file: {kind}. Packed files are not opened.",
        "Attach the move file itself, or paste its text into the mail.",
    ),
    Code(
        "mail/other-file",
        "The move file as the kit has written it: a text that begins with {{.",
        "A file of another kind: {kind}. Such files are not opened.",
        "Attach the file that the kit has signed, whose name ends in .json, or paste all of its text into the mail.",
    ),
    Code(
        "mail/key",
        "The move file, which the kit has signed with your key. The key itself stays with you.",
        "A key file. Whoever has it can play as you, and mail is read by many.",
        "Send the move file. Then change your key in each of your games: type `pbem key rotate` and the name of its"
        " newest letter.",
    ),
    Code(
        "mail/encrypted",
        "A mail that is not encrypted: a move is signed, and that is what protects it.",
        "A part that is encrypted, or packed into a signature (S/MIME). It cannot be opened here.",
        "Send the move again with encryption and signatures (OpenPGP or S/MIME) turned off.",
    ),
    Code(
        "mail/bounce",
        "A mail from a player.",
        "An automatic report about the delivery of some other mail.",
        "Nothing needs to be done for this one; if you did send a move, send it again in a mail of its own.",
    ),
    Code(
        "mail/damaged",
        "A move file whole, from the first {{ to the last }}, as the kit has signed it.",
        "The beginnings of one, which cannot be put together: lines are missing, changed or torn.",
        "Attach the file instead of pasting it; a file that was edited must be signed again.",
    ),
    Code(
        "mail/no-move",
        "A move file, attached under any name or pasted whole, from the first {{ to the last }}.",
        "Nothing like that in this mail.",
        "Attach the file that the kit has signed for you, or paste its text below your first line. A mail with the"
        " subject `help` tells what you can ask for.",
    ),
    Code(
        "mail/two-moves",
        "One move in a mail.",
        "Two that differ, both signed and sound: {first} and {second}.",
        "Send the one you mean in a mail of its own, and leave the other out, the quoted text included.",
    ),
)
