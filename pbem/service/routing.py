"""Which game a mail is for that came to the address of the service, and not to that of a seat.

Players answer to From instead of Reply-To, and some providers know no plus-addressing. Law: what the mail holds
decides, strongest sign first; whose move it is, is decided later, by its signature, as always.

1. the address of a seat, with its token, in a field that the receiving mail server wrote, or in To or Cc;
2. the game that a player's envelope in the mail names;
3. the game of the letter that it answers: our Message-IDs begin with it;
4. the game in the subject, `[pbem GAME]`, or behind a mail command, as in `status GAME`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engine import Refused
from pbem.log.envelope import PLAYER_KINDS, Envelope
from pbem.service.addresses import Directory, Place
from pbem.turn import mail_heads, mail_parts, mail_text, pipeline
from pbem.turn.commands import Command, read_subject
from pbem.turn.mail_parts import Fields

_WRITTEN_TO = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}")
_SUBJECT = re.compile(r"\[pbem ([a-z0-9-]{1,64})\]")
_NAME = re.compile(r"<([a-z0-9-]{1,64})\.[^<>@\s]{1,200}@([A-Za-z0-9.-]{1,190})>")
MOST_NAMES = 20


def head_of(raw: bytes) -> Fields:
    """The header fields of a mail; the first of them if there are too many."""
    try:
        return mail_parts.opened(raw[: 2 * mail_parts.HEAD_BYTES])[0]
    except Refused:
        return mail_parts.top(raw)


def addressed(fields: Fields, find: Callable[[str], Place | None]) -> tuple[Place, ...]:
    """The places of addresses of seats, and of letters that came back, that the fields name; each once."""
    found: dict[tuple[str, int], Place] = {}
    for name in _WRITTEN_TO:
        for value in _values(fields, name):
            for match in list(_ADDRESS.finditer(value))[:MOST_NAMES]:
                place = find(match[0])
                if place is not None and (place.game or place.letter):
                    found.setdefault((place.game, place.letter), place)
    return tuple(found.values())


def route(raw: bytes, address: str, directory: Directory, domain: str) -> tuple[Place, ...]:
    """The places of a mail that came to the service's own address; none if it does not say."""
    fields = head_of(raw)
    if places := addressed(fields, directory.find):
        return places
    for game, seat in _named(raw, fields, domain):
        if directory.knows(game):
            return (Place(game, seat, address),)
    return ()


def commanding(raw: bytes) -> tuple[Command, str] | None:
    """The command that a mail's subject is, and the sender that it names; None if it is none."""
    fields = head_of(raw)
    command = read_subject(mail_text.header(mail_parts.first(fields, "subject")))
    return (command, mail_heads.sender_of(fields)) if command is not None else None


def _named(raw: bytes, fields: Fields, domain: str) -> Iterator[tuple[str, str]]:
    """Games that the mail names, with the seat where it names one; strongest sign first, each once."""
    given = dict[str, str]()
    for one in sorted(pipeline.claim_mail(raw).envelopes, key=_is_view)[:MOST_NAMES]:
        given.setdefault(one.game, one.seat)
    for name in ("in-reply-to", "references"):
        for value in _values(fields, name):
            for match in list(_NAME.finditer(value))[-MOST_NAMES:]:
                if match[2].lower() == domain:
                    given.setdefault(match[1], "")
    subject = mail_text.header(mail_parts.first(fields, "subject"))
    for match in list(_SUBJECT.finditer(subject))[:MOST_NAMES]:
        given.setdefault(match[1], "")
    if (command := read_subject(subject)) is not None and command.game:
        given.setdefault(command.game, "")
    yield from given.items()


def _is_view(one: Envelope) -> bool:
    return one.kind not in PLAYER_KINDS


def _values(fields: Fields, name: str) -> list[str]:
    return [value[:2_000].decode("latin-1") for key, value in fields if key == name]
