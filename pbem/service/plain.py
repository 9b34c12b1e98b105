"""A mail judged from the rows of its game alone, with no database at hand: most moves need nothing else.

Decides which mails those are. A pure function, so that it may be carried out anywhere, in another process too; what
needs more comes back as None, or with a verdict that is still to be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.log.ledger import member
from pbem.log.seal import key_id
from pbem.service import commands, quiet, rows
from pbem.service.config import Host
from pbem.service.inbox import Waiting
from pbem.service.prepared import Values
from pbem.service.rows import Loaded
from pbem.turn import pipeline
from pbem.turn.desk import Desk
from pbem.turn.pipeline import Claims, Known, Verdict

replace = msgspec.structs.replace


class Sheet(msgspec.Struct, frozen=True):
    """A mail, and the row of its game with each of its people: what `rows.opened` wants."""

    mail: Waiting
    game: tuple[tuple[Any, ...], ...]


class Rows(msgspec.Struct, frozen=True):
    """All that one mail brought its game, in rows, and what became of the mail (`id`, `outcome`)."""

    game: Values
    records: Sequence[Values]
    letters: Sequence[Values]
    mail: int
    outcome: str


class Judged(msgspec.Struct, frozen=True):
    """A mail as far as it can be judged without writing: its verdict, or None if more is to be done before there is one."""

    claims: Claims
    loaded: Loaded
    known: Known
    verdict: Verdict | None


Found = Rows | Judged | Exception | None
"""What comes of a mail: a fault of ours, perhaps; None for what is to be judged with the database at hand."""


def found(host: Host, sheet: Sheet, now: int) -> Found:
    """As `judge`; what it raises is given too, to be written down with its mail, and keeps no other waiting."""
    try:
        return judge(host, sheet, now)
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error


def judge(host: Host, sheet: Sheet, now: int) -> Rows | Judged | None:
    """What comes of a mail. None if the rows at hand do not tell."""
    # 1. a game of which there is more than its row and its people
    loaded = rows.opened(host, sheet.game, now)
    if loaded.marks != rows.NO_MARKS or loaded.desk.snapshot.shelf:
        return None
    # 2. what the mail claims, if it is no command, and not one of our own letters
    claims = claims_of(sheet.mail)
    if quiet.may_be_ours(claims, host.post) or commands.command_of(claims):
        return None
    claims = replace(claims, auto=claims.auto or quiet.is_machine(claims, sheet.mail, host.post))
    # 3. lines that it names, if they need not be looked up
    known = rows.known_at_once(claims, loaded.desk.snapshot.ledger)
    if known is None:
        return None
    return verdict_of(Judged(claims, loaded, known, None), sheet.mail, now)


def verdict_of(judged: Judged, mail: Waiting, now: int) -> Rows | Judged:
    """The verdict, in rows if there is no more to it than those."""
    claims = answerable(judged.claims, mail, judged.loaded.desk)
    judged = replace(judged, claims=claims)
    verdict = pipeline.judge(judged.claims, judged.known, judged.loaded.desk)
    written = rows.plain_rows(judged.loaded, verdict, now)
    # who joins may have to be told of to the host
    if written is None or any(one.kind == "join" for one in judged.claims.envelopes):
        return replace(judged, verdict=verdict)
    return Rows(*written, mail.id, "taken")


def claims_of(mail: Waiting) -> Claims:
    """The mail's claims. Mail without an envelope sender is automatic; without From, the envelope sender counts."""
    claims = pipeline.claim_mail(mail.raw)
    return replace(claims, auto=claims.auto or not mail.sender, sender=claims.sender or mail.sender)


def answerable(claims: Claims, mail: Waiting, desk: Desk) -> Claims:
    """The claims, sent by the player whose seat's own address the mail came to, if its sender is on no roster.

    Who writes from somewhere else hears what is amiss where his letters go, if his mail is a try at a move: one that has
    suffered on its way, or one under the key of the seat. What came to the service's own address proves nothing, nor does
    what somebody has signed who had the seat before, or was invited to it.
    """
    person = desk.people.get(mail.seat)
    if person is None or not person.address or mail.recipient.lower() == desk.post.address.lower():
        return claims
    if pipeline.seats_of(desk, claims.sender) or not _is_a_try(claims, mail.seat, desk):
        return claims
    return replace(claims, sender=person.address)


def _is_a_try(claims: Claims, seat: str, desk: Desk) -> bool:
    if not claims.envelopes:
        return claims.trouble is not None and claims.trouble.code != "mail/no-move"
    key = member(desk.snapshot.ledger, seat).public_key
    return bool(key) and any(
        one.seat == seat and one.sig.key == key_id(bytes.fromhex(key)) for one in claims.envelopes
    )
