"""One mail handed over on standard input by a mail server's pipe; the answer is an exit code (sysexits.h).

Decides which code: 0 when the mail is committed, and nothing else. Whatever is amiss with us is 75, so that the
mail server keeps the mail and tries again; only what will never be taken is a code for good.

A mail server that has accepted the mail already would send such a code on to whom the envelope names, which is anybody
whom a stranger wrote there. So of `accepted` mail nothing is refused for good: a player is told by letter, and what is
of no player is dropped.
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
from pbem.turn import mail_parts

replace = msgspec.structs.replace

OK, DATAERR, NOUSER, TEMPFAIL = 0, 65, 67, 75
What = Literal["taken", "dropped", "no-recipient", "no-game", "too-large", "later", "not-an-address"]
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


def most_of(home: Home, *, accepted: bool) -> int:
    """How many bytes of a mail are looked at: one more than may be, so that it is known for too long."""
    return (max(home.config.max_mail, mail_parts.SIZE) if accepted else home.config.max_mail) + 1


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
    reception = _reception(database, home, clock)
    places, later = _admitted(reception, mail.sender, recipients)
    if not places:
        return _later(later) if later else Delivery(NOUSER, "no-recipient")
    # 3. committed
    answers = reception.take_in(replace(mail, places=places))
    if "taken" in answers:
        return Delivery(OK, "taken")
    waits = [answer for answer in answers if isinstance(answer, Later)]
    return _later(waits) if waits else Delivery(DATAERR, "no-game")


def deliver_accepted(
    database: Database, home: Home, mail: Arrival, recipients: Sequence[str], clock: Clock
) -> Delivery:
    """The same of a mail that nobody can be refused any more; one to no address of ours is one to the service itself."""
    mail = mail if is_sender(mail.sender) else replace(mail, sender="")
    reception = _reception(database, home, clock)
    places, later = _admitted(reception, mail.sender, recipients)
    if later and not places:
        return _later(later)
    places = places or (Place("", "", home.config.address),)
    answers = reception.take_in(replace(mail, places=places), of_players=True)
    if "taken" in answers:
        return Delivery(OK, "taken")
    waits = [answer for answer in answers if isinstance(answer, Later)]
    return _later(waits) if waits else Delivery(OK, "dropped")


def _reception(database: Database, home: Home, clock: Clock) -> Reception:
    keys = partial(mail_key, database, home)
    return Reception(database, home, Directory(home.host(()).post, keys, returns_of(home)), clock)


def _admitted(
    reception: Reception, sender: str, recipients: Sequence[str]
) -> tuple[tuple[Place, ...], list[Later]]:
    found = [reception.admit(sender, address) if is_address(address) else None for address in recipients]
    places = tuple(place for place in found if isinstance(place, Place))
    return places, [place for place in found if isinstance(place, Later)]


def _later(waits: Sequence[Later]) -> Delivery:
    return Delivery(TEMPFAIL, "later", str(waits[0]))
