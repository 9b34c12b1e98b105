"""Who is not answered: machines, and whoever has just been told. Two programs must not write to each other for ever.

Law: what is signed is always judged, and what was recorded is always receipted; here it is decided only whether a
mail that changed nothing gets a letter. `marked` looks at one mail, `discreet` at what was answered before.

1. A mail of our own, one that has gone in circles (over 30 Received lines), one that says it is automatic: no.
2. A mail with an envelope under the seat's own key (or a join for a free seat), be it refused: yes; no letter of
   ours holds one, so no program can send it back. Not more than 100 a day.
3. Any other mail: no, if it answers an answer of ours and holds no try at a move; no, if the same text was
   answered within a day; no, if twenty such mails were answered within the hour. Else yes.
4. A command (`commands`) of somebody on the roster: as 3, but it may be asked again, and in answer to anything.
"""

from __future__ import annotations

import hashlib
import re

import msgspec
import sqlalchemy as sa

from engine import Refused
from pbem.log.envelope import PLAYER_KINDS, Envelope
from pbem.log.ledger import member
from pbem.log.seal import key_id
from pbem.service.inbox import Waiting
from pbem.service.prepared import Prepared
from pbem.service.robots import is_robots
from pbem.service.routing import head_of
from pbem.service.tables import answers, outbox
from pbem.turn import mail_parts, mail_text
from pbem.turn.desk import Desk, Post
from pbem.turn.mail_parts import Part
from pbem.turn.pipeline import Claims, Verdict

replace = msgspec.structs.replace

MOST_HOPS = 30
HOUR, DAY = 3_600, 86_400
MOST_AN_HOUR, MOST_A_DAY = 20, 100
PROVEN = ""
"""Stands for the text of a mail that proved who sent it."""

_ANSWER_ID = re.compile(r"\.(?:refused|again|answer|heard)\.[^<>@\s]{1,200}@([A-Za-z0-9.-]{1,190})>")
_ANSWER_SUBJECT = re.compile(r"\[pbem [a-z0-9-]{1,64}\] (?:not accepted:|already recorded)")
_OWN = Prepared(sa.select(outbox.c.id).where(outbox.c.message_id == sa.bindparam("name")))
_GIVEN = Prepared(
    sa.select(answers.c.at, answers.c.text).where(
        answers.c.game == sa.bindparam("of"),
        answers.c.seat == sa.bindparam("to"),
        answers.c.at > sa.bindparam("since"),
    )
)
_FORGET = Prepared(
    answers.delete().where(answers.c.game == sa.bindparam("of"), answers.c.at < sa.bindparam("before"))
)
_REMEMBER = Prepared(answers.insert(), "game", "seat", "at", "text")
_VARIABLE = re.compile(r"[\d\s]+")
_TICKET = re.compile(r"(?<!\S)\S{0,80}\d\S{0,200}")
"""A number of a ticket, a Message-ID, a date: what a responder changes in what it says each time."""


def marked(tx: sa.Connection, claims: Claims, mail: Waiting, post: Post) -> Claims:
    """The claims, called automatic if no person sent the mail."""
    if claims.auto:
        return claims
    ours = may_be_ours(claims, post) and bool(_OWN.rows(tx, {"name": claims.message_id}))
    return replace(claims, auto=True) if ours or is_machine(claims, mail, post) else claims


def may_be_ours(claims: Claims, post: Post) -> bool:
    """Whether the mail is named as our letters are; if it is one, the outbox knows it."""
    return claims.message_id.lower().endswith(f"@{post.domain.lower()}")


def is_machine(claims: Claims, mail: Waiting, post: Post) -> bool:
    """Whether the mail itself shows that no person sent it."""
    fields = head_of(mail.raw)
    if sum(name == "received" for name, _ in fields) > MOST_HOPS:
        return True
    if claims.sender.lower() == post.address:
        return True
    if any(one.kind in PLAYER_KINDS for one in claims.envelopes):
        # a person who is about to leave says so in the subject of his move
        return False
    return is_robots(mail_text.header(mail_parts.first(fields, "subject")))


