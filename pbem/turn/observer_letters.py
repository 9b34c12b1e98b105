"""Letters to observers: what the public log says, in words, and its lines. Nothing else is in scope.

Law: a letter is made of the public view, whose digest stands in the log, and of lines of the log. It has no address of a
seat, no thread of one, and nothing that only a seat was told.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import Say, say, words
from pbem.log.canonical import digest
from pbem.log.record import (
    Changed,
    End,
    Join,
    Key,
    Ready,
    Record,
    Ruling,
    Start,
    Timeout,
    Undone,
    kind_of,
    read_record,
)
from pbem.turn import wording
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment, Mail, render
from pbem.turn.posting import Letter
from pbem.turn.wording import paragraph


class Observer(msgspec.Struct, frozen=True):
    """Somebody who watches: where, in which language, and how many seconds later."""

    address: str
    lang: str = "en"
    delay: int = 0


def observer_letter(desk: Desk, observer: Observer, lines: Sequence[bytes], *, first: bool = False) -> Letter:
    """New lines of the log, told; `desk` is the desk after them. `first`: they are the whole log so far."""
    records = [read_record(line) for line in lines]
    lang, ledger = observer.lang, desk.snapshot.ledger
    log = Attachment(
        f"{desk.game_id}-{records[0].n:04d}-{records[-1].n:04d}.log.pbem",
        "application/x-ndjson",
        b"".join(line + b"\n" for line in lines),
    )
    head = [_welcome(desk, observer)] if first else [one for record in records for one in _told(desk, record)]
    parts = [
        "\n".join(paragraph(one, lang) for one in head),
        _report(desk, () if first else records, lang),
        wording.how_to_check(ledger.head, ledger.n, log.name, lang),
    ]
    subject = words(say("[pbem {game}] watching: turn {turn}", game=desk.game_id, turn=ledger.turn), lang)
    text = wording.letter_text(parts)
    mark = digest(f"{observer.address} {ledger.head} {first}".encode())[:16]
    name = f"{desk.game_id}.watch.{mark}@{desk.post.domain}"
    mail = Mail(
        sender=desk.post.address,
        reply_to=desk.post.address,
        to=observer.address,
        subject=subject,
        date=ledger.at,
        message_id=name,
        text=text,
        attachments=(log,),
        list_id=f"{desk.game_id}.{desk.post.domain}",
    )
    return Letter("", observer.address, name, subject, text, (log,), render(mail))


def _welcome(desk: Desk, observer: Observer) -> Say:
    title = desk.table.game.title
    if observer.delay:
        return say(
            "You watch a game of {title}. You are told what everybody may see, {hours} hours later. The attached log is"
            " all that has happened so far; later letters bring the lines that are new.",
            title=title,
            hours=-(-observer.delay // 3600),
        )
    return say(
        "You watch a game of {title}. You are told what everybody may see. The attached log is all that has happened so"
        " far; later letters bring the lines that are new.",
        title=title,
    )


def _told(desk: Desk, record: Record) -> list[Say]:
    """What a line says, as far as it deserves a sentence."""
    match record:
        case Join():
            return [say("{who} has taken a seat.", who=name_of(desk, record.seat))]
        case Ready():
            return [say("{who} has confirmed.", who=name_of(desk, record.seat))]
        case Start():
            return [say("Everybody has confirmed. The game begins.")]
        case Timeout():
            return [wording.news_of("timeout", name_of(desk, record.seat), record.turn)]
        case Key(how="taken"):
            return [say("{who} is played by somebody else from now on.", who=name_of(desk, record.seat))]
        case Key():
            return [say("{who} has a new key.", who=name_of(desk, record.seat))]
        case Undone():
            return [
                say("All have agreed to go back: the game is again where record {to} left it.", to=record.to)
            ]
        case Ruling():
            return [say("The host has ended the game: {reason}", reason=record.reason)]
        case End():
            return [
                say(
                    "The game is over, and everything in it is open: with these lines your log is the whole archive."
                )
            ]
        case _ if isinstance(record, Changed):
            return [wording.news_of(kind_of(record), name_of(desk, record.seat), record.turn)]
        case _:
            return []


def _report(desk: Desk, records: Sequence[Record], lang: str) -> str:
    """The game's own report of the public view, with the public events of these lines."""
    game, position = desk.table.game, desk.position
    if position is None:
        return ""
    plain = [event for record in records if isinstance(record, Changed) for event in record.events]
    events = msgspec.convert(plain, tuple[game.event, ...])  # type: ignore[name-defined]
    return game.report(game.view(position.state, None), events, lang)
