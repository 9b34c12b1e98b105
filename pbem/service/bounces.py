"""Letters that come back, and addresses that take none.

Decides what a report about delivery (RFC 3464) means: a letter that is lost for good is marked as failed, so that the
next one carries its news; if the address is at fault (5.x.x), that counts against it, each letter once. Three
times, and it is marked; the host and the player's second address are told. 4.x.x counts against nobody, and a report
of a mere delay is no news. What cannot be read is ignored: nothing answers a bounce.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from engine import Refused
from pbem.service import notices
from pbem.service.notices import Notices
from pbem.service.tables import FAILED, NEW, SENT, bounces, outbox
from pbem.turn import mail_parts
from pbem.turn.mail_parts import Fields

STRIKES = 3
_STATUS = re.compile(r"\b([245]\.[0-9]{1,3}\.[0-9]{1,3})\b")
_CODE = re.compile(r"\b([45])[0-9]{2}\b")
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,250})>")


class Report(msgspec.Struct, frozen=True):
    """What a report says of one letter. `status` is `5.1.1`; `failed` is false for a mere delay.

    `message_id` of the letter and `recipients` are what the report says; anyone can write one.
    """

    status: str
    failed: bool
    message_id: str = ""
    recipients: tuple[str, ...] = ()

    @property
    def hard(self) -> bool:
        """Whether the address is at fault, for good."""
        return self.failed and self.status.startswith("5")


def read_report(raw: bytes) -> Report | None:
    """The report in a mail; None if it is none that can be read."""
    try:
        mail_parts.check_size(raw)
        return _within(*mail_parts.head(mail_parts.unix(raw)), depth=0)
    except Refused:
        return None


def _within(fields: Fields, body: bytes, *, depth: int) -> Report | None:
    """The report, also beneath the banner that a gateway has put above it, which makes it a part of another mail."""
    kind = mail_parts.kind_of(fields)
    if not kind.startswith("multipart/") or depth > mail_parts.DEPTH:
        return None
    boundary = mail_parts.params(mail_parts.first(fields, "content-type")).get("boundary", "")
    inner = mail_parts.entities(body, boundary)
    if kind == "multipart/report":
        return _report(inner)
    parts = (mail_parts.split(entity, mail_parts.PART_HEAD_BYTES) for entity in inner)
    return next((found for part in parts if (found := _within(*part, depth=depth + 1)) is not None), None)


def _report(parts: Sequence[bytes]) -> Report | None:
    said: list[dict[str, str]] = []
    message_id = ""
    for entity in parts:
        head, rest = mail_parts.split(entity, mail_parts.PART_HEAD_BYTES)
        rest = mail_parts.decoded(mail_parts.first(head, "content-transfer-encoding"), rest)
        match mail_parts.kind_of(head):
            case "message/delivery-status" | "message/global-delivery-status":
                said += _groups(rest)
            case "message/rfc822" | "text/rfc822-headers" | "message/global" | "message/global-headers":
                inner = mail_parts.split(rest, mail_parts.HEAD_BYTES)[0]
                found = _MESSAGE_ID.search(mail_parts.first(inner, "message-id").decode("latin-1"))
                message_id = found[1] if found else message_id
            case _:
                continue
    about = [group for group in said if "action" in group or "status" in group]
    if not about:
        return None
    worst = max(about, key=lambda group: (_failed(group), _status(group)))
    recipients = tuple(
        group[name].rpartition(";")[2].strip().lower()
        for group in about
        for name in ("final-recipient", "original-recipient")
        if name in group
    )
    return Report(_status(worst), _failed(worst), message_id, recipients)


def _groups(body: bytes) -> list[dict[str, str]]:
    """Groups of fields with blank lines between: the first is about the mail server, each other about a recipient."""
    groups: list[dict[str, str]] = []
    for block in re.split(rb"\n[ \t]*\n", body.strip(b"\n"))[: mail_parts.PARTS]:
        fields, _ = mail_parts.split(block, mail_parts.PART_HEAD_BYTES)
        groups.append({name: value.decode("latin-1").strip() for name, value in reversed(fields)})
    return groups


def _failed(group: dict[str, str]) -> bool:
    return group.get("action", "failed").partition(" ")[0].strip().lower() == "failed"


def _status(group: dict[str, str]) -> str:
    """`5.1.1` from Status, else from what the other server said, else from its code; 4.0.0 if nothing says."""
    for name in ("status", "diagnostic-code"):
        if found := _STATUS.search(group.get(name, "")):
            return found[1]
    found = _CODE.search(group.get("diagnostic-code", ""))
    return f"{found[1]}.0.0" if found else "4.0.0"


def is_at_fault(answer: str) -> bool:
    """Whether a mail server's 5xx to a recipient is about the address; policy and trouble on the way are not."""
    found = _STATUS.search(answer)
    return found is None or found[1][:3] in ("5.0", "5.1", "5.2")


def is_policy(answer: str) -> bool:
    """Whether a mail server's 5xx says that it will not relay for us, or not so much: a host can mend that."""
    found = _STATUS.search(answer)
    return found is not None and found[1].startswith("5.7")


def letter_of(tx: sa.Connection, report: Report) -> int:
    """The letter that a report without a return address of its own is about; 0 if it proves nothing.

    It must name the letter, and the address that the letter went to, which other players do not know.
    """
    row = tx.execute(
        sa.select(outbox.c.id, outbox.c.recipient).where(outbox.c.message_id == report.message_id)
    ).first()
    return row.id if row is not None and row.recipient.lower() in report.recipients else 0


def came_back(tx: sa.Connection, letter: int, report: Report, told: Notices, now: int) -> str:
    """Writes down what a report says of a letter; gives a word for the journal."""
    if not report.failed:
        return "delay"
    row = tx.execute(
        sa.select(outbox.c.seat).where(outbox.c.id == letter, outbox.c.state.in_((SENT, NEW)))
    ).first()
    if row is not None:
        values = {"state": FAILED, "error": report.status}
        tx.execute(outbox.update().where(outbox.c.id == letter).values(values))
    if report.hard:
        strike(tx, letter, report.status, told, now)
        return "hard"
    return "soft"


def strike(tx: sa.Connection, letter: int, status: str, told: Notices, now: int) -> None:
    """Counts a letter against its address, once; the third marks the address and is told."""
    row = tx.execute(
        sa.select(outbox.c.game, outbox.c.seat, outbox.c.recipient).where(outbox.c.id == letter)
    ).first()
    if row is None or not row.seat:
        return
    if tx.execute(sa.select(bounces.c.letter).where(bounces.c.letter == letter)).first() is not None:
        return
    address = row.recipient.lower()
    values = {"letter": letter, "address": address, "at": now, "status": status[:16]}
    tx.execute(bounces.insert().values(values))
    if strikes(tx).get(address, 0) == STRIKES:
        notices.address_is_bad(tx, told, row.game, row.seat, now)


def strikes(tx: sa.Connection) -> dict[str, int]:
    """How many letters have come back from each address since it was last set."""
    wanted = sa.select(bounces.c.address, sa.func.count()).group_by(bounces.c.address)
    return {row[0]: row[1] for row in tx.execute(wanted)}


def forgive(tx: sa.Connection, address: str) -> None:
    """The address is as good as new."""
    tx.execute(bounces.delete().where(bounces.c.address == address.lower()))
