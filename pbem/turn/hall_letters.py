"""Letters to whoever asks for a table: which ones there are, an invitation to one, or why there is none.

Nothing changes by them: who takes a seat says so with a signed join, and a key of his own. What they say is public.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import Code, Refusal, Say, break_lines, say, words
from pbem.log.canonical import digest
from pbem.turn import wording
from pbem.turn.answers import invitation_letter, refusal_text
from pbem.turn.desk import Desk, Guest, Person, Post
from pbem.turn.eml import Mail, render
from pbem.turn.posting import Letter
from pbem.turn.wording import paragraph

replace = msgspec.structs.replace


class Stranger(msgspec.Struct, frozen=True):
    """Who asks: an address, the mail's Message-ID or "", a mark that tells this mail from others, when, a language."""

    to: str
    answers: str
    mark: str
    at: str
    lang: str = "en"


class Open(msgspec.Struct, frozen=True):
    """A table that waits: its name, what is played, how many seats it has and how many are free."""

    table: str
    title: Say
    seats: int
    free: int


def invitation_to(desk: Desk, seat: str, guest: Guest, mark: str) -> Letter:
    """An invitation to a seat of a table that nobody has yet; the first who joins has it."""
    person = Person(guest.address, guest.token, lang=guest.lang)
    letter = invitation_letter(replace(desk, people={**desk.people, seat: person}), seat)
    name = f"{desk.game_id}.guest.{digest(f'{guest.address} {mark}'.encode())[:16]}@{desk.post.domain}"
    # it belongs to no seat yet, and is a letter of its own each time
    raw = letter.raw.replace(letter.message_id.encode("ascii"), name.encode("ascii"))
    return replace(letter, seat="", message_id=name, raw=raw)


def tables_letter(post: Post, stranger: Stranger, found: Sequence[Open]) -> Letter:
    """The tables that wait, and how to sit down."""
    lang = stranger.lang
    rows = [
        say(
            "  {table}: {title}; free seats: {free} of {seats}",
            table=one.table,
            title=one.title,
            free=one.free,
            seats=one.seats,
        )
        for one in found
    ]
    parts = [
        paragraph(say("Tables that wait for players:"), lang) if found else "",
        "\n".join("\n".join(break_lines(words(row, lang), wording.WIDTH, "", "    ")) for row in rows),
        paragraph(say("No table waits for players now."), lang) if not found else "",
        paragraph(
            say(
                "Write `sit` and the name of a table as the subject of a mail, and you get an invitation. A seat is"
                " yours when you have joined with a key of your own."
            ),
            lang,
        )
        if found
        else "",
    ]
    return _letter(post, stranger, say("[pbem] tables"), parts)


def not_now_letter(post: Post, stranger: Stranger, why: Refusal, code: Code) -> Letter:
    """No invitation, and why; `code` has the words of the refusal."""
    text = refusal_text(why, stranger.lang, {code.code: code})
    return _letter(post, stranger, say("[pbem] no invitation"), [text])


def _letter(post: Post, stranger: Stranger, subject: Say, parts: Sequence[str]) -> Letter:
    name = f"hall.answer.{digest(f'{stranger.to} {stranger.mark}'.encode())[:16]}@{post.domain}"
    text, title = wording.letter_text(parts), words(subject, stranger.lang)
    mail = Mail(
        sender=post.address,
        reply_to=post.address,
        to=stranger.to,
        subject=title,
        date=stranger.at,
        message_id=name,
        text=text,
        references=(stranger.answers,) if stranger.answers else (),
        answer=True,
    )
    return Letter("", stranger.to, name, title, text, (), render(mail))
