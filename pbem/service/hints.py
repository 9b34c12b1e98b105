"""What the receiving mail server found out about a sender (SPF, DKIM, DMARC), as it wrote it into the mail.

Law: a hint, and no more. Whose move it is, its signature says; but a join is believed for the token of an invitation,
so the host hears of one whose sender the mail server did not believe. Only the topmost field is read, and only if
our own mail server wrote it (`authserv`): anybody can write one, and what lies below may be a stranger's.
"""

from __future__ import annotations

import re
from typing import Literal

from pbem.service.journal import warn
from pbem.service.routing import head_of
from pbem.turn import mail_parts
from pbem.turn.pipeline import Claims

_SERVER = re.compile(r"\s*([A-Za-z0-9._-]{1,190})(?:\s+[0-9]{1,3})?\s*(?:;|$)")
_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r";\s*dmarc\s*=\s*([a-z]{1,12})", re.IGNORECASE)
Hint = Literal["pass", "fail", "none"]


def hint_of(raw: bytes, authserv: str) -> Hint:
    """What the mail server `authserv` says of the sender by DMARC; `none` if it says nothing, or is not asked."""
    if not authserv:
        return "none"
    value = mail_parts.first(head_of(raw), "authentication-results").decode("latin-1")
    text = _COMMENT.sub(" ", value)
    server, result = _SERVER.match(text), _RESULT.search(text)
    if server is None or server[1].lower() != authserv.lower() or result is None:
        return "none"
    match result[1].lower():
        case "pass":
            return "pass"
        case "fail" | "permerror":
            return "fail"
        case _:
            return "none"


def tell_of_a_doubtful_join(raw: bytes, claims: Claims, authserv: str) -> None:
    """Tells the operator of a seat that was taken by a mail which its sender's domain disowns."""
    joins = [one for one in claims.envelopes if one.kind == "join"]
    if joins and hint_of(raw, authserv) == "fail":
        warn("join-doubtful", game=joins[0].game, seat=joins[0].seat)