def discreet(tx: sa.Connection, desk: Desk, mail: Waiting, claims: Claims, verdict: Verdict) -> Verdict:
    """The verdict with the letters that may go out; remembers those that do."""
    if verdict.lines or verdict.quiet or not verdict.letters:
        return verdict
    seat = verdict.letters[0].seat
    text = PROVEN if _proves(desk, seat, claims) else _fingerprint(mail.raw, claims)
    if text != PROVEN and _says_it_again(tx, mail, seat, (text, claims)):
        return replace(verdict, letters=())
    return discreet_to(tx, mail, claims, (text, verdict))


def discreet_to(tx: sa.Connection, mail: Waiting, claims: Claims, answer: tuple[str, Verdict]) -> Verdict:
    """The verdict with its letters, if so many may go out; `answer` is what the mail said, in short, and the verdict."""
    text, verdict = answer
    seat = verdict.letters[0].seat
    if claims.auto or not _may_answer(tx, mail, seat, text):
        return replace(verdict, letters=())
    values = {"game": mail.game, "seat": seat, "at": mail.received, "text": text}
    _FORGET.run(tx, {"of": mail.game, "before": mail.received - DAY})
    _REMEMBER.run(tx, values)
    return verdict


def _proves(desk: Desk, seat: str, claims: Claims) -> bool:
    entry = member(desk.snapshot.ledger, seat)
    return any(one.seat == seat and _is_own(one, entry.public_key) for one in claims.envelopes)


def _is_own(one: Envelope, public_key: str) -> bool:
    if not public_key:
        return one.kind == "join"
    return one.sig.key == key_id(bytes.fromhex(public_key))


def _may_answer(tx: sa.Connection, mail: Waiting, seat: str, text: str) -> bool:
    given = _given(tx, mail, seat)
    if len(given) >= MOST_A_DAY:
        return False
    lately = [at for at, one in given if one != PROVEN and at > mail.received - HOUR]
    return text == PROVEN or len(lately) < MOST_AN_HOUR


def _says_it_again(tx: sa.Connection, mail: Waiting, seat: str, said: tuple[str, Claims]) -> bool:
    """Whether a mail that proves nothing says what was answered within a day, or answers an answer of ours."""
    text, claims = said
    if any(one == text for _, one in _given(tx, mail, seat)):
        return True
    return _answers_an_answer(mail.raw) and not (claims.is_torn or _is_a_try(mail.raw))


def _given(tx: sa.Connection, mail: Waiting, seat: str) -> list[tuple[int, str]]:
    day = {"of": mail.game, "to": seat, "since": mail.received - DAY}
    return [(at, text) for at, text in _GIVEN.rows(tx, day)]


def _answers_an_answer(raw: bytes) -> bool:
    fields = head_of(raw)
    named = b" ".join(value for name, value in fields if name in ("in-reply-to", "references"))
    subject = mail_text.header(mail_parts.first(fields, "subject"))
    return bool(_ANSWER_ID.search(named.decode("latin-1")) or _ANSWER_SUBJECT.search(subject))


def _is_a_try(raw: bytes) -> bool:
    """Whether there is an attachment, or the beginning of a move file, in the mail."""
    return any(
        part.name or not part.kind.startswith("text/") or b'"payload"' in part.body for part in _parts(raw)
    )


def _fingerprint(raw: bytes, claims: Claims) -> str:
    """The same for two mails that say the same, and for the same reason nothing could be done with them.

    Numbers, blanks and quoted lines are of no account, nor, in a mail without a try at a move, words with a number in
    them. Of a move that was damaged every letter counts: the next one may differ in a card.
    """
    said = hashlib.sha256((claims.trouble.code if claims.trouble else "").encode())
    if claims.is_torn:
        said.update(raw.partition(b"\n\n" if b"\r\n\r\n" not in raw else b"\r\n\r\n")[2])
        return said.hexdigest()
    changing = _VARIABLE if _is_a_try(raw) else _TICKET
    for part in _parts(raw):
        if part.kind.startswith("text/"):
            text = mail_text.text(part.body, part.params.get("charset", ""))
            lines = (line for line in text.split("\n") if not line.lstrip().startswith(">"))
            said.update(_VARIABLE.sub("", changing.sub("", "\n".join(lines))).encode("utf-8", "replace"))
        else:
            said.update(part.body)
    return said.hexdigest()


def _parts(raw: bytes) -> tuple[Part, ...]:
    try:
        mail_parts.check_size(raw)
        pieces = mail_parts.pieces(*mail_parts.head(mail_parts.unix(raw)))
    except Refused:
        return ()
    return tuple(piece for piece in pieces if isinstance(piece, Part))
