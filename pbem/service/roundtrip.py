"""What the doctor sees of the way out and in: whether the relay answers, and whether a mail to oneself comes back.

Decides how long that may take. The mail is no letter of a game and never lies in the outbox; what comes back is noted
by the door of the running service.
"""

from __future__ import annotations

import asyncio

import aiosmtplib
from sqlalchemy.exc import DBAPIError

from engine import say, words
from pbem.service.clock import instant
from pbem.service.config import LOOPBACK, Home, endpoint
from pbem.service.database import Database
from pbem.service.doctor import Finding, unseen
from pbem.service.probes import is_back, probe_address
from pbem.service.submission import Submission, connect
from pbem.turn.eml import Mail, render

LOOK = 0.2
"""Seconds between looks for what comes back."""
TROUBLE = (aiosmtplib.SMTPException, OSError)


async def relay_finding(home: Home, submission: Submission) -> Finding:
    """Whether the relay answers as the settings want it to."""
    server = endpoint(home.config.relay)
    try:
        connection = await connect(server, submission)
        offers = connection.supports_extension("starttls")
        await connection.quit(timeout=1)
    except TROUBLE as error:
        what = say("{relay} does not answer: {problem}.", relay=str(server), problem=type(error).__name__)
        return Finding("relay", "bad", what)
    if home.config.relay_tls == "none" and server.host not in LOOPBACK:
        if offers:
            what = say('{relay} offers TLS: set relay_tls = "starttls".', relay=str(server))
        else:
            what = say("{relay} is another machine, and letters go there in the clear.", relay=str(server))
        return Finding("relay", "look", what)
    return Finding("relay", "good", say("{relay} answers.", relay=str(server)))


async def trip_finding(
    home: Home, database: Database, submission: Submission, trip: tuple[str, int, float]
) -> Finding:
    """A mail to oneself. `trip`: its nonce, the instant in seconds, how many seconds to wait for it."""
    nonce, now, patience = trip
    post = home.host(()).post
    to = probe_address(home.key, post, nonce)
    subject = words(say("[pbem] a mail to oneself"))
    body = words(
        say("Nothing need be done about this mail: a host wanted to see whether mail comes through.")
    )
    mail = Mail(
        post.address, post.address, to, subject, instant(now), f"doctor.{nonce}@{post.domain}", body + "\n"
    )
    try:
        connection = await connect(endpoint(home.config.relay), submission)
        await connection.sendmail(post.address, [to], render(mail))
        await connection.quit(timeout=1)
    except TROUBLE as error:
        problem = (
            str(error.code) if isinstance(error, aiosmtplib.SMTPResponseException) else type(error).__name__
        )
        return Finding(
            "roundtrip", "bad", say("The relay did not take a mail to ourselves: {problem}.", problem=problem)
        )
    for _ in range(max(1, int(patience / LOOK))):
        try:
            if await asyncio.to_thread(_is_back, database, nonce):
                return Finding("roundtrip", "good", say("A mail to ourselves came back."))
        except DBAPIError as error:
            return unseen("roundtrip", error)
        await asyncio.sleep(LOOK)
    what = say(
        "A mail to ourselves has not come back after {seconds} s: does the service run?",
        seconds=int(patience),
    )
    return Finding("roundtrip", "bad", what)


def _is_back(database: Database, nonce: str) -> bool:
    with database.read() as tx:
        return is_back(tx, nonce)
