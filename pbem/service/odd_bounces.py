"""Bounces in words instead of RFC 3464: what qmail, older Exim and some providers write.

Law: asked only of a mail to a letter's own return address, which says which letter it is about; decides from the
words whether it is lost for good. A mail that no mail server wrote, or that does not say so, says nothing: a
responder's answer to a return address must count against nobody.
"""

from __future__ import annotations

import re
from typing import TypeGuard

from engine import Refused
from pbem.service.bounces import Report
from pbem.service.robots import is_robots
from pbem.turn import mail_heads, mail_parts, mail_text
from pbem.turn.mail_parts import Container, Part, Piece

LOOKED_AT = 16_000
"""Characters of the text; what stands below is the letter that came back."""
_DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon", "mdaemon")
_LETTER = re.compile(
    r"^[ \t>|-]*(?:below this line is a copy|this is a copy of (?:the|your) message|original message|included is a copy"
    r"|the (?:body|headers?) of the message|message text follows|received: |message-id: )",
    re.IGNORECASE | re.MULTILINE,
)
_DELAY = re.compile(
    r"will (?:keep trying|be retried|continue|retry)|no action is required|(?:warning|not yet|delayed|temporar)",
    re.IGNORECASE,
)
# behind a server's code, a `#` or a label: by itself `5.1.26` is a day
_STATUS = re.compile(
    r"(?:\b[45]\d\d[ -]|#|\bstatus[:= ]{1,3})([45]\.[0-9]{1,3}\.[0-9]{1,3})(?![\d.])", re.IGNORECASE
)
_CODE = re.compile(r"(?<![\d.])(5)[0-5][0-9](?=[ :-])")
_FOR_GOOD = re.compile(r"permanent (?:fatal )?error|given up|not going to try again", re.IGNORECASE)
_GIVEN_UP = re.compile(
    r"giving up|could not be delivered|unable to deliver|wasn't able to deliver|delivery failure|was not delivered"
    r"|delivery (?:to the following .{0,40})?(?:has )?failed|undeliverable|unzustellbar|nicht zugestellt|no mailbox here"
    r"|user unknown|unknown user|no such user|does ?n[o']t (?:exist|have)|mailbox (?:unavailable|not found)",
    re.IGNORECASE,
)


def read_odd(raw: bytes) -> Report | None:
    """What a bounce says in words; None if it is none. Without a status in it, it is nobody's fault (4.0.0)."""
    try:
        mail_parts.check_size(raw)
        fields, body = mail_parts.opened(raw)
        sender = mail_heads.sender_of(fields).partition("@")[0].lower()
        failed = mail_parts.first(fields, "x-failed-recipients")
        if sender not in _DAEMONS and not failed:
            return None
        subject = mail_text.header(mail_parts.first(fields, "subject"))
        if is_robots(subject):
            return None
        said = next((each for each in mail_parts.pieces(fields, body) if _is_text(each)), None)
    except Refused:
        return None
    if said is None:
        return None
    charset = said.params.get("charset", "") if isinstance(said, Part) else ""
    text = mail_text.text(said.body, charset)[:LOOKED_AT]
    if below := _LETTER.search(text):
        text = text[: below.start()]
    return _judged(f"{subject}\n{text}", bool(failed))


def _is_text(piece: Piece) -> TypeGuard[Part | Container]:
    """A part, or a report whose parts nobody can tell apart."""
    return isinstance(piece, Part) or (isinstance(piece, Container) and piece.kind == "multipart/report")


def _judged(text: str, named: bool) -> Report | None:
    """`named`: a field of the header names who has not got the letter."""
    found, code = _STATUS.search(text), _CODE.search(text)
    status = found[1] if found else f"{code[1]}.0.0" if code else "4.0.0"
    for_good = bool(_FOR_GOOD.search(text))
    if _DELAY.search(text) and not (for_good or status.startswith("5")):
        return Report(status, failed=False)
    refused = found is not None and status.startswith("5")
    return Report(status, failed=True) if named or refused or for_good or _GIVEN_UP.search(text) else None
