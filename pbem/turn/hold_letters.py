"""Letters about a game on hold: the host has put it back from a copy, and asks what its players hold.

They carry no view and no line: an answer made from them would witness nothing. Whoever decides that a game is on
hold, and what an answer proves, is elsewhere.
"""

from __future__ import annotations

from typing import Literal

from engine import Say, say, words
from pbem.log.canonical import digest
from pbem.turn import wording
from pbem.turn.desk import Desk
from pbem.turn.posting import Draft, Letter, render_letter
from pbem.turn.views import address
from pbem.turn.wording import paragraph

Heard = Literal["clear", "ahead", "old", "nothing"]


def asking_letter(desk: Desk, seat: str) -> Letter:
    """What happened, which record is the newest that the host knows, and what to send."""
    lang, ledger = desk.lang(seat), desk.snapshot.ledger
    parts = [
        paragraph(
            say(
                "The service had to be put back from a copy of its data. This game stands at record {n} of {at} there.",
                n=ledger.n,
                at=ledger.at,
            ),
            lang,
        ),
        paragraph(
            say(
                "You may have newer letters. If the game went on without them, it would have two histories, so it waits"
                " until every player has answered this letter."
            ),
            lang,
        ),
        paragraph(_how(address(desk, seat)), lang),
        paragraph(say("The digest of that record, to compare with the foot of your newest letter:"), lang)
        + "\n\n"
        + wording.hex_groups(ledger.head),
    ]
    subject = words(say("[pbem {game}] please send your newest letter", game=desk.game_id), lang)
    name = f"{desk.game_id}.hold.{seat}.{_mark(desk.now, seat)}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, subject, wording.letter_text(parts)))


def heard_letter(desk: Desk, seat: str, what: Heard, mark: str, answers: str) -> Letter:
    """What an answer has shown: the seat is clear, it holds newer lines, or it sent an older letter.

    `mark` tells this answer from others; `answers` is the Message-ID of the mail.
    """
    lang = desk.lang(seat)
    match what:
        case "clear":
            first = say(
                "Thank you: you hold nothing newer than the host does. The game goes on when all have answered;"
                " a move that you sent waits until then, and need not be sent again."
            )
        case "ahead":
            first = say(
                "You hold newer lines of this game than the host does. It stays on hold, and the host has been told."
                " Keep all your letters and move files: with them the game can be brought up to date."
            )
        case "old" | "nothing":
            first = say(
                "That was not made from the newest letter that you were sent, so it is no answer yet."
            )
    parts = [paragraph(first, lang)]
    if what in ("old", "nothing"):
        parts.append(paragraph(_how(address(desk, seat)), lang))
    subject = words(say("[pbem {game}] the game is on hold", game=desk.game_id), lang)
    name = f"{desk.game_id}.heard.{seat}.{_mark(mark, answers)}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, subject, wording.letter_text(parts), (), True, answers))


def _how(where: str) -> Say:
    return say(
        "Take the newest letter about this game that you have, and forward it with all its attachments to {address}."
        " If it asks for your move, you may as well send the move, made from the view in that letter.",
        address=where,
    )


def _mark(*parts: str) -> str:
    return digest("\n".join(parts).encode("utf-8"))[:16]
