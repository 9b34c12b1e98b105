"""Notices: what the host, or a player at his second address, is told by mail of trouble with letters.

Decides who is told what; the journal on standard error says the same without addresses. A notice is a letter like
any other, but of no seat: when it fails, nobody is told.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from engine import Say, say, words
from pbem.service import outbox
from pbem.service.clock import instant
from pbem.service.journal import warn
from pbem.service.tables import people
from pbem.turn import wording
from pbem.turn.desk import Post
from pbem.turn.eml import Mail, render
from pbem.turn.posting import Letter
from pbem.turn.wording import paragraph


class Notices(msgspec.Struct, frozen=True):
    """Where notices come from, and the host's own address, empty if he looks at `pbem status` instead."""

    post: Post
    operator: str = ""


class Note(msgspec.Struct, frozen=True):
    """A notice before it is written down."""

    game: str
    name: str
    subject: Say
    sentences: tuple[Say, ...]


def address_is_bad(tx: sa.Connection, told: Notices, game: str, seat: str, now: int) -> None:
    """Three letters have come back from a player's address: the host is told, and the player, where he has another."""
    row = tx.execute(
        sa.select(people.c.address, people.c.second, people.c.lang).where(
            people.c.game == game, people.c.seat == seat
        )
    ).first()
    warn("address-bad", game=game, seat=seat)
    if row is None:
        return
    subject = say("[pbem {game}] an address that takes no mail", game=game)
    what = say(
        "Three letters to {address} (seat {seat}) have come back for good.", address=row.address, seat=seat
    )
    for_host = say(
        "Ask the player for an address that works, and set it: pbem game address {game} {seat} ADDRESS."
        " What did not arrive goes out again then.",
        game=game,
        seat=seat,
    )
    for_player = say(
        "The letters of your game go there. Tell whoever runs the game which address to use; until then you"
        " will not hear of your turns."
    )
    name = f"{game}.notice.address-{seat}-{now}"
    to_host = Note(game, f"{name}-host", subject, (what, for_host))
    send(tx, told, (told.operator, "en"), to_host, now)
    send(tx, told, (row.second, row.lang), Note(game, name, subject, (what, for_player)), now)


def letter_failed(tx: sa.Connection, told: Notices, letter: outbox.Waiting, error: str, now: int) -> None:
    """A letter was given up: the host is told."""
    if not letter.seat:
        return
    subject = say("[pbem {game}] a letter could not be delivered", game=letter.game)
    sentences = (
        say(
            "The letter {name} to {address} was given up: {error}.",
            name=letter.message_id,
            address=letter.recipient,
            error=error,
        ),
        say("Nothing of it is lost: the next letter to this seat tells what it told."),
        say(
            "If the address is wrong, set another: pbem game address {game} {seat} ADDRESS.",
            game=letter.game,
            seat=letter.seat,
        ),
    )
    name = f"{letter.game}.notice.letter-{letter.id}-{now}"
    send(tx, told, (told.operator, "en"), Note(letter.game, name, subject, sentences), now)


def send(tx: sa.Connection, told: Notices, reader: tuple[str, str], note: Note, now: int) -> None:
    """Writes a notice into the outbox; `reader` is an address and a language, nobody if the address is empty."""
    to, lang = reader
    if not to:
        return
    text = wording.letter_text(["\n".join(paragraph(one, lang) for one in note.sentences)])
    message_id, subject = f"{note.name}@{told.post.domain}", words(note.subject, lang)
    mail = Mail(
        sender=told.post.address,
        reply_to=told.post.address,
        to=to,
        subject=subject,
        date=instant(now),
        message_id=message_id,
        text=text,
    )
    outbox.queue(tx, note.game, [Letter("", to, message_id, subject, text, (), render(mail))], now)
