"""One mail handed over on standard input by a mail server's pipe; the answer is an exit code (sysexits.h).

Decides which code: 0 when the mail is committed, and nothing else. Whatever is amiss with us is 75, so that the
mail server keeps the mail and tries again; only what will never be taken is a code for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import msgspec

from pbem.service.addresses import Directory, Place, is_address, is_sender, returns_of
from pbem.service.clock import Clock
from pbem.service.config import Home
from pbem.service.database import Database
from pbem.service.inbox import Arrival
from pbem.service.reception import Later, Reception, mail_key

OK, USAGE, DATAERR, NOUSER, TEMPFAIL = 0, 64, 65, 67, 75
What = Literal["taken", "no-recipient", "no-game", "too-large", "later", "not-an-address"]
_NULL = ("", "<>", "mailer-daemon")
"""How mail servers write the null sender for a pipe."""


class Delivery(msgspec.Struct, frozen=True):
    """What came of a mail; `when` is until when to wait, for `later`."""

    code: int
    what: What
    when: str = ""


def recipients_of(given: Sequence[str], environment: Mapping[str, str], service: str) -> tuple[str, ...]:
    """As named, else as the mail server says in the environment, else the service itself."""
    if given:
        return tuple(given)
    for name in ("ORIGINAL_RECIPIENT", "RECIPIENT"):
        if found := environment.get(name):
            return (found,)
    return (service,)


def sender_of(given: str | None, environment: Mapping[str, str]) -> str:
    """The envelope sender as named, else as the environment says; empty for the null sender."""
    found = environment.get("SENDER", "") if given is None else given
    return "" if found.lower() in _NULL else found


def deliver(
    database: Database, home: Home, mail: Arrival, recipients: Sequence[str], clock: Clock
) -> Delivery:
    """Takes the mail in for these recipients. Raises what the database raises, with nothing done."""
    # 1. what will never be taken
    if len(mail.raw) > home.config.max_mail:
        return Delivery(DATAERR, "too-large")
    if mail.sender and not is_sender(mail.sender):
        return Delivery(DATAERR, "not-an-address")
    # 2. addresses that there are, and senders that need not wait
    keys = partial(mail_key, database, home)
    directory = Directory(home.host(()).post, keys, returns_of(home))
    reception = Reception(database, home, directory, clock)
    found = [reception.admit(mail.sender, address) if is_address(address) else None for address in recipients]
    places = tuple(place for place in found if isinstance(place, Place))
    later = [place for place in found if isinstance(place, Later)]
    if not places:
        return Delivery(TEMPFAIL, "later", str(later[0])) if later else Delivery(NOUSER, "no-recipient")
    # 3. committed
    answers = reception.take_in(msgspec.structs.replace(mail, places=places))
    if "taken" in answers:
        return Delivery(OK, "taken")
    waits = [answer for answer in answers if isinstance(answer, Later)]
    return Delivery(TEMPFAIL, "later", str(waits[0])) if waits else Delivery(DATAERR, "no-game")
