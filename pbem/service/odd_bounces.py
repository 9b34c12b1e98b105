"""Bounces in words instead of RFC 3464: what qmail, older Exim and some providers write.

Law: asked only of a mail to a letter's own return address, which says which letter it is about; decides from the
words whether it is lost for good. A mail that no mail server wrote, or that does not say so, says nothing: a
responder's answer to a return address must count against nobody.
"""

from __future__ import annotations

import re

from engine import Refused
from pbem.service.bounces import Report
from pbem.turn import mail_parts, mail_text, mime
from pbem.turn.mail_parts import Part

LOOKED_AT = 16_000
"""Characters of the text; what stands below is the letter that came back."""
_DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon", "mdaemon")
_LETTER = re.compile(
    r"^[ \t>-]*(?:below this line is a copy|this is a copy of (?:the|your) message|original message|included is a copy"
    r"|the (?:body|headers?) of the message|received: |message-id: )",
    re.IGNORECASE | re.MULTILINE,
)
_DELAY = re.compile(
    r"will (?:keep trying|be retried|continue|retry)|no action is required|(?:warning|not yet|delayed|temporar)",
    re.IGNORECASE,
)
_STATUS = re.compile(r"(?<![\d.])([45]\.[0-9]{1,3}\.[0-9]{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.])(5)[0-5][0-9](?=[ :-])")
_GIVEN_UP = re.compile(
    r"permanent (?:fatal )?error|given up|giving up|could not be delivered|unable to deliver|wasn't able to deliver"
    r"|delivery (?:to the following .{0,40})?(?:has )?failed|undeliverable|unzustellbar|nicht zugestellt|no mailbox here"
    r"|user unknown|unknown user|no such user|does ?n[o']t (?:exist|have)|mailbox (?:unavailable|not found)",
    re.IGNORECASE,
)


def read_odd(raw: bytes) -> Report | None:
    """What a bounce says in words; None if it is none. Without a status in it, it is nobody's fault (4.0.0)."""
    try:
        mail_parts.check_size(raw)
        fields, body = mail_parts.opened(raw)
        sender = mime.sender_of(fields).partition("@")[0].lower()
        failed = mail_parts.first(fields, "x-failed-recipients")
        if sender not in _DAEMONS and not failed:
            return None
        said = next((part for part in mail_parts.pieces(fields, body) if isinstance(part, Part)), None)
    except Refused:
        return None
    if said is None:
        return None
    text = mail_text.text(said.body, said.params.get("charset", ""))[:LOOKED_AT]
    if below := _LETTER.search(text):
        text = text[: below.start()]
    return _judged(f"{mail_text.header(mail_parts.first(fields, 'subject'))}\n{text}", bool(failed))


def _judged(text: str, named: bool) -> Report | None:
    """`named`: a field of the header names who has not got the letter."""
    found, code = _STATUS.search(text), _CODE.search(text)
    status = found[1] if found else f"{code[1]}.0.0" if code else "4.0.0"
    if _DELAY.search(text) and not status.startswith("5"):
        return Report(status, failed=False)
    if not named and not _GIVEN_UP.search(text):
        return None
    return Report(status, failed=True)
