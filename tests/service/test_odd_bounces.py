"""Bounces in words, as qmail, older Exim and some providers write them, and what only looks like one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pbem.service.bounces import Report
from pbem.service.odd_bounces import read_odd
from tests.service.house import begin, open_house
from tests.service.mailbox import send
from tests.service.test_bounces import dsn, health

QMAIL = """From: MAILER-DAEMON@mx.example.net
Subject: failure notice

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<red@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <b@pbem.example.org>
Subject: Warning: 4.2.2 in the letter itself
"""
EXIM = """From: Mail Delivery System <Mailer-Daemon@mx.example.net>
X-Failed-Recipients: red@example.org
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  red@example.org
    host mx.example.org [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<red@example.org>:
    550 No such user here

------ This is a copy of the message, including all the headers. ------
"""
PROVIDER = """From: MAILER-DAEMON@mail.example.com
Subject: Failure Notice

Sorry, we were unable to deliver your message to the following address.

<red@example.com>:
554: delivery error: dd This user doesn't have an account here

--- Below this line is a copy of the message.
"""
FULL = """From: Postmaster <postmaster@example.org>
Subject: Unzustellbar: [pbem x] your move

Diese Nachricht konnte nicht zugestellt werden. 452 4.2.2 Mailbox voll
"""
NO_CODE = """From: mailer-daemon@example.org
Subject: Undeliverable mail

Your letter was undeliverable.
"""
WARNING = """From: Mail Delivery System <Mailer-Daemon@mx.example.net>
X-Failed-Recipients: red@example.org
Subject: Warning: message 1abc delayed 24 hours

The message has not yet been delivered; delivery attempts will continue. No action is required on your part.
"""
HOLIDAY = """From: Red <red@example.org>
Auto-Submitted: auto-replied
Subject: Out of office

I am unable to deliver anything before 5.1.2027; 550 mails wait for me.
"""
ABUSE = """From: postmaster@example.org
Subject: Welcome

This mailbox has moved.
"""
DAEMON = "From: MAILER-DAEMON@mx.example.net\nSubject: "
NOTES = f"{DAEMON}DELIVERY FAILURE: User red not listed in the directory\n\nYour message was not delivered to red.\n"
LOG = f"""{DAEMON}Mail delivery failed

|------------------------- Failed addresses follow: ---------------------|
 <red@example.org> ... unknown user
|------------------------- Message text follows: ------------------------|
Subject: 550 4.4.4 in the letter itself
"""
TOO_LONG = f"""{DAEMON}failure notice

I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up.

<red@example.org>:
Remote host said: 450 4.2.0 greylisted, temporarily rejected
I'm not going to try again; this message has been in the queue too long.
"""
FRENCH = f"{DAEMON}Non remis\n\nEchec de la remise pour ces destinataires :\n550 5.1.1 inconnu\n"
DAY = f"{DAEMON}Zustellung verz\xf6gert\n\nVersuche bis 5.1.26 (the message will be retried).\n"
AWAY = (
    "From: postmaster@example.org\nSubject: Out of office\n\nWho is away does not have mail until January.\n"
)
UNMARKED = f"""{DAEMON}Undelivered
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="lost"

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; red@example.org
Action: failed
Status: 5.1.1
--b--
"""
SAID: dict[str, tuple[str, Report | None]] = {
    "qmail": (QMAIL, Report("5.1.1", True)),
    "exim": (EXIM, Report("5.0.0", True)),
    "a provider": (PROVIDER, Report("5.0.0", True)),
    "a full mailbox": (FULL, Report("4.2.2", True)),
    "no code at all": (NO_CODE, Report("4.0.0", True)),
    "a delay": (WARNING, Report("4.0.0", False)),
    "a responder": (HOLIDAY, None),
    "a postmaster's other mail": (ABUSE, None),
    "no mail at all": ("", None),
    # it had said nothing, or the wrong thing
    "a directory of a firm": (NOTES, Report("4.0.0", True)),
    "a log above the letter": (LOG, Report("4.0.0", True)),
    "given up after having been put off": (TOO_LONG, Report("4.2.0", True)),
    "another language, with a code": (FRENCH, Report("5.1.1", True)),
    "a day that looks like a code": (DAY, Report("4.0.0", False)),
    "a postmaster on vacation": (AWAY, None),
    "a report whose parts are not to be told apart": (UNMARKED, Report("5.1.1", True)),
}


@pytest.mark.parametrize("name", SAID)
def test_what_a_bounce_in_words_says(name: str) -> None:
    text, report = SAID[name]
    assert read_odd(text.replace("\n", "\r\n").encode()) == report


def test_a_bounce_in_words_counts_by_its_return_address_alone(tmp_path: Path) -> None:
    """Only reports of RFC 3464 were read, so an address behind qmail took no mail for ever, and nobody was told."""

    async def said() -> None:
        async with open_house(tmp_path, operator="host@example.org") as house:
            red = (await begin(house, await house.game()))["red"]
            for post in red.posts[:2]:
                await send(house.door, "", [post.sender], QMAIL.encode())
            await send(house.door, "", [red.posts[2].sender], HOLIDAY.encode())
            await send(house.door, "", [red.posts[2].sender], WARNING.encode())
            assert (health(house, red).how, health(house, red).bounced) == ("bouncing", 2)
            await send(house.door, "", [red.posts[2].sender], dsn("5.1.1", red.address))
            await house.service.wait_idle()
            assert health(house, red).how == "bad"
            (told,) = house.mailbox.to("host@example.org")
            assert "takes no mail" in told.subject

    asyncio.run(said())
