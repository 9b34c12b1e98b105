"""A drafted letter becomes mail: addresses, threading, the new lines of the log as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.turn.desk import Desk
from pbem.turn.eml import Attachment, Mail, render
from pbem.turn.views import address


class Carried(msgspec.Struct, frozen=True):
    """What would be lost with a letter: log lines from number `first` on, and, told by a report, events.

    A report (`news` is not None) takes the place of every unsent letter before it that carried something: it was
    written from a desk that knew what they carried (`Journal.held`).
    """

    first: int
    news: tuple[dict[str, Any], ...] | None = None


def joined(before: Sequence[Any], after: Sequence[Any]) -> tuple[Any, ...]:
    """Two stretches of one seat's events as one, the later of them last; what both have stands there once."""
    for size in range(min(len(before), len(after)), 0, -1):
        if list(before[-size:]) == list(after[:size]):
            return (*before, *after[size:])
    held = len(before)
    if any(list(after[at : at + held]) == list(before) for at in range(len(after) - held + 1)):
        return tuple(after)
    return (*before, *after)


class Letter(msgspec.Struct, frozen=True):
    """A letter for one seat, rendered: `text` is also inside `raw`, `files` also attached to it.

    `look`: what is still to be made of it before it is sent, as `WISH:LANG` (`Person.pictures`, a language); empty: nothing.
    """

    seat: str
    to: str
    message_id: str
    subject: str
    text: str
    files: tuple[Attachment, ...]
    raw: bytes
    carried: Carried | None = None
    look: str = ""


class Draft(msgspec.Struct, frozen=True):
    """A letter before it has an address. `answer` marks the reply to a mail; `answers` that mail's Message-ID.

    `carried` is for letters with lines of the log. `to` is an address of the seat's other than its first.
    """

    message_id: str
    subject: str
    text: str
    files: tuple[Attachment, ...] = ()
    answer: bool = False
    answers: str = ""
    carried: Carried | None = None
    to: str = ""


def render_letter(desk: Desk, seat: str, draft: Draft) -> Letter:
    """The letter as mail bytes, dated by the newest line of the log, threaded by the seat's own letters."""
    to = draft.to or desk.people[seat].address
    thread = desk.snapshot.journals[seat].thread
    references = (*dict.fromkeys((*thread[:1], *thread[-1:], *((draft.answers,) if draft.answers else ()))),)
    mail = Mail(
        sender=desk.post.address,
        reply_to=address(desk, seat),
        to=to,
        subject=draft.subject,
        date=desk.snapshot.ledger.at,
        message_id=draft.message_id,
        text=draft.text,
        references=references,
        attachments=draft.files,
        answer=draft.answer,
        list_id=f"{desk.game_id}.{desk.post.domain}",
        unsubscribe=address(desk, seat),
    )
    return Letter(
        seat,
        to,
        draft.message_id,
        draft.subject,
        draft.text,
        draft.files,
        render(mail),
        draft.carried,
        _look(desk, seat, draft),
    )


def _look(desk: Desk, seat: str, draft: Draft) -> str:
    """Only a letter with a view can have a picture."""
    if not any(file.name.endswith(".view.json") for file in draft.files):
        return ""
    return f"{desk.people[seat].pictures}:{desk.lang(seat)}"


def log_file(desk: Desk, seat: str) -> Attachment:
    """The lines of the log that the seat has not been sent yet, named by their numbers."""
    snapshot = desk.snapshot
    first = snapshot.journals[seat].sent
    lines = snapshot.tail[first - snapshot.tail_from :]
    last = snapshot.ledger.n
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    return Attachment(f"{desk.game_id}-{first:04d}-{last:04d}.log.pbem", "application/x-ndjson", data)
